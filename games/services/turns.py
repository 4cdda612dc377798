"""Turns and their clocks: open duties, their deadlines, and the reserve that finished duties used."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from msgspec.structs import replace

from core.calendars.calendar import Interval
from games import clocks
from games.projections import Duty, SeatSnapshot, Snapshot, Timing, with_timing
from games.selectors import clock_duty, outages_of


def deadline(
    snapshot: Snapshot,
    seat: SeatSnapshot,
    duty: Duty,
    outages: Sequence[Interval] = (),
    due: datetime | None = None,
) -> datetime:
    """The deadline of a duty by the player's current calendar. Stored deadlines leave outages out."""
    return clocks.deadline(clock_duty(snapshot, seat, duty.since, outages, extra=duty.extra, due=due))


def timing_after(before: Snapshot | None, after: Snapshot, now: datetime, *, dealt: bool = False) -> Timing | None:
    """The clocks after a command; None if it does not change them (a lobby, a finished game).

    `dealt`: whether it dealt cards; a new deal starts every turn afresh.
    """
    if after.state is None or after.status == "cancelled" or (before is not None and before.status == "finished"):
        return None
    if not after.is_running:
        return Timing({})
    banks: dict[int, int] = {}
    if before is None or not before.dealt:
        banks = dict.fromkeys(range(after.seats), after.clock["bank"]) if after.clock["bank"] else {}
        return Timing(_in_turns(_duties(_with_banks(after, banks), now), None, after), banks)
    duties = _duties(after, now)
    if before.clock["bank"] and (banks := _banks(before, after, duties, now)):
        # A player who has to move again at once has what is left of the reserve.
        duties = _duties(_with_banks(after, banks), now)
    return Timing(_in_turns(duties, None if dealt else before, after), banks)


def _in_turns(duties: dict[int, Duty], before: Snapshot | None, after: Snapshot) -> dict[int, Duty]:
    """The duties with their turns: that of a seat which had to act before goes on, whoever sits there."""
    known = {index: seat.duty.turn for index, seat in enumerate(before.players) if seat.duty} if before else {}
    return {index: replace(duty, turn=known.get(index, after.version)) for index, duty in duties.items()}


def _with_banks(snapshot: Snapshot, banks: dict[int, int]) -> Snapshot:
    duties = {index: seat.duty for index, seat in enumerate(snapshot.players) if seat.duty is not None}
    return with_timing(snapshot, Timing(duties, banks)) if banks else snapshot


def _duties(snapshot: Snapshot, now: datetime) -> dict[int, Duty]:
    """The duties after the newest event. An unchanged duty keeps its deadline.

    Bots are due at their pace. In a race only the seat that would have to open has a deadline; if it drops out, the
    next one gets a deadline from now on.
    """
    keys = snapshot.rules.duties(snapshot.state)
    acting = [] if snapshot.is_practice else sorted(keys)
    timed = clocks.on_the_clock(snapshot.status, acting, snapshot.dealer or 0, snapshot.seats)
    duties: dict[int, Duty] = {}
    for index, key in keys.items():
        seat = snapshot.players[index]
        if seat.bot is not None:
            duties[index] = Duty(key, now, now + timedelta(seconds=settings.TREY_BOT_PACE))
            continue
        has_clock = index in timed
        if seat.duty is not None and seat.duty.key == key and (seat.duty.due is not None or not has_clock):
            duties[index] = seat.duty
        else:
            due = clocks.deadline(clock_duty(snapshot, seat, now)) if has_clock else None
            duties[index] = Duty(key, now, due)
    return duties


def _banks(before: Snapshot, after: Snapshot, duties: dict[int, Duty], now: datetime) -> dict[int, int]:
    """The reserve left (whole seconds) of each seat whose duty ended now and used some of it."""
    banks: dict[int, int] = {}
    for index, seat in enumerate(before.players):
        duty = seat.duty
        if not seat.bank or seat.bot is not None or duty is None or duty.due is None:
            continue
        new = duties.get(index)
        if new is not None and new.due is not None and (new.key, new.since) == (duty.key, duty.since):
            continue
        # A player who took the seat over has a full reserve.
        if after.players[index].player != seat.player:
            continue
        # Pauses only shorten the time used: within the turn's own time there is nothing to compute.
        if now - duty.since <= timedelta(seconds=before.clock["per_turn"] + duty.extra):
            continue
        used = clocks.spent(clock_duty(before, seat, duty.since, outages_of(before, now), extra=duty.extra), now).bank
        if taken := used // timedelta(seconds=1):
            banks[index] = seat.bank - taken
    return banks
