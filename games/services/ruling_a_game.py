"""Rulings on one game, by organisers of its tournament or by staff; the caller checks who may.

Each has a reason, which everybody who may see the game can read.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from core import log
from core.accounts.models import Player
from core.refusals import Conflict, Invalid
from games.events import PlayerReplaced, Restored, TurnExtended, Voided
from games.projections import SeatSnapshot, Snapshot
from games.services.commands import Decide, check_running, ruled
from games.services.seating import check_level
from games.services.timeouts import bot_seated
from games.services.turns import deadline

LONGEST_EXTENSION = 366 * 86_400

Seat = SeatSnapshot
DecideSeat = Callable[[Snapshot, Seat], Sequence[log.NewEvent]]


def replace_player(
    game_id: UUID,
    seat: int,
    *,
    player: Player | None = None,
    bot: str | None = None,
    actor: log.Actor,
    reason: str,
    now: datetime | None = None,
) -> Snapshot:
    """Put another player, or a bot, in a seat of a running game, cards and all.

    The game is unrated from then on. The time of what the seat has to do starts again, with a full reserve.

    Raises Invalid (seat, reason, bot), Conflict (resigned: such a seat stays empty; already_joined).
    """
    if (player is None) == (bot is None):
        raise TypeError("name a player or a bot")

    def decide(snapshot: Snapshot, old: Seat) -> Sequence[log.NewEvent]:
        if bot is not None:
            check_level(snapshot.game, bot)
        if old.resigned:
            raise Conflict("resigned", "The player in that seat has resigned, so there is nothing to take over.")
        if player is not None and snapshot.seat_of(player) is not None:
            raise Conflict("already_joined", f"{player} already plays in this game.")
        data = {
            "player": str(player.pk) if player is not None else None,
            "bot": {"level": bot} if bot is not None else None,
            "was": str(old.player) if old.player is not None else None,
            "reason": reason,
            "rated": False,
            "bank": snapshot.clock["bank"],
        }
        return [log.NewEvent(PlayerReplaced.type, data, seat)]

    accounts = [player] if player is not None else []
    return ruled(game_id, _of_seat(seat, decide), actor=actor, reason=reason, now=now, accounts=accounts)


def hand_to_bot(game_id: UUID, seat: int, *, actor: log.Actor, reason: str, now: datetime | None = None) -> Snapshot:
    """Let a bot play for an absent player (LI4, `absent`). The player can take the seat back.

    Does nothing if a bot already plays there. Raises Invalid (seat, reason), Conflict (resigned).
    """

    def decide(snapshot: Snapshot, old: Seat) -> Sequence[log.NewEvent]:
        if old.resigned:
            raise Conflict("resigned", "The player in that seat has resigned, so there is nothing to play.")
        return () if old.bot is not None else [bot_seated(snapshot, seat, reason, lost_on_time=False)]

    return ruled(game_id, _of_seat(seat, decide), actor=actor, reason=reason, now=now)


def extend_turn(
    game_id: UUID, seat: int, seconds: int, *, actor: log.Actor, reason: str, now: datetime | None = None
) -> Snapshot:
    """Add seconds to the time of a seat's current turn, before its reserve is used.

    Raises Invalid (seat, seconds, reason), Conflict (not_to_act: the seat has no deadline now).
    """
    return ruled(game_id, extending(seat, seconds, reason), actor=actor, reason=reason, now=now)


def extending(seat: int, seconds: int, reason: str) -> Decide:
    if type(seconds) is not int or not 0 < seconds <= LONGEST_EXTENSION:
        raise Invalid("bad_seconds", f"seconds must be a whole number from 1 to {LONGEST_EXTENSION}.", field="seconds")

    def decide(snapshot: Snapshot, old: Seat) -> Sequence[log.NewEvent]:
        if old.bot is not None or old.duty is None or old.duty.due is None:
            raise Conflict("not_to_act", f"Seat {seat} is not to move, or has no deadline.")
        longer = replace(old.duty, extra=old.duty.extra + seconds)
        data = {
            "deadline_at": log.time_text(deadline(snapshot, old, longer)),
            "seconds": seconds,
            "extra": longer.extra,
            "reason": reason,
        }
        return [log.NewEvent(TurnExtended.type, data, seat)]

    return _of_seat(seat, decide)


def void_game(game_id: UUID, *, actor: log.Actor, reason: str) -> Snapshot:
    """Declare a finished game void, so that it no longer counts in ratings (RA6). Raises Conflict (not_finished)."""

    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        _check_finished(snapshot)
        return () if snapshot.voided is not None else [log.NewEvent(Voided.type, {"reason": reason})]

    return ruled(game_id, decide, actor=actor, reason=reason)


def restore_game(game_id: UUID, *, actor: log.Actor, reason: str) -> Snapshot:
    """Let a voided game count again. Raises Conflict (not_finished)."""

    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        _check_finished(snapshot)
        return () if snapshot.voided is None else [log.NewEvent(Restored.type, {"reason": reason})]

    return ruled(game_id, decide, actor=actor, reason=reason)


def _of_seat(seat: int, decide: DecideSeat) -> Decide:
    def decide_seat(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        check_running(snapshot)
        if type(seat) is not int or not 0 <= seat < len(snapshot.players):
            raise Invalid("bad_seat", "Nobody is sitting in that seat.", field="seat")
        return decide(snapshot, snapshot.players[seat])

    return decide_seat


def _check_finished(snapshot: Snapshot) -> None:
    if snapshot.status not in ("finished", "cancelled") or snapshot.started_at is None:
        raise Conflict("not_finished", "Only a game that was played and is over can be declared void.")
