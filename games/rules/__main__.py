"""`python -m games.rules replay FILE`: replay records without a database, a server or settings (CONTRACT, Records)."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.rules import GAMES
from games.rules.record import RecordError, Replay, replay


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0 if every record was applied in full, 1 after a refused move, 2 after a bad record."""
    parser = argparse.ArgumentParser(prog="python -m games.rules", description="The rules, without a server.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("replay", help="replay records and print one line of JSON for each")
    command.add_argument("file", help="a file with one record, or with one record per line; - for standard input")
    command.add_argument("--seat", type=int, help="show this seat's view instead of the omniscient one")
    given = parser.parse_args(arguments)
    try:
        content = _read(given.file)
    except OSError as error:
        print(f"{given.file}: {error.strerror}.", file=sys.stderr)
        return 2
    try:
        return _replay_all(content, given.seat)
    except OSError as error:
        print(f"standard output: {error.strerror}.", file=sys.stderr)
        # What is still in the buffer is written at exit: that would fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


def _replay_all(content: bytes, seat: int | None) -> int:
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


def _read(name: str) -> bytes:
    if name != "-":
        return Path(name).read_bytes()
    with open(0, "rb") as standard_input:
        return standard_input.read()


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
        _parse(raw)
    except (RecordError, RecursionError):
        return False
    return True


def _parse(raw: bytes) -> object:
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant, parse_int=_integer)
    except UnicodeDecodeError:
        raise RecordError("Not UTF-8.") from None
    except ValueError as error:
        raise RecordError(f"Not JSON: {error}.") from None


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError(f"a number of {len(digits)} digits is too long") from None


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
