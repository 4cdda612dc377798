"""Moves that the server makes: those of bots, and those that a player has forced and wants made at once.

A bot knows only what its seat may see. When it has to move is in the database: a bot's duty is due ``TREY_BOT_PACE``
seconds after whatever left it to act, in the same column and index as the players' deadlines. The task that is sent
after a commit only makes it quicker; when it is lost, `sweep_bots` finds the move.
"""

from __future__ import annotations

import hmac
import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from django.conf import settings

from games import bots, log
from games import clock as service_clock
from games.accounts.models import Player
from games.models import Game, Seat
from games.projections import GAME, Snapshot
from games.projections import vocabulary as stored
from games.refusals import Conflict
from games.rules import GAMES
from games.services.commands import changed, decided, existing
from games.services.membership import check_not_over, member
from games.services.moves import judge
from games.services.waking import wake, wants_forced_moves

SERVER = log.Actor("server")
# So many moves of one game in a row; then others get their turn.
AT_ONCE = 200
IN_A_SWEEP = 20
SWEEP_SECONDS = 2.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Step:
    """A move that the server makes now."""

    seat: int
    move: dict[str, Any]
    actor: log.Actor


def next_step(snapshot: Snapshot, now: datetime) -> Step | None:
    """What the server plays next in a game: for a bot, or what a player is forced to."""
    if not snapshot.is_running:
        return None
    if any(seat.bot is not None for seat in snapshot.players):
        pace = timedelta(seconds=settings.TREY_BOT_PACE)
        if snapshot.moved_at + pace <= now:
            for index in GAMES[snapshot.game].may_interrupt(snapshot.state):
                if (bot := snapshot.players[index].bot) is not None:
                    return _bots_step(snapshot, index, bot["level"])
        if (due := _due_bot(snapshot, now)) is not None:
            return _bots_step(snapshot, *due)
    for index in range(len(snapshot.players)):
        if (step := _forced_step(snapshot, index)) is not None:
            return step
    return None


def choice_of(snapshot: Snapshot, index: int, level: str) -> dict[str, Any]:
    """The move of a bot of that level in a seat that may move, out of what the seat sees; always the same.

    Its chance comes from the game's secret: with a seed that others knew, a choice would tell what it was made among.
    """
    rules = GAMES[snapshot.game]
    view, legal = rules.view(snapshot.state, index), rules.legal_moves(snapshot.state, index)
    seed = hmac.digest(bytes.fromhex(snapshot.secret), f"bot {index} {snapshot.version}".encode(), "sha256").hex()
    return bots.choose(level, view, legal, seed)


def play_bots(game_id: UUID, *, now: datetime | None = None) -> int:
    """Make every move of the game that its bots owe by now, and what is forced; return how many.

    Harmless when run twice at once: whoever comes second leaves the game alone.
    """
    played = _play(game_id, now, AT_ONCE)
    if played == AT_ONCE:
        wake(game_id)
    return played


def sweep_bots(*, now: datetime | None = None, limit: int = 500) -> int:
    """Make moves that bots owe by now, some in each game, longest due first; return how many.

    In at most `limit` seats' games and for two seconds or so: the next sweep goes on.
    """
    at, ends = now or service_clock.now(), monotonic() + SWEEP_SECONDS
    due = Seat.objects.filter(bot__isnull=False, due_at__lte=at).order_by("due_at").values_list("game_id", flat=True)
    played = 0
    for game_id in dict.fromkeys(due[:limit]):
        try:
            played += _play(game_id, now, IN_A_SWEEP)
        except Exception:
            # One game that cannot go on must not keep the bots of all others waiting.
            logger.exception("the bots of game %s cannot move", game_id)
        if monotonic() > ends:
            break
    return played


def take_back(game_id: UUID, player: Player, *, now: datetime | None = None) -> Game:
    """Take one's seat back from the bot that plays in it. The time for what is to do there begins again.

    Raises:
        NotFound, Forbidden (not_a_player), Conflict (no_bot, resigned, game_cancelled, game_over).
    """

    def decide(snapshot: Snapshot) -> list[log.NewEvent]:
        index = member(snapshot, player)
        check_not_over(snapshot)
        seat = snapshot.players[index]
        if seat.resigned:
            raise Conflict("resigned", "You have resigned: the seat is yours no longer.")
        if seat.bot is None:
            raise Conflict("no_bot", "No bot plays for you: the seat is yours.")
        return [log.NewEvent(stored.PLAYER_RETURNED, {}, index)]

    return changed(game_id, decide, player=player, now=now)


def _play(game_id: UUID, now: datetime | None, limit: int) -> int:
    played = 0
    while played < limit and _play_one(game_id, now or service_clock.now()):
        played += 1
    return played


def _play_one(game_id: UUID, now: datetime) -> bool:
    def decide(snapshot: Snapshot | None) -> log.Decided[None]:
        before = existing(snapshot)
        step = next_step(before, now)
        if step is None:
            return log.Decided((), None)
        events = judge(before, step.seat, step.move)
        return replace(decided(game_id, before, events, None, actor=step.actor, now=now), actor=step.actor)

    # Held by somebody else: a move is on its way there, and after it the game is looked at again.
    return bool(log.execute(GAME, game_id, decide, actor=SERVER, now=now, lock=log.Lock.SKIP).events)


def _due_bot(snapshot: Snapshot, now: datetime) -> tuple[int, str] | None:
    """The bot that moves first (its seat and level): the longest due, then the first from the dealer's left."""
    due = [
        (seat.duty.due, (index - (snapshot.dealer or 0) - 1) % snapshot.seats, index, seat.bot["level"])
        for index, seat in enumerate(snapshot.players)
        if seat.bot is not None and seat.duty is not None and seat.duty.due is not None and seat.duty.due <= now
    ]
    return min(due)[2:] if due else None


def _bots_step(snapshot: Snapshot, index: int, level: str) -> Step:
    return Step(index, choice_of(snapshot, index, level), log.Actor("bot", level))


def _forced_step(snapshot: Snapshot, index: int) -> Step | None:
    seat = snapshot.players[index]
    if seat.duty is None or not wants_forced_moves(snapshot, seat):
        return None
    rules = GAMES[snapshot.game]
    move = bots.forced_move(rules.legal_moves(snapshot.state, index))
    if move is None or not rules.is_safe_to_force(snapshot.state, index, move):
        return None
    return Step(index, move, log.Actor("forced", str(seat.player)))
