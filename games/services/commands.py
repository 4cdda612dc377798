"""The single write path of games: a command's events, and what follows from them, go through `log.execute`."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from msgspec.structs import replace

from core import clock as service_clock
from core import log
from core.accounts import ending
from core.accounts.ending import Right
from core.accounts.models import Player
from core.notifications import groups
from core.notifications.models import GroupChannel
from core.refusals import NotFound
from games.models import stream_of
from games.projections import GAME, Snapshot, with_timing
from games.projections import vocabulary as stored
from games.projections.timing import TIMING, Timing
from games.services.ending import finished
from games.services.turns import timing_after
from games.services.waking import waits_for_server, wake

R = TypeVar("R")

Decide = Callable[[Snapshot], Sequence[log.NewEvent]]
Seats = tuple[int, ...]

SETTLE = {"move": "settle"}
RESIGN = {"move": "resign"}
NO_SUCH_GAME = "There is no such game."


def existing(snapshot: Snapshot | None) -> Snapshot:
    """The snapshot of an existing game. Raises NotFound."""
    if snapshot is None:
        raise NotFound("not_found", NO_SUCH_GAME)
    return snapshot


def change(
    game_id: UUID,
    decide: Decide,
    *,
    actor: log.Actor,
    now: datetime | None = None,
    reason: str | None = None,
    lock: log.Lock = log.Lock.NONE,
    accounts: Iterable[Player] = (),
) -> log.Executed[Snapshot, None]:
    """Let `decide` judge a game; append the events it returns and what follows from them.

    `accounts` are the players who may sit down through it. Raises NotFound, and whatever `decide` raises.
    """
    at = now or service_clock.now()

    def decide_all(snapshot: Snapshot | None) -> log.Decided[None]:
        before = existing(snapshot)
        return decided(game_id, before, decide(before), None, actor=actor, now=at, accounts=accounts)

    executed = log.execute(GAME, game_id, decide_all, actor=actor, now=at, reason=reason, lock=lock, receipt=_Ends())
    wake_server(executed)
    return executed


def foreseen(game_id: UUID, decide: Decide, *, actor: log.Actor, now: datetime) -> Sequence[log.PendingEvent]:
    """The events that `change` would append now; nothing happens. Raises what `change` raises."""
    before = existing(GAME.load(game_id, log.Lock.NONE))
    would = decided(game_id, before, decide(before), None, actor=actor, now=now)
    return log.pending(stream_of(game_id), before, would.events, now)


def changed(
    game_id: UUID, decide: Decide, *, player: Player, now: datetime | None = None, reason: str | None = None
) -> Snapshot:
    """Carry out a player's change; return the game after it."""
    actor = log.Actor("player", str(player.pk))
    return existing(change(game_id, decide, actor=actor, now=now, reason=reason, accounts=[player]).after)


def decided(
    game_id: UUID,
    before: Snapshot | None,
    events: Sequence[log.NewEvent],
    result: R,
    *,
    actor: log.Actor,
    now: datetime,
    accounts: Iterable[Player] = (),
) -> log.Decided[R]:
    """The decided events, with the end of the game if they end it, and with the new clocks."""
    if not events:
        return log.Decided((), result)
    new = list(events)
    after = evolved(game_id, before, new, now)
    after = replace(after, accounts={**after.accounts, **{player.pk: player for player in accounts}})
    moved, played = _moved(before, new, actor)
    dealt = any(event.type.endswith(".dealt") for event in new)
    if after.status == "finished" and after.result is None:
        new.append(finished(with_timing(after, Timing({}, moved=moved, played=played))))
        after = evolved(game_id, after, new[-1:], now)
    if before is not None and before.channels and (gone := _gone(before, after)):
        dropped = without(after, groups.given_at(game_id, gone))
        new += dropped
        after = evolved(game_id, after, dropped, now) if dropped else after
    if (timing := timing_after(before, after, now, dealt=dealt)) is not None:
        timing = replace(timing, moved=moved, played=played)
        new[-1] = replace(new[-1], data={**new[-1].data, TIMING: timing.as_json()})
        after = with_timing(after, timing)
    return log.Decided(new, result, after)


def evolved(game_id: UUID, before: Snapshot | None, events: Sequence[log.NewEvent], now: datetime) -> Snapshot:
    """The snapshot after one or more events."""
    return log.evolved(GAME, before, log.pending(stream_of(game_id), before, events, now))


def without(room: Snapshot, rows: Iterable[GroupChannel], seat: int | None = None) -> list[log.NewEvent]:
    """The events by which a room no longer posts to some channels. A game that is over stays as it was."""
    if room.status in ("finished", "cancelled"):
        return []
    return [log.NewEvent(stored.CHANNELS_CHANGED, data, seat) for data in groups.gone(room.channels, rows)]


class _Ends:
    """The receipt of changes to who sits in a room: whoever sits there no longer has no right to it any more (AC6)."""

    def claim(self) -> None:
        """Nothing: these commands have no key."""

    def keep(self, executed: log.Executed[Snapshot, None]) -> None:
        """Take along what went with the seats."""
        before, after = executed.before, executed.after
        if before is not None and after is not None and (gone := _gone(before, after)):
            ending.ended(Right.ROOM, subject_id=after.id, players=gone)


def _gone(before: Snapshot, after: Snapshot) -> set[UUID]:
    here = {seat.player for seat in after.players}
    return {seat.player for seat in before.players if seat.player is not None and seat.player not in here}


def wake_server(executed: log.Executed[Snapshot, Any]) -> None:
    """Wake a worker after the commit if the server itself has to move next."""
    after = executed.after
    if executed.events and after is not None and waits_for_server(after):
        transaction.on_commit(partial(wake, after.id), robust=True)


def _moved(before: Snapshot | None, events: Sequence[log.NewEvent], actor: log.Actor) -> tuple[Seats, Seats]:
    """The seats whose player made a move, and those whose player did so in play, which a resignation is not.

    Moves of bots or of the clock, and forced moves, do not count. Nor does `settle`, which is not part of a turn (S14):
    a player who only settles has played nothing.
    """
    if actor.kind != "player" or before is None:
        return (), ()
    moves = [(event.seat, event.data["move"]) for event in events if "move" in event.data and event.seat is not None]
    moved = {seat for seat, move in moves if move != SETTLE}
    played = {seat for seat, move in moves if move not in (SETTLE, RESIGN)} if before.status == "playing" else ()
    return tuple(moved), tuple(played)
