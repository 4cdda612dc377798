"""Deadlines as currently known: the service's outages come on top of what is stored.

A seat's `due_at` leaves outages out, so that one need not be written to every game. They are added here, by every
reader and by the sweep.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from games import clock as service_clock
from games import clocks
from games.accounts.models import Player
from games.clocks.calendar import Interval
from games.models import Game, Heartbeat, Outage, Seat

# What `deadline_of` needs of a seat, its player and its game.
DEADLINE_FIELDS = (
    "index",
    "bot",
    "due_at",
    "duty_since",
    "duty_extra",
    "bank",
    "player__quiet_hours",
    "player__vacation",
    "game__clock",
)


def calendar_of(player: Player | None) -> clocks.Calendar:
    """The player's quiet hours and vacation; an account that is gone has none."""
    return clocks.load_calendar(player.calendar if player is not None else None)


def calendars_of(accounts: Mapping[UUID, Player]) -> dict[UUID, clocks.Calendar]:
    """The calendars of the accounts that have one."""
    return {player_id: calendar_of(player) for player_id, player in accounts.items() if player.calendar}


def known_outages(since: datetime, now: datetime) -> list[Interval]:
    """The outages that reach beyond `since`, one that still goes on included. Two queries."""
    recorded = Outage.objects.filter(ended_at__gt=since).values_list("began_at", "ended_at")
    return clocks.known_outages(recorded, heartbeats(), now)


def heartbeats() -> dict[str, datetime]:
    """The last heartbeat of each part of the service."""
    return {beat.part: beat.moment for beat in Heartbeat.objects.all()}


def outages_for(games: Iterable[Game], now: datetime | None = None) -> list[Interval]:
    """The outages that may move a deadline of one of the games (seats loaded).

    No query for a game that was read by itself, or if no game has a deadline.
    """
    games = list(games)
    if len(games) == 1 and (uptime := games[0].uptime) is not None:
        return uptime.outages(now or service_clock.now())
    seats = [seat for game in games for seat in game.players.all() if not seat.bot]
    since = [seat.duty_since for seat in seats if seat.due_at and seat.duty_since]
    return known_outages(min(since), now or service_clock.now()) if since else []


def duty_of(clock: Any, seat: Seat, outages: Sequence[Interval] = ()) -> clocks.Duty:
    """Everything that determines the deadline of a seat that has one; its player is loaded."""
    if seat.duty_since is None:
        raise ValueError(f"{seat} has nothing to do")
    return clocks.Duty(
        clock,
        began=seat.duty_since,
        bank=timedelta(seconds=seat.bank),
        extra=timedelta(seconds=seat.duty_extra),
        calendar=calendar_of(seat.player if seat.player_id else None),
        outages=outages,
    )


def deadline_of(clock: Any, seat: Seat, outages: Sequence[Interval]) -> datetime | None:
    """The seat's deadline, outages counted; None if it has none (a bot never has one)."""
    due, since = seat.due_at, seat.duty_since
    if due is None or since is None or seat.bot is not None:
        return None
    if not any(began < due and ended > since for began, ended in outages):
        return due
    return max(due, clocks.deadline(duty_of(clock, seat, outages)))


def deadlines(game: Game, outages: Sequence[Interval] | None = None) -> dict[int, datetime]:
    """The deadline of each seat that has one, outages counted."""
    known = outages_for([game]) if outages is None else outages
    found = {seat.index: deadline_of(game.clock, seat, known) for seat in game.seat_rows()}
    return {index: due for index, due in found.items() if due is not None}


def explained(game: Game, player: Player, now: datetime | None = None) -> dict[str, Any]:
    """Each deadline to the second (`games.clocks.explain`), the player's own in full, others' in neutral terms."""
    now = now or service_clock.now()
    known = outages_for([game], now)
    return {
        str(seat.index): clocks.explain(
            duty_of(game.clock, seat, known), now, owner=seat.player_id is not None and seat.player_id == player.pk
        )
        for seat in game.seat_rows()
        if seat.due_at is not None and seat.bot is None
    }
