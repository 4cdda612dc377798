"""Wake-up signals after a commit that put work into the queue. A lost one costs the rest of a poll or sweep."""

from __future__ import annotations

import logging
from threading import Event
from time import monotonic

import redis
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

from games.platform.redis_client import TIMEOUT, client

# How long (seconds) an unresponsive Redis is left alone, so that not every request waits for it.
REST = 5.0
TASK = "work.do_chores"

logger = logging.getLogger(__name__)


def channel() -> str:
    """The Redis channel on which those who do errands are woken."""
    return f"{settings.REDIS_PREFIX}work"


class Waker:
    """Sends the signals of this process."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def __call__(self, errand: bool) -> None:
        """Wake those who do errands, or have a worker do chores. Without Redis nothing happens: a sweep follows."""
        if monotonic() < self._silent_until:
            return
        try:
            if errand:
                client(settings.REDIS_URL).publish(channel(), "")
            else:
                current_app.send_task(TASK, retry=False, expires=30)
        except (redis.RedisError, OperationalError) as error:
            self._silent_until = monotonic() + REST
            logger.warning("no wake-up signal for the queue, it is looked at regardless: %s", error)


wake = Waker()


class Listener:
    """Waits for new errands, for a poll interval at most, or until `stop` is set."""

    def __init__(self, stop: Event) -> None:
        self._stop = stop
        self._pubsub: redis.client.PubSub | None = None

    def wait(self, seconds: float) -> bool:
        """Return True as soon as there is a signal, False after `seconds` without one or at a stop."""
        deadline = monotonic() + seconds
        try:
            return self._heard(deadline)
        except redis.RedisError as error:
            logger.warning("no wake-up signals from Redis, polling meanwhile: %s", error)
            self.close()
        self._stop.wait(max(0.0, deadline - monotonic()))
        return False

    def close(self) -> None:
        """Close the connection; the next wait makes a new one."""
        if self._pubsub is not None:
            self._pubsub.close()
            self._pubsub = None

    def _heard(self, deadline: float) -> bool:
        if self._pubsub is None:
            self._pubsub = client(settings.REDIS_URL).pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
            self._pubsub.subscribe(channel())
        while (left := deadline - monotonic()) > 0 and not self._stop.is_set():
            if self._pubsub.get_message(timeout=min(left, TIMEOUT)):
                while self._pubsub.get_message(timeout=0):
                    pass
                return True
        return False
