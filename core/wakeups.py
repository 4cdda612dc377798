"""Signals that wake another process after a commit. A lost signal only costs a poll or a sweep."""

import logging
from collections.abc import Callable
from threading import Event
from time import monotonic
from typing import Any

import redis
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from kombu.pools import producers

from core.redis_client import TIMEOUT, client

# The time (seconds) for which an unresponsive Redis is left alone, so that not every request waits for it.
REST = 5.0
# How late (seconds) a listener may find out that it is to stop.
STOP = 1.0
_AT_ONCE = {"socket_timeout": TIMEOUT, "socket_connect_timeout": TIMEOUT}

logger = logging.getLogger(__name__)


class Breaker:
    """Sends signals, and leaves Redis alone for a while after it did not respond."""

    def __init__(self, lost: str) -> None:
        """`lost` says, in the log, what is not sent and what happens instead."""
        self._lost = lost
        self._silent_until = 0.0

    def send(self, act: Callable[[], object]) -> None:
        if monotonic() < self._silent_until:
            return
        try:
            act()
        except (redis.RedisError, OperationalError) as error:
            # Other threads may have waited for the same response: only one of them logs it.
            known, self._silent_until = monotonic() < self._silent_until, monotonic() + REST
            if not known:
                logger.warning("%s: %s", self._lost, error)


class Channel:
    def __init__(self, name: str, lost: str) -> None:
        self._name, self._breaker = name, Breaker(lost)

    @property
    def name(self) -> str:
        return f"{settings.REDIS_PREFIX}{self._name}"

    def publish(self, *messages: str | int) -> None:
        self._breaker.send(lambda: self._publish(messages))

    def _publish(self, messages: tuple[str | int, ...]) -> None:
        server = client(settings.REDIS_URL)
        if len(messages) == 1:
            # Most signals are one message, for which a pipeline takes a third longer.
            server.publish(self.name, messages[0])
            return
        with server.pipeline(transaction=False) as many:
            for message in messages:
                many.publish(self.name, message)
            many.execute()


class Task:
    def __init__(self, name: str, lost: str) -> None:
        self._name, self._breaker = name, Breaker(lost)

    def send(self, *arguments: object, **options: Any) -> None:
        """Send it to the workers, with the options of Celery's `send_task`."""
        self._breaker.send(lambda: self._send(arguments, options))

    def _send(self, arguments: tuple[object, ...], options: dict[str, Any]) -> None:
        # Connections of their own: on Celery's, which workers wait at, a Redis that hangs is noticed after seconds.
        with producers[current_app.connection_for_write(transport_options=_AT_ONCE)].acquire(block=True) as producer:
            current_app.send_task(self._name, arguments, producer=producer, retry=False, **options)


class Listener:
    """Waits for signals on a channel, for a poll interval at most, or until `stop` is set."""

    def __init__(self, channel: Channel, stop: Event, meanwhile: str = "polling meanwhile") -> None:
        """`meanwhile` says, in the log, what happens while there are none."""
        self._channel, self._stop, self._meanwhile = channel, stop, meanwhile
        self._pubsub: redis.client.PubSub | None = None
        self._silent_until = 0.0

    @property
    def listens(self) -> bool:
        """Whether signals come, as far as is known."""
        return self._pubsub is not None

    def wait(self, seconds: float) -> bool:
        """Return True as soon as there is a signal, False after `seconds` without one or at a stop."""
        return bool(self.hear(seconds))

    def hear(self, seconds: float) -> list[str]:
        """The messages as soon as there is one; none after `seconds` or at a stop. Rests after an error."""
        deadline = monotonic() + seconds
        if monotonic() >= self._silent_until:
            try:
                return self._heard(deadline)
            except redis.RedisError as error:
                logger.warning("no wake-up signals from Redis, %s: %s", self._meanwhile, error)
                self.close()
                self._silent_until = monotonic() + REST
        self._stop.wait(max(0.0, deadline - monotonic()))
        return []

    def close(self) -> None:
        if self._pubsub is not None:
            self._pubsub.close()
            self._pubsub = None

    def _heard(self, deadline: float) -> list[str]:
        if self._pubsub is None:
            self._pubsub = client(settings.REDIS_URL).pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
            self._pubsub.subscribe(self._channel.name)
        heard: list[str] = []
        while (left := deadline - monotonic()) > 0 and not self._stop.is_set() and not heard:
            message = self._pubsub.get_message(timeout=min(left, STOP))
            # A burst of signals comes as one.
            while message:
                heard.append(message["data"].decode(errors="replace"))
                message = self._pubsub.get_message(timeout=0)
        return heard
