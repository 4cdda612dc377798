"""Drafts of rounds on the dashboard."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tournaments.picture.numbers import exact
from tournaments.stream import Tournament as State


def as_drafted(mark: str) -> Callable[[State], bool]:
    """The condition that the draft is still the one the organiser saw."""
    return lambda t: t.draft is not None and mark_of(t.draft.round, t.draft.tables, t.draft.byes) == mark


def mark_of(number: int | None, tables: Sequence[Sequence[str]], byes: Sequence[str]) -> str:
    """Return a mark that tells one draft from another."""
    drafted = json.dumps([number, [list(table) for table in tables], list(byes)])
    return hashlib.sha256(drafted.encode()).hexdigest()[:16]


def other_table(draft: Mapping[str, Any] | None) -> str:
    """The first entrant of the second table, whom the form of an exchange begins with, or ""."""
    tables: Sequence[Sequence[str]] = draft["tables"] if draft else ()
    return tables[1][0] if len(tables) > 1 else ""


def named(seating: Mapping[str, Any], figures: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A seating with the names of entrants, and the figures that judge it."""
    return {
        "round": seating["round"],
        "tables": [[names[key] for key in table] for table in seating["tables"]],
        "byes": [names[key] for key in seating["byes"]],
        "figures": {name: figures.get(name) for name in ("repeats", "q", "bound")}
        | {"cost": None if figures.get("cost") is None else exact(figures["cost"])},
    }
