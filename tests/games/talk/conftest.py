from tests.games.api.conftest import alice, bob, charlie, game, nobody, room, running
from tests.tournaments.admin.conftest import club, olga

__all__ = ["alice", "bob", "charlie", "club", "game", "nobody", "olga", "room", "running"]
