"""Reading games. Everything that leaves a game goes through here.

A viewer is a `Player`. What it may see of a game is a rules viewer: its seat, "public", or None (everything) once
the game is finished. A game is a `Snapshot`. A list is a queryset of rows; `games.projections.load_all` reads the games
of a page.
"""

from games.selectors.access import game_title, title_by
from games.selectors.clocks import (
    DEADLINE_FIELDS,
    ClockStatus,
    calendar_of,
    certain_until,
    clock_duty,
    clock_status,
    deadline_of,
    deadlines,
    explained,
    heartbeats,
    known_outages,
    outages_for,
    outages_of,
    recent_outages,
    revision,
)
from games.selectors.events import events_for, events_seen, fairness_of, record_of, records_of, redacted
from games.selectors.lists import (
    UNFINISHED,
    GameRow,
    SeatRow,
    Turns,
    awaited,
    ended,
    free_room_of,
    games_among,
    games_for,
    games_of,
    invited_by,
    last_number,
    mine,
    newest_ended,
    open_rooms,
    played_before,
    rooms_without,
    row_of,
    rows_of,
    seats_at,
    seats_of,
    seats_taken_by,
    seats_with_games,
    stored_events,
    unfinished_of,
    unrated_with_people,
    with_people,
)
from games.selectors.table import (
    Legal,
    game_for,
    history_view,
    lay_out_of,
    legal_moves,
    rematch_waits,
    view_as,
    view_of,
    viewer_of,
)
