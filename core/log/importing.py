"""Importing an export into an empty database, in one transaction: all of it, or nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from django.db import DatabaseError, connection, transaction

from core import lasting
from core.log.event import LogError
from core.log.export_format import BadExport, Header, Placed, Row, read_export
from core.log.proof import Chains
from core.log.registry import companions, rebuildables, subscribers
from core.log.subscriber import BatchReactor, Reactor
from core.rows import execute, fetch_all

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

# Positions have no gaps, so the last ones add up to the number of events.
_COUNT = "SELECT COALESCE(sum(head), 0) FROM log_counter"
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
ON CONFLICT (subscriber, bucket) DO UPDATE SET position = excluded.position
"""


class CannotImport(LogError):  # noqa: N818  named after what it says
    """The database cannot be imported into, or the rows of the events cannot be made."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The outcome of an import: events, and rows made from the log, by kind of stream."""

    events: int
    rebuilt: dict[str, int]


Report = Callable[[str, int, int], None]
"""Called with the stage ("import", or the kind of stream whose rows are made), the progress and the total."""


def import_export(lines: Iterable[bytes], report: Report = lambda *_: None) -> Imported:
    """Import an export from its lines, all or nothing: events at their positions, companions, rows made of events.

    Reactors go on after what they had handled, projections begin with the first event. Raises BadExport, CannotImport.
    """
    with _alone(), transaction.atomic():
        # A reader of the lines may be slow.
        execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        if count := int(fetch_all(_COUNT)[0][0]):
            raise CannotImport(f"This database has {count} events. An export goes into an empty database.")
        export = read_export(lines)
        _check_header(export.header)
        _go_on_from(export.header, _write_events(export.events, export.header.events, report))
        _load(export.rows)
        return Imported(export.header.events, _make_rows(report))


def _check_header(header: Header) -> None:
    if header.stream is not None:
        raise BadExport(1, f"this is an export of {header.stream} alone; only one of the whole log can be imported")
    if unknown := sorted(header.companions.keys() - {companion.name for companion in companions()}):
        raise BadExport(1, f"there are rows of {unknown[0]}, which this version of Trey does not know")


def _write_events(events: Iterator[Placed], total: int, report: Report) -> dict[int, int]:
    heads: dict[int, int] = {}
    checked, done = _checked(events), 0
    while batch := list(islice(checked, BATCH)):
        _write(batch)
        heads |= {placed.bucket: placed.position for placed in batch}
        done += len(batch)
        report("import", done, total)
    return heads


def _checked(events: Iterator[Placed]) -> Iterator[Placed]:
    """The events, each of which continues its stream."""
    chains = Chains()
    for placed in events:
        if problem := chains.problem(placed.event, placed.bucket):
            raise BadExport(placed.line, problem)
        yield placed


def _write(new: Sequence[Placed]) -> None:
    events = [placed.event for placed in new]
    buckets = [placed.bucket for placed in new]
    columns = ("type", "seat", "schema", "data", "meta", "command_id", "recorded_at", "nonce", "digest")
    execute(
        _INSERT,
        [
            buckets,
            [event.stream for event in events],
            [event.version for event in events],
            [placed.position for placed in new],
            *([getattr(event, column) for event in events] for column in columns),
        ],
    )
    # Later ones replace earlier ones, so the last of each is left.
    last = {event.stream: (bucket, event) for bucket, event in zip(buckets, events, strict=True)}
    found = [(bucket, stream, event.version, event.digest) for stream, (bucket, event) in last.items()]
    execute(_HEADS, [*map(list, zip(*found, strict=True))])
    heads = {placed.bucket: placed.position for placed in new}
    execute(_COUNTERS, [list(heads), list(heads.values())])


def _go_on_from(header: Header, heads: dict[int, int]) -> None:
    reactors = {each.name for each in subscribers() if isinstance(each, Reactor | BatchReactor)}
    for name, positions in header.subscribers.items():
        if any(position > heads.get(bucket, 0) for bucket, position in enumerate(positions)):
            raise BadExport(1, f"the subscriber {name!r} is further than the events are")
        if name in reactors:
            execute(_CHECKPOINTS, [name, positions])


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


def _make_rows(report: Report) -> dict[str, int]:
    done: dict[str, int] = {}
    try:
        for kind in rebuildables():
            what = f"the {kind.name}s"
            behind = list(kind.behind())
            for count, stream_id in enumerate(behind, 1):
                what = f"{kind.name}-{stream_id}"
                kind.rebuild(stream_id)
                report(kind.name, count, len(behind))
            done[kind.name] = len(behind)
        connection.check_constraints()
    except (DatabaseError, *UNREADABLE) as error:
        why = str(error).partition("\n")[0]
        raise CannotImport(f"The rows of {what} cannot be made ({why}).") from None
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
