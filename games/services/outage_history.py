"""Outages and heartbeats as an export of the log carries them: no deadline counts time in which the service was out.

After an import the last heartbeats are those of the service that the export was made of, so the first new ones find the
whole time between as one more outage.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from games import clocks
from games.models import Heartbeat, Outage
from games.platform import log


class OutageHistory:
    """`games.platform.log.Companion` of the outages."""

    name = "outages"

    def dump(self) -> Any:
        """Every outage, and the last heartbeat of each part."""
        return {
            "heartbeats": [
                {"part": beat.part, "at": log.time_text(beat.at), "ahead": beat.ahead}
                for beat in Heartbeat.objects.order_by("part")
            ],
            "outages": [
                {
                    "part": outage.part,
                    "began_at": log.time_text(outage.began_at),
                    "ended_at": log.time_text(outage.ended_at),
                }
                for outage in Outage.objects.order_by("began_at", "part")
            ],
        }

    def check(self, value: Any) -> None:
        """Raise KeyError, TypeError or ValueError for what is not such a history."""
        _outages(value)
        _heartbeats(value)

    def load(self, value: Any) -> None:
        """Write what is not there. A part that has lived here since was out until then."""
        outages = _outages(value)
        here = {beat.part: beat for beat in Heartbeat.objects.all()}
        for beat in _heartbeats(value):
            if (later := here.get(beat.part)) is None:
                beat.save(force_insert=True)
            elif gap := clocks.gap(beat.moment, later.moment):
                outages.append(Outage(part=beat.part, began_at=gap[0], ended_at=gap[1]))
        Outage.objects.bulk_create(outages, ignore_conflicts=True)


def _outages(value: Any) -> list[Outage]:
    return [
        Outage(part=str(one["part"]), began_at=_moment(one["began_at"]), ended_at=_moment(one["ended_at"]))
        for one in value["outages"]
    ]


def _heartbeats(value: Any) -> list[Heartbeat]:
    return [
        Heartbeat(part=str(one["part"]), at=_moment(one["at"]), ahead=int(one["ahead"])) for one in value["heartbeats"]
    ]


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no time zone")
    return moment
