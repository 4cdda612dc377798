"""Reading from a standby what may be a second old: public pages, boards and lists for people who are not logged in.

People with a token or a session always read from the primary, and so never miss what they have just written. If the
standby does not respond, lags too far behind or cannot answer, the primary is asked instead.
"""

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
# Seconds between two checks of the standby's lag, and for which an unavailable standby is left alone.
LOOK, REST = 1.0, 5.0
# The time within which what has arrived must be replayed.
BEHIND = timedelta(seconds=1)

#: Operators alert on the primary's count: it rises while the standby cannot be read.
ASKED = Counter("trey_reads", "Reads that may be a second old, by the server that answered.", ["server"])
_LAG = """
SELECT pg_is_in_recovery(), pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn(),
       clock_timestamp() - pg_last_xact_replay_timestamp()
"""

logger = logging.getLogger(__name__)
Handler = TypeVar("Handler", bound=Callable[..., HttpResponseBase])


class Standby:
    """This process's view of the standby: whether it can be read now."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._until, self._usable = 0.0, False

    def usable(self) -> bool:
        """Return whether it can be read; checks again if the last check was too long ago."""
        with self._lock:
            if self._clock() < self._until:
                return self._usable
            # Meanwhile others rely on the last check.
            self._until = self._clock() + LOOK
        found = self._look()
        self._note(found, "it is too far behind")
        return found

    def lost(self, error: object) -> None:
        """Note that it did not answer."""
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
        # The web's heartbeats are replayed every few seconds; without any, the standby no longer hears from the
        # primary.
        silent = timedelta(seconds=settings.TREY_HEARTBEAT) + timedelta(seconds=5)
        return not is_standby or (age is not None and age < (silent if has_all else BEHIND))


standby = Standby()


def start_at_zero() -> None:
    """If there is a standby, create the counters before there is anything to count."""
    if ALIAS in settings.DATABASES:
        for server in (STANDBY, PRIMARY):
            ASKED.labels(server)


def may_be_old(handler: Handler) -> Handler:
    """Decorate a view, or a view's method: requests without a log-in are answered from the standby, if there is one."""

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
    """The response, or None if the standby cannot give it. Meanwhile the standby is this thread's database."""
    own, reads = connections[DEFAULT_DB_ALIAS], connections[ALIAS]
    connections[DEFAULT_DB_ALIAS] = reads
    try:
        response = handler(*arguments, **named)
    except DatabaseError as error:
        standby.lost(error)
        return None
    except Exception:  # noqa: BLE001  a row may not have arrived yet: the primary's answer counts, and it raises again
        return None
    finally:
        connections[DEFAULT_DB_ALIAS] = own
        reads.close_if_unusable_or_obsolete()
    return response if response.status_code < 400 else None
