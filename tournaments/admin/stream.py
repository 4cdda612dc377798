"""Tournaments and leagues on the page of the event log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.admin.stream import show_events_of
from games.platform import log
from tournaments import selectors
from tournaments.leagues.stream import LEAGUE


def events_of_leagues(events: Sequence[log.Event]) -> dict[tuple[str, int], Mapping[str, Any]]:
    """Everything: the results in a league are public."""
    return {(event.stream, event.version): event.data for event in events}


show_events_of("tournament", selectors.shown_to_staff)
show_events_of(LEAGUE.name, events_of_leagues)
