"""The dashboard's pages of games, the event log and the audit log."""

from games.admin import games, home, staff, stream
