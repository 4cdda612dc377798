"""Limits on attempts: fixed-window counters in the cache, shared by all web processes.

When the cache loses its data, counting starts again. When it does not respond, nothing is limited, and the log says so:
a limit must never be the reason why nobody can play.
"""

import hashlib
import logging
import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

logger = logging.getLogger(__name__)


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
        cache.add(key, 0, timeout=seconds)
        count = cache.incr(key)
    except (RedisError, ValueError):
        # ValueError: the key disappeared between the two calls.
        logger.warning("the cache does not respond, so %s is not limited", name)
        return
    if count > allowed:
        raise Throttled(wait=max(1, seconds - int(elapsed)))


def address_of(request: Request | HttpRequest) -> str:
    """The client's address. X-Forwarded-For is trusted as far as settings.TREY_PROXIES proxies have written it."""
    direct = str(request.META.get("REMOTE_ADDR") or "")
    proxies = settings.TREY_PROXIES
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    return str(forwarded[-proxies]) if proxies and len(forwarded) >= proxies else direct
