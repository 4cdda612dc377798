"""The single write path of games: a command's events, and what follows from them, go through `log.execute`.

After the commit a task is sent if the server itself has to move next. If it is lost, a sweep makes the move. The checks
at the end say who may give a command, and at which stage.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import transaction
from msgspec.structs import replace

from core import clock as service_clock
from core import log
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.hooks import DROPPED
from core.refusals import Conflict, Forbidden, Invalid, NotFound
from core.text import check_reason, checked
from core.wakeups import Task
from games.events import ChannelsChanged
from games.models import Game, stream_of
from games.projections import GAME, SeatSnapshot, Snapshot, with_timing
from games.projections.vocabulary import TIMING, Timing
from games.services.ending import finished
from games.services.seating import deal
from games.services.turns import timing_after

R = TypeVar("R")

Decide = Callable[[Snapshot], Sequence[log.NewEvent]]
Seats = tuple[int, ...]

SETTLE = {"move": "settle"}
RESIGN = {"move": "resign"}
NO_SUCH_GAME = "There is no such game."
FORCED_MOVES = "forced_moves"
# Priorities of Celery's tasks, from 0, the first, to 9, the last. The sweeps, which must not wait for a thousand bots,
# have 0.
FIRST, LATER = 3, 6

_bots = Task("games.tasks.play_bots", lost="no task for the bots of a game; the sweep finds them")


def text_in(text: str, longest: int, *, breaks: bool = False) -> str:
    """The text that somebody sends; unless line breaks may be in it, in one line. Raises Invalid (text)."""
    try:
        return checked(text if breaks else " ".join(text.splitlines()), longest, breaks=breaks)
    except ValueError as error:
        raise Invalid("invalid", str(error), field="text") from None


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


def ruled(
    game_id: UUID,
    decide: Decide,
    *,
    actor: log.Actor,
    reason: str,
    now: datetime | None = None,
    accounts: Iterable[Player] = (),
) -> Snapshot:
    check_reason(reason)
    return existing(change(game_id, decide, actor=actor, reason=reason, now=now, accounts=accounts).after)


def foreseen(game_id: UUID, decide: Decide, *, actor: log.Actor, reason: str, now: datetime) -> log.PendingEvent:
    """The last event that `ruled` would append now; nothing happens. Raises what `ruled` raises."""
    check_reason(reason)
    before = existing(GAME.load(game_id, log.Lock.NONE))
    would = decided(game_id, before, decide(before), None, actor=actor, now=now)
    return log.pending(stream_of(game_id), before, would.events, now)[-1]


def changed(game_id: UUID, decide: Decide, *, player: Player, now: datetime | None = None) -> Snapshot:
    actor = log.Actor("player", str(player.pk))
    return existing(change(game_id, decide, actor=actor, now=now, accounts=[player]).after)


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
    if _starts(after):
        new += deal(after)
        after = evolved(game_id, before, new, now)
    after = replace(after, accounts={**after.accounts, **{player.pk: player for player in accounts}})
    moved, played = _moved(before, new, actor)
    dealt = any(event.type.endswith(".dealt") for event in new)
    if after.status == "finished" and after.result is None:
        new.append(finished(with_timing(after, Timing({}, moved=moved, played=played))))
        after = evolved(game_id, after, new[-1:], now)
    # A game that is over stays as it was.
    is_over = after.status in ("finished", "cancelled")
    if before is not None and before.channels and not is_over and (gone := _gone(before, after)):
        changes = [data for drop in DROPPED for data in drop(game_id, after.channels, gone)]
        dropped = [log.NewEvent(ChannelsChanged.type, data) for data in changes]
        new += dropped
        after = evolved(game_id, after, dropped, now) if dropped else after
    if (timing := timing_after(before, after, now, dealt=dealt)) is not None:
        timing = replace(timing, moved=moved, played=played)
        new[-1] = replace(new[-1], data={**new[-1].data, TIMING: timing.as_json()})
        after = with_timing(after, timing)
    return log.Decided(new, result, after)


@ending.on_the_way_out(Right.ACCOUNT, What.ROOMS)
def _starts(room: Snapshot) -> bool:
    """BT1: by itself when it is full, unless whoever opened it is suspended."""
    if not room.is_full or room.start != Game.Start.FULL or room.opener is None:
        return False
    return Player.objects.filter(pk=room.opener, is_active=True).exists()


def evolved(game_id: UUID, before: Snapshot | None, events: Sequence[log.NewEvent], now: datetime) -> Snapshot:
    return log.evolved(GAME, before, log.pending(stream_of(game_id), before, events, now))


class _Ends:
    """The receipt of changes to who sits in a room: whoever sits there no longer has no right to it any more."""

    def claim(self) -> None:
        """Nothing: these commands have no key."""

    def keep(self, executed: log.Executed[Snapshot, None]) -> None:
        before, after = executed.before, executed.after
        if before is not None and after is not None and (gone := _gone(before, after)):
            ending.ended(Right.ROOM, subject_id=after.id, players=gone)


def _gone(before: Snapshot, after: Snapshot) -> set[UUID]:
    here = {seat.player for seat in after.players}
    return {seat.player for seat in before.players if seat.player is not None and seat.player not in here}


def wake_server(executed: log.Executed[Snapshot, Any]) -> None:
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


def wants_forced_moves(snapshot: Snapshot, seat: SeatSnapshot) -> bool:
    player = snapshot.account_of(seat)
    return seat.bot is None and player is not None and player.preferences.get(FORCED_MOVES) is True


def waits_for_server(snapshot: Snapshot) -> bool:
    if not snapshot.is_running:
        return False
    if any(seat.duty is not None and wants_forced_moves(snapshot, seat) for seat in snapshot.players):
        return True
    bots = {index for index, seat in enumerate(snapshot.players) if seat.bot is not None}
    rules = snapshot.rules
    if not bots.isdisjoint(rules.may_settle(snapshot.state)):
        return True
    if not bots or settings.TREY_BOT_PACE:
        return False  # bots that play at a pace have nothing to do yet
    return any(snapshot.players[index].duty for index in bots) or not bots.isdisjoint(
        rules.may_interrupt(snapshot.state)
    )


def wake(game_id: UUID, priority: int = FIRST) -> None:
    """Have a worker look at the game now. A broker that is down is not an error: the sweep does the work."""
    _bots.send(str(game_id), priority=priority)


def member(snapshot: Snapshot, player: Player) -> int:
    """The player's seat. Raises Forbidden for anybody else, or NotFound if the room is private."""
    seat = snapshot.seat_of(player)
    if seat is None:
        raise stranger(snapshot.visibility)
    return seat


def stranger(visibility: str) -> Forbidden | NotFound:
    if visibility == Game.Visibility.PRIVATE:
        return NotFound("not_found", NO_SUCH_GAME)
    return Forbidden("not_a_player", "You are not a player in this game.")


def check_not_over(snapshot: Snapshot) -> None:
    """Raises Conflict (game_cancelled, game_over) if the game is over or called off."""
    if snapshot.status == "cancelled":
        raise Conflict("game_cancelled", "The game was called off.")
    if snapshot.status == "finished":
        raise Conflict("game_over", "The game is over.")


def check_running(snapshot: Snapshot) -> None:
    """Raises Conflict (not_started, game_cancelled, game_over) unless there are moves to make."""
    check_not_over(snapshot)
    if not snapshot.is_running:
        raise Conflict("not_started", "The game has not started yet.")


def check_open(snapshot: Snapshot, otherwise: str) -> None:
    """Raises Conflict (game_cancelled, game_over, already_started with the sentence `otherwise`) after the lobby."""
    check_not_over(snapshot)
    if snapshot.status != "open":
        raise Conflict("already_started", otherwise)


def check_opener(snapshot: Snapshot, player: Player, what: str) -> None:
    """Raises Forbidden (not_the_opener) for anybody but the opener."""
    if snapshot.opener != player.pk:
        raise Forbidden("not_the_opener", f"Only the player who opened the table can {what}.")
