"""The cast of the API's tests."""

from tests.games.api.conftest import alice, nobody

__all__ = ["alice", "nobody"]
