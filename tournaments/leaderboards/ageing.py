"""Players leave the board of ratings, without any event, when their last game was too long ago (RA2)."""

from collections import defaultdict
from datetime import datetime
from uuid import UUID

from django.db.models import F, OuterRef, Subquery

from tournaments.leaderboards.models import Entry, League
from tournaments.leaderboards.projection import refresh
from tournaments.leaderboards.tally import ALL


def drop_inactive(now: datetime, limit: int = 1000) -> int:
    """Take inactive players off the boards of ratings of all times; return how many, at most `limit`."""
    live = League.objects.filter(pk=OuterRef("game")).values("generation")
    expired = Entry.objects.filter(expires_at__lt=now, generation=Subquery(live)).order_by(F("expires_at"))
    found: dict[str, list[UUID]] = defaultdict(list)
    for game, player in expired.values_list("game", "player")[:limit]:
        found[game].append(player)
    for game, players in found.items():
        refresh(game, [(ALL, player) for player in players])
    return sum(map(len, found.values()))
