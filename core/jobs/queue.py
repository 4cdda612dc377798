"""The queue itself: work is queued in the transaction that causes it, each piece once."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models import F, QuerySet

from core import clock as service_clock
from core.jobs import handlers
from core.jobs.handlers import GaveUp, Later, Piece, Retries
from core.jobs.models import Work
from core.jobs.signals import wake

_PUT = """
INSERT INTO jobs_work (kind, key, lane, data, due_at, queued_at, tries)
VALUES (%s, %s, %s, %s::jsonb, %s, %s, 0)
"""
# Unlike an update, this does not wait for a worker that is doing the piece and may itself wait for the caller.
_ONCE = _PUT + "ON CONFLICT (kind, key) DO NOTHING"
_SOONER = (
    _PUT
    + """
ON CONFLICT (kind, key) DO UPDATE
SET due_at = least(jobs_work.due_at, excluded.due_at), data = excluded.data, holder = NULL, held_until = NULL
WHERE jobs_work.given_up_at IS NULL
"""
)
# The first piece of some lanes, beginning with those where something has been due the longest. Pieces that others are
# claiming are passed over. The lanes are those of the pieces that are due. If those are many, the index jobs_lanes
# leads from lane to lane instead, and in any case to the first piece of each, so nothing has to be sorted, however much
# is due. Lanes in which nothing is due yet may be many, too: in the evening every browser has one with what waits until
# the morning.
_CLAIM = """
WITH RECURSIVE due (kind, lane) AS (
    SELECT kinds.kind, piece.lane FROM unnest(%(kinds)s::text[]) AS kinds (kind) CROSS JOIN LATERAL (
        SELECT lane FROM jobs_work
        WHERE kind = kinds.kind AND given_up_at IS NULL AND due_at <= %(now)s ORDER BY due_at LIMIT %(few)s + 1
    ) AS piece
), walked (kind, lane) AS (
    (SELECT kind, lane FROM jobs_work
     WHERE given_up_at IS NULL AND (SELECT count(*) FROM due) > %(few)s ORDER BY kind, lane LIMIT 1)
    UNION ALL
    SELECT following.kind, following.lane FROM walked CROSS JOIN LATERAL (
        SELECT kind, lane FROM jobs_work
        WHERE given_up_at IS NULL AND (kind, lane) > (walked.kind, walked.lane) ORDER BY kind, lane LIMIT 1
    ) AS following
), lanes AS (
    SELECT kind, lane FROM walked WHERE kind = ANY(%(kinds)s)
    UNION SELECT kind, lane FROM due WHERE (SELECT count(*) FROM due) <= %(few)s
), firsts AS (
    SELECT DISTINCT ON (lane) first.id, first.due_at FROM lanes CROSS JOIN LATERAL (
        SELECT id, due_at FROM jobs_work
        WHERE kind = lanes.kind AND lane = lanes.lane AND given_up_at IS NULL AND due_at <= %(now)s
          AND (held_until IS NULL OR held_until <= %(now)s)
        ORDER BY due_at, id LIMIT 1
    ) AS first
    WHERE NOT lane = ANY(%(busy)s)
    ORDER BY lane, first.due_at, first.id
)
UPDATE jobs_work SET held_until = %(until)s, holder = %(holder)s
WHERE id IN (
    SELECT id FROM jobs_work WHERE id IN (SELECT id FROM firsts ORDER BY due_at, id LIMIT %(limit)s)
    AND given_up_at IS NULL AND (held_until IS NULL OR held_until <= %(now)s) ORDER BY due_at, id FOR UPDATE SKIP LOCKED
)
RETURNING id
"""
# Up to this many pieces, the lanes of all that is due are looked up.
FEW = 500


@dataclass(frozen=True, slots=True)
class Put:
    """A piece of work for the queue; see `put`."""

    kind: str
    key: str
    data: Mapping[str, Any] = field(default_factory=dict)
    due_at: datetime | None = None
    lane: str = ""
    sooner: bool = False


def put(
    kind: str,
    key: str,
    data: Mapping[str, Any] | None = None,
    *,
    due_at: datetime | None = None,
    lane: str = "",
    sooner: bool = False,
) -> None:
    """Queue a piece of work, in the caller's transaction; a worker is woken after the commit.

    A piece that waits under the same kind and key stays as it is. With `sooner` it gets the new data and the earlier of
    the two times, and one that is just being done will be done again. Raises LookupError for an unknown kind.
    """
    put_all([Put(kind, key, data or {}, due_at, lane, sooner)])


def put_all(pieces: Iterable[Put]) -> None:
    """Queue pieces of work as `put` does. Raises LookupError for an unknown kind."""
    pieces, now = list(pieces), service_clock.now()
    if unknown := {one.kind for one in pieces}.difference(handlers.kinds()):
        raise LookupError(f"there is no handler of {min(unknown)!r}")
    for sooner, sql in ((False, _ONCE), (True, _SOONER)):
        rows: list[list[Any]] = [
            [one.kind, one.key, one.lane or one.kind, _json(one.data), one.due_at or now, now]
            for one in pieces
            if one.sooner is sooner
        ]
        if rows:
            with connection.cursor() as cursor:
                cursor.executemany(sql, rows)
    for errands in {one.kind in handlers.errands() for one in pieces if one.due_at is None or one.due_at <= now}:
        transaction.on_commit(partial(wake, errands), robust=True)


def remember(piece: Piece, **more: Any) -> None:
    """Add to the data of a claimed piece, for its next try."""
    Work.objects.filter(pk=piece.id, holder=piece.holder).update(data={**piece.data, **more})


def drop(kind: str, keys: Collection[str]) -> None:
    """Remove pieces that are no longer needed from the queue."""
    if keys:
        Work.objects.filter(kind=kind, key__in=keys).delete()


def give_again(ids: Collection[int] | None = None) -> int:
    """Restart pieces that were given up or wait for a retry, by default all. Return how many."""
    rows = Work.objects.filter(tries__gt=0) | Work.objects.filter(given_up_at__isnull=False)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    now = service_clock.now()
    found = rows.update(due_at=now, tries=0, failing_since=None, given_up_at=None, held_until=None, holder=None)
    if found:
        transaction.on_commit(partial(wake, True), robust=True)
        transaction.on_commit(partial(wake, False), robust=True)
    return found


def claim(kinds: Collection[str], now: datetime, *, hold: timedelta, busy: Collection[str], limit: int) -> list[Piece]:
    """Hold the first due piece of up to `limit` free lanes for the time `hold`, in the order of their times."""
    holder = uuid4()
    values: dict[str, Any] = {
        "until": now + hold, "holder": holder, "now": now, "busy": list(busy), "limit": limit, "kinds": list(kinds),
        "few": FEW,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, values)
        ids = [row[0] for row in cursor.fetchall()]
    rows = Work.objects.filter(pk__in=ids, holder=holder).order_by("due_at", "pk")
    return [Piece.of(row) for row in rows] if ids else []


def hold(**which: Any) -> Work | None:
    """The row, locked for the caller's transaction; None if it is gone, given up, or held by somebody else."""
    return Work.objects.select_for_update(skip_locked=True).filter(given_up_at__isnull=True, **which).first()


def find(kind: str, key: str) -> Piece | None:
    """The piece, if it is still in the queue, whether or not somebody is doing it at the moment."""
    row = Work.objects.filter(kind=kind, key=key).first()
    return Piece.of(row) if row is not None else None


def wait_for(kind: str, key: str) -> None:
    """Wait until nobody is doing this chore. Called in a transaction."""
    list(Work.objects.select_for_update().filter(kind=kind, key=key))


def still_held(piece: Piece) -> Work | None:
    """The row of a claimed piece, locked; None if it was queued again or taken over since the claim."""
    return Work.objects.select_for_update().filter(pk=piece.id, holder=piece.holder).first()


def settle(pieces: Collection[Piece]) -> None:
    """Remove claimed pieces that were done, except those that were queued again meanwhile."""
    _own(pieces).delete()


def wait(piece: Piece, until: datetime) -> None:
    """Have a claimed piece done at a given time, unless it was queued again meanwhile."""
    _own([piece]).update(due_at=until, tries=0, error=None, failing_since=None, held_until=None, holder=None)


def _own(pieces: Collection[Piece]) -> QuerySet[Work]:
    """The rows of claimed pieces that nobody else has claimed or queued again since."""
    return Work.objects.filter(pk__in=[one.id for one in pieces], holder__in={one.holder for one in pieces})


def finish(row: Work, again: datetime | None) -> None:
    """Remove a piece that was done, or have it done again at a given time."""
    if again is None:
        row.delete()
    else:
        Work.objects.filter(pk=row.pk).update(
            due_at=again, tries=0, error=None, failing_since=None, held_until=None, holder=None
        )


def put_off(row: Work, error: Exception, retries: Retries, now: datetime) -> datetime | None:
    """Note a failed try; return when the next one is, or None if the piece is given up."""
    since = row.failing_since or now
    after = error.after if isinstance(error, Later) else None
    again = retries.next_try(row.tries + 1, since, now, after=after)
    _failed(row, error, since, now, again)
    return again


def give_up(row: Work, error: Exception, now: datetime) -> None:
    """Note that a piece is not tried again."""
    _failed(row, error, row.failing_since or now, now, None)


def _failed(row: Work, error: Exception, since: datetime, now: datetime, again: datetime | None) -> None:
    Work.objects.filter(pk=row.pk).update(
        tries=F("tries") + 1,
        error=described(error),
        failing_since=since,
        due_at=again or row.due_at,
        given_up_at=None if again is not None else now,
        held_until=None,
        holder=None,
    )


def described(error: Exception) -> str:
    """An error in one line; errors that handlers raise on purpose are sentences already."""
    text = str(error) if isinstance(error, Later | GaveUp) else f"{type(error).__name__}: {error}"
    return text.replace("\0", "")[:2000]


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, cls=DjangoJSONEncoder)
