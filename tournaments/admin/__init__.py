"""The dashboard's pages of tournaments, and what tournaments know of players."""

from tournaments.admin import players

__all__ = ["players"]
