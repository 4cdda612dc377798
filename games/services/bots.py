"""Bots move, and a player takes a seat back from one.

A bot moves through `play`, as people do, and knows only what its seat may see. When it has to move is in the database:
a bot's duty is due ``TREY_BOT_PACE`` seconds after whatever left it to act, in the same column and index as the
players' deadlines. The task that is sent after a commit only makes it quicker; where it is lost, `sweep_bots` finds the
move. A move that a player has forced and wants made at once goes the same way.
"""

from __future__ import annotations

import hmac
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.db import transaction

from games import bots
from games import clock as service_clock
from games.accounts.models import Player
from games.models import Game, Seat
from games.projections import Picture, load, picture_of
from games.refusals import Conflict
from games.rules import GAMES
from games.services.lobby import check_running, do, member
from games.services.moves import Cause, play
from games.services.waking import wake, wants_forced_moves
from games.services.writing import Fact

# Ids of commands, each from its game, seat and version: the same move of a bot has the same id, whoever makes it.
COMMANDS = UUID("0f6a3f0c-5a0e-5a57-9b4e-1d7f3b6c2a90")
# So many moves of one game in a row; then others get their turn.
AT_ONCE = 200
IN_A_SWEEP = 20
SWEEP_SECONDS = 2.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Step:
    """A move that is to be made now."""

    seat: int
    move: dict[str, Any]
    cause: Cause


def next_step(game: Game, now: datetime) -> Step | None:
    """What the server plays next in a game (its seats loaded): for a bot, or what a player is forced to."""
    picture = picture_of(game)
    if picture.state is None or picture.status not in ("setup", "playing"):
        return None
    rules = GAMES[picture.game]
    if any(seat.bot is not None for seat in picture.players):
        pace = timedelta(seconds=settings.TREY_BOT_PACE)
        if picture.moved_at + pace <= now:
            for index in rules.may_interrupt(picture.state):
                if (bot := picture.players[index].bot) is not None:
                    return choice_of(picture, index, bot["level"])
        if (due := _due_bot(picture, now)) is not None:
            return choice_of(picture, *due)
    for seat in game.seat_rows():
        if seat.to_act and wants_forced_moves(seat) and (step := _forced(picture, seat)) is not None:
            return step
    return None


def choice_of(picture: Picture, index: int, level: str) -> Step:
    """What a bot of that level does in a seat that may move, out of what the seat sees; always the same.

    Its chance comes from the game's secret: with a seed that others knew, a choice would tell what it was made among.
    """
    rules = GAMES[picture.game]
    view, legal = rules.view(picture.state, index), rules.legal_moves(picture.state, index)
    seed = hmac.digest(bytes.fromhex(picture.secret), f"bot {index} {picture.version}".encode(), "sha256").hex()
    return Step(index, bots.choose(level, view, legal, seed), Cause("bot", level))


def play_bots(game_id: UUID, *, now: datetime | None = None) -> int:
    """Make every move of the game that its bots owe by now, and what is forced; answers how many.

    Twice at once does no harm: whoever comes second leaves the game alone.
    """
    played = _play(game_id, now, AT_ONCE)
    if played == AT_ONCE:
        wake(game_id)
    return played


def sweep_bots(*, now: datetime | None = None, limit: int = 500) -> int:
    """Make moves that bots owe by now, some in each game, longest due first; answers how many.

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
    """Take one's seat back from the bot that plays in it. The time for what is to do there begins anew.

    Raises:
        NotFound, Forbidden (not_a_player), Conflict (no_bot, resigned, game_cancelled, game_over).
    """

    def decide(_: Game, picture: Picture) -> list[Fact]:
        index = member(picture, player)
        check_running(picture)
        seat = picture.players[index]
        if seat.resigned:
            raise Conflict("resigned", "You have resigned: the seat is yours no longer.")
        if seat.bot is None:
            raise Conflict("no_bot", "No bot plays for you: the seat is yours.")
        return [Fact("player_returned", {}, index)]

    return do(game_id, player, decide, now)


def _play(game_id: UUID, now: datetime | None, limit: int) -> int:
    played = 0
    while played < limit and _play_one(game_id, now or service_clock.now()):
        played += 1
    return played


def _play_one(game_id: UUID, now: datetime) -> bool:
    with transaction.atomic():
        # Held by somebody else: a move is on its way there, and after it the game is looked at again.
        free = Game.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=game_id)
        if not free.values_list("pk", flat=True).first():
            return False
        game = load(game_id)
        step = next_step(game, now) if game is not None else None
        if game is None or step is None:
            return False
        play(
            game_id,
            None,
            step.move,
            answer=_nothing,
            if_version=game.version,
            seat=step.seat,
            cause=step.cause,
            command_id=uuid5(COMMANDS, f"{game_id} {step.seat} {game.version}"),
            now=now,
        )
    return True


def _due_bot(picture: Picture, now: datetime) -> tuple[int, str] | None:
    """The bot that moves first (its seat and level): the longest due, then the first from the dealer's left."""
    due = [
        (seat.duty.due, (index - (picture.dealer or 0) - 1) % picture.seats, index, seat.bot["level"])
        for index, seat in enumerate(picture.players)
        if seat.bot is not None and seat.duty is not None and seat.duty.due is not None and seat.duty.due <= now
    ]
    return min(due)[2:] if due else None


def _forced(picture: Picture, seat: Seat) -> Step | None:
    rules = GAMES[picture.game]
    move = bots.forced_move(rules.legal_moves(picture.state, seat.index))
    if move is None or not rules.is_safe_to_force(picture.state, seat.index, move):
        return None
    return Step(seat.index, move, Cause("forced", str(seat.player_id)))


def _nothing(_: Any) -> None:
    return None
