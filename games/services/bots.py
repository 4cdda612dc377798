"""The server's own moves: those of bots, and forced moves of players who want them made at once.

A bot knows only what its seat may see, and remembers what everybody at the table saw: a process keeps that of the games
in which its bots moved last, and reads the events since then. The database says when a bot has to move: its duty is due
``TREY_BOT_PACE`` seconds after the event that left it to act, in the same column and index as the players' deadlines.
The task sent after a commit is only faster; if it is lost, `sweep_bots` finds the move.

No owner's bots keep those of others waiting: a task plays in one game for a moment and then queues up again, behind
games that have just changed. A sweep, which comes before them, takes one game of each owner, then a second one of each,
and so on.
"""

import hmac
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from math import inf
from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.refusals import Conflict
from core.rows import fetch_all
from games import bots
from games.events import PlayerReturned
from games.hooks import next_planned
from games.projections import GAME, Snapshot
from games.projections.vocabulary import from_rules, is_of_rules, rules_event
from games.rules.game import Game
from games.rules.shedding import HouseGame
from games.rules.shedding.house import MOST_MOVES
from games.services.commands import (
    LATER,
    SETTLE,
    changed,
    check_not_over,
    decided,
    existing,
    member,
    wake,
    wants_forced_moves,
)
from games.services.moves import Step

SERVER = log.Actor("server")
# The number of moves of one game in a row, before others get their turn.
AT_ONCE = 200
IN_A_SWEEP = 20
# A sweep starts every second, and must leave workers for other tasks.
SWEEP_SECONDS = 0.5
# The time (seconds) for which a task plays in one game.
SLICE = 0.25

# The first game of each owner comes first, then the second of each; of those the one due longest. Whoever opened a game
# owns its bots; a tournament's table is its own owner, and belongs to those who play there.
_DUE = """
SELECT game_id FROM (
    SELECT game_id, due_at, row_number() OVER (PARTITION BY owner ORDER BY due_at, game_id) AS place
    FROM (
        SELECT coalesce(game.opener_id, game.id) AS owner, seat.game_id, min(seat.due_at) AS due_at
        FROM games_seat AS seat JOIN games_game AS game ON game.id = seat.game_id
        WHERE seat.bot IS NOT NULL AND seat.due_at <= %s
        GROUP BY seat.game_id, owner
    ) AS due
) AS ranked ORDER BY place, due_at, game_id LIMIT %s
"""

logger = logging.getLogger(__name__)


class _Stop:
    """The end of a house game of bots alone that takes too long (HG15)."""

    actor = SERVER

    def events(self, before: Snapshot) -> list[log.NewEvent]:
        rules = before.rules
        return [from_rules(before.game, rules.stop(before.state))] if isinstance(rules, HouseGame) else []


def _takes_too_long(snapshot: Snapshot) -> bool:
    if snapshot.digest is None or snapshot.version <= MOST_MOVES:
        return False
    return all(seat.bot is not None or seat.resigned for seat in snapshot.players)


def next_step(snapshot: Snapshot, now: datetime) -> Step | _Stop | None:
    """The server's next move in a game: a bot's, or a player's forced one. Bots settle as soon as they may (S14)."""
    if not snapshot.is_running:
        return None
    if _takes_too_long(snapshot):
        return _Stop()
    if any(seat.bot is not None for seat in snapshot.players) and (step := _next_of_bots(snapshot, now)) is not None:
        return step
    for index in range(len(snapshot.players)):
        if (step := _forced_step(snapshot, index)) is not None:
            return step
    return None


def _next_of_bots(snapshot: Snapshot, now: datetime) -> Step | None:
    rules = snapshot.rules
    for index in rules.may_settle(snapshot.state):
        if (bot := snapshot.players[index].bot) is not None:
            return Step(index, SETTLE, log.Actor("bot", bot["level"]))
    if snapshot.moved_at + timedelta(seconds=settings.TREY_BOT_PACE) <= now:
        for index in rules.may_interrupt(snapshot.state):
            if (bot := snapshot.players[index].bot) is not None:
                return _bots_step(snapshot, index, bot["level"])
    due = _due_bot(snapshot, now)
    return None if due is None else _bots_step(snapshot, *due)


def games_due(now: datetime, limit: int) -> list[UUID]:
    return [game_id for (game_id,) in fetch_all(_DUE, [now, limit])]


def play_bots(game_id: UUID, *, seconds: float = inf) -> int:
    """Make due moves of a game's bots, and forced ones, for so many seconds; the rest queues up. Return how many."""
    ends = monotonic() + seconds
    played = play_some(game_id, AT_ONCE, ends)
    if played == AT_ONCE or (played and monotonic() >= ends):
        wake(game_id, LATER)
    return played


def sweep_bots(limit: int = 500) -> int:
    """Make moves that are due from bots, for about half a second, taking owners in turn; return how many."""
    due = games_due(service_clock.now(), limit)
    return sweep_each(
        due, lambda game_id: play_some(game_id, IN_A_SWEEP, monotonic() + SLICE), "the bots of game %s cannot move"
    )


def sweep_each(games: Iterable[UUID], play: Callable[[UUID], int], failed: str) -> int:
    ends, played = monotonic() + SWEEP_SECONDS, 0
    for game_id in games:
        try:
            played += play(game_id)
        except Exception:
            # A game that cannot go on must not keep all others waiting.
            logger.exception(failed, game_id)
        if monotonic() > ends:
            break
    return played


def take_back(game_id: UUID, player: Player) -> Snapshot:
    """Take a player's seat back from its bot; its turn's time starts again. Raises Conflict (no_bot, resigned)."""

    def decide(snapshot: Snapshot) -> list[log.NewEvent]:
        index = member(snapshot, player)
        check_not_over(snapshot)
        seat = snapshot.players[index]
        if seat.resigned:
            raise Conflict("resigned", "You have resigned, so the seat is no longer yours.")
        if seat.bot is None:
            raise Conflict("no_bot", "No bot is playing for you. The seat is yours.")
        return [log.NewEvent(PlayerReturned.type, {}, index)]

    return changed(game_id, decide, player=player)


def play_some(game_id: UUID, limit: int, until: float) -> int:
    played = 0
    while played < limit and _play_one(game_id, service_clock.now()):
        played += 1
        if monotonic() >= until:
            break
    return played


def _play_one(game_id: UUID, now: datetime) -> bool:
    def decide(snapshot: Snapshot | None) -> log.Decided[None]:
        before = existing(snapshot)
        # A plan comes before a forced move of its seat.
        step = next_planned(before, now) or next_step(before, now)
        if step is None:
            return log.Decided((), None)
        return replace(decided(game_id, before, step.events(before), None, actor=step.actor, now=now), actor=step.actor)

    # Held by another process: a move is on its way, after which the game is looked at again.
    return bool(log.execute(GAME, game_id, decide, actor=SERVER, now=now, lock=log.Lock.SKIP).events)


def _due_bot(snapshot: Snapshot, now: datetime) -> tuple[int, str] | None:
    """The seat and level of the bot that moves first: the one due longest, then the first from the dealer's left."""
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
    rules = snapshot.rules
    move = bots.forced_move(rules.legal_moves(snapshot.state, index))
    if move is None or not rules.is_safe_to_force(snapshot.state, index, move):
        return None
    return Step(index, move, log.Actor("forced", str(seat.player)))


MOST_KEPT = 1000
"""The most games of which a process keeps it: about two kilobytes each."""


class _Kept(NamedTuple):
    version: int
    digest: bytes
    """That of the last event: after a restore another event may have the same version."""
    memory: bots.Memory | None


_NOTHING = _Kept(0, b"", None)
_kept: OrderedDict[UUID, _Kept] = OrderedDict()


def choice_of(
    snapshot: Snapshot,
    index: int,
    level: str,
    *,
    pending: Sequence[log.Happened] = (),
    remembering: bool = True,
) -> dict[str, Any]:
    """The move of a bot of that level in a seat that may move, given what the seat sees; always the same.

    `pending` are the last events of the snapshot that are not in the log yet. The bot remembers what everybody saw of
    the game if it is `remembering`, and in one that stands still it sees the last events, as everybody does. Its
    randomness comes from the game's secret: with a known seed, a choice would reveal its alternatives.
    """
    rules = snapshot.rules
    view, legal = rules.view(snapshot.state, index), rules.legal_moves(snapshot.state, index)
    seed = hmac.digest(bytes.fromhex(snapshot.secret), f"bot {index} {snapshot.version}".encode(), "sha256").hex()
    wanted = bots.events_wanted(view)
    events = _last_events(snapshot, wanted, pending) if wanted else []
    memory = memory_of(snapshot) if remembering and bots.remembers(level, rules) else None
    return bots.choose(level, rules, view, legal, seed, events=events, memory=memory)


def _last_events(snapshot: Snapshot, wanted: int, pending: Sequence[log.Happened]) -> list[bots.Event]:
    logged = snapshot.version - len(pending)
    events: list[log.Happened] = [
        *log.read(snapshot.stream, after=max(0, logged - wanted), upto=logged),
        *pending,
    ]
    return public_events(snapshot.rules, events)


def memory_of(snapshot: Snapshot) -> bots.Memory | None:
    """Return what a bot remembers of a game up to the snapshot, whose events are all in the log."""
    rules = snapshot.rules
    kept = _kept.pop(snapshot.id, _NOTHING)
    is_later = 0 < kept.version <= snapshot.version
    events = log.read(snapshot.stream, after=kept.version - 1, upto=snapshot.version) if is_later else []
    if events and events[0].digest == kept.digest:
        del events[0]
    else:
        kept, events = _NOTHING, log.read(snapshot.stream, upto=snapshot.version)
    memory = bots.remember(rules, public_events(rules, events), kept.memory)
    _kept[snapshot.id] = _Kept(events[-1].version, events[-1].digest, memory) if events else kept
    if len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return memory


def public_events(rules: Game, events: Iterable[log.Happened]) -> list[bots.Event]:
    return [rules.redact(rules_event(event), "public") for event in events if is_of_rules(event)]
