"""Outages and heartbeats in an export of the log, because deadlines do not count time in which the service was out.

After an import the last heartbeats are those of the exported service, so the first new ones record the whole time
between as one more outage.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from core import log
from games import clocks
from games.models import Heartbeat, Outage


class OutageHistory:
    """`core.log.Companion` of the outages."""

    name = "outages"

    def count(self) -> int:
        """Return how many outages and heartbeats there are."""
        return Outage.objects.count() + Heartbeat.objects.count()

    def dump(self) -> Iterator[Any]:
        """Every outage, and the last heartbeat of each part."""
        for beat in Heartbeat.objects.order_by("part"):
            yield {"part": beat.part, "at": log.time_text(beat.at), "ahead": beat.ahead}
        for outage in Outage.objects.order_by("began_at", "part"):
            began_at, ended_at = log.time_text(outage.began_at), log.time_text(outage.ended_at)
            yield {"part": outage.part, "began_at": began_at, "ended_at": ended_at}

    def load(self, rows: Iterable[Any]) -> None:
        """Write what is missing. A part that has run here since was out until then."""
        outages: list[Outage] = []
        here = {beat.part: beat for beat in Heartbeat.objects.all()}
        for row in rows:
            part = str(row["part"])
            if "at" not in row:
                outages.append(Outage(part=part, began_at=_moment(row["began_at"]), ended_at=_moment(row["ended_at"])))
                continue
            beat = Heartbeat(part=part, at=_moment(row["at"]), ahead=int(row["ahead"]))
            if (later := here.get(part)) is None:
                beat.save(force_insert=True)
            elif gap := clocks.gap(beat.moment, later.moment):
                outages.append(Outage(part=part, began_at=gap[0], ended_at=gap[1]))
        Outage.objects.bulk_create(outages, ignore_conflicts=True)


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no time zone")
    return moment
