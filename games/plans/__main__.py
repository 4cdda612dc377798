"""`python -m games.plans try FILE`: what a plan does at the end of a record, without a server or database."""

import argparse
import sys

from games.rules import PLAYED, game_of
from games.rules.moves import said
from games.rules.plans import PlanError, judge, read_plan
from games.rules.record import RecordError, replay
from games.rules.terminal import Answer, answer_all

KEYS = ("record", "seat", "plan")


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0, 1 after a bad plan or a refused move, 2 after an entry that cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m games.plans", description="Plans, without a server.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser(
        "try", help="print what each plan does at the end of its record, one line of JSON each"
    )
    command.add_argument(
        "file",
        help='a file with one {"record": ..., "seat": ..., "plan": ...}, or with one per line; - for standard input',
    )
    given = parser.parse_args(arguments)
    return answer_all(given.file, _answer)


def _answer(entry: object) -> Answer:
    if not isinstance(entry, dict):
        raise RecordError("An entry must be a JSON object with record, seat and plan.")
    missing = [key for key in KEYS if key not in entry]
    if missing:
        raise RecordError(f"The entry has no {', '.join(missing)}.")
    played = replay(entry["record"], PLAYED)
    state, seat, refused = played.state, entry["seat"], played.error
    game = game_of(played.game.name, entry["record"].get("options"))
    if type(seat) is not int or not 0 <= seat < entry["record"]["seats"]:
        raise RecordError(f"There is no seat {said(seat)} in this game.")
    try:
        verdict = judge(game, state, seat, read_plan(game, entry["plan"]))
    except PlanError as wrong:
        return Answer({"error": wrong.as_json()}, good=False)
    complaint = f"move {refused['at']} of the record is refused: {refused['detail']}" if refused else None
    return Answer(verdict.as_json(), refused is None, complaint)


if __name__ == "__main__":
    sys.exit(main())
