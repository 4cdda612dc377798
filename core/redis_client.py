"""Connections to Redis."""

import socket
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import redis
import redis.asyncio
from redis.backoff import NoBackoff
from redis.retry import Retry

# The time (seconds) for which an unresponsive Redis may delay a caller.
TIMEOUT = 0.25
# A host that is cut off says nothing, so the kernel probes it: after 3 seconds, every second, 3 times.
_ASKED = {"TCP_KEEPIDLE": 3, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 5000}
_KEEPALIVE: dict[str, Any] = {
    "socket_keepalive": True,
    "socket_keepalive_options": {
        getattr(socket, name): value for name, value in _ASKED.items() if hasattr(socket, name)
    },
}


@lru_cache(maxsize=1)
def client(url: str) -> redis.Redis:
    return connect(url)


def connect(url: str, timeout: float = TIMEOUT) -> redis.Redis:
    """A separate client, which waits `timeout` seconds for each response and never retries."""
    return redis.Redis.from_pool(Pool.from_url(url, timeout=timeout))


def connected(url: str) -> redis.asyncio.Redis:
    """A client for an event loop, which waits for signals as long as it takes."""
    return redis.asyncio.Redis.from_url(url, socket_connect_timeout=TIMEOUT, **keepalive(url))


class Pool:
    """The `pool_class` of Django's cache."""

    @staticmethod
    def from_url(url: str, *, timeout: float = TIMEOUT, **_: Any) -> redis.ConnectionPool:
        # The client's own retries would keep a caller waiting for seconds.
        never = Retry(NoBackoff(), 0)
        return redis.ConnectionPool.from_url(
            url, socket_timeout=timeout, socket_connect_timeout=timeout, retry=never, **keepalive(url)
        )


def keepalive(url: str) -> dict[str, Any]:
    """Return the options by which a connection notices that its host is gone; a socket of this machine has none."""
    return {} if urlsplit(url).scheme == "unix" else _KEEPALIVE
