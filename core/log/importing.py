"""Importing an export into an empty database, or resuming an interrupted import."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from django.db import DatabaseError, connection, transaction

from core import lasting
from core.log.event import BUCKETS, LogError, LostRace
from core.log.export_format import BadExport, Chains, Header, Placed, Row, read_export, read_rows
from core.log.registry import Rebuildable, companions, rebuildables, subscribers
from core.log.subscriber import BatchReactor, Reactor
from core.rows import fetch_all

BATCH = 1000
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

_HOLD = "SELECT bucket, head FROM log_counter WHERE bucket = ANY (%s) ORDER BY bucket FOR UPDATE"
_STORED = """
SELECT bucket, position, stream_id, version, digest
FROM log_event JOIN unnest(%s::smallint[], %s::bigint[]) AS asked (bucket, position) USING (bucket, position)
"""
_INSERT = """
INSERT INTO log_event (bucket, stream_id, version, position, type, seat, schema, data, meta, command_id, recorded_at,
                       nonce, digest)
SELECT bucket, stream_id, version, position, type, seat, schema, data::json, meta::json, command_id, recorded_at,
       nonce, digest
FROM unnest(%s::smallint[], %s::text[], %s::integer[], %s::bigint[], %s::text[], %s::smallint[], %s::smallint[],
            %s::text[], %s::text[], %s::uuid[], %s::timestamptz[], %s::bytea[], %s::bytea[])
     AS new (bucket, stream_id, version, position, type, seat, schema, data, meta, command_id, recorded_at, nonce,
             digest)
"""
_HEADS = """
INSERT INTO log_stream (bucket, stream_id, version, digest)
SELECT * FROM unnest(%s::smallint[], %s::text[], %s::integer[], %s::bytea[])
ON CONFLICT (bucket, stream_id) DO UPDATE SET version = excluded.version, digest = excluded.digest
"""
_COUNTERS = """
UPDATE log_counter SET head = new.head FROM unnest(%s::smallint[], %s::bigint[]) AS new (bucket, head)
WHERE log_counter.bucket = new.bucket
"""
_CHECKPOINTS = """
INSERT INTO log_checkpoint (subscriber, bucket, position, error)
SELECT %s, bucket - 1, position, '' FROM unnest(%s::bigint[]) WITH ORDINALITY AS mark (position, bucket)
ON CONFLICT DO NOTHING
"""


class CannotImport(LogError):  # noqa: N818  named after what it says
    """The database cannot be imported into: the service or another import is running."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The outcome of an import: events in the export, those already stored, and rows made from the log."""

    events: int
    already: int
    rebuilt: dict[str, int]


Report = Callable[[str, int, int], None]
"""Called with the stage ("check", "import", or the kind of stream whose rows are made), the progress and the total."""


def import_export(lines: Callable[[], Iterable[bytes]], report: Report = lambda *_: None) -> Imported:
    """Import the export whose lines `lines` returns, from the first one, each time it is called.

    First everything is checked and folded, and its rows are tried; an export with any fault leaves the database as it
    was. Then the events are written, each at the position it had, in many transactions; an interrupted import resumes
    where it was when it is repeated. Finally the rows of games, tournaments and leagues are made. Projections begin
    with the first event.

    Raises BadExport naming the line, and CannotImport.
    """
    with _alone():
        header = _check(lines(), report)
        already = _import(lines(), report)
        with transaction.atomic():
            # If a reactor has a place in the log already, the service was restored from a dump, which includes the
            # companions.
            if _go_on_from(header) or not header.subscribers:
                _load(read_rows(lines()))
        return Imported(header.events, already, _make_rows(report))


def _check(lines: Iterable[bytes], report: Report) -> Header:
    export = read_export(lines)
    header = export.header
    if header.stream is not None:
        raise BadExport(1, f"this is an export of {header.stream} alone; only one of the whole log can be imported")
    if unknown := sorted(header.companions.keys() - {companion.name for companion in companions()}):
        raise BadExport(1, f"there are rows of {unknown[0]}, which this version of Trey does not know")
    heads = dict.fromkeys(range(BUCKETS), 0)
    folds = Folds()
    for count, placed in enumerate(_checked(export.events), 1):
        folds.add(placed)
        heads[placed.bucket] = placed.position
        if count % BATCH == 0 or count == header.events:
            report("check", count, header.events)
    folds.close()
    for name, positions in header.subscribers.items():
        if any(position > heads[bucket] for bucket, position in enumerate(positions)):
            raise BadExport(1, f"the subscriber {name!r} is further than the events are")
    if _has_gone_on(header):
        # They exist, and may have changed since.
        deque(export.rows, maxlen=0)
    else:
        _try(export.rows)
    return header


def _try(rows: Iterator[Row]) -> None:
    """Load the rows of companions, and roll that back. Raises BadExport."""
    with transaction.atomic():
        _load(rows)
        connection.check_constraints()
        transaction.set_rollback(True)


def _load(rows: Iterator[Row]) -> None:
    """Load the rows of companions. Raises BadExport where they do not fit, with the last line that was read."""
    known, line = {companion.name: companion for companion in companions()}, 1

    def values(of_one: Iterable[Row]) -> Iterator[Any]:
        nonlocal line
        for row in of_one:
            line = row.line
            yield row.value

    for name, of_one in groupby(rows, key=attrgetter("companion")):
        try:
            with transaction.atomic():
                known[name].load(values(of_one))
        except BadExport:
            raise
        except (DatabaseError, *UNREADABLE) as error:
            why = str(error).partition("\n")[0]
            raise BadExport(line, f"the {name} up to here cannot be stored ({why})") from None


def _checked(events: Iterator[Placed]) -> Iterator[Placed]:
    chains = Chains()
    for placed in events:
        if problem := chains.problem(placed):
            raise BadExport(placed.line, problem)
        yield placed


def _import(lines: Iterable[bytes], report: Report) -> int:
    export = read_export(lines)
    already = done = 0
    checked = _checked(export.events)
    while batch := list(islice(checked, BATCH)):
        with transaction.atomic():
            already += _store(batch)
        done += len(batch)
        report("import", done, export.header.events)
    return already


def _store(batch: Sequence[Placed]) -> int:
    """Write the events not stored yet; return how many were stored.

    Raises BadExport if another event has the place of one.
    """
    heads = dict(fetch_all(_HOLD, [sorted({placed.bucket for placed in batch})]))
    known = [placed for placed in batch if placed.position <= heads[placed.bucket]]
    _compare(known)
    new = [placed for placed in batch if placed.position > heads[placed.bucket]]
    if new:
        _write(new)
    return len(known)


def _compare(known: Sequence[Placed]) -> None:
    rows = fetch_all(_STORED, [[placed.bucket for placed in known], [placed.position for placed in known]])
    stored = {
        (bucket, position): (stream, version, bytes(digest)) for bucket, position, stream, version, digest in rows
    }
    for placed in known:
        event = placed.event
        found = stored.get((placed.bucket, placed.position))
        if found == (event.stream, event.version, event.digest):
            continue
        there = f"version {found[1]} of {found[0]}" if found else "nothing"
        raise BadExport(
            placed.line,
            f"in the place of version {event.version} of {event.stream} this database has {there}. An export goes into "
            "an empty database, or into one in which importing the same export was interrupted",
        )


def _write(new: Sequence[Placed]) -> None:
    events = [placed.event for placed in new]
    buckets = [placed.bucket for placed in new]
    with connection.cursor() as cursor:
        cursor.execute(
            _INSERT,
            [
                buckets,
                [event.stream for event in events],
                [event.version for event in events],
                [placed.position for placed in new],
                [event.type for event in events],
                [event.seat for event in events],
                [event.schema for event in events],
                [event.data for event in events],
                [event.meta for event in events],
                [event.command_id for event in events],
                [event.recorded_at for event in events],
                [event.nonce for event in events],
                [event.digest for event in events],
            ],
        )
        # Later ones replace earlier ones, so the last of each is left.
        last = {event.stream: (bucket, event) for bucket, event in zip(buckets, events, strict=True)}
        cursor.execute(
            _HEADS,
            [
                [bucket for bucket, _ in last.values()],
                list(last),
                [event.version for _, event in last.values()],
                [event.digest for _, event in last.values()],
            ],
        )
        heads = {placed.bucket: placed.position for placed in new}
        cursor.execute(_COUNTERS, [list(heads), list(heads.values())])


def _go_on_from(header: Header) -> bool:
    """Let reactors continue after what they had handled, so that nothing is done twice.

    Return whether there were any and none of them had a place in the log already. Those with a place keep it.
    """
    told = [
        name
        for each in subscribers()
        if isinstance(each, Reactor | BatchReactor) and (name := each.name) in header.subscribers
    ]
    placed = 0
    for name in told:
        with connection.cursor() as cursor:
            cursor.execute(_CHECKPOINTS, [name, header.subscribers[name]])
            placed += cursor.rowcount
    return bool(told) and placed == len(told) * BUCKETS


def _has_gone_on(header: Header) -> bool:
    """Return whether a reactor has a place in the log already, from an earlier import or a restored dump."""
    return bool(
        fetch_all("SELECT 1 FROM log_checkpoint WHERE subscriber = ANY (%s) LIMIT 1", [list(header.subscribers)])
    )


def _make_rows(report: Report) -> dict[str, int]:
    done: dict[str, int] = {}
    for kind in rebuildables():
        behind = list(kind.behind())
        for count, stream_id in enumerate(behind, 1):
            kind.rebuild(stream_id)
            report(kind.name, count, len(behind))
        done[kind.name] = len(behind)
    return done


@contextmanager
def _alone() -> Iterator[None]:
    # Other writers would take the positions of events that are still to be imported.
    if others := lasting.others():
        raise CannotImport(f"The service runs: it has {others} connections to this database. Stop it, then import.")
    with lasting.lock("trey log import", wait=False) as held:
        if not held:
            raise CannotImport("Another import into this database is running.")
        yield


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
            event = sealed.event(placed.bucket, placed.position)
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
