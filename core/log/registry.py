"""The registry: subscribers, and kinds of stream whose rows are made from events."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Model

from core.log.event import Event, LostRace
from core.log.reading import read
from core.log.subscriber import BatchReactor, Delivery, Projection, Reactor, Subscriber
from core.rows import fetch_all

T = TypeVar("T", bound=Subscriber)
Id = TypeVar("Id")

_subscribers: dict[str, Subscriber] = {}
_rebuildables: "dict[str, Rebuildable[Any]]" = {}


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The result of a rebuild: the number of events, and a line for each row that differed from the log."""

    events: int
    differences: tuple[str, ...]


class Rebuildable(Protocol[Id]):
    """A kind of stream that `manage.py rebuild` can rebuild."""

    @property
    def name(self) -> str: ...

    def ids(self) -> Iterable[Id]: ...

    def parse(self, key: str) -> Id: ...

    def behind(self) -> Iterable[Id]:
        """The ids whose rows are missing or not at the version of their stream."""

    def rebuild(self, stream_id: Id) -> Rebuilt:
        """Drop the rows of one stream and rebuild them from the log."""


def differences(kind: Rebuildable[Id], stream_id: Id) -> Rebuilt:
    """Compare the rows of one stream with the log and leave them as they are."""
    with transaction.atomic():
        rebuilt = kind.rebuild(stream_id)
        transaction.set_rollback(True)
    return rebuilt


def rebuildable(kind: Rebuildable[Any]) -> None:
    _rebuildables[kind.name] = kind


def rebuildables() -> list[Rebuildable[Any]]:
    """All registered kinds of stream, by name: games before tournaments, whose rows depend on them."""
    return [_rebuildables[name] for name in sorted(_rebuildables)]


def subscribers() -> list[Subscriber]:
    return [_subscribers[name] for name in sorted(_subscribers)]


def projection(
    name: str, *, kinds: Collection[str] | None = None, types: Collection[str] | None = None, batch: int = 500
) -> Callable[[Callable[[Sequence[Event]], None]], Projection]:
    """Register a function of events as the projection `name`. Raises ValueError for a name that is taken."""
    return lambda handler: _register(Projection(name, kinds, types, handler=handler, batch=batch))


def reactor(
    name: str, *, kinds: Collection[str] | None = None, types: Collection[str] | None = None
) -> Callable[[Callable[[Delivery], None]], Reactor]:
    return lambda handler: _register(Reactor(name, kinds, types, handler=handler))


def batch_reactor(
    name: str, *, kinds: Collection[str], types: Collection[str] | None = None, batch: int
) -> Callable[[Callable[[Sequence[Event]], None]], BatchReactor]:
    return lambda handler: _register(BatchReactor(name, kinds, types, handler=handler, batch=batch))


def _register(subscriber: T) -> T:
    if subscriber.name in _subscribers:
        raise ValueError(f"there is a subscriber {subscriber.name!r} already")
    _subscribers[subscriber.name] = subscriber
    return subscriber


_IDS = """
SELECT id FROM {table}
UNION SELECT substr(stream_id, {key})::uuid FROM log_stream WHERE stream_id LIKE '{kind}-%'
ORDER BY 1
"""
_BEHIND = """
SELECT COALESCE(made.id, substr(stream.stream_id, {key})::uuid)
FROM (SELECT * FROM log_stream WHERE stream_id LIKE '{kind}-%' AND version > 0) AS stream
FULL JOIN {table} made ON stream.stream_id = '{kind}-' || made.id
WHERE made.version IS DISTINCT FROM stream.version
ORDER BY 1
"""


def insert_row(row: Model) -> None:
    """Insert the row of a new stream. Raises LostRace if there is one of this key; any other conflict is an error."""
    try:
        row.save(force_insert=True)
    except IntegrityError as error:
        constraint = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None)
        if constraint != f"{row._meta.db_table}_pkey":  # noqa: SLF001  Django's public way to a model's table
            raise
        raise LostRace(f"{row._meta.verbose_name} {row.pk} is there already") from None  # noqa: SLF001


@dataclass(frozen=True, slots=True)
class StreamRows:
    """The rows of the streams `kind-<uuid>`.

    table: has one row for each stream, with its `id` and `version`.
    parts: the tables of the other rows; `column` names the stream there.
    texts: selects the name and the text of each row of the stream `%(id)s`: byte for byte what the database holds.
    """

    kind: str
    table: str
    parts: Sequence[str]
    column: str
    texts: str

    def ids(self) -> Iterator[UUID]:
        """Every stream that has a row or an event."""
        return self._found(_IDS)

    def behind(self) -> Iterator[UUID]:
        """Every stream whose row is missing, or is not at its version."""
        return self._found(_BEHIND)

    def rebuild(self, stream_id: UUID, write: Callable[[Sequence[Event]], None]) -> Rebuilt:
        """Drop the rows of a stream and have `write` make them of its events, in one transaction, unnoticed."""
        stream = f"{self.kind}-{stream_id}"
        with transaction.atomic(), connection.cursor() as cursor:
            # One rebuild at a time: a row lock would be lost when the row is replaced.
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"rebuild {stream}"])
            # Writers of the stream wait, so that the events match the row.
            cursor.execute(f"SELECT 1 FROM {self.table} WHERE id = %s FOR UPDATE", [stream_id])  # noqa: S608  constants
            before = self._texts(stream_id)
            # Not with the ORM, which would also delete what belongs to the row but is not made from the log.
            for part in self.parts:
                cursor.execute(f"DELETE FROM {part} WHERE {self.column} = %s", [stream_id])  # noqa: S608  constants
            cursor.execute(f"DELETE FROM {self.table} WHERE id = %s", [stream_id])  # noqa: S608  constants
            events = read(stream)
            write(events)
            after = self._texts(stream_id)
        return Rebuilt(len(events), _differences(before, after))

    def _found(self, sql: str) -> Iterator[UUID]:
        rows = fetch_all(sql.format(kind=self.kind, table=self.table, key=len(self.kind) + 2))
        yield from (stream_id for (stream_id,) in rows)

    def _texts(self, stream_id: UUID) -> dict[str, str]:
        return dict(fetch_all(self.texts, {"id": stream_id}))


def _differences(before: dict[str, str], after: dict[str, str]) -> tuple[str, ...]:
    return tuple(
        f"{name}: was {before.get(name, 'missing')}, is {after.get(name, 'missing')}"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    )
