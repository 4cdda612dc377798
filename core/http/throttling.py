"""Limits on attempts: fixed-window counters in Redis, shared by all web processes; without it each counts alone."""

import hashlib
import ipaddress
import logging
import time
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from core.redis_client import client

logger = logging.getLogger(__name__)

_of_this_process = LocMemCache("throttling", {"OPTIONS": {"MAX_ENTRIES": 20_000}})


def limit(name: str, who: str) -> None:
    """Count an attempt of `who` under settings.TREY_LIMITS[name]: (count, seconds), or None. Raises Throttled."""
    rate = settings.TREY_LIMITS[name]
    if rate is None:
        return
    allowed, seconds = rate
    if counted(name, who, seconds) > allowed:
        raise Throttled(wait=max(1, seconds - int(time.time() % seconds)))


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
