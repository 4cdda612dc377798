from tests.games.api.conftest import alice, bob, charlie, nobody

__all__ = ["alice", "bob", "charlie", "nobody"]
