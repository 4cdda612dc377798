"""The current state of a tournament in rows: saving, loading and rebuilding it."""

from tournaments.projections.kind import (
    PREFIX,
    TOURNAMENT,
    Rebuilt,
    happened,
    rebuild,
    tournament_ids,
    tournaments_behind,
)
from tournaments.projections.rows import state_of

__all__ = ["PREFIX", "TOURNAMENT", "Rebuilt", "happened", "rebuild", "state_of", "tournament_ids", "tournaments_behind"]
