"""Deciding stages: when one is over, and who begins the next one (SG2, SG11)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from games.clocks import moment_text
from tournaments.rules import Entrant
from tournaments.rules.cut import NextStage
from tournaments.stream.facts import By, Fact, check_organiser, check_running
from tournaments.stream.outcomes import also_plays
from tournaments.stream.state import Tournament


def going_on(found: NextStage, entrants: Mapping[str, Entrant]) -> dict[str, Any]:
    """Who goes on: `{"stage", "seeds", "decided_by", "passed": [{"entrant", "why"}]}`.

    `entrants` are those of the record; `why` one is passed over is withdrew, removed or no_place (SG4).
    """
    return {**found.as_json(), "passed": [{"entrant": key, "why": _why(entrants[key])} for key in found.passed]}


def _why(entrant: Entrant) -> str:
    return "removed" if entrant.removed else "withdrew" if entrant.withdrawn else "no_place"


def is_drafted(t: Tournament) -> bool:
    """Return whether organisers draft the first round of the next stage, which begins with it (SG11)."""
    following = t.plan.all_stages[t.stage]
    return bool(following["kind"] != "season" and following["pace"] == "manual")


def awaits_draft(t: Tournament) -> bool:
    """Return whether the present stage is over, and the next one waits for its draft."""
    return t.break_ends is not None and is_drafted(t)


def over(going_on: Mapping[str, Any], until: datetime) -> list[Fact]:
    """End the present stage; the next one begins after a break."""
    return [Fact("stage_over", {**going_on, "until": moment_text(until)})]


def staged(
    t: Tournament, going_on: Mapping[str, Any], *, reason: str | None = None, beside: str | None = None
) -> dict[str, Any]:
    """The data of the event that begins the next stage. `beside`: the entrant of the organiser who ruled it."""
    return {**going_on, "reason": reason, "also_plays": beside, "seed": t.seed}


def begin(t: Tournament, going_on: Mapping[str, Any]) -> list[Fact]:
    return [Fact("staged", staged(t, going_on))]


def end(t: Tournament, by: By, going_on: Mapping[str, Any], reason: str) -> list[Fact]:
    """End the present stage early: open games play on, and count in it (SG12). Raises Forbidden, Conflict."""
    check_organiser(t, by)
    check_running(t)
    beside = also_plays(t, by, [one.key for one in t.playing()])
    return [Fact("staged", staged(t, going_on, reason=reason, beside=beside))]
