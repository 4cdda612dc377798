"""`python -m games.rules replay FILE`: replay records without a database, a server or settings (CONTRACT, Records)."""

import argparse
import json
import sys
from functools import partial
from typing import Any

from games.rules import GAMES
from games.rules.record import RecordError, Replay, replay
from games.rules.terminal import complain, documents, parse, run


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
    for line, raw in documents(content):
        try:
            answer = _answer(replay(_parse(raw), GAMES), seat)
        except RecordError as error:
            complain(line, str(error))
            status = 2
        except RecursionError:
            complain(line, "The JSON is nested too deeply.")
            status = 2
        else:
            print(json.dumps(answer), flush=True)
            status = max(status, 1 if answer["error"] else 0)
    return status


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
