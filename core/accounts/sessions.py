"""Sessions log browsers in, to the pages and through them to the API. Other clients have tokens instead."""

import hashlib
from collections.abc import Callable
from datetime import datetime
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib import auth
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from core import clock as service_clock
from core.accounts.models import Player, Session

View = Callable[[HttpRequest], HttpResponseBase]


def valid(player: Player, *, now: datetime | None = None) -> QuerySet[Session]:
    """The player's sessions that have not expired, those that last longest first."""
    running = Session.objects.filter(player=player, expire_date__gt=now or service_clock.now())
    return running.order_by("-expire_date", "pk")


def player_in(key: str) -> Player | None:
    """Return the player of a session if it is valid: not expired, and not older than the password."""
    request = HttpRequest()
    request.session = _store(key)
    user = auth.get_user(request)
    return user if isinstance(user, Player) and user.is_active else None


def name_of(session: Session) -> str:
    """Return a name for the session that pages can show: its key would let anybody in."""
    return hashlib.sha256(session.pk.encode()).hexdigest()[:16]


def revoke(player: Player, name: str) -> bool:
    """End one of the player's sessions; return whether there was one of that name."""
    keys = [session.pk for session in valid(player) if name_of(session) == name]
    return Session.objects.filter(pk__in=keys).delete()[0] > 0


def revoke_all(player: Player, *, keep: str | None = None) -> int:
    """End the player's sessions, except the one with the key `keep`; return how many."""
    return Session.objects.filter(player=player).exclude(pk=keep or "").delete()[0]


def note_requests(get_response: View) -> View:
    """Middleware: a request of a session answers what was pushed to its browser (NT3)."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        # A call with a token has no session, and a public page does not look at it.
        session = getattr(request, "session", None)
        if session is not None and session.accessed and session.unanswered:
            Session.objects.filter(pk=session.session_key).update(unanswered=0)
        return response

    return middleware


def _store(key: str) -> Any:
    return import_module(settings.SESSION_ENGINE).SessionStore(key)
