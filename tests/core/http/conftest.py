from tests.core.notifications.conftest import local, receiver
from tests.games.api.conftest import alice, bob, charlie, game, nobody, room, running

__all__ = ["alice", "bob", "charlie", "game", "local", "nobody", "receiver", "room", "running"]
