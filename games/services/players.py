"""Receivers of `core.accounts.signals`: what happens in games when an account changes."""

import logging
from collections.abc import Set
from datetime import datetime
from typing import Any
from uuid import UUID

from core import log
from core.accounts.models import Player
from core.refusals import Conflict, Forbidden, Illegal, NotFound
from games.models import Game, Seat
from games.services.commands import RESIGN
from games.services.lobby import leave
from games.services.moves import play
from games.services.timeouts import move_deadlines

logger = logging.getLogger(__name__)


def leave_games(*, player: Player, now: datetime, **_: Any) -> None:
    """The account is closing: leave the open rooms and resign the running games.

    A game with a damaged log does not keep the account open; it is reported.
    """
    unfinished = Game.objects.filter(players__player=player, status__in=("open", "setup", "playing"))
    for game_id in list(unfinished.values_list("pk", flat=True)):
        try:
            try:
                leave(game_id, player, now=now)
            except Conflict:
                # It has started, perhaps just now.
                play(game_id, player, RESIGN, reason="account closed", now=now)
        except (Conflict, Forbidden, Illegal, NotFound):
            # The game ended, or the player was sent out or had resigned before: nothing to leave.
            continue
        except (log.LogError, LookupError, ValueError):
            logger.exception("game %s cannot be left by the closing account %s", game_id, player.pk)


def guests_at_tables(*, players: Set[UUID], **_: Any) -> set[UUID]:
    """Return which of the guests sit in an open room or a running game."""
    sitting = Seat.objects.filter(player__in=players, game__status__in=("open", "setup", "playing"))
    return {seat for seat in sitting.values_list("player_id", flat=True) if seat is not None}


def follow_calendar(*, player: Player, now: datetime, **_: Any) -> None:
    """The player's calendar has changed: running deadlines move with it.

    If this is interrupted, or a turn has just begun, the sweep finds the new deadline.
    """
    move_deadlines(player.pk, now=now)
