"""The home page's part about games and the service: turns, subscribers, outages, games by day."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from django.http import HttpRequest
from django.utils.html import format_html

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.dashboard import moment
from core.rows import fetch_all
from games import selectors
from games.admin import rights
from games.admin.site import site
from games.models import Game
from games.rules import PLAYED
from games.rules.words import counted

DAYS = 30
# A heartbeat or an event older than this needs attention.
LATE = timedelta(minutes=2)
MOST_LIVE = 10_000
# The most turns past their deadline that are checked.
MOST_DUE = 1_000
WIDTH, HEIGHT, FLOOR, LEFT = 720, 170, 140, 34


def service(request: HttpRequest) -> dict[str, Any]:
    if not rights.is_staff(request):
        return {"is_staff": False}
    now = service_clock.now()
    status = selectors.clock_status(MOST_DUE)
    lags = log.lags([subscriber.name for subscriber in log.subscribers()])
    opened = _opened_by_day(now)
    return {
        "is_staff": True,
        "troubles": [*_turns(status), *_late(status), *_subscribers(lags, now), *_outages(now)],
        "live": _live(now, opened[now.date()]),
        "by_day": games_by_day(opened),
    }


def _turns(status: selectors.ClockStatus) -> list[str]:
    if status.oldest_overdue < LATE:
        return []
    minutes = status.oldest_overdue // timedelta(minutes=1)
    due = f"{status.due} or more" if status.due >= MOST_DUE else str(status.due)
    waited = counted(minutes, "minute")
    return [f"Turns past their deadline: {due}. The oldest has waited {waited} for the sweep."]


def _late(status: selectors.ClockStatus) -> list[str]:
    return [
        f"No sign of life from the {part} for {counted(age // timedelta(minutes=1), 'minute')}."
        for part in sorted(status.heartbeats)
        if (age := status.age(part)) is not None and age > LATE
    ]


def _subscribers(lags: list[log.Lag], now: datetime) -> list[str]:
    found = []
    for lag in lags:
        minutes = counted(lag.age(now) // timedelta(minutes=1), "minute")
        if lag.stuck:
            buckets = counted(lag.stuck, "bucket")
            found.append(f"{lag.subscriber} is held up by a failing event ({buckets}).")
        elif lag.age(now) > LATE:
            found.append(f"{lag.subscriber} is {counted(lag.events, 'event')} behind, for {minutes}.")
    return sorted(found, key=lambda text: "held up" not in text)


def _outages(now: datetime) -> list[str]:
    return [
        format_html(
            "Outage of the {} from {} to {}. It does not count towards anybody's turn.",
            outage.part,
            moment(outage.began_at),
            moment(outage.ended_at),
        )
        for outage in selectors.recent_outages(3)
        if outage.ended_at > now - timedelta(days=1)
    ]


def _live(now: datetime, opened: int) -> list[tuple[str, str]]:
    def number(rows: Any) -> str:
        found = rows[:MOST_LIVE].count()
        return f"{found}" if found < MOST_LIVE else f"{MOST_LIVE} or more"

    running = Game.objects.filter(game__in=list(PLAYED), status__in=("setup", "playing"))
    return [
        ("games running", number(running)),
        ("games opened today", str(opened)),
        ("players logged in today", number(Player.objects.filter(last_login__gte=_midnight(now), is_active=True))),
    ]


def games_by_day(counts: Mapping[date, int]) -> dict[str, Any]:
    highest = max([*counts.values(), 1])
    step = (WIDTH - LEFT) / DAYS
    bars = [
        {
            "x": round(LEFT + at * step + 1, 1),
            "width": round(step - 2, 1),
            "y": round(FLOOR - 125 * count / highest, 1),
            "height": round(125 * count / highest, 1),
            "games": count,
            "day": day,
        }
        for at, (day, count) in enumerate(counts.items())
    ]
    total = sum(counts.values())
    label = f"Games opened in the last {DAYS} days: {total} in total, at most {highest if total else 0} on a day"
    return {"bars": bars, "highest": highest, "label": label, "first": min(counts), "last": max(counts)}


# One range of the index for each day: grouping the rows by day would take four times as long.
_OPENED = """
SELECT day, (SELECT count(*) FROM games_game WHERE opened_at >= day AND opened_at < day + interval '1 day')
FROM unnest(%s::timestamptz[]) AS day
"""


def _opened_by_day(now: datetime) -> dict[date, int]:
    today = _midnight(now)
    days = [today - timedelta(days=ago) for ago in reversed(range(DAYS))]
    counts = dict(fetch_all(_OPENED, [days]))
    return {day.date(): counts[day] for day in days}


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


site.add_panel(service, "dashboard/home_service.html")
