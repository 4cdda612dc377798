"""The current state of a stream: a row with its state as JSON and the columns that are searched; rows of its parts.

All of it is a cache of the log: what is missing, behind or of another shape than the code's is made again when somebody
looks. `StreamRows` loads, saves and rebuilds it for every kind of stream.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar
from uuid import UUID

import msgspec
from django.db import models, transaction

from core.log.appending import Saving
from core.log.event import Happened, LostRace
from core.log.executing import Lock
from core.log.reading import read
from core.log.registry import Rebuilt
from core.rows import execute, fetch_all

if TYPE_CHECKING:
    from core.log.models import StreamRow


class Stated(Protocol):
    @property
    def id(self) -> UUID: ...

    @property
    def version(self) -> int: ...


S = TypeVar("S", bound=Stated)


def shape_of(state: type, *more: object) -> str:
    """A digest of the fields of a type, which changes with what its JSON looks like."""
    return sha256(repr((msgspec.inspect.type_info(state), more)).encode()).hexdigest()[:16]


def searched(model: type[models.Model], state: Any, *apart: str) -> dict[str, Any]:
    """The columns of a row that are copies of what the state has under the same name, but for those `apart`."""
    return {column: getattr(state, name) for name, column in _columns(model) if name not in apart}


@cache
def _columns(model: type[models.Model]) -> Sequence[tuple[str, str]]:
    return [(field.name, field.attname) for field in model._meta.concrete_fields]  # noqa: SLF001  Django's public way


def table_of(model: type[models.Model]) -> str:
    return model._meta.db_table  # noqa: SLF001  Django's public way


_IDS = """
SELECT id FROM {table}
UNION SELECT substr(stream_id, {key})::uuid FROM log_stream WHERE stream_id LIKE '{kind}-%%'
ORDER BY 1
"""
_BEHIND = """
SELECT COALESCE(made.id, substr(stream.stream_id, {key})::uuid)
FROM (SELECT * FROM log_stream WHERE stream_id LIKE '{kind}-%%' AND version > 0) AS stream
FULL JOIN {table} made ON stream.stream_id = '{kind}-' || made.id
WHERE (made.version IS DISTINCT FROM stream.version OR made.shape <> %s) AND NOT (%s AND COALESCE({over}, false))
ORDER BY 1
"""


class StreamRows(Generic[S]):
    """A kind of stream, `name-<uuid>`, whose state is in a row of `model` and in rows of `parts`.

    parts: the tables of the other rows, each with the SQL of a row's name; a column `<name>_id` has the stream.
    over: the SQL of whether a stream is, whose rows an upgrade may leave for later.
    shape: the digest of the state's types.
    """

    name: str
    model: "type[StreamRow]"
    parts: Mapping[type[models.Model], str]
    over: str
    shape: str

    def evolve(self, state: S | None, event: Happened) -> S:
        raise NotImplementedError

    def read(self, stream_id: UUID, lock: Lock) -> S | None:
        """The state in the rows; None if they are missing, incomplete, or not of this shape."""
        raise NotImplementedError

    def columns(self, state: S) -> dict[str, Any]:
        """What of the state the columns hold that are searched."""
        return searched(self.model, state, *self.model.APART)

    def stored(self, state: S) -> Any:
        """What the row keeps of the state."""
        raise NotImplementedError

    def changed(self, before: S | None, after: S) -> Mapping[type[models.Model], Sequence[Mapping[str, Any]]]:
        """The complete rows of the parts that differ."""
        raise NotImplementedError

    def load(self, stream_id: UUID, lock: Lock = Lock.NONE) -> S | None:
        """The current state, or None.

        With Lock.WAIT the row is locked for the transaction; with Lock.SKIP too, but the result is None if somebody
        else holds it. The lock is a statement of its own, because only what is read after it is as new as the row.
        Rows that are lost are made again. Raises LookupError for those that do not come back from the log.
        """
        if lock is Lock.SKIP and not self._held(stream_id, "FOR NO KEY UPDATE SKIP LOCKED"):
            return None
        if lock is Lock.WAIT:
            self._held(stream_id, "FOR NO KEY UPDATE")
        state = self.read(stream_id, lock)
        if state is None and read(f"{self.name}-{stream_id}", upto=1):
            self.rebuild(stream_id)
            state = self.read(stream_id, lock)
            if state is None:
                raise LookupError(f"{self.name} {stream_id}: its rows are lost, and do not come back from its log")
        return state

    def _held(self, stream_id: UUID, how: str) -> bool:
        return bool(fetch_all(f"SELECT FROM {table_of(self.model)} WHERE id = %s {how}", [stream_id]))

    def save(self, before: S | None, after: S) -> Saving:
        """What writes the rows, provided they are still at the version of `before` (None: a new stream)."""
        return self._saving(before, after, "insert" if before is None else "update")

    def _saving(self, before: S | None, after: S, how: str) -> Saving:
        row = self.columns(after)
        if before is not None:
            old = self.columns(before)
            row = {name: value for name, value in row.items() if value != old[name]}
        row |= {"state": self.stored(after), "shape": self.shape}
        parts = {table_of(model): rows for model, rows in self.changed(before, after).items() if rows}
        values = {"row": _json(row), "stream_key": after.id, "at": before.version if before is not None else 0}
        values |= {table: _json(rows) for table, rows in parts.items()}
        columns = tuple((table, tuple(rows[0])) for table, rows in parts.items())
        return Saving(_written(table_of(self.model), tuple(row), columns, how), values)

    def ids(self) -> Iterator[UUID]:
        """Every stream that has a row or an event."""
        yield from self._found(_IDS)

    def parse(self, key: str) -> UUID:
        return UUID(key)

    def behind(self, *, running: bool = False) -> Iterator[UUID]:
        """Every stream whose row is missing, not at its version, or of another shape; or those that are not over."""
        yield from self._found(_BEHIND, self.shape, running)

    def _found(self, sql: str, *values: object) -> list[UUID]:
        names = {"kind": self.name, "table": table_of(self.model), "key": len(self.name) + 2, "over": self.over}
        return [stream_id for (stream_id,) in fetch_all(sql.format(**names), values)]

    def rebuild(self, stream_id: UUID) -> Rebuilt:
        """Make the rows of a stream again from its events, in one transaction; nobody notices.

        A row without a stream is dropped and reported as a difference.
        """
        stream = f"{self.name}-{stream_id}"
        with transaction.atomic():
            # Writers wait, so that the events match the rows. Without a row, at least one rebuild waits for the other.
            if not self._held(stream_id, "FOR UPDATE"):
                execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"rebuild {stream}"])
                self._held(stream_id, "FOR UPDATE")
            before = self._texts(stream_id)
            # Not with the ORM, which would also delete what belongs to the row but is not made from the log.
            for part in self.parts:
                execute(f"DELETE FROM {table_of(part)} WHERE {self.name}_id = %s", [stream_id])  # noqa: S608  constants
            events, state = read(stream), None
            for event in events:
                state = self.evolve(state, event)
            if state is None:
                execute(f"DELETE FROM {table_of(self.model)} WHERE id = %s", [stream_id])  # noqa: S608  constants
            else:
                run(self._saving(None, state, "replace"))
            after = self._texts(stream_id)
        names = sorted(before.keys() | after.keys())
        return Rebuilt(
            len(events),
            tuple(
                f"{name}: was {before.get(name, 'missing')}, is {after.get(name, 'missing')}"
                for name in names
                if before.get(name) != after.get(name)
            ),
        )

    def _texts(self, stream_id: UUID) -> dict[str, str]:
        """Each row by its name: byte for byte what the database holds."""
        own = ", ".join(f"'{name}'" for name in self.model.APART - {"state", "shape"})
        rows = [
            f"SELECT '{self.name}', (to_jsonb(one) - ARRAY[{own}]::text[])::text FROM {table_of(self.model)} one"  # noqa: S608
            " WHERE id = %(id)s"
        ]
        rows += [
            f"SELECT {name}, to_jsonb(one)::text FROM {table_of(part)} one WHERE {self.name}_id = %(id)s"  # noqa: S608
            for part, name in self.parts.items()
        ]
        return dict(fetch_all(" UNION ALL ".join(rows), {"id": stream_id}))


def run(saving: Saving) -> None:
    """Write rows without an event. Raises LostRace."""
    if not fetch_all(f"WITH {saving.sql} SELECT FROM saved", saving.values):
        raise LostRace("the rows have moved on")


_ROW = {
    "insert": "INSERT INTO {table} AS row (id, {names}) SELECT %(stream_key)s, {new} FROM {record}"
    " ON CONFLICT (id) DO NOTHING",
    "replace": "INSERT INTO {table} AS row (id, {names}) SELECT %(stream_key)s, {new} FROM {record}"
    " ON CONFLICT (id) DO UPDATE SET {again}",
    "update": "UPDATE {table} AS row SET {set} FROM {record} WHERE row.id = %(stream_key)s AND row.version = %(at)s",
}


@cache
def _written(table: str, row: Sequence[str], parts: Sequence[tuple[str, Sequence[str]]], how: str) -> str:
    """The expressions that write these columns of a row, and all columns of changed parts.

    Handwritten, since every move needs it: the ORM takes longer to write such a statement than PostgreSQL to execute
    it, and PostgreSQL takes a quarter longer if it sets all columns of the row.
    """
    names = [name for name in row if name != "id"]
    saved = _ROW[how].format(
        table=table,
        names=", ".join(f'"{name}"' for name in names),
        new=", ".join(f'new."{name}"' for name in names),
        again=_set(names, "excluded"),
        set=_set(names, "new"),
        record=f"json_populate_record(NULL::{table}, %(row)s::json) AS new",
    )
    written = [f"saved AS ({saved} RETURNING row.id)"]
    for part, columns in parts:
        listed = ", ".join(f'"{name}"' for name in columns)
        written.append(
            f"{part}_saved AS (INSERT INTO {part} ({listed})"  # noqa: S608  the models' columns
            f" SELECT {', '.join(f'new.{name}' for name in columns)}"
            f" FROM saved, json_populate_recordset(NULL::{part}, %({part})s::json) AS new"
            f" ON CONFLICT (id) DO UPDATE SET {_set(columns, 'excluded')})"
        )
    return ", ".join(written)


def _set(columns: Sequence[str], source: str) -> str:
    return ", ".join(f'"{name}" = {source}."{name}"' for name in columns)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
