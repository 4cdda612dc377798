"""The settings that a plan may have in each kind of tournament."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tournaments.stream.reading import Reader

if TYPE_CHECKING:
    from tournaments.stream.plan import Plan

SETTINGS_OF_KINDS: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "rounds": (None, ("rounds",)),
    "seating": ("standing", ("rounds",)),
    "parallel": (1, ("rounds",)),
    "games_per_table": (1, ("rounds", "knockout")),
    "advance": (None, ("knockout",)),
}
"""Settings that only some kinds of tournament have, each with its default."""


def check_kind(plan: "Plan", read: Reader) -> None:
    """Refuse settings that have no meaning in this kind of tournament."""
    if plan.kind != "season":
        for name, unset in (("opens_at", None), ("closes_at", None), ("games", "own")):
            if getattr(plan, name) != unset:
                read.refuse(name, f"Only a season has {name}.")
    else:
        for name in ("deadline", "late_until"):
            if getattr(plan, name) is not None:
                read.refuse(name, f"A season has no rounds, so it has no {name}.")
    if plan.kind != "rounds" and plan.late != "zero":
        read.refuse("late", "Late entrants get byes only in a tournament of rounds.")
    if plan.late == "bye" and plan.settings["total"] != "sum":
        read.refuse("late", "A bye for a missed round counts only under the total 'sum'.")
    if plan.kind != "knockout" and plan.seeds != "lot":
        read.refuse("seeds", "Only a knockout has seeds.")
    _check_settings(plan, read)


def _check_settings(plan: "Plan", read: Reader) -> None:
    for name, (default, kinds) in SETTINGS_OF_KINDS.items():
        if plan.kind not in kinds and plan.settings[name] != default:
            read.refuse(f"settings.{name}", f"Only a tournament of the kind {' or '.join(kinds)} has {name}.")
