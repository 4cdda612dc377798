"""What the game waits for, and until when."""

from __future__ import annotations

from datetime import datetime, timedelta

from games import clocks
from games.projections import Duty, Picture
from games.rules import GAMES


def duties_after(picture: Picture, now: datetime) -> dict[int, Duty]:
    """The duties in a picture after its newest event. A duty that stays the same keeps its deadline.

    Bots have no deadline, and in a race only the seat that would have to open has one.
    """
    keys = GAMES[picture.game].duties(picture.state)
    timed = clocks.on_the_clock(picture.status, sorted(keys), picture.dealer or 0, picture.seats)
    duties: dict[int, Duty] = {}
    for index, key in keys.items():
        seat = picture.players[index]
        if seat.duty is not None and seat.duty.key == key:
            duties[index] = seat.duty
        else:
            has_clock = index in timed and seat.bot is None
            duties[index] = Duty(key, now, _due(picture, now) if has_clock else None)
    return duties


def _due(picture: Picture, now: datetime) -> datetime:
    bank = timedelta(seconds=picture.clock["bank"])
    return clocks.deadline(clocks.Duty(picture.clock, began=now, bank=bank))
