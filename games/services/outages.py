"""Heartbeats of the service's parts, and the outages that show as gaps between them.

The web and the sweeper each record a heartbeat in PostgreSQL every few seconds. The first process to do so after a gap
of more than a minute records the outage, once, for all parts that are silent: the others have a minute from then on to
beat, too. So after a start each deadline that ran during the outage is later by its length (`games.selectors.clocks`),
and stays so while the other parts are starting.

A machine whose clock is wrong beats by the database's clock. Otherwise every beat of a machine that is a minute ahead
would come a minute after those of the others, and look like the end of an outage.
"""

import logging
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Condition, Event, Thread
from typing import Literal

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, OperationalError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.functions import Now
from django.db.utils import load_backend
from psycopg.errors import LockNotAvailable

from core import clock as service_clock
from core.rows import execute
from games import clocks
from games.models import Heartbeat, Outage

Part = Literal["web", "sweeper"]
WEB: Part = "web"
SWEEPER: Part = "sweeper"
# Seconds.
CONNECT_TIMEOUT, SETTLE_TIMEOUT, LOCK_TIMEOUT = 5, 10, 5
# A clock that differs from the database's by more than this is wrong.
SKEW = timedelta(seconds=30)

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _KeptOut:
    """Heartbeats that this process tried to record while somebody else held their rows: it lived all the while."""

    since: datetime
    last: datetime


_kept_out: dict[str, _KeptOut] = {}


def beat(part: Part) -> Outage | None:
    """Record a heartbeat; return the outage it ended, if any. Raises DatabaseError.

    While another session held the rows the service worked. That is no outage, of this part or of the others.
    """
    began, tried = service_clock.now(), _kept_out.pop(part, None)
    if tried is not None and began - tried.last > clocks.THRESHOLD:
        tried = None
    try:
        return _beat(part, alive_since=tried.since if tried is not None else began)
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            _kept_out[part] = _KeptOut(tried.since if tried is not None else began, service_clock.now())
        raise


def _beat(part: Part, alive_since: datetime) -> Outage | None:
    now, ahead = service_clock.now(), settings.TREY_CLOCK_AHEAD
    with transaction.atomic():
        execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}s'")
        # A part has several processes: the first one after a gap records it, and the others wait and then find none.
        held, here = Heartbeat.objects.select_for_update(no_key=True).order_by("part"), machine_time()
        beats = {last.part: last for last in held.annotate(there=Now())}
        if part not in beats:
            Heartbeat.objects.bulk_create([Heartbeat(part=part, at=now, ahead=ahead)], ignore_conflicts=True)
            return None
        if abs(skew := beats[part].there - here) > SKEW:
            logger.error("the clock of this machine differs from the database's by %s, which counts instead", abs(skew))
            now, alive_since = now + skew, alive_since + skew
        gaps = {name: gap for name, last in beats.items() if (gap := clocks.gap(last.moment, now))}
        # Those that were alive when this process was kept out.
        kept_out = [name for name in gaps if clocks.gap(beats[name].moment, alive_since) is None]
        if part not in gaps or part in kept_out:
            Heartbeat.objects.filter(part__in=[part, *kept_out]).update(at=now, ahead=ahead)
            return None
        Heartbeat.objects.filter(part__in=gaps).update(at=now, ahead=ahead)
        ended = {
            name: Outage.objects.get_or_create(part=name, began_at=began, defaults={"ended_at": end})
            for name, (began, end) in gaps.items()
        }
    for name, (outage, is_new) in ended.items():
        if is_new:
            logger.warning("the %s was out from %s to %s", name, outage.began_at, outage.ended_at)
    outage, is_new = ended[part]
    return outage if is_new else None


def machine_time() -> datetime:
    return datetime.now(UTC)


class Pulse(Thread):
    """Records heartbeats for one process of a part until it is stopped, independently of its other work.

    It has its own database connection: under load, getting one from the pool may take long, and overload is not an
    outage. But it has no pulse while `works` says that nobody gets an answer.
    """

    def __init__(self, part: Part, works: Callable[[], bool] = lambda: True) -> None:
        super().__init__(name=f"heartbeat of the {part}", daemon=True)
        self.part: Part = part
        self._works = works
        self._stopped = False
        self._wanted = Event()
        self._tried = Condition()
        self._tried_at: datetime | None = None

    def settle(self) -> None:
        """Wait for the heartbeat that follows a start or a long pause, or for its failure.

        What is read before it shows deadlines that move with it.
        """
        if self._is_late():
            with self._tried:
                self._wanted.set()
                if not self._tried.wait_for(lambda: not self._is_late(), SETTLE_TIMEOUT):
                    self._tried_at = service_clock.now()

    def _is_late(self) -> bool:
        return self._tried_at is None or service_clock.now() - self._tried_at > clocks.THRESHOLD / 2

    def run(self) -> None:
        connections[DEFAULT_DB_ALIAS] = _own_connection()
        began = False
        while not self._stopped:
            at, works = service_clock.now(), self._works()
            if works:
                began = True
                try:
                    beat(self.part)
                except DatabaseError as error:
                    logger.warning("no heartbeat of the %s: %s", self.part, error)
                    connection.close()
            elif began:
                logger.warning("no heartbeat of the %s: it does not answer", self.part)
            if began:
                with self._tried:
                    self._tried_at = at
                    self._tried.notify_all()
            self._wanted.wait(settings.TREY_HEARTBEAT if works else 1)
            self._wanted.clear()
        connection.close()

    def stop(self) -> None:
        self._stopped = True
        self._wanted.set()


def _own_connection() -> BaseDatabaseWrapper:
    own = deepcopy(connections.settings[DEFAULT_DB_ALIAS])
    own["OPTIONS"].pop("pool", None)
    own["OPTIONS"]["connect_timeout"] = CONNECT_TIMEOUT
    wrapper: BaseDatabaseWrapper = load_backend(own["ENGINE"]).DatabaseWrapper(own, DEFAULT_DB_ALIAS)
    return wrapper
