"""A tournament of rounds: everybody who is in is seated each round (SE1 to SE6), with one ranking."""

from tournaments.rules.formats import league
from tournaments.rules.formats.format import Format
from tournaments.rules.seating import next_round

ROUNDS = Format(standings=league.standings, next_round=next_round)
