"""The dashboard's pages of tournaments, and what tournaments know of players."""

from tournaments.admin import home, players, stream, tournaments

__all__ = ["home", "players", "stream", "tournaments"]
