"""Doing errands: many at once, each in a thread without a database; one that hangs delays only its own lane."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from queue import Empty, SimpleQueue
from threading import Event
from time import monotonic
from typing import Any

from django.db import DatabaseError, close_old_connections, transaction

from core import clock as service_clock
from core.jobs import queue, registry
from core.jobs.pieces import GaveUp, Piece, Stale, Wait
from core.jobs.signals import errands
from core.wakeups import Listener

# The number of lanes that one process serves at once.
AT_ONCE = 64
# An errand takes seconds. A process that holds one for longer than this is dead.
HOLD = timedelta(minutes=2)
# The number of seconds for which a letter counts as true after it was prepared.
FRESH = 1.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a letter: a reply or an error."""

    piece: Piece
    letter: Any
    reply: Any = None
    error: Exception | None = None


@dataclass
class Deliverer:
    """Does errands until it is told to stop. Any number may run, in any number of processes."""

    at_once: int = AT_ONCE
    _lanes: dict[str, Future[None]] = field(default_factory=dict)
    _ends: SimpleQueue[_End] = field(default_factory=SimpleQueue)

    def run(self, stop: Event, poll_seconds: float = 1.0) -> None:
        """Do errands until `stop` is set: woken by Redis, and looking every `poll_seconds` regardless."""
        listener = Listener(errands, stop)
        listener.wait(0)  # listen before the first look, so that no signal is missed
        with ThreadPoolExecutor(self.at_once, thread_name_prefix="errand") as pool:
            try:
                while not stop.is_set():
                    close_old_connections()
                    try:
                        begun = self._begin(pool)
                        self._settle_finished()
                    except DatabaseError:
                        logger.exception("the queue cannot be read or written; errands wait")
                        begun = 0
                    if begun:
                        continue
                    # While errands are under way their ends are waited for in short turns.
                    listener.wait(0.02 if self._lanes else poll_seconds)
            finally:
                listener.close()
                wait(self._lanes.values())
                self._settle_finished()

    def do_all(self) -> int:
        """Do everything that is due now and return how many errands that were; for tests and one-off runs."""
        done = 0
        with ThreadPoolExecutor(self.at_once) as pool:
            while self._begin(pool) or self._lanes:
                wait(self._lanes.values())
                done += self._settle_finished()
        return done

    def _begin(self, pool: ThreadPoolExecutor) -> int:
        """Claim what is due, and start sending it. Return how many pieces were taken from the queue."""
        free = self.at_once - len(self._lanes)
        if free <= 0:
            return 0
        now = service_clock.now()
        pieces = queue.claim(registry.errands(), now, hold=HOLD, busy=self._lanes.keys(), limit=free)
        prepared: list[tuple[Piece, Any]] = []
        for kind, of_kind in groupby(sorted(pieces, key=lambda piece: piece.kind), lambda piece: piece.kind):
            prepared += self._prepare(kind, list(of_kind), now)
        for lane, of_lane in groupby(sorted(prepared, key=lambda one: one[0].lane), lambda one: one[0].lane):
            self._lanes[lane] = pool.submit(self._carry, list(of_lane), monotonic() + FRESH)
        return len(pieces)

    def _prepare(self, kind: str, pieces: Sequence[Piece], now: datetime) -> list[tuple[Piece, Any]]:
        """Return what to send for pieces of a kind, without those that have nothing to send, now or ever."""
        try:
            with transaction.atomic():
                prepared = list(zip(pieces, registry.errand_of(kind).prepare(pieces, now), strict=True))
                queue.settle([piece for piece, letter in prepared if letter is None])
                for piece, letter in prepared:
                    if isinstance(letter, Wait):
                        queue.wait(piece, letter.until)
        except DatabaseError:
            raise
        except Exception as error:
            if len(pieces) > 1:
                return [one for piece in pieces for one in self._prepare(kind, [piece], now)]
            logger.exception("the errand %s %s cannot be prepared", kind, pieces[0].key)
            self._fail(pieces[0], error)
            return []
        return [(piece, letter) for piece, letter in prepared if letter is not None and not isinstance(letter, Wait)]

    def _carry(self, letters: Sequence[tuple[Piece, Any]], until: float) -> None:
        """Send the letters of a lane, one after the other. In a thread."""
        for piece, letter in letters:
            try:
                reply = registry.errand_of(piece.kind).send(letter, until)
            except Exception as error:  # noqa: BLE001  any error is noted with the piece
                self._ends.put(_End(piece, letter, error=error))
            else:
                self._ends.put(_End(piece, letter, reply))

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
        stale = [end.piece for end in ends if isinstance(end.error, Stale)]
        tried = [end for end in ends if not isinstance(end.error, Stale)]
        sent = sorted((end for end in tried if end.error is None), key=lambda end: end.piece.kind)
        _note(queue.release, stale)
        for end in tried:
            if end.error is not None:
                _note(self._fail, end.piece, end.error)
        for kind, of_kind in groupby(sent, lambda end: end.piece.kind):
            _note(self._settle, kind, list(of_kind))
        for lane in over:
            self._lanes.pop(lane).result()
        return len(tried)

    def _settle(self, kind: str, ends: Sequence[_End]) -> None:
        now = service_clock.now()
        try:
            with transaction.atomic():
                registry.errand_of(kind).settle([(end.piece, end.letter, end.reply) for end in ends], now)
                queue.settle([end.piece for end in ends])
        except Exception as error:
            if len(ends) > 1:
                for end in ends:
                    _note(self._settle, kind, [end])
                return
            if isinstance(error, DatabaseError):
                raise
            logger.exception("the errand %s %s cannot be settled", kind, ends[0].piece.key)
            self._fail(ends[0].piece, error)

    def _fail(self, piece: Piece, error: Exception) -> None:
        now = service_clock.now()
        handler = registry.errand_of(piece.kind)
        with transaction.atomic():
            row = queue.still_held(piece)
            if row is None:
                return
            again = None
            if isinstance(error, GaveUp):
                queue.give_up(row, error, now)
            else:
                again = queue.put_off(row, error, handler.retries(), now)
            handler.failed(piece, error, again, now)


def _note(step: Callable[..., None], *what: Any) -> None:
    """Record what happened to letters, if it can be recorded."""
    try:
        step(*what)
    except DatabaseError:
        # They stay held, and are done again once their holder counts as dead: at least once.
        logger.exception("the outcome of errands could not be noted")
