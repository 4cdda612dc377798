"""Sessions of the dashboard: the API has tokens instead, so there are few."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session

from games.platform import clock as service_clock
from games.platform.accounts.models import Player

MOST = 5_000


def valid(player: Player, *, now: datetime | None = None) -> list[Session]:
    """The player's sessions that have not expired. Their owner is inside each, so all are read (the newest `MOST`)."""
    running = Session.objects.filter(expire_date__gt=now or service_clock.now()).order_by("-expire_date")[:MOST]
    return [session for session in running if session.get_decoded().get(SESSION_KEY) == str(player.pk)]


def name_of(session: Session) -> str:
    """What a page calls the session: its key would let anybody in."""
    return hashlib.sha256(session.pk.encode()).hexdigest()[:16]


def revoke(player: Player, name: str) -> bool:
    """End one of the player's sessions; whether there was one of that name."""
    keys = [session.pk for session in valid(player) if name_of(session) == name]
    return Session.objects.filter(pk__in=keys).delete()[0] > 0


def revoke_all(player: Player) -> int:
    """End the player's sessions; returns how many."""
    keys = [session.pk for session in valid(player)]
    return Session.objects.filter(pk__in=keys).delete()[0]
