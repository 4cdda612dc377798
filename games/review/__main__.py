"""`python -m games.review FILE`: review finished games from their records alone."""

import argparse
import sys

from games.review import numbered, review
from games.rules import PLAYED
from games.rules.record import RecordError, replay
from games.rules.terminal import Answer, answer_all


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0, or 2 after a record that cannot be reviewed."""
    parser = argparse.ArgumentParser(prog="python -m games.review", description="Review a game from its record.")
    parser.add_argument("file", help="a file with one record, or with one record per line; - for standard input")
    return answer_all(parser.parse_args(arguments).file, _reviewed)


def _reviewed(record: object) -> Answer:
    played = replay(record, PLAYED)
    if played.error is not None:
        raise RecordError(f"Move {played.error['at']} is refused: {played.error['detail']}")
    return Answer(review(played.game, numbered(played.events)))


if __name__ == "__main__":
    sys.exit(main())
