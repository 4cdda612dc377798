"""A tournament of rounds: all who are in are seated in each (SE1 to SE6), everybody in one order."""

from tournaments.rules.formats import league
from tournaments.rules.formats.format import Format
from tournaments.rules.seating import next_round

ROUNDS = Format(standings=league.standings, next_round=next_round)
