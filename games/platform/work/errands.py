"""Doing errands: many at once, each in a thread that uses no database, so that who hangs delays only its own lane."""

from __future__ import annotations

import logging
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Event
from typing import Any

from django.db import DatabaseError, close_old_connections, transaction

from games.platform import clock as service_clock
from games.platform.wakeups import Listener
from games.platform.work import queue, registry
from games.platform.work.pieces import GaveUp, Piece, Wait
from games.platform.work.signals import errands

# How many errands one process does at once.
AT_ONCE = 64
# An errand takes seconds. Whoever holds one for longer than this is dead.
HOLD = timedelta(minutes=2)

logger = logging.getLogger(__name__)


@dataclass
class Deliverer:
    """Does errands until it is told to stop. Any number may run, in any number of processes."""

    at_once: int = AT_ONCE
    _running: dict[Future[Any], tuple[Piece, Any]] = field(default_factory=dict)

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
                    listener.wait(0.02 if self._running else poll_seconds)
            finally:
                listener.close()
                wait(self._running)
                self._settle_finished()

    def do_all(self) -> int:
        """Do everything that is due now and return how many errands that were; for tests and one-off runs."""
        done = 0
        with ThreadPoolExecutor(self.at_once) as pool:
            while self._begin(pool) or self._running:
                if self._running:
                    wait(self._running, return_when=FIRST_COMPLETED)
                    done += self._settle_finished()
        return done

    def _begin(self, pool: ThreadPoolExecutor) -> int:
        """Claim what is due, and send it off. Return how many pieces were taken from the queue."""
        free = self.at_once - len(self._running)
        if free <= 0:
            return 0
        now = service_clock.now()
        busy = {piece.lane for piece, _ in self._running.values()}
        pieces = queue.claim(registry.errands(), now, hold=HOLD, busy=busy, limit=free)
        for piece in pieces:
            letter = self._prepare(piece, now)
            if letter is not None:
                send = registry.errand_of(piece.kind).send
                self._running[pool.submit(send, letter)] = (piece, letter)
        return len(pieces)

    def _prepare(self, piece: Piece, now: datetime) -> Any:
        """What to send; None if there is nothing to send now or any more, or the preparation failed."""
        try:
            with transaction.atomic():
                letter = registry.errand_of(piece.kind).prepare(piece, now)
                if letter is not None and not isinstance(letter, Wait):
                    return letter
                queue.settle(piece, letter.until if isinstance(letter, Wait) else None)
                return None
        except DatabaseError:
            raise
        except Exception as error:
            logger.exception("the errand %s %s cannot be prepared", piece.kind, piece.key)
            self._fail(piece, error)
            return None

    def _settle_finished(self) -> int:
        finished = [future for future in self._running if future.done()]
        for future in finished:
            piece, letter = self._running.pop(future)
            error = future.exception()
            try:
                if error is None:
                    self._settle(piece, letter, future.result())
                elif isinstance(error, Exception):
                    self._fail(piece, error)
                else:
                    raise error
            except DatabaseError:
                # It stays held, and is done again when nobody is expected to be at it any more: at least once.
                logger.exception("what became of the errand %s %s could not be noted", piece.kind, piece.key)
        return len(finished)

    def _settle(self, piece: Piece, letter: Any, reply: Any) -> None:
        now = service_clock.now()
        try:
            with transaction.atomic():
                again = registry.errand_of(piece.kind).settle(piece, letter, reply, now)
                queue.settle(piece, again)
        except DatabaseError:
            raise
        except Exception as error:
            logger.exception("the errand %s %s cannot be settled", piece.kind, piece.key)
            self._fail(piece, error)

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
