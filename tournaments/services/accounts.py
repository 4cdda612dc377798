"""The changes to tournaments when an account is closed: a receiver of `core.accounts.signals`."""

import logging
from collections.abc import Set
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from core import log
from core.accounts.models import Player
from core.refusals import Refused
from tournaments import models
from tournaments.services.commands import of_player
from tournaments.services.entries import withdraw
from tournaments.stream import Standing, Status, life
from tournaments.stream.state import UNFINISHED

CLOSED = "account closed"

logger = logging.getLogger(__name__)


def guests_in_tournaments(*, players: Set[UUID], **_: Any) -> set[UUID]:
    """Those of the guests who take part in a tournament that is not over."""
    entries = models.Entrant.objects.filter(player__in=players, tournament__status__in=UNFINISHED).exclude(
        standing__in=(Standing.GONE, Standing.WITHDRAWN, Standing.REMOVED)
    )
    return {player for player in entries.values_list("player_id", flat=True) if player is not None}


def leave_tournaments(*, player: Player, now: datetime, **_: Any) -> None:
    """The account is closing: its entrants withdraw with `resign`, and it organises nothing any more (LI3).

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
    named = Q(organisers__contains=[player.pk]) | Q(asked_organisers__contains=[player.pk])
    organised = models.Tournament.objects.filter(named)
    for tournament_id in organised.values_list("pk", flat=True):
        try:
            of_player(tournament_id, player, lambda t, _: (None, life.lose_organiser(t, player.pk)), now=now)
        except (log.LogError, LookupError, ValueError):
            logger.exception("tournament %s cannot be left by its organiser %s", tournament_id, player.pk)
