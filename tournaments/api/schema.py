"""The schema of settings, and all components and codes of tournaments; `record_schema` has the record."""

from typing import Any

from django.conf import settings

from games.clocks import clock_schema
from tournaments.api import record_schema
from tournaments.rules.points import SCHEMES
from tournaments.rules.settings import SEATINGS
from tournaments.rules.tie_breaks import TIE_BREAKS

_EXACT = {
    "oneOf": [{"type": "string", "pattern": r"^-?[0-9]+(/[0-9]+)?$"}, {"type": "integer"}],
    "description": "An exact number.",
}
_MAYBE_COUNT = {"type": ["integer", "null"], "minimum": 1}


def _maybe(schema: dict[str, Any]) -> dict[str, Any]:
    return {"oneOf": [schema, {"type": "null"}]}


SETTINGS: dict[str, Any] = {
    "type": "object",
    "description": "The settings of a tournament's record. Missing ones, and null, have their defaults.",
    "additionalProperties": False,
    "properties": {
        "points": _maybe(
            {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "scheme": {
                        "type": ["string", "null"],
                        "enum": [*SCHEMES, None],
                        "default": "opponents_beaten",
                    },
                    "list": {"type": "array", "items": _EXACT, "description": "For *places*: first, second, ..."},
                },
            }
        ),
        "total": {"type": ["string", "null"], "enum": ["sum", "mean", None]},
        "prior": _maybe({"type": "integer", "minimum": 0}),
        "best": _MAYBE_COUNT,
        "same_table": _MAYBE_COUNT,
        "min_games": _maybe({"type": "integer", "minimum": 0}),
        "bye": _maybe(_EXACT),
        "tie_breaks": _maybe({"type": "array", "items": {"type": "string", "enum": list(TIE_BREAKS)}}),
        "rounds": _MAYBE_COUNT,
        "tables": _maybe(
            {
                "type": "object",
                "additionalProperties": False,
                "properties": {"size": _MAYBE_COUNT, "min": _MAYBE_COUNT, "max": _MAYBE_COUNT},
            }
        ),
        "seating": {"type": ["string", "null"], "enum": [*SEATINGS, None]},
        "games_per_table": _MAYBE_COUNT,
        "parallel": _MAYBE_COUNT,
        "advance": _MAYBE_COUNT,
    },
}


def _or_null(key: dict[str, Any]) -> dict[str, Any]:
    nullable = {**key, "type": [key["type"], "null"]} | ({"enum": [*key["enum"], None]} if "enum" in key else {})
    return {name: value for name, value in nullable.items() if name != "default"}


_CLOCK = clock_schema(minimum_per_turn=settings.TREY_MIN_TURN)
CLOCK_CHANGE: dict[str, Any] = {
    **_CLOCK,
    "title": "ClockChange",
    "description": "Changes of the clock, key by key; null restores a default (RFC 7396).",
    "properties": {name: _or_null(key) for name, key in _CLOCK["properties"].items()},
}
COMPONENTS: dict[str, Any] = {
    "ClockChange": CLOCK_CHANGE,
    "TournamentSettings": SETTINGS,
    **record_schema.COMPONENTS,
}
#: docs/errors.md explains them.
CODES = (
    "added_by_organisers", "invitation_needed", "not_an_entrant", "not_an_organiser", "not_the_entrant",
    "staff_only", "no_guests", "guest_account", "no_guest",
    "no_such_entrant", "no_such_game", "no_such_organiser", "no_such_player", "no_such_round",
    "no_such_table", "no_draft", "already_entered", "already_open", "already_organiser", "already_removed",
    "not_asked", "already_came", "own_table",
    "already_void", "draft_outdated", "entries_closed", "last_organiser", "no_check_in", "no_deadline",
    "no_next_round", "no_rounds", "not_a_season", "not_entered", "not_in_a_knockout", "not_invited", "not_open",
    "not_removed", "not_void", "removed", "round_closed", "round_open", "season_closed", "table_not_played",
    "too_few_entrants", "too_many_bots", "too_many_entrants", "too_many_organisers", "too_many_results",
    "message_limit",
    "no_proposals", "not_an_elector", "not_the_proposer", "no_such_proposal", "decided_by_vote", "proposal_ended",
    "proposal_open", "proposed_lately", "too_many_proposals",
    "too_many_tournaments", "tournament_full", "tournament_over",
)  # fmt: skip
