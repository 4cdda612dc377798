"""A tournament of rounds: everybody who is in is seated each round (SE1 to SE6), with one ranking."""

from collections.abc import Sequence

from tournaments.rules import seating
from tournaments.rules.formats import league
from tournaments.rules.formats.format import Format
from tournaments.rules.next_round import NextRound
from tournaments.rules.record import Record
from tournaments.rules.seating.meetings import Tables


def next_round(record: Record) -> NextRound:
    """The tables of the next round, whether or not games of earlier rounds are still open. Raises NoRound."""
    return seating.next_round(record, league.standings(record))


def judge(record: Record, tables: Tables, byes: Sequence[str]) -> NextRound:
    """A given seating of the next round, in the given order, with the figures that `seat` prints for its own (SE4).

    There must be at least one table, and everybody at the tables must be an entrant of the record.
    """
    return seating.judge(record, league.standings(record), tables, byes)


ROUNDS = Format(standings=league.standings, next_round=next_round)
