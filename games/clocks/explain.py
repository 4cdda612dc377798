"""Explaining a duty's deadline, to its player and to everybody else."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from core.calendars.calendar import moment_text
from games.clocks.deadline import KINDS, Duty, Segment, deadline, public_segments, segments, spent

SECOND = timedelta(seconds=1)


def explain(duty: Duty, now: datetime, *, owner: bool) -> dict[str, Any]:
    """The deadline and its explanation, as JSON. Times are RFC 3339 in UTC, lengths are in seconds.

    `segments` covers the time from `began_at` to `deadline_at` in order. `totals` has the sum for each reason: turn,
    bank, weekend, vacation, quiet_hours and outage for the owner; turn, bank, paused, weekend and outage for others.
    The totals add up to the whole time. Only the owner gets `now`: whether the clock is running, until when, and how
    much time is left. Others never see when a private pause is, only how long all of them are together.
    """
    end = deadline(duty)
    found = segments(duty) if owner else public_segments(duty)
    answer: dict[str, Any] = {
        "began_at": moment_text(duty.began),
        "deadline_at": moment_text(end),
        "per_turn": duty.clock["per_turn"],
        "extra": _seconds(duty.extra),
        "bank": _seconds(duty.bank),
        "segments": [_segment(segment) for segment in found],
        "totals": _totals(found) if owner else _public_totals(duty, found),
    }
    if owner:
        answer["now"] = _now(duty, found, now)
    return answer


def _segment(segment: Segment) -> dict[str, Any]:
    return {
        "from": moment_text(segment.start),
        "to": moment_text(segment.end),
        "seconds": _seconds(segment.length),
        "kind": KINDS[segment.reason],
        "reason": segment.reason,
    }


def _sum(found: Iterable[Segment], reason: str) -> timedelta:
    return sum((segment.length for segment in found if segment.reason == reason), timedelta())


def _totals(found: list[Segment]) -> dict[str, float]:
    reasons = ("turn", "bank", "weekend", "vacation", "quiet_hours", "outage")
    return {reason: _seconds(_sum(found, reason)) for reason in reasons}


def _public_totals(duty: Duty, found: list[Segment]) -> dict[str, float]:
    turn = duty.own_time
    return {
        "turn": _seconds(turn),
        "bank": _seconds(duty.bank),
        "paused": _seconds(_sum(found, "time") - turn - duty.bank),
        "weekend": _seconds(_sum(found, "weekend")),
        "outage": _seconds(_sum(found, "outage")),
    }


def _now(duty: Duty, found: list[Segment], now: datetime) -> dict[str, Any]:
    used = spent(duty, now)
    here = next((segment for segment in found if segment.start <= now < segment.end), None)
    return {
        "at": moment_text(now),
        "reason": here.reason if here else None,
        "runs": here is not None and KINDS[here.reason] == "deduction",
        "until": moment_text(here.end) if here else None,
        "turn_left": _seconds(duty.own_time - used.turn),
        "bank_left": _seconds(duty.bank - used.bank),
    }


def _seconds(length: timedelta) -> float:
    """Whole seconds as an int, so that JSON shows 3600 and not 3600.0."""
    seconds = length / SECOND
    return int(seconds) if seconds.is_integer() else seconds
