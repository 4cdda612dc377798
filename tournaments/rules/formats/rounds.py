"""A tournament of rounds: all who are in are seated in each (SE1 to SE6), everybody in one order."""

from tournaments.rules.errors import NoRound
from tournaments.rules.formats import league
from tournaments.rules.formats.format import Format
from tournaments.rules.next_round import NextRound
from tournaments.rules.record import Record


def _next_round(_: Record) -> NextRound:
    raise NoRound("Rounds cannot be seated yet.")


ROUNDS = Format(standings=league.standings, next_round=_next_round)
