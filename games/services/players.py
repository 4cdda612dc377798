"""Accounts, where they touch games."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from games import clock as service_clock
from games import log
from games.models import Game, Player
from games.refusals import Conflict, Forbidden, Illegal, NotFound
from games.services.lobby import leave
from games.services.moves import Cause, play

logger = logging.getLogger(__name__)


def delete_player(player: Player, *, now: datetime | None = None) -> None:
    """Delete an account. It leaves the open rooms and resigns its running games; history keeps its bare id.

    A game that cannot be read, its log being damaged, keeps nobody's account: it is told in the log lines.
    """
    now = now or service_clock.now()
    cause = Cause("player", str(player.pk), "account deleted")
    unfinished = Game.objects.filter(players__player=player, status__in=("open", "setup", "playing"))
    for game_id in list(unfinished.values_list("pk", flat=True)):
        try:
            try:
                leave(game_id, player, now=now)
            except Conflict:
                # It has started, perhaps just now.
                play(game_id, player, {"move": "resign"}, answer=_nothing, cause=cause, now=now)
        except (Conflict, Forbidden, Illegal, NotFound):
            # The game ended, or the player was sent out or had resigned before: nothing to leave.
            continue
        except (log.LogError, LookupError, ValueError):
            logger.exception("the game %s cannot be left by the deleted account %s", game_id, player.pk)
    player.delete()


def _nothing(_: Any) -> None:
    return None
