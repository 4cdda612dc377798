from tests.games.api.conftest import nobody  # noqa: F401
