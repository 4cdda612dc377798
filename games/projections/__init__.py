"""The current snapshot of a game: folding it from events, storing it in rows, rebuilding it."""

from games.projections.loading import (
    GAME,
    load,
    load_all,
    load_listed,
    rebuild,
    snapshot_at,
    snapshots_in,
    statement,
    uptime_since,
)
from games.projections.snapshot import SeatSnapshot, Snapshot, evolve, evolve_all, with_timing
from games.projections.vocabulary import Duty, Timing
