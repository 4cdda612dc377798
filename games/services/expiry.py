"""Clean-up of idle rooms."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings

from core import clock as service_clock
from core import log
from core.refusals import NotFound
from games.models import Game
from games.projections import Snapshot
from games.services.commands import change
from games.services.ending import called_off

logger = logging.getLogger(__name__)


def expire_rooms(*, now: datetime | None = None, limit: int = 500) -> int:
    """Cancel open rooms in which nothing happened for ``TREY_ROOM_IDLE_SECONDS``; return how many.

    At most `limit` rooms, those idle longest first. Each is checked again at its own version, so a room that somebody
    enters at the last moment stays. A room with a damaged log is reported and stays.
    """
    now = now or service_clock.now()
    latest = now - timedelta(seconds=settings.TREY_ROOM_IDLE_SECONDS)
    idle = Game.objects.filter(status=Game.Status.OPEN, moved_at__lte=latest).order_by("moved_at")
    expired = 0

    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        if snapshot.status != "open" or snapshot.moved_at > latest:
            return []
        return [called_off(snapshot, "idle")]

    for game_id in list(idle.values_list("pk", flat=True)[:limit]):
        try:
            expired += bool(change(game_id, decide, actor=log.Actor("server"), now=now).events)
        except NotFound:
            continue
        except (log.LogError, LookupError, ValueError):
            logger.exception("the room %s cannot be expired", game_id)
    return expired
