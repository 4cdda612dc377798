"""Reading tournaments."""

from tournaments.selectors.record import document, events_of, record_for, standings_for, standings_of, version_at

__all__ = ["document", "events_of", "record_for", "standings_for", "standings_of", "version_at"]
