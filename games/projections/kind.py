"""The game as a kind of stream: what the log's executor needs to know of it."""

from collections.abc import Iterable
from uuid import UUID

from core import log
from games.projections import rows
from games.projections.loading import load
from games.projections.rebuild import GAME_ROWS, rebuild
from games.projections.snapshot import Snapshot, evolve


class GameKind:
    """Streams `game-<uuid>`; the state is a `Snapshot`, kept in the rows of `Game` and `Seat`."""

    name = "game"

    def load(self, stream_id: UUID, lock: log.Lock) -> Snapshot | None:
        """One query, and one for the lock."""
        return load(stream_id, lock=lock)

    def evolve(self, state: Snapshot | None, event: log.Happened) -> Snapshot:
        """See `games.projections.snapshot`."""
        return evolve(state, event)

    def save(self, before: Snapshot | None, after: Snapshot) -> None:
        """One query for the game and its seats, more if people come or go. Raises LostRace."""
        if before is None:
            rows.insert(after)
        else:
            rows.update(before, after)

    def rebuild(self, stream_id: UUID) -> log.Rebuilt:
        """Rebuild the rows from the log."""
        return rebuild(stream_id)

    def ids(self) -> Iterable[UUID]:
        """All games."""
        return GAME_ROWS.ids()

    def parse(self, key: str) -> UUID:
        """The id of a stream in its name."""
        return UUID(key)

    def behind(self) -> Iterable[UUID]:
        """The games whose rows are not at the version of their stream."""
        return GAME_ROWS.behind()


GAME = GameKind()
