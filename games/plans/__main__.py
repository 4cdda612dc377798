"""`python -m games.plans try FILE`: what a plan does at the end of a record, without a server or database (PL11)."""

import argparse
import json
import sys
from typing import Any

from games.plans import PlanError, judge, read_plan
from games.rules import GAMES
from games.rules.moves import said
from games.rules.record import RecordError, replay
from games.rules.terminal import complain, documents, parse, run

KEYS = ("record", "seat", "plan")


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0, 1 after a bad plan or a refused move, 2 after an entry that cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m games.plans", description="Plans, without a server.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("try", help="print what each plan does at the end of its record, a line of JSON each")
    command.add_argument(
        "file",
        help='a file with one {"record": ..., "seat": ..., "plan": ...}, or with one per line; - for standard input',
    )
    given = parser.parse_args(arguments)
    return run(given.file, _try_all)


def _try_all(content: bytes) -> int:
    status = 0
    for line, raw in documents(content):
        try:
            answer, refused = _answer(parse(raw))
        except RecursionError:
            complain(line, "The JSON is nested too deeply.")
            status = 2
        except PlanError as wrong:
            print(json.dumps({"error": wrong.as_json()}), flush=True)
            status = max(status, 1)
        except ValueError as error:
            complain(line, str(error))
            status = 2
        else:
            if refused is not None:
                complain(line, f"move {refused['at']} of the record is refused: {refused['detail']}")
                status = max(status, 1)
            print(json.dumps(answer), flush=True)
    return status


def _answer(entry: object) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return what the plan does after the last legal move, and the move that was refused, if any.

    Raises RecordError, and PlanError for a bad plan.
    """
    if not isinstance(entry, dict):
        raise RecordError("An entry must be a JSON object with record, seat and plan.")
    missing = [key for key in KEYS if key not in entry]
    if missing:
        raise RecordError(f"The entry has no {', '.join(missing)}.")
    played = replay(entry["record"], GAMES)
    game, state, seat = played.game, played.state, entry["seat"]
    if type(seat) is not int or not 0 <= seat < entry["record"]["seats"]:
        raise RecordError(f"There is no seat {said(seat)} in this game.")
    return judge(game, state, seat, read_plan(game, entry["plan"])).as_json(), played.error


if __name__ == "__main__":
    sys.exit(main())
