"""Limits on attempts: fixed-window counters in Redis, shared by all web processes; without it each counts alone.

What a call of the API counts of its caller, its answer says in the fields `RateLimit` and `RateLimit-Policy`
(draft-ietf-httpapi-ratelimit-headers). What is counted for an address or a name is not said: others count there, too.
"""

import hashlib
import ipaddress
import logging
import time
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple

from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from core.redis_client import client

logger = logging.getLogger(__name__)

FIELDS = ("RateLimit", "RateLimit-Policy")


class Count(NamedTuple):
    """How often something has happened of the `allowed` in a window of `seconds`, which ends in `rest`."""

    name: str
    who: str
    allowed: int
    seconds: int
    happened: int
    rest: int


_counts: ContextVar[list[Count]] = ContextVar("counts")
_of_this_process = LocMemCache("throttling", {"OPTIONS": {"MAX_ENTRIES": 20_000}})


def limit(name: str, who: str) -> None:
    """Count an attempt of `who` under settings.TREY_LIMITS[name]: (count, seconds), or None. Raises Throttled."""
    rate = settings.TREY_LIMITS[name]
    if rate is None:
        return
    allowed, seconds = rate
    found = Count(
        name, who, allowed, seconds, counted(name, who, seconds), max(1, seconds - int(time.time() % seconds))
    )
    _counts.get([]).append(found)
    if found.happened > allowed:
        raise Throttled(wait=found.rest)


def begin() -> None:
    """Note from now on what is counted in this context, for `fields_for`."""
    _counts.set([])


def fields_for(request: Request) -> dict[str, str]:
    """The fields of an answer that say what was counted of the caller since `begin`."""
    if not (own := [each for each in _counts.get([]) if each.who.partition(" ")[0] == str(request.user.pk)]):
        return {}
    policies = [f'"{each.name}";q={each.allowed};w={each.seconds}' for each in own]
    left = [f'"{each.name}";r={max(0, each.allowed - each.happened)};t={each.rest}' for each in own]
    return dict(zip(FIELDS, (", ".join(left), ", ".join(policies)), strict=True))


def counted(name: str, who: str, seconds: int) -> int:
    """Count something of `who`, and return how often it has happened in this window of so many seconds."""
    key = f"throttle:{name}:{hashlib.sha256(who.encode()).hexdigest()[:32]}:{int(time.time() // seconds)}"
    try:
        server, key_there = client(settings.REDIS_URL), f"{settings.REDIS_PREFIX}{key}"
        count = int(server.incr(key_there))
        if count == 1:
            server.expire(key_there, seconds)
    except RedisError:
        logger.warning("Redis does not respond, so each process counts %s by itself", name)
        _of_this_process.add(key, 0, timeout=seconds)
        count = _of_this_process.incr(key)
    return count


def address_of(request: Request | HttpRequest) -> str:
    return address_in(request.META)


def address_in(environ: Mapping[str, Any]) -> str:
    """The client's address, for IPv6 its network of 64 bits. Of X-Forwarded-For, TREY_PROXIES entries are trusted."""
    direct = str(environ.get("REMOTE_ADDR") or "")
    proxies = settings.TREY_PROXIES
    forwarded = [part.strip() for part in environ.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    return _network(str(forwarded[-proxies]) if proxies and len(forwarded) >= proxies else direct)


def _network(address: str) -> str:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), 64), strict=False))
