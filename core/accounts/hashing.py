"""Hashing of passwords with Argon2: at most `settings.TREY_HASHES` at once, since each takes a core and 64 MiB.

Requests to calls that hash wait in the gateway, where they take no thread; other code that hashes waits here.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher

from core.refusals import Busy

#: The URLs that hash a password when something is posted to them, by name.
CALLS = (
    "api:players", "api:login", "api:password", "api:close", "api:reset_password", "account_login", "account_signup",
    "account_reauthenticate", "account_change_password", "account_set_password",
    "account_complete_password_reset",
)  # fmt: skip
LONGEST_WAIT = 5.0
RETRY_AFTER = 2


class Argon2(Argon2PasswordHasher):
    """Argon2id with the cost of RFC 9106's second recommended option (section 4), but in one lane.

    More lanes would take all cores of a small server for one log-in; what an attacker has to compute stays the same.
    """

    time_cost = 3
    memory_cost = 64 * 1024
    parallelism = 1


running = threading.BoundedSemaphore(settings.TREY_HASHES)


@contextmanager
def slot() -> Iterator[None]:
    """A context in which to hash. Raises Busy after `LONGEST_WAIT` seconds without a free slot."""
    if not running.acquire(timeout=LONGEST_WAIT):
        raise Busy("busy", "Too many people are logging in or signing up. Try again soon.", retry_after=RETRY_AFTER)
    try:
        yield
    finally:
        running.release()
