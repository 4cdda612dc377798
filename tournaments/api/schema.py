"""The schema of settings, and all components and codes of tournaments; `record_schema` has the record."""

from typing import Any

from django.conf import settings

from games.clocks import clock_schema
from tournaments.api import record_schema
from tournaments.stream.plan import INNER
from tournaments.stream.settings import Setting


def _maybe(schema: dict[str, Any]) -> dict[str, Any]:
    return {"oneOf": [schema, {"type": "null"}]}


def _setting(setting: Setting) -> dict[str, Any]:
    text = setting.about or setting.help
    about = {"description": text} if text else {}
    default = {"default": setting.default} if setting.default is not None else {}
    if setting.words is not None:
        return {"type": ["string", "null"], "enum": [*setting.words, None], **default, **about}
    if setting.schema is not None:
        return {**_maybe(dict(setting.schema)), **about}
    return {"type": ["integer", "null"], "minimum": setting.least, **default, **about}


def _settings(within: str) -> dict[str, Any]:
    """The schema of an object of settings, by their paths."""
    properties: dict[str, Any] = {}
    for setting in INNER:
        name, dot, _ = setting.path.removeprefix(within).partition(".")
        if setting.path.startswith(within) and name not in properties:
            properties[name] = _maybe(_settings(f"{within}{name}.")) if dot else _setting(setting)
    return {"type": "object", "additionalProperties": False, "properties": properties}


SETTINGS = {
    **_settings("settings."),
    "description": "The settings of a tournament's record. Missing ones, and null, have their defaults.",
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
