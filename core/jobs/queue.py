"""The queue: a job is put in the transaction that causes it, each once; workers are woken after the commit."""

import json
import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from operator import attrgetter
from typing import Any, Generic, TypeVar
from uuid import uuid4

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models import Count, F, Min, Q, QuerySet

from core import clock as service_clock
from core.jobs.models import Work as Job
from core.rows import fetch_all
from core.wakeups import Channel, Task


@dataclass(frozen=True, slots=True)
class Wait:
    """The value that an outbound job's `prepare` returns for a job that may not go out before `until`."""

    until: datetime


class Later(Exception):  # noqa: N818  it may be no error at all
    """This try failed. `after`: the seconds for which the receiver asks to be left alone (`Retry-After`)."""

    def __init__(self, why: str, *, after: float | None = None) -> None:
        super().__init__(why)
        self.after = after


class GaveUp(Exception):  # noqa: N818  a decision
    """The job will never succeed: it is not tried again, and the row stays for people to see."""


@dataclass(frozen=True, slots=True)
class Retries:
    """The pauses between tries: from `first`, doubling, to `longest`; given up after `give_up` (None: never)."""

    first: timedelta = timedelta(seconds=5)
    longest: timedelta = timedelta(hours=1)
    give_up: timedelta | None = None

    def next_try(
        self, tries: int, failing_since: datetime, now: datetime, *, after: float | None = None
    ) -> datetime | None:
        """When to try again after the `tries`-th failure (None: never); `after` (seconds) counts up to `longest`."""
        if self.give_up is not None and now - failing_since >= self.give_up:
            return None
        doubled = min(self.first * 2 ** min(max(tries, 1) - 1, 20), self.longest)
        # A quarter more or less, at random.
        jittered: timedelta = doubled * random.uniform(0.75, 1.25)  # noqa: S311  not a secret
        pause = min(max(jittered, self.first), self.longest)
        if after is not None:
            pause = max(pause, min(timedelta(seconds=max(0.0, after)), self.longest))
        at = now + pause
        # The last try is at the end of the whole time, not before it.
        return at if self.give_up is None else min(at, max(failing_since + self.give_up, now + self.first))


Letter = TypeVar("Letter")
Reply = TypeVar("Reply")

Do = Callable[[Job, datetime], datetime | None]
"""Work within the database: returns when to do it again, or None when it is done."""
LOCAL_RETRIES = Retries()


@dataclass(frozen=True, slots=True)
class Outbound(Generic[Letter, Reply]):
    """Work outside.

    prepare: in a transaction, for several jobs at once. Returns what to send for each; None: nothing, and the job is
    done; `Wait`: not yet. send: one letter, without the database; may raise Later, GaveUp or anything else. settle: in
    the transaction that removes the rows; gets jobs, letters and replies. failed: gets the error and when the job is
    tried again (None: given up).
    """

    prepare: Callable[[Sequence[Job], datetime], Sequence[Letter | Wait | None]]
    send: Callable[[Letter], Reply]
    settle: Callable[[Sequence[tuple[Job, Letter, Reply]], datetime], None] = lambda *_: None
    failed: Callable[[Job, Exception, datetime | None, datetime], None] = lambda *_: None
    retries: Callable[[], Retries] = Retries


#: By kind.
LOCAL: dict[str, Do] = {}
OUTBOUND: dict[str, Outbound[Any, Any]] = {}


def local(kind: str) -> Callable[[Do], Do]:
    """Register a function as the handler of a kind of work within the database. Raises ValueError for a taken name."""

    def register(do: Do) -> Do:
        _check_free(kind)
        LOCAL[kind] = do
        return do

    return register


def outbound(kind: str, handler: Outbound[Any, Any]) -> None:
    """Register the handler of a kind of work outside. Raises ValueError for a name that is taken."""
    _check_free(kind)
    OUTBOUND[kind] = handler


def kinds() -> list[str]:
    return sorted([*LOCAL, *OUTBOUND])


def _check_free(kind: str) -> None:
    if kind in kinds():
        raise ValueError(f"there is a handler of {kind!r} already")


TASK = "jobs.do_chores"
_LOST = "no wake-up signal for the queue; it is polled anyway"
outbound_jobs = Channel("jobs", lost=_LOST)
_local = Task(TASK, lost=_LOST)

_PUT = """
INSERT INTO jobs_work (kind, key, lane, data, due_at, queued_at, tries)
VALUES (%s, %s, %s, %s::jsonb, %s, %s, 0)
"""
# Unlike an update, this does not wait for a worker that is doing the job and may itself wait for the caller.
_ONCE = _PUT + "ON CONFLICT (kind, key) DO NOTHING"
_SOONER = (
    _PUT
    + """
ON CONFLICT (kind, key) DO UPDATE
SET due_at = least(jobs_work.due_at, excluded.due_at), data = excluded.data, holder = NULL, held_until = NULL
WHERE jobs_work.given_up_at IS NULL
"""
)
# The first job of some lanes, beginning with those where something has been due the longest. Jobs that others are
# claiming are passed over.
_CLAIM = """
WITH firsts AS (
    SELECT DISTINCT ON (lane) id, due_at FROM jobs_work
    WHERE kind = ANY(%(kinds)s) AND given_up_at IS NULL AND due_at <= %(now)s
      AND (held_until IS NULL OR held_until <= %(now)s) AND NOT lane = ANY(%(busy)s)
    ORDER BY lane, due_at, id
)
UPDATE jobs_work SET held_until = %(until)s, holder = %(holder)s
WHERE id IN (
    SELECT id FROM jobs_work WHERE id IN (SELECT id FROM firsts ORDER BY due_at, id LIMIT %(limit)s)
    AND given_up_at IS NULL AND (held_until IS NULL OR held_until <= %(now)s) ORDER BY due_at, id FOR UPDATE SKIP LOCKED
)
RETURNING id
"""


def put(
    kind: str, key: str, data: Mapping[str, Any] | None = None, *, due_at: datetime | None = None, lane: str = ""
) -> None:
    put_all([Job(kind=kind, key=key, data=data or {}, due_at=due_at or service_clock.now(), lane=lane)])


def put_all(jobs: Iterable[Job], *, sooner: bool = False) -> None:
    """Put jobs into the queue, in the caller's transaction; one that waits under the same kind and key stays as it is.

    With `sooner` it gets the new data and the earlier time, and is done again. Raises LookupError for an unknown kind.
    """
    jobs, now = list(jobs), service_clock.now()
    if unknown := {one.kind for one in jobs}.difference(kinds()):
        raise LookupError(f"there is no handler of {min(unknown)!r}")
    rows: list[list[Any]] = [
        [one.kind, one.key, one.lane or one.kind, json.dumps(one.data, cls=DjangoJSONEncoder), one.due_at, now]
        for one in jobs
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(_SOONER if sooner else _ONCE, rows)
    for outside in {one.kind in OUTBOUND for one in jobs if one.due_at <= now}:
        transaction.on_commit(partial(wake, outside), robust=True)


def wake(outside: bool) -> None:
    if outside:
        outbound_jobs.publish("")
    else:
        _local.send(expires=30)


def drop(kind: str, keys: Collection[str]) -> None:
    if keys:
        Job.objects.filter(kind=kind, key__in=keys).delete()


def give_again(ids: Collection[int] | None = None) -> int:
    """Restart jobs that were given up or wait for a retry, by default all. Return how many."""
    rows = Job.objects.filter(tries__gt=0) | Job.objects.filter(given_up_at__isnull=False)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    now = service_clock.now()
    found = rows.update(due_at=now, tries=0, failing_since=None, given_up_at=None, held_until=None, holder=None)
    if found:
        transaction.on_commit(partial(wake, True), robust=True)
        transaction.on_commit(partial(wake, False), robust=True)
    return found


def claim(kinds: Collection[str], now: datetime, *, hold: timedelta, busy: Collection[str], limit: int) -> list[Job]:
    """Hold the first due job of up to `limit` free lanes for the time `hold`, in the order of their times."""
    holder = uuid4()
    values: dict[str, Any] = {
        "until": now + hold, "holder": holder, "now": now, "busy": list(busy), "limit": limit, "kinds": list(kinds),
    }  # fmt: skip
    ids = [row[0] for row in fetch_all(_CLAIM, values)]
    return list(Job.objects.filter(pk__in=ids, holder=holder).order_by("due_at", "pk")) if ids else []


def hold(**which: Any) -> Job | None:
    """The row, locked for the caller's transaction; None if it is gone, given up, or held by somebody else."""
    return Job.objects.select_for_update(skip_locked=True).filter(given_up_at__isnull=True, **which).first()


def find(kind: str, key: str) -> Job | None:
    """The job, if it is still in the queue, whether or not somebody is doing it at the moment."""
    return Job.objects.filter(kind=kind, key=key).first()


def wait_for(kind: str, key: str) -> None:
    """Wait until nobody is doing this local job. Called in a transaction."""
    list(Job.objects.select_for_update().filter(kind=kind, key=key))


def still_held(job: Job) -> Job | None:
    """The row of a claimed job, locked; None if it was queued again or taken over since the claim."""
    return Job.objects.select_for_update().filter(pk=job.pk, holder=job.holder).first()


def settle(jobs: Collection[Job]) -> None:
    """Remove claimed jobs that were done, except those that were queued again meanwhile."""
    _own(jobs).delete()


_AFRESH: dict[str, Any] = {"tries": 0, "error": None, "failing_since": None, "held_until": None, "holder": None}


def wait(job: Job, until: datetime) -> None:
    """Have a claimed job done at a given time, unless it was queued again meanwhile."""
    _own([job]).update(**_AFRESH, due_at=until)


def _own(jobs: Collection[Job]) -> QuerySet[Job]:
    """The rows of claimed jobs that nobody else has claimed or queued again since."""
    return Job.objects.filter(pk__in=[one.pk for one in jobs], holder__in={one.holder for one in jobs})


def finish(row: Job, again: datetime | None) -> None:
    """Remove a job that was done, or have it done again at a given time."""
    if again is None:
        row.delete()
    else:
        Job.objects.filter(pk=row.pk).update(**_AFRESH, due_at=again)


def put_off(row: Job, error: Exception, retries: Retries, now: datetime) -> datetime | None:
    """Note a failed try; return when the next one is, or None if the job is given up."""
    since = row.failing_since or now
    after = error.after if isinstance(error, Later) else None
    again = None if isinstance(error, GaveUp) else retries.next_try(row.tries + 1, since, now, after=after)
    Job.objects.filter(pk=row.pk).update(
        tries=F("tries") + 1,
        error=described(error),
        failing_since=since,
        due_at=again or row.due_at,
        given_up_at=None if again is not None else now,
        held_until=None,
        holder=None,
    )
    return again


def described(error: Exception) -> str:
    """An error in one line; errors that handlers raise on purpose are sentences already."""
    text = str(error) if isinstance(error, Later | GaveUp) else f"{type(error).__name__}: {error}"
    return text.replace("\0", "")[:2000]


@dataclass(frozen=True, slots=True)
class Figures:
    """One kind of job: how much waits, how much is due and since when, how much failed."""

    kind: str
    waiting: int
    due: int
    oldest: timedelta
    retrying: int
    given_up: int


def figures() -> list[Figures]:
    """A row for each kind that is registered or in the queue, by name; one query."""
    at = service_clock.now()
    waits = Q(given_up_at__isnull=True)
    due = waits & Q(due_at__lte=at)
    rows = Job.objects.values("kind").annotate(
        waiting=Count("pk", filter=waits),
        due=Count("pk", filter=due),
        since=Min("due_at", filter=due),
        retrying=Count("pk", filter=waits & Q(tries__gt=0)),
        given_up=Count("pk", filter=~waits),
    )
    found = [
        Figures(row["kind"], row["waiting"], row["due"], at - (row["since"] or at), row["retrying"], row["given_up"])
        for row in rows
    ]
    absent = {*kinds()}.difference(one.kind for one in found)
    found += [Figures(kind, 0, 0, timedelta(), 0, 0) for kind in absent]
    return sorted(found, key=attrgetter("kind"))
