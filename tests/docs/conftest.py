from tests.games.api.conftest import alice, bob, game, room

__all__ = ["alice", "bob", "game", "room"]
