"""`python -m games.rules replay FILE`: replay records without a database, a server or settings."""

import argparse
import sys

from games.rules import GAMES
from games.rules.record import RecordError, Replay, replay
from games.rules.terminal import Answer, answer_all


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0 if every record was applied in full, 1 after a refused move, 2 after a bad record."""
    parser = argparse.ArgumentParser(prog="python -m games.rules", description="The rules, without a server.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("replay", help="replay records and print one line of JSON for each")
    command.add_argument("file", help="a file with one record, or with one record per line; - for standard input")
    command.add_argument("--seat", type=int, help="show this seat's view instead of the omniscient one")
    given = parser.parse_args(arguments)
    return answer_all(given.file, lambda record: _answer(replay(record, GAMES), given.seat))


def _answer(played: Replay, seat: int | None) -> Answer:
    game, state = played.game, played.state
    view = game.view(state, None)
    if seat is not None and not 0 <= seat < view["seats"]:
        raise RecordError(f"There is no seat {seat} in this game.")
    said = {
        "applied": played.applied,
        "error": played.error,
        "view": view if seat is None else game.view(state, seat),
        "legal": {str(s): game.legal_moves(state, s) for s in sorted({*view["to_act"], *view["may_interrupt"]})},
    }
    return Answer(said, played.error is None)


if __name__ == "__main__":
    sys.exit(main())
