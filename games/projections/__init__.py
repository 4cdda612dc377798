"""The current snapshot of a game: folding it from events, storing it in rows, rebuilding it."""

from games.projections.kind import GAME
from games.projections.loading import load, load_all, load_listed, snapshots_in, statement
from games.projections.rebuild import rebuild
from games.projections.rows import snapshot_at, snapshot_of
from games.projections.snapshot import SeatSnapshot, Snapshot, evolve, evolve_all, with_timing
from games.projections.timing import Duty, Timing

__all__ = [
    "GAME",
    "Duty",
    "SeatSnapshot",
    "Snapshot",
    "Timing",
    "evolve",
    "evolve_all",
    "load",
    "load_all",
    "load_listed",
    "rebuild",
    "snapshot_at",
    "snapshot_of",
    "snapshots_in",
    "statement",
    "with_timing",
]
