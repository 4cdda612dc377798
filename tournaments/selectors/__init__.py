"""Reading tournaments: lists, entrants, history and standings."""

from tournaments.selectors.exports import entries_of, organised_by
from tournaments.selectors.history import events_for, rulings_of, shown_to_staff
from tournaments.selectors.record import (
    NOBODY,
    bot_name,
    document,
    events_of,
    record_for,
    standings_for,
    standings_of,
    told_apart,
    version_at,
)
from tournaments.selectors.rounds import Awaited, GameNow, RoundNow, TableNow, games_now, rounds_now
from tournaments.selectors.tournaments import (
    entry_of,
    mine,
    name_of,
    tournament_for,
    tournaments_for,
    usernames,
)

__all__ = [
    "NOBODY",
    "Awaited",
    "GameNow",
    "RoundNow",
    "TableNow",
    "bot_name",
    "document",
    "entries_of",
    "entry_of",
    "events_for",
    "events_of",
    "games_now",
    "mine",
    "name_of",
    "organised_by",
    "record_for",
    "rounds_now",
    "rulings_of",
    "shown_to_staff",
    "standings_for",
    "standings_of",
    "told_apart",
    "tournament_for",
    "tournaments_for",
    "usernames",
    "version_at",
]
