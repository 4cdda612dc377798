"""Conversion between the form that sets a tournament up and the body of ``POST tournaments``."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

HOUR, DAY = 3600, 86_400
# Form field -> its path in the body, and the body's value for one unit of it.
PLACES: Mapping[str, tuple[str, int]] = {
    "limit": ("limit", 1),
    "check_in": ("check_in", HOUR),
    "late_until": ("late_until", 1),
    "rounds": ("settings.rounds", 1),
    "size": ("settings.tables.size", 1),
    "smallest": ("settings.tables.min", 1),
    "largest": ("settings.tables.max", 1),
    "games_per_table": ("settings.games_per_table", 1),
    "parallel": ("settings.parallel", 1),
    "advance": ("settings.advance", 1),
    "deadline": ("deadline", DAY),
    "no_show_after": ("no_show_after", HOUR),
    "per_turn": ("clock.per_turn", HOUR),
}
WORDS = {
    "title": "title",
    "game": "game",
    "kind": "kind",
    "visibility": "visibility",
    "entry": "entry",
    "late": "late",
    "seating": "settings.seating",
    "pace": "pace",
    "overdue": "overdue",
    "no_show": "no_show",
    "scheme": "settings.points.scheme",
    "on_timeout": "clock.on_timeout",
    "proposals": "proposals",
    "ratify": "ratify",
}
FLAGS = {"rated": "rated", "plans": "plans", "guests": "guests", "weekend_pause": "clock.weekend_pause"}
MOMENTS = {name: name for name in ("starts_at", "opens_at", "closes_at")}
PATHS = {
    **WORDS,
    **FLAGS,
    **MOMENTS,
    **{name: path for name, (path, _) in PLACES.items()},
    "places": "settings.points.list",
}


def body_of(given: Mapping[str, Any], *, complete: bool = False) -> dict[str, Any]:
    """The body made of a form's cleaned values. `complete`: empty fields are null, which restores their defaults."""
    body: dict[str, Any] = {}
    for name, path in PATHS.items():
        value = _value(name, given.get(name))
        if value is not None or complete:
            _put(body, path, value)
    return _merged(body, given["more"])


def _value(name: str, value: Any) -> Any:
    if name in FLAGS:
        return bool(value)
    if value in (None, ""):
        return None
    if name in PLACES:
        return value * PLACES[name][1]
    if name == "places":
        return value.replace(",", " ").split()
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else value


def as_last_time(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form's initial values for a tournament like an earlier one: everything but its dates."""
    return {name: value for name, value in initial_of(asked).items() if name not in MOMENTS}


def initial_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form's initial values for a tournament that was set up before."""
    initial: dict[str, Any] = {}
    rest = json.loads(json.dumps(asked))
    for name, path in PATHS.items():
        value = _take(rest, path)
        if value is None:
            continue
        if name in PLACES and value % PLACES[name][1]:
            _put(rest, path, value)  # not a whole number of the form's unit
            continue
        if name in PLACES:
            value = value // PLACES[name][1]
        elif name in MOMENTS:
            value = datetime.fromisoformat(value).astimezone(UTC).strftime("%Y-%m-%dT%H:%M")
        elif name == "places":
            value = " ".join(map(str, value))
        initial[name] = value
    rest = _pruned(rest)
    if rest:
        initial["more"] = json.dumps(rest)
    return {"rated": True, "plans": True, **initial}


def _put(given: dict[str, Any], path: str, value: Any) -> None:
    *outer, last = path.split(".")
    for key in outer:
        given = given.setdefault(key, {})
    given[last] = value


def _take(given: dict[str, Any], path: str) -> Any:
    *outer, last = path.split(".")
    for key in outer:
        found = given.get(key)
        if not isinstance(found, dict):
            return None
        given = found
    return given.pop(last, None)


def _pruned(given: dict[str, Any]) -> dict[str, Any]:
    kept = {key: _pruned(value) if isinstance(value, dict) else value for key, value in given.items()}
    return {key: value for key, value in kept.items() if value not in ({}, None)}


def _merged(given: dict[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    for key, value in more.items():
        inner = given.get(key)
        given[key] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, Mapping) else value
    return given
