"""What happens in tournaments when an account is closed: a receiver of `games.accounts.signals`."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from games import log
from games.accounts.models import Player
from games.refusals import Refused
from tournaments import models
from tournaments.services.entries import withdraw
from tournaments.stream import Status

CLOSED = "account closed"

logger = logging.getLogger(__name__)


def leave_tournaments(*, player: Player, now: datetime, **_: Any) -> None:
    """The account is closing: its entrants withdraw with `resign` (LI3).

    A tournament that cannot be read because its log is damaged does not keep the account open; it is logged.
    """
    unfinished = (Status.REGISTRATION, Status.RUNNING)
    entries = models.Entrant.objects.filter(player=player, tournament__status__in=unfinished)
    for entrant in list(entries.only("number", "tournament")):
        try:
            withdraw(entrant.tournament_id, player, entrant.key, resign=True, why=CLOSED, now=now)
        except Refused:
            continue  # it had left before, or the tournament has ended
        except (log.LogError, LookupError, ValueError):
            logger.exception("tournament %s cannot be left by %s", entrant.tournament_id, player.pk)
