"""The commands of tournaments, and the runner that moves tournaments on.

A command raises what its decision in `tournaments.stream` raises, NotFound, and what is named here; then it leaves
nothing behind. `now` (aware, UTC) defaults to the service's clock.
"""

from core.jobs.receipts import Answer
from tournaments.services.announcing import (
    Sent,
    send_message,
)
from tournaments.services.commands import Done
from tournaments.services.entries import (
    accept,
    add_bot,
    check_in,
    enter,
    guests_in_tournaments,
    invite,
    leave_tournaments,
    new_guest_link,
    withdraw,
)
from tournaments.services.making_rulings import Ruled, effects_of, preview_of_reopening, rule
from tournaments.services.proposals import check_proposer, decide_proposal, propose, vote, withdraw_proposal
from tournaments.services.queue import failing, follow_games
from tournaments.services.results import number_results
from tournaments.services.runner import Recoverable, is_due, recover_all, run
from tournaments.services.seating import exchange, next_round, publish
from tournaments.services.setting_up import (
    accept_to_organise,
    add_organiser,
    begin_season,
    cancel,
    change,
    decline_to_organise,
    finish,
    open_registration,
    plan_of,
    remove_organiser,
    renew_invitation,
    reopen,
    set_pace,
    set_up,
    start,
)
from tournaments.services.tables import open_game
