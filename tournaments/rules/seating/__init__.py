"""Seating: the tables of the next round of a tournament of rounds (SE1 to SE6)."""

from tournaments.rules.seating.rounds import judge, next_round

__all__ = ["judge", "next_round"]
