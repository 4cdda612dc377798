from tournaments.selectors.history import by_person, events_for, people_in, ruled, rulings_of, shown_to_staff
from tournaments.selectors.proposals import (
    Change,
    changes_between,
    changes_of,
    counts_shown,
    electors_on,
    own_vote,
    simulated,
    votes_of,
)
from tournaments.selectors.record import (
    NOBODY,
    OfStage,
    Reckoned,
    Reckoning,
    bot_name,
    bounds_for,
    cuts_for,
    document,
    events_of,
    kept_of_version,
    next_stage_for,
    reckoning_for,
    record_for,
    standings_for,
    standings_of_stage,
    told_apart,
    version_at,
)
from tournaments.selectors.results import MOST_STANDINGS, newest_result, own_results, public_results
from tournaments.selectors.tournaments import (
    entries_of,
    entry_of,
    mine,
    name_of,
    neighbours_of,
    organised_by,
    tournament_for,
    tournaments_for,
    usernames,
    written_to,
)
