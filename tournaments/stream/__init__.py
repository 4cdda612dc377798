"""A tournament as a stream of events, pure Python: commands are decided, events are folded (`Tournament`).

    facts = entries.enter(tournament, By(player), ...)      # raises core.refusals.Refused
    tournament = evolve(tournament.id, tournament, event)   # copies facts

Event types have no prefix here (`entered`); in the log they are `tournament.entered`.
"""

from tournaments.stream import announcing, entries, life, outcomes, proposals, rounds, rulings, substitutes, successor
from tournaments.stream.ballot import Counts, Elector, Ending, Proposal, Rules
from tournaments.stream.entries import Limits
from tournaments.stream.evolve import TYPES, evolve, fold_all
from tournaments.stream.facts import SERVICE, By, Fact, check_organiser
from tournaments.stream.outcomes import Ended, Scored
from tournaments.stream.parts import Part
from tournaments.stream.plan import KEYS, Plan, merged, read_plan
from tournaments.stream.record import lines_of, record_of
from tournaments.stream.rounds import Seating
from tournaments.stream.state import (
    Deals,
    Draft,
    Entrant,
    Outcome,
    Round,
    Standing,
    Status,
    Table,
    Tournament,
    TournamentGame,
    game_id,
)

__all__ = [
    "KEYS",
    "SERVICE",
    "TYPES",
    "By",
    "Counts",
    "Deals",
    "Draft",
    "Elector",
    "Ended",
    "Ending",
    "Entrant",
    "Fact",
    "Limits",
    "Outcome",
    "Part",
    "Plan",
    "Proposal",
    "Round",
    "Rules",
    "Scored",
    "Seating",
    "Standing",
    "Status",
    "Table",
    "Tournament",
    "TournamentGame",
    "announcing",
    "check_organiser",
    "entries",
    "evolve",
    "fold_all",
    "game_id",
    "life",
    "lines_of",
    "merged",
    "outcomes",
    "proposals",
    "read_plan",
    "record_of",
    "rounds",
    "rulings",
    "substitutes",
    "successor",
]
