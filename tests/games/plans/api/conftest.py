from tests.games.api.conftest import alice, bob, charlie, game, nobody, room, running  # noqa: F401
