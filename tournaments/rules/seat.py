"""The next round of a tournament of any kind."""

from collections.abc import Sequence

from tournaments.rules import knockout, seating
from tournaments.rules.errors import NoRound
from tournaments.rules.record import NextRound, Record
from tournaments.rules.seating.meetings import Tables
from tournaments.rules.standings import of_stage


def seat(record: Record) -> NextRound:
    """The tables of the next round (SE1 to SE6, KO1). Raises NoRound, with a sentence, if there is none."""
    if record.finished:
        raise NoRound("The tournament is finished, so it has no next round.")
    if record.kind == "season":
        raise NoRound("A season has no rounds: its entrants open games whenever they like.")
    return knockout.next_round(record) if record.kind == "knockout" else next_round(record)


def next_round(record: Record) -> NextRound:
    """The next tables of `rounds`, whether or not games of earlier rounds are still open. Raises NoRound."""
    return seating.next_round(record, of_stage(record))


def judge(record: Record, tables: Tables, byes: Sequence[str]) -> NextRound:
    """A given seating of the next round, in the given order, with the figures that `seat` prints for its own (SE4).

    There must be at least one table, and everybody at the tables must be an entrant of the record.
    """
    return seating.judge(record, of_stage(record), tables, byes)
