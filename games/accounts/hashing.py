"""Hashing of passwords, by Argon2 and bounded: a hash takes a core and 64 MiB, and games are to go on beside it.

Every process runs at most `settings.TREY_HASHES` hashes at once. At most `settings.TREY_HASHES_WAITING` more wait for
their turn, for a few seconds; whoever comes after them is told to try again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher

from games.refusals import Busy

LONGEST_WAIT = 5.0
RETRY_AFTER = 2


class Argon2(Argon2PasswordHasher):
    """Argon2id with the cost of RFC 9106's second recommended option (section 4), but in one lane.

    More lanes would take all cores of a small server for one log-in; what an attacker has to compute stays the same.
    Hashes made at another cost, or by PBKDF2, are replaced when their owners log in.
    """

    time_cost = 3
    memory_cost = 64 * 1024
    parallelism = 1


class Slots:
    """So many may run at once, and so many more may wait for `longest` seconds."""

    def __init__(self, running: int, waiting: int, longest: float = LONGEST_WAIT) -> None:
        self._places = threading.BoundedSemaphore(running + waiting)
        self._running = threading.BoundedSemaphore(running)
        self._longest = longest

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold a slot. Raises Busy when too many wait already, or when the wait was too long."""
        if not self._places.acquire(blocking=False):
            raise _busy()
        try:
            if not self._running.acquire(timeout=self._longest):
                raise _busy()
            try:
                yield
            finally:
                self._running.release()
        finally:
            self._places.release()


slots = Slots(settings.TREY_HASHES, settings.TREY_HASHES_WAITING)


def slot() -> AbstractContextManager[None]:
    """A slot of this process, to hash within. Raises Busy."""
    return slots.taken()


def _busy() -> Busy:
    return Busy("busy", "Too many people are logging in or signing up. Try again soon.", retry_after=RETRY_AFTER)
