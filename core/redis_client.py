"""Connections to Redis: one server, or the primary that Sentinel names (`sentinel://`)."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import redis
import redis.asyncio
import redis.asyncio.retry
import redis.asyncio.sentinel
import redis.sentinel
from redis.backoff import NoBackoff
from redis.retry import Retry

# The time (seconds) for which an unresponsive Redis may delay a caller.
TIMEOUT = 0.25
_SENTINEL_PORT = 26379
# A host that is cut off says nothing, so the kernel probes it: after 3 seconds, every second, 3 times.
_ASKED = {"TCP_KEEPIDLE": 3, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 5000}
KEEPALIVE: dict[str, Any] = {
    "socket_keepalive": True,
    "socket_keepalive_options": {
        getattr(socket, name): value for name, value in _ASKED.items() if hasattr(socket, name)
    },
}


@dataclass(frozen=True, slots=True)
class Sentinels:
    """A Redis that Sentinel watches: the sentinels, the name of the primary, and how to log in at either."""

    hosts: tuple[tuple[str, int], ...]
    primary: str
    number: int
    login: dict[str, str]
    own_login: dict[str, str]


def sentinels_of(url: str) -> Sentinels | None:
    """Read `sentinel://user:password@one:26379,two:26379/0?master_name=trey`; None for another scheme.

    `sentinel_username` and `sentinel_password` are for the sentinels. Raises ValueError.
    """
    parts = urlsplit(url)
    if parts.scheme != "sentinel":
        return None
    who, _, where = parts.netloc.rpartition("@")
    user, _, password = who.partition(":")
    hosts = [urlsplit(f"//{one}") for one in where.split(",")]
    if not all(host.hostname and host.port != 0 for host in hosts):
        raise ValueError("a host has no name, or the port 0")
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    primary, number = options.pop("master_name", ""), parts.path[1:] or options.pop("db", "0")
    own_login = {name: options.pop(f"sentinel_{name}", "") for name in ("username", "password")}
    if not primary:
        raise ValueError("master_name is missing")
    if not (number.isascii() and number.isdecimal()):
        raise ValueError(f"{number} is not the number of a database")
    if options:
        raise ValueError(f"it has an unknown option: {min(options)}")
    return Sentinels(
        tuple((host.hostname or "", host.port or _SENTINEL_PORT) for host in hosts),
        primary,
        int(number),
        _only_given(username=unquote(user), password=unquote(password)),
        _only_given(**own_login),
    )


@lru_cache(maxsize=1)
def client(url: str) -> redis.Redis:
    return connect(url)


def connect(url: str, timeout: float = TIMEOUT) -> redis.Redis:
    """A separate client, which waits `timeout` seconds for each response and never retries."""
    return redis.Redis.from_pool(_pool(url, timeout))


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[redis.asyncio.Redis]:
    """A client for an event loop, which waits for signals as long as it takes."""
    found = sentinels_of(url)
    if found is None:
        async with redis.asyncio.Redis.from_url(url, socket_connect_timeout=TIMEOUT, **_tcp(url)) as server:
            yield server
        return
    sentinels = redis.asyncio.sentinel.Sentinel(  # type: ignore[no-untyped-call]
        list(found.hosts),
        sentinel_kwargs={**_asking(found), "retry": redis.asyncio.retry.Retry(NoBackoff(), 0)},
        socket_connect_timeout=TIMEOUT,
        **KEEPALIVE,
    )
    login: dict[str, Any] = {"db": found.number, **found.login}
    try:
        async with sentinels.master_for(found.primary, **login) as primary:
            yield primary
    finally:
        for sentinel in sentinels.sentinels:
            await sentinel.aclose()


class Pool:
    """The `pool_class` of Django's cache."""

    @staticmethod
    def from_url(url: str, *, timeout: float = TIMEOUT, **_: Any) -> redis.ConnectionPool:
        return _pool(url, timeout)


def _pool(url: str, timeout: float) -> redis.ConnectionPool:
    # The client's own retries would keep a caller waiting for seconds.
    limits: dict[str, Any] = {"socket_timeout": timeout, "socket_connect_timeout": timeout, "retry": _never()}
    found = sentinels_of(url)
    if found is None:
        return redis.ConnectionPool.from_url(url, **limits, **_tcp(url))
    sentinels = redis.sentinel.Sentinel(  # type: ignore[no-untyped-call]
        list(found.hosts), sentinel_kwargs=_asking(found), **limits, **KEEPALIVE
    )
    return redis.sentinel.SentinelConnectionPool(  # type: ignore[no-untyped-call]
        found.primary, sentinels, db=found.number, **sentinels.connection_kwargs, **found.login
    )


def broker_options(url: str) -> dict[str, Any]:
    """Return the options of Celery's broker, besides its address."""
    found = sentinels_of(url)
    if found is None:
        return _tcp(url)
    return {
        "master_name": found.primary,
        "sentinel_kwargs": _asking(found),
        "socket_connect_timeout": 1,
        "health_check_interval": 5,
        **KEEPALIVE,
    }


def _asking(found: Sentinels) -> dict[str, Any]:
    return {"socket_timeout": TIMEOUT, "socket_connect_timeout": TIMEOUT, "retry": _never(), **found.own_login}


def _tcp(url: str) -> dict[str, Any]:
    return {} if urlsplit(url).scheme == "unix" else KEEPALIVE


def _never() -> Retry:
    return Retry(NoBackoff(), 0)


def _only_given(**values: str) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}
