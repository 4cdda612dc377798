"""Folding the events of an export before any of it is written."""

from typing import Any

from django.db import DatabaseError, connection, transaction

from core.log.errors import LogError, LostRace
from core.log.export_format import BadExport, Placed
from core.log.reading import event_of
from core.log.registry import Rebuildable, rebuildables

# The errors of code that reads an event it cannot have written.
UNREADABLE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LogError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class Folds:
    """Folds streams in the order of an export, and tries whether their rows can be written.

    It holds the states of one bucket at a time. Streams of kinds without rows are passed over.
    """

    def __init__(self) -> None:
        self._kinds = {kind.name: kind for kind in rebuildables()}
        self._bucket = -1
        self._states: dict[str, tuple[int, Any]] = {}

    def add(self, placed: Placed) -> None:
        """Fold one more event. Raises BadExport if it does not fit its stream."""
        if placed.bucket != self._bucket:
            self.close()
            self._bucket = placed.bucket
        sealed = placed.event
        kind = self._kind(sealed.stream)
        if kind is None:
            return
        _, state = self._states.get(sealed.stream, (0, None))
        try:
            event = event_of(sealed, placed.bucket, placed.position)
            if state is None:
                kind.parse(event.stream_key)
            self._states[sealed.stream] = (placed.line, kind.evolve(state, event))
        except UNREADABLE as error:
            raise BadExport(
                placed.line, f"{sealed.stream}: version {sealed.version} cannot follow in a {kind.name} ({error!r})"
            ) from None

    def close(self) -> None:
        """Try the rows of the streams that have been folded so far. Raises BadExport if they cannot be written."""
        for stream, (line, state) in self._states.items():
            kind = self._kind(stream)
            if kind is not None:
                _try_rows(kind, stream, line, state)
        self._states = {}

    def _kind(self, stream: str) -> Rebuildable[Any] | None:
        return self._kinds.get(stream.partition("-")[0])


def _try_rows(kind: Rebuildable[Any], stream: str, line: int, state: Any) -> None:
    """Write the rows, and roll that back."""
    try:
        with transaction.atomic():
            kind.save(None, state)
            connection.check_constraints()
            transaction.set_rollback(True)
    except LostRace:
        return  # an import that resumes finds them made
    except (DatabaseError, *UNREADABLE) as error:
        why = str(error).partition("\n")[0]
        raise BadExport(line, f"{stream}: the rows of this {kind.name} cannot be made ({why})") from None
