"""A season: entrants play whenever they like, with one ranking (SN1)."""

from tournaments.rules.errors import NoRound
from tournaments.rules.formats import league
from tournaments.rules.formats.format import Format
from tournaments.rules.next_round import NextRound
from tournaments.rules.record import Record


def _next_round(_: Record) -> NextRound:
    raise NoRound("A season has no rounds: its entrants open games whenever they like.")


SEASON = Format(standings=league.standings, next_round=_next_round)
