from tests.games.api.conftest import alice, bob, charlie, game, nobody, room, running

__all__ = ["alice", "bob", "charlie", "game", "nobody", "room", "running"]
