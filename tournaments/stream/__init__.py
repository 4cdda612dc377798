"""A tournament as a stream of events, pure Python: commands are decided, events are folded (`Tournament`).

    facts = entries.enter(tournament, By(player), ...)      # raises core.refusals.Refused
    tournament = evolve(tournament.id, tournament, event)   # copies facts

Event types have no prefix here (`entered`); in the log they are `tournament.entered`.
"""

from tournaments.stream import entries, life, no_shows, outcomes, proposals, rounds, rulings
from tournaments.stream.ballot import Counts, Elector, Ending, Proposal, Rules
from tournaments.stream.entries import Limits
from tournaments.stream.events import EVENTS, Fact, evolve, fold_all
from tournaments.stream.facts import SERVICE, By, check_organiser
from tournaments.stream.outcomes import Ended, Scored
from tournaments.stream.parts import Part
from tournaments.stream.plan import Plan, merged, read_plan
from tournaments.stream.record import lines_of, record_of
from tournaments.stream.stages import Begun, InStages
from tournaments.stream.state import (
    Entrant,
    Outcome,
    Playing,
    Round,
    Seating,
    Standing,
    Status,
    Table,
    Tournament,
    TournamentGame,
    game_id,
)
