"""Reading tournaments: lists, entrants, history and standings."""

from tournaments.selectors.exports import entries_of, organised_by
from tournaments.selectors.history import events_for, rulings_of, shown_to_staff
from tournaments.selectors.no_shows import NoShow, no_shows
from tournaments.selectors.proposals import (
    Change,
    changes_between,
    changes_of,
    counts_shown,
    electors_on,
    own_vote,
    rules_before,
    votes_of,
)
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
    neighbours_of,
    tournament_for,
    tournaments_for,
    usernames,
)

__all__ = [
    "NOBODY",
    "Awaited",
    "Change",
    "GameNow",
    "NoShow",
    "RoundNow",
    "TableNow",
    "bot_name",
    "changes_between",
    "changes_of",
    "counts_shown",
    "document",
    "electors_on",
    "entries_of",
    "entry_of",
    "events_for",
    "events_of",
    "games_now",
    "mine",
    "name_of",
    "neighbours_of",
    "no_shows",
    "organised_by",
    "own_vote",
    "record_for",
    "rounds_now",
    "rules_before",
    "rulings_of",
    "shown_to_staff",
    "standings_for",
    "standings_of",
    "told_apart",
    "tournament_for",
    "tournaments_for",
    "usernames",
    "version_at",
    "votes_of",
]
