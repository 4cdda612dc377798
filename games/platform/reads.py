"""Reading from a standby what may be a second old: public pages, boards and lists, for people who are not logged in.

People with a token or a session always read from the primary, and so never miss what they have just written. A standby
that does not respond, that is too far behind, or that cannot answer is passed over: the primary is asked instead.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, TypeVar, cast

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.http import HttpRequest, HttpResponseBase
from prometheus_client import Counter
from rest_framework.request import Request

ALIAS = "reads"
STANDBY, PRIMARY = "standby", "primary"
# The time (seconds) between two looks at the standby's lag, and for which one that is away is left alone.
LOOK, REST = 1.0, 5.0
# The time after which what has arrived must have been replayed.
BEHIND = timedelta(seconds=1)

#: An alarm on the second one: it rises while the standby cannot be read.
ASKED = Counter("trey_reads", "Reads that may be a second old, by the server that answered.", ["server"])
_LAG = """
SELECT pg_is_in_recovery(), pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn(),
       clock_timestamp() - pg_last_xact_replay_timestamp()
"""

logger = logging.getLogger(__name__)
Handler = TypeVar("Handler", bound=Callable[..., HttpResponseBase])


class Standby:
    """The standby's state as this process knows it: whether it can be read now."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._until, self._usable = 0.0, False

    def usable(self) -> bool:
        """Look again if it was long ago."""
        with self._lock:
            if self._clock() < self._until:
                return self._usable
            # Others go by the last look meanwhile.
            self._until = self._clock() + LOOK
        found = self._look()
        self._note(found, "it is too far behind")
        return found

    def lost(self, error: object) -> None:
        """It did not answer."""
        self._note(False, error)

    def _note(self, usable: bool, why: object) -> None:
        if self._usable and not usable:
            logger.warning("the standby is not read, the primary is asked instead: %s", why)
        self._usable, self._until = usable, self._clock() + (LOOK if usable else REST)

    def _look(self) -> bool:
        reads = connections[ALIAS]
        try:
            with reads.cursor() as cursor:
                cursor.execute(_LAG)
                is_standby, has_all, age = cursor.fetchone()
        except DatabaseError:
            reads.close()
            return False
        # The web's heartbeats are replayed every few seconds; without any, it hears nothing any more.
        silent = timedelta(seconds=settings.TREY_HEARTBEAT) + timedelta(seconds=5)
        return not is_standby or (age is not None and age < (silent if has_all else BEHIND))


standby = Standby()


def start_at_zero() -> None:
    """Make the counters before there is anything to count, where there is a standby."""
    if ALIAS in settings.DATABASES:
        for server in (STANDBY, PRIMARY):
            ASKED.labels(server)


def may_be_old(handler: Handler) -> Handler:
    """For a view, or the method of one: whoever is not logged in is answered from the standby, if there is one."""

    @wraps(handler)
    def answered(*arguments: Any, **named: Any) -> HttpResponseBase:
        request = next(each for each in arguments if isinstance(each, HttpRequest | Request))
        if ALIAS not in settings.DATABASES or not is_anybody(request):
            return handler(*arguments, **named)
        if standby.usable() and (response := _from_standby(handler, arguments, named)) is not None:
            ASKED.labels(STANDBY).inc()
            return response
        ASKED.labels(PRIMARY).inc()
        return handler(*arguments, **named)

    return cast("Handler", answered)


def is_anybody(request: HttpRequest | Request) -> bool:
    """Return whether the request only reads and has neither an Authorization header nor a session cookie."""
    said = "HTTP_AUTHORIZATION" in request.META or settings.SESSION_COOKIE_NAME in request.COOKIES
    return request.method in ("GET", "HEAD") and not said


def _from_standby(handler: Callable[..., HttpResponseBase], arguments: Any, named: Any) -> HttpResponseBase | None:
    """The response, or None where the standby did not do. For this thread the standby is the database meanwhile."""
    own, reads = connections[DEFAULT_DB_ALIAS], connections[ALIAS]
    connections[DEFAULT_DB_ALIAS] = reads
    try:
        response = handler(*arguments, **named)
    except DatabaseError as error:
        standby.lost(error)
        return None
    except Exception:  # noqa: BLE001  what is not there yet, for one: the primary's answer counts, and it raises again
        return None
    finally:
        connections[DEFAULT_DB_ALIAS] = own
        reads.close_if_unusable_or_obsolete()
    return response if response.status_code < 400 else None
