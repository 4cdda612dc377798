"""Limits on attempts: fixed-window counters in the cache, shared by all web processes.

When the cache loses its data, counting starts again. When it does not respond, every process counts by itself, and the
log says so: then the limits hold per process.
"""

import hashlib
import ipaddress
import logging
import time

from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

logger = logging.getLogger(__name__)

_of_this_process = LocMemCache("throttling", {"OPTIONS": {"MAX_ENTRIES": 20_000}})


def limit(name: str, who: str) -> None:
    """Count an attempt of `who` under settings.TREY_LIMITS[name]: (count, seconds), or None for no limit.

    Raises:
        Throttled: too many attempts in this window.
    """
    rate = settings.TREY_LIMITS[name]
    if rate is None:
        return
    allowed, seconds = rate
    window, elapsed = divmod(time.time(), seconds)
    key = f"throttle:{name}:{hashlib.sha256(who.encode()).hexdigest()[:32]}:{int(window)}"
    try:
        count = _counted(cache, key, seconds)
    except (RedisError, OSError):
        logger.warning("the cache does not respond, so each process limits %s by itself", name)
        count = _counted(_of_this_process, key, seconds)
    if count > allowed:
        raise Throttled(wait=max(1, seconds - int(elapsed)))


def _counted(where: BaseCache, key: str, seconds: int) -> int:
    try:
        return where.incr(key)
    except ValueError:
        # The first attempt of this window, unless another process counts one at the same moment.
        return 1 if where.add(key, 1, timeout=seconds) else where.incr(key)


def address_of(request: Request | HttpRequest) -> str:
    """The client's address. X-Forwarded-For is trusted as far as settings.TREY_PROXIES proxies have written it.

    For IPv6 it is the network of 64 bits: one customer has at least so many addresses.
    """
    direct = str(request.META.get("REMOTE_ADDR") or "")
    proxies = settings.TREY_PROXIES
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
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
