"""The next round: its tables and byes (SE1 to SE6, KO1)."""

from tournaments.rules import knockout
from tournaments.rules.errors import NoRound
from tournaments.rules.record import NextRound, Record
from tournaments.rules.seating.round_to_come import judge, next_round


def seat(record: Record) -> NextRound:
    """The next round of a tournament of any kind. Raises NoRound, with a sentence, if there is none."""
    if record.finished:
        raise NoRound("The tournament is finished, so it has no next round.")
    if record.kind == "season":
        raise NoRound("A season has no rounds: its entrants open games whenever they like.")
    return knockout.next_round(record) if record.kind == "knockout" else next_round(record)
