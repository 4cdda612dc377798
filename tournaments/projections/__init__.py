"""The current picture of a tournament: how it is kept in rows, and how it is made again."""

from tournaments.projections.kind import PREFIX, TOURNAMENT, Rebuilt, happened, rebuild, tournament_ids
from tournaments.projections.rows import state_of

__all__ = ["PREFIX", "TOURNAMENT", "Rebuilt", "happened", "rebuild", "state_of", "tournament_ids"]
