"""`python -m games.rules replay FILE`: replay records without a database, a server or settings (CONTRACT, Records)."""

import argparse
import json
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from games.rules import GAMES
from games.rules.record import RecordError, Replay, replay
from games.rules.terminal import parse, run


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0 if every record was applied in full, 1 after a refused move, 2 after a bad record."""
    parser = argparse.ArgumentParser(prog="python -m games.rules", description="The rules, without a server.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("replay", help="replay records and print one line of JSON for each")
    command.add_argument("file", help="a file with one record, or with one record per line; - for standard input")
    command.add_argument("--seat", type=int, help="show this seat's view instead of the omniscient one")
    given = parser.parse_args(arguments)
    return run(given.file, partial(_replay_all, given.seat))


def _replay_all(seat: int | None, content: bytes) -> int:
    status = 0
    for line, raw in _records(content):
        try:
            answer = _answer(replay(_parse(raw), GAMES), seat)
        except RecordError as error:
            _complain(line, str(error))
            status = 2
        except RecursionError:
            _complain(line, "The JSON is nested too deeply.")
            status = 2
        else:
            print(json.dumps(answer), flush=True)
            status = max(status, 1 if answer["error"] else 0)
    return status


def _complain(line: int, sentence: str) -> None:
    # What the record says may be quoted in the sentence, line breaks included.
    print(f"line {line}: {' '.join(sentence.split())}", file=sys.stderr)


def _records(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The records with the numbers of the lines they begin on: one JSON document, or JSON Lines."""
    lines = [(number, line) for number, line in enumerate(content.split(b"\n"), 1) if line.strip()]
    if lines and (_is_json(content) or not _is_json_lines([line for _, line in lines])):
        yield lines[0][0], content
    else:
        yield from lines


def _is_json_lines(lines: list[bytes]) -> bool:
    """Whether content that is not JSON as a whole is meant as JSON Lines, rather than as one broken document.

    A broken document never has a record on a line of its own, but its last move may well have one.
    """
    return _is_json(lines[0]) or any(b'"format"' in line and _is_json(line) for line in lines)


def _is_json(raw: bytes) -> bool:
    try:
        parse(raw)
    except ValueError:
        return False
    return True


def _parse(raw: bytes) -> object:
    try:
        return parse(raw)
    except ValueError as error:
        raise RecordError(str(error)) from None


def _answer(played: Replay, seat: int | None) -> dict[str, Any]:
    game, state = played.game, played.state
    view = game.view(state, None)
    if seat is not None and not 0 <= seat < view["seats"]:
        raise RecordError(f"There is no seat {seat} in this game.")
    return {
        "applied": played.applied,
        "error": played.error,
        "view": view if seat is None else game.view(state, seat),
        "legal": {str(s): game.legal_moves(state, s) for s in sorted({*view["to_act"], *view["may_interrupt"]})},
    }


if __name__ == "__main__":
    sys.exit(main())
