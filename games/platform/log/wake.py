"""Wake-up signals over Redis after a commit. A lost one costs a reader the rest of its poll interval, nothing else."""

import logging
from threading import Event
from time import monotonic

import redis
from django.conf import settings

from games.platform.redis_client import TIMEOUT, client

# How long (seconds) an unresponsive Redis is left alone.
REST = 5.0

logger = logging.getLogger(__name__)


def channel() -> str:
    """Return the name of the Redis channel of the signals."""
    return f"{settings.REDIS_PREFIX}log"


class Signals:
    """Sends the signals of this process."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def publish(self, bucket: int) -> None:
        """Tell readers that `bucket` has new events. Without Redis nothing happens."""
        if monotonic() < self._silent_until:
            return
        try:
            client(settings.REDIS_URL).publish(channel(), bucket)
        except redis.RedisError as error:
            self._silent_until = monotonic() + REST
            logger.warning("no wake-up signal for readers of the log, they poll meanwhile: %s", error)


signals = Signals()


class Listener:
    """Waits for new events, for a poll interval at most, or until `stop` is set."""

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
                # A burst of signals counts as one.
                while self._pubsub.get_message(timeout=0):
                    pass
                return True
        return False
