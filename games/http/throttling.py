"""Limits on attempts: counters of fixed windows in the cache, which several web processes share.

The cache may be lost at any moment (then counting begins anew) or be away (then nothing is limited, and the log says
so): a limit protects, it must never be the reason why nobody can play.
"""

import hashlib
import logging
import time

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

logger = logging.getLogger(__name__)


def limit(name: str, who: str) -> None:
    """Count one attempt of `who` under settings.TREY_LIMITS[name]: so many in so many seconds, or None for any.

    Raises:
        Throttled: there were too many.
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
        # ValueError: the key was lost between the two calls.
        logger.warning("The cache did not answer: %s is not limited now.", name)
        return
    if count > allowed:
        raise Throttled(wait=max(1, seconds - int(elapsed)))


def address_of(request: Request) -> str:
    """The client's address. X-Forwarded-For counts only as far as settings.TREY_PROXIES proxies of our own wrote it."""
    direct = str(request.META.get("REMOTE_ADDR") or "")
    proxies = settings.TREY_PROXIES
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    return str(forwarded[-proxies]) if proxies and len(forwarded) >= proxies else direct
