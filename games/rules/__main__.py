"""`python -m games.rules replay FILE`: plays records without database, server or settings (CONTRACT, Records)."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.rules import GAMES
from games.rules.game import Viewer
from games.rules.record import RecordError, Replay, replay


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0: every record applied in full; 1: a move was refused; 2: a record could not be read."""
    parser = argparse.ArgumentParser(prog="python -m games.rules", description="The rules, without a server.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("replay", help="play records and print where each one ends, a line of JSON for each")
    command.add_argument("file", help="a file of one record, or of one a line; - for standard input")
    command.add_argument("--seat", type=int, help="show this seat's view instead of the omniscient one")
    given = parser.parse_args(arguments)
    try:
        content = _read(given.file)
    except OSError as error:
        print(f"{given.file}: {error.strerror}.", file=sys.stderr)
        return 2
    status = 0
    for line, raw in _records(content):
        try:
            answer = _answer(replay(_parse(raw), GAMES), given.seat)
        except RecordError as error:
            print(f"line {line}: {error}", file=sys.stderr)
            status = 2
        else:
            print(json.dumps(answer), flush=True)
            status = max(status, 1 if answer["error"] else 0)
    return status


def _read(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _records(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The records with their line numbers: one a line, or the whole content when no line is an object by itself."""
    lines = [(number, line) for number, line in enumerate(content.split(b"\n"), 1) if line.strip()]
    if len(lines) > 1 and not any(_is_object(line) for _, line in lines):
        yield lines[0][0], content
    else:
        yield from lines


def _is_object(raw: bytes) -> bool:
    try:
        return isinstance(_parse(raw), dict)
    except RecordError:
        return False


def _parse(raw: bytes) -> object:
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise RecordError("Not UTF-8.") from None
    except RecursionError:
        raise RecordError("The JSON is nested too deeply.") from None
    except ValueError as error:
        raise RecordError(f"Not JSON: {error}.") from None


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _answer(played: Replay, seat: int | None) -> dict[str, Any]:
    game, state = played.game, played.state
    view = game.view(state, None)
    viewer: Viewer = seat
    if seat is not None and not 0 <= seat < view["seats"]:
        raise RecordError(f"The game has no seat {seat}.")
    return {
        "applied": played.applied,
        "error": played.error,
        "view": game.view(state, viewer),
        "legal": {str(s): game.legal_moves(state, s) for s in sorted({*view["to_act"], *view["may_interrupt"]})},
    }


if __name__ == "__main__":
    sys.exit(main())
