"""The cache in Redis."""

from django.core.cache import cache, caches


def test_all_calls_of_the_cache_share_a_client() -> None:
    """A client of redis-py is dear to make: it fills a table with all commands."""
    client = caches["default"]._cache  # type: ignore[attr-defined]
    assert client.get_client("a") is client.get_client("b", write=True)
    cache.set("a", [1, 2], 60)
    assert cache.get("a") == [1, 2]
