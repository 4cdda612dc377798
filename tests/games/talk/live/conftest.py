from tests.games.live.conftest import alice, bob, charlie, game, live, serving

__all__ = ["alice", "bob", "charlie", "game", "live", "serving"]
