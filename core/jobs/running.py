"""Doing jobs: local ones each in one transaction that also removes it, outbound ones many at once in threads."""

import logging
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from queue import Empty, SimpleQueue
from threading import Event
from time import monotonic
from typing import Any

from celery import shared_task
from django.db import DatabaseError, close_old_connections, connection, transaction
from django.db.models import QuerySet

from core import clock as service_clock
from core.hooks import DUE
from core.jobs import queue
from core.jobs.models import Work as Job
from core.jobs.queue import TASK, Wait, outbound_jobs
from core.rows import fetch_all
from core.wakeups import Listener

SECONDS = 20.0
MOST_AT_ONCE = 200

# Beat asks every few seconds, for which the ORM takes eight times as long.
_IS_DUE = "SELECT EXISTS (SELECT FROM jobs_work WHERE kind = ANY(%s) AND due_at <= %s AND given_up_at IS NULL)"

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Done:
    done: int = 0
    failed: int = 0


def do_all(*, kinds: Collection[str] | None = None, now: datetime | None = None, seconds: float = SECONDS) -> Done:
    """Do every local job (of these kinds) that is due, and what it queues, until nothing is left or the time is up."""
    total, ends = Done(), monotonic() + seconds
    while monotonic() < ends:
        at = now or service_clock.now()
        before = total.done
        for job_id in list(_due(at, kinds).values_list("pk", flat=True)[:MOST_AT_ONCE]):
            outcome = _do(at, pk=job_id, due_at__lte=at)
            total.done += outcome is True
            total.failed += outcome is False
            if monotonic() > ends:
                return total
        if total.done == before:
            break
    return total


def is_due(at: datetime) -> bool:
    """Return whether a local job is due."""
    return bool(fetch_all(_IS_DUE, [[*queue.LOCAL], at])[0][0])


def _due(at: datetime, kinds: Collection[str] | None) -> QuerySet[Job]:
    rows = Job.objects.filter(kind__in=queue.LOCAL if kinds is None else kinds, due_at__lte=at)
    return rows.filter(given_up_at__isnull=True).order_by("due_at", "pk")


DUE[TASK] = lambda: is_due(service_clock.now())


@shared_task(name=TASK)
def do_local_jobs() -> int:
    return do_all().done


def do(kind: str, key: str, *, now: datetime | None = None) -> bool | None:
    """Do one local job now. True: done, False: failed, None: it is gone or held by somebody else."""
    return _do(now or service_clock.now(), kind=kind, key=key)


def _do(now: datetime, **which: Any) -> bool | None:
    try:
        with transaction.atomic():
            row = queue.hold(**which)
            if row is None:
                return None
            queue.finish(row, queue.LOCAL[row.kind](row, now))
            return True
    except Exception as error:
        logger.exception("the local job %s failed", " ".join(str(value) for value in which.values()))
        with transaction.atomic():
            if (row := queue.hold(**which)) is not None:
                queue.put_off(row, error, queue.LOCAL_RETRIES, now)
        return False


# Outbound jobs: each in a thread without a database; one that hangs delays only its own lane.

# The number of lanes that one process serves at once.
AT_ONCE = 64
# An outbound job takes seconds. A process that holds one for longer than this is dead.
HOLD = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class _End:
    job: Job
    letter: Any
    reply: Any = None
    error: Exception | None = None


@dataclass
class Deliverer:
    """Does outbound jobs until it is told to stop. Any number may run, in any number of processes."""

    at_once: int = AT_ONCE
    _lanes: dict[str, Future[None]] = field(default_factory=dict)
    _ends: SimpleQueue[_End] = field(default_factory=SimpleQueue)

    def run(self, stop: Event, poll_seconds: float = 1.0) -> None:
        """Do outbound jobs until `stop` is set: woken by Redis, and looking every `poll_seconds` regardless."""
        listener = Listener(outbound_jobs, stop)
        listener.wait(0)  # listen before the first look, so that no signal is missed
        with ThreadPoolExecutor(self.at_once, thread_name_prefix="outbound") as pool:
            try:
                while not stop.is_set():
                    close_old_connections()
                    try:
                        begun = self._begin(pool)
                        self._settle_finished()
                    except DatabaseError:
                        logger.exception("the queue cannot be read or written; outbound jobs wait")
                        begun = 0
                    if begun:
                        continue
                    # While outbound jobs are under way their ends are waited for in short turns.
                    listener.wait(0.02 if self._lanes else poll_seconds)
            finally:
                listener.close()
                wait(self._lanes.values())
                self._settle_finished()

    def do_all(self) -> int:
        """Do everything that is due now and return how many outbound jobs that were; for tests and one-off runs."""
        done = 0
        with ThreadPoolExecutor(self.at_once) as pool:
            while self._begin(pool) or self._lanes:
                wait(self._lanes.values())
                done += self._settle_finished()
        return done

    def _begin(self, pool: ThreadPoolExecutor) -> int:
        """Claim what is due, and start sending it. Return how many jobs were taken from the queue."""
        free = self.at_once - len(self._lanes)
        if free <= 0:
            return 0
        now = service_clock.now()
        jobs = queue.claim(queue.OUTBOUND, now, hold=HOLD, busy=self._lanes.keys(), limit=free)
        for kind, of_kind in groupby(sorted(jobs, key=lambda job: job.kind), lambda job: job.kind):
            for job, letter in self._prepare(kind, list(of_kind), now):
                self._lanes[job.lane] = pool.submit(self._send, job, letter)
        return len(jobs)

    def _prepare(self, kind: str, jobs: Sequence[Job], now: datetime) -> list[tuple[Job, Any]]:
        """Return what to send for jobs of a kind, without those that have nothing to send, now or ever."""
        try:
            with transaction.atomic():
                prepared = list(zip(jobs, queue.OUTBOUND[kind].prepare(jobs, now), strict=True))
                queue.settle([job for job, letter in prepared if letter is None])
                for job, letter in prepared:
                    if isinstance(letter, Wait):
                        queue.wait(job, letter.until)
        except Exception as error:
            # A lock that lasts, or a value that no column holds, is one job's; without a database all wait.
            if isinstance(error, DatabaseError) and not connection.is_usable():
                raise
            if len(jobs) > 1:
                return [one for job in jobs for one in self._prepare(kind, [job], now)]
            logger.exception("the outbound job %s %s cannot be prepared", kind, jobs[0].key)
            self._fail(jobs[0], error)
            return []
        return [(job, letter) for job, letter in prepared if letter is not None and not isinstance(letter, Wait)]

    def _send(self, job: Job, letter: Any) -> None:
        try:
            reply = queue.OUTBOUND[job.kind].send(letter)
        except Exception as error:  # noqa: BLE001  any error is noted with the job
            self._ends.put(_End(job, letter, error=error))
        else:
            self._ends.put(_End(job, letter, reply))

    def _settle_finished(self) -> int:
        """Note the outcome of finished letters; return how many were sent or failed."""
        # Before the ends are read, since a lane is free only when all its ends are in.
        over = [lane for lane, future in self._lanes.items() if future.done()]
        ends: list[_End] = []
        try:
            while True:
                ends.append(self._ends.get_nowait())
        except Empty:
            pass
        sent = sorted((end for end in ends if end.error is None), key=lambda end: end.job.kind)
        for end in ends:
            if end.error is not None:
                _note(self._fail, end.job, end.error)
        for kind, of_kind in groupby(sent, lambda end: end.job.kind):
            _note(self._settle, kind, list(of_kind))
        for lane in over:
            self._lanes.pop(lane).result()
        return len(ends)

    def _settle(self, kind: str, ends: Sequence[_End]) -> None:
        now = service_clock.now()
        try:
            with transaction.atomic():
                queue.OUTBOUND[kind].settle([(end.job, end.letter, end.reply) for end in ends], now)
                queue.settle([end.job for end in ends])
        except Exception as error:
            if len(ends) > 1:
                for end in ends:
                    _note(self._settle, kind, [end])
                return
            if isinstance(error, DatabaseError):
                raise
            logger.exception("the outbound job %s %s cannot be settled", kind, ends[0].job.key)
            self._fail(ends[0].job, error)

    def _fail(self, job: Job, error: Exception) -> None:
        now = service_clock.now()
        handler = queue.OUTBOUND[job.kind]
        with transaction.atomic():
            row = queue.still_held(job)
            if row is None:
                return
            handler.failed(job, error, queue.put_off(row, error, handler.retries(), now), now)


def _note(step: Callable[..., None], *what: Any) -> None:
    """Record what happened to letters, if it can be recorded."""
    try:
        step(*what)
    except DatabaseError:
        # They stay held, and are done again once their holder counts as dead: at least once.
        logger.exception("the outcome of outbound jobs could not be noted")
