from tests.games.live.conftest import alice, bob, charlie, game, live, serving, without_redis

__all__ = ["alice", "bob", "charlie", "game", "live", "serving", "without_redis"]
