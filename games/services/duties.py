"""What the game waits for, and until when; and what a duty that is done has cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings

from games import clocks
from games.clocks.calendar import Interval
from games.projections import Duty, Picture
from games.rules import GAMES

Calendars = Mapping[UUID, clocks.Calendar]
"""Quiet hours and vacation by player; who is not in it has none."""


Outages = Callable[[datetime, datetime], Sequence[Interval]]
"""The outages of the service that reach beyond the first moment, as known at the second."""


def none_known(_: datetime, __: datetime) -> Sequence[Interval]:
    """No outages."""
    return ()


def duties_after(picture: Picture, now: datetime, calendars: Calendars) -> dict[int, Duty]:
    """The duties in a picture after its newest event. A duty that stays the same keeps its deadline.

    Bots are due at their pace, whoever moved last. In a race only the seat that would have to open has a deadline: when
    that one is gone, the next gets its own from now on. A deadline leaves outages out: they are added by its readers.
    """
    keys = GAMES[picture.game].duties(picture.state)
    timed = clocks.on_the_clock(picture.status, sorted(keys), picture.dealer or 0, picture.seats)
    duties: dict[int, Duty] = {}
    for index, key in keys.items():
        seat = picture.players[index]
        if seat.bot is not None:
            duties[index] = Duty(key, now, now + timedelta(seconds=settings.TREY_BOT_PACE))
            continue
        has_clock = index in timed
        if seat.duty is not None and seat.duty.key == key and (seat.duty.due is not None or not has_clock):
            duties[index] = seat.duty
        else:
            duties[index] = Duty(key, now, _due(picture, index, now, calendars) if has_clock else None)
    return duties


def banks_after(
    before: Picture, after: Picture, now: datetime, calendars: Calendars, outages: Outages
) -> dict[int, int]:
    """What is left of the reserve (whole seconds) of each seat whose duty ended now and took from it."""
    banks: dict[int, int] = {}
    for index, (old, new) in enumerate(zip(before.players, after.players, strict=False)):
        duty = old.duty
        if not old.bank or old.bot is not None or duty is None or duty.due is None or _is_same(duty, new.duty):
            continue
        # Pauses only make it less: within the turn's own time nothing has to be asked for.
        if now - duty.since <= timedelta(seconds=before.clock["per_turn"]):
            continue
        known = outages(duty.since, now)
        used = clocks.spent(_clock_duty(before, index, duty.since, calendars, known), now).bank
        if taken := used // timedelta(seconds=1):
            banks[index] = old.bank - taken
    return banks


def _is_same(old: Duty, new: Duty | None) -> bool:
    return new is not None and new.due is not None and (new.key, new.since) == (old.key, old.since)


def _due(picture: Picture, index: int, now: datetime, calendars: Calendars) -> datetime:
    return clocks.deadline(_clock_duty(picture, index, now, calendars))


def _clock_duty(
    picture: Picture,
    index: int,
    began: datetime,
    calendars: Calendars,
    outages: Sequence[Interval] = (),
) -> clocks.Duty:
    seat = picture.players[index]
    calendar = calendars.get(seat.player) if seat.player is not None else None
    return clocks.Duty(
        picture.clock,
        began=began,
        bank=timedelta(seconds=seat.bank),
        calendar=calendar or clocks.Calendar(),
        outages=outages,
    )
