"""The server's own moves: those of bots, and forced moves of players who want them made at once.

A bot knows only what its seat may see. The database holds when it has to move: a bot's duty is due ``TREY_BOT_PACE``
seconds after the event that left it to act, in the same column and index as the players' deadlines. The task sent after
a commit is only faster; if it is lost, `sweep_bots` finds the move.

No owner's bots keep those of others waiting: a task plays in one game for a moment and then queues up again, behind the
games of owners whose bots had less of the workers' time lately (`games.services.shares`). A sweep takes one game of
each owner, then a second one of each, and so on.
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
from django.db import connection

from games import bots, log
from games import clock as service_clock
from games.accounts.models import Player
from games.projections import GAME, Snapshot
from games.projections import vocabulary as stored
from games.refusals import Conflict
from games.rules import GAMES
from games.services import shares
from games.services.commands import changed, decided, existing
from games.services.membership import check_not_over, member
from games.services.moves import judge
from games.services.waking import wake, wants_forced_moves

SERVER = log.Actor("server")
# How many moves of one game in a row, before others get their turn.
AT_ONCE = 200
IN_A_SWEEP = 20
# A sweep starts every second, and must leave workers for other tasks.
SWEEP_SECONDS = 0.5
# How long a task plays in one game, in seconds.
SLICE = 0.25

# Games in which a bot owes a move: the first of each owner, then the second of each; longest due first.
_DUE = """
SELECT game_id FROM (
    SELECT game_id, due_at, row_number() OVER (PARTITION BY owner ORDER BY due_at, game_id) AS place FROM (
        SELECT seat.game_id, min(seat.due_at) AS due_at, coalesce(game.opener_id, game.id) AS owner
        FROM games_seat AS seat JOIN games_game AS game ON game.id = seat.game_id
        WHERE seat.bot IS NOT NULL AND seat.due_at <= %s
        GROUP BY seat.game_id, owner
    ) AS due
) AS ranked ORDER BY place, due_at, game_id LIMIT %s
"""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Step:
    """A move that the server makes now."""

    seat: int
    move: dict[str, Any]
    actor: log.Actor


def next_step(snapshot: Snapshot, now: datetime) -> Step | None:
    """The server's next move in a game: a bot's, or a player's forced one."""
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
    """The move of a bot of that level in a seat that may move, by what the seat sees; always the same.

    Its randomness comes from the game's secret: with a known seed, a choice would reveal its alternatives.
    """
    rules = GAMES[snapshot.game]
    view, legal = rules.view(snapshot.state, index), rules.legal_moves(snapshot.state, index)
    seed = hmac.digest(bytes.fromhex(snapshot.secret), f"bot {index} {snapshot.version}".encode(), "sha256").hex()
    return bots.choose(level, view, legal, seed)


def play_bots(game_id: UUID, *, now: datetime | None = None) -> int:
    """Make every move that the game's bots owe by now, and forced moves; return how many.

    Harmless when run twice at once: the second call leaves the game alone.
    """
    played = _play(game_id, now, AT_ONCE)
    if played == AT_ONCE:
        wake(game_id)
    return played


def serve_bots(game_id: UUID, *, queued: bool = False) -> int:
    """Play for a moment in a game that was just changed, as `play_bots`; the rest is queued again.

    If the owner's bots had much of the workers' time lately, everything is queued again, behind other owners' games;
    `queued` says that this has already happened.
    """
    owner = shares.owner_of(game_id)
    if not queued and (priority := shares.priority(owner)) > shares.FIRST:
        wake(game_id, priority)
        return 0
    begun = monotonic()
    played = _play(game_id, None, AT_ONCE, begun + SLICE)
    spent = monotonic() - begun
    shares.charge(owner, spent)
    if played == AT_ONCE or (played and spent >= SLICE):
        wake(game_id, shares.priority(owner))
    return played


def sweep_bots(*, now: datetime | None = None, limit: int = 500) -> int:
    """Make moves that bots owe by now, some in each game, each owner's in turn; return how many.

    In at most `limit` games and for half a second or so: the next sweep goes on.
    """
    ends = monotonic() + SWEEP_SECONDS
    with connection.cursor() as cursor:
        cursor.execute(_DUE, [now or service_clock.now(), limit])
        due = [game_id for (game_id,) in cursor.fetchall()]
    played = 0
    for game_id in due:
        try:
            played += _play(game_id, now, IN_A_SWEEP, monotonic() + SLICE)
        except Exception:
            # One game that cannot go on must not keep the bots of all others waiting.
            logger.exception("the bots of game %s cannot move", game_id)
        if monotonic() > ends:
            break
    return played


def take_back(game_id: UUID, player: Player, *, now: datetime | None = None) -> Snapshot:
    """Take a player's seat back from its bot. The time of a running turn begins again.

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


def _play(game_id: UUID, now: datetime | None, limit: int, until: float | None = None) -> int:
    """Play one move, and more of them up to the limit while `monotonic` has not reached `until`."""
    played = 0
    while played < limit and _play_one(game_id, now or service_clock.now()):
        played += 1
        if until is not None and monotonic() >= until:
            break
    return played


def _play_one(game_id: UUID, now: datetime) -> bool:
    def decide(snapshot: Snapshot | None) -> log.Decided[None]:
        before = existing(snapshot)
        step = next_step(before, now)
        if step is None:
            return log.Decided((), None)
        events = judge(before, step.seat, step.move)
        return replace(decided(game_id, before, events, None, actor=step.actor, now=now), actor=step.actor)

    # Held by another process: a move is on its way, and after it the game is looked at again.
    return bool(log.execute(GAME, game_id, decide, actor=SERVER, now=now, lock=log.Lock.SKIP).events)


def _due_bot(snapshot: Snapshot, now: datetime) -> tuple[int, str] | None:
    """The seat and level of the bot that moves first: the longest due, then the first from the dealer's left."""
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
