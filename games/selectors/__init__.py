"""Reading games. Everything that leaves a game goes through here.

A viewer is a `Player`. What it may see of a game is a rules viewer: its seat, "public", or None (everything) once
the game is finished. A game is a `Snapshot`. A list is a queryset of rows; `games.projections.load_all` reads the games
of a page.
"""

from games.selectors.clocks import (
    DEADLINE_FIELDS,
    calendar_of,
    calendars_of,
    clock_duty,
    deadline_of,
    deadlines,
    explained,
    heartbeats,
    known_outages,
    outages_for,
    outages_in,
    outages_of,
)
from games.selectors.due import ClockStatus, clock_status, recent_outages
from games.selectors.events import events_for, events_seen, fairness_of, record_of, redacted
from games.selectors.exports import seats_of
from games.selectors.lists import Turns, games_for, invited_by, mine, open_rooms, rooms_without
from games.selectors.table import (
    Legal,
    game_for,
    history_view,
    lay_out_of,
    legal_moves,
    rematch_of,
    view_of,
    viewer_of,
)

__all__ = [
    "DEADLINE_FIELDS",
    "ClockStatus",
    "Legal",
    "Turns",
    "calendar_of",
    "calendars_of",
    "clock_duty",
    "clock_status",
    "deadline_of",
    "deadlines",
    "events_for",
    "events_seen",
    "explained",
    "fairness_of",
    "game_for",
    "games_for",
    "heartbeats",
    "history_view",
    "invited_by",
    "known_outages",
    "lay_out_of",
    "legal_moves",
    "mine",
    "open_rooms",
    "outages_for",
    "outages_in",
    "outages_of",
    "recent_outages",
    "record_of",
    "redacted",
    "rematch_of",
    "rooms_without",
    "seats_of",
    "view_of",
    "viewer_of",
]
