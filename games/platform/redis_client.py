"""The connection to Redis of all that does without it when it does not respond: wake-up signals, limits, ranks."""

from functools import lru_cache

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

# How long (seconds) an unresponsive Redis may delay a caller.
TIMEOUT = 0.25


@lru_cache(maxsize=1)
def client(url: str) -> redis.Redis:
    """Return this process's client."""
    never = Retry(NoBackoff(), 0)  # the client's own retries would keep a caller waiting for seconds
    return redis.Redis.from_url(url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry=never)
