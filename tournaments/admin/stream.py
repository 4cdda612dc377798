"""Tournaments and leagues on the page of the event log."""

from collections.abc import Mapping, Sequence
from typing import Any

from core import log
from games.admin.stream import show_events_of
from tournaments import selectors
from tournaments.leaderboards.stream import LEAGUE


def events_of_leagues(events: Sequence[log.Event]) -> dict[tuple[str, int], Mapping[str, Any]]:
    """Everything: the results in a league are public."""
    return {(event.stream, event.version): event.data for event in events}


show_events_of("tournament", selectors.shown_to_staff)
show_events_of(LEAGUE.name, events_of_leagues)
