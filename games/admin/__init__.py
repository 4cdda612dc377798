"""The dashboard's pages of games, the event log and the audit log."""

from games.admin import audit, games, groups, home, queue, stream

__all__ = ["audit", "games", "groups", "home", "queue", "stream"]
