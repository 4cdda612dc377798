from tournaments.projections.kind import (
    PREFIX,
    TOURNAMENT,
    TOURNAMENT_ROWS,
    happened,
    rebuild,
)
from tournaments.projections.rows import state_of

__all__ = ["PREFIX", "TOURNAMENT", "TOURNAMENT_ROWS", "happened", "rebuild", "state_of"]
