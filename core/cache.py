"""Django's cache in Redis, with one client for all its calls; and a cache that nothing depends on."""

import hashlib
from functools import cache as once
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis, RedisError

_AWAY = (RedisError, OSError)
_ROOT = Path(__file__).parents[1]
_of_this_process = LocMemCache("added", {"OPTIONS": {"MAX_ENTRIES": 20_000}})


def get(key: str) -> Any:
    """Return what is cached under a key, or None; also None without Redis, so that it is made again."""
    try:
        return cache.get(key)
    except _AWAY:
        return None


def put(key: str, value: Any, seconds: int) -> None:
    try:
        cache.set(key, value, seconds)
    except _AWAY:
        return


def code_files() -> list[Path]:
    """All code and templates from which something cached may follow, in order."""
    rooms = [_ROOT / name for name in ("chats", "config", "core", "games", "tournaments")]
    return sorted(file for room in rooms for kind in ("*.py", "*.html") for file in room.rglob(kind))


@once
def made_of() -> str:
    """A digest of the code: another release does not use what this one cached, and nobody has to raise a number."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in code_files())).hexdigest()


class Cache(RedisCache):
    """Django's cache makes a client for each call, and each client first fills a table with all commands of Redis."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Add a value unless there is one; without Redis each process in its own memory: people have to get in."""
        try:
            return bool(super().add(key, value, timeout, version))
        except _AWAY:
            return _of_this_process.add(key, value, timeout, version)


class _Client(RedisCacheClient):
    def __init__(self, servers: Any, **options: Any) -> None:
        super().__init__(servers, **options)
        # One client for each pool of connections, since a client holds nothing else.
        self._client: Any = lru_cache(Redis)
