"""Limits on guessing passwords: one for each name from anywhere, and one for each place its owner has logged in from.

So nobody can lock an owner out by guessing: an owner who has logged in from an address, or with a browser, has a
separate limit there. Addresses and browsers are stored as digests only.
"""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from rest_framework.request import Request

from core import clock as service_clock
from core.accounts import services, signals
from core.accounts.models import LoginPlace, Player
from core.http.throttling import address_of, limit

COOKIE = "trey_browser"
KEPT = timedelta(days=180)
MOST = 20
# A log-in from the same place is recorded at most this often.
NOTED_EVERY = timedelta(hours=1)


def count_name(request: Request | HttpRequest, username: str) -> None:
    """Count an attempt to log in under a name, before a password is hashed. Raises Throttled."""
    name = services.counted_name(username)
    place = _known_place(request, services.named(username))
    limit("login_name", f"{name} at {place}" if place else name)


def count_proof(player: Player, access: str) -> None:
    """Count an attempt to confirm a password while logged in; `access` names the token or the session.

    Raises:
        Throttled: too many of this token or session.
    """
    limit("login_name", f"{player.pk} by {access}")


def logged_in(request: Request | HttpRequest, player: Player, *, now: datetime | None = None) -> None:
    """Remember where somebody has logged in from. The owner is told of a log-in from elsewhere."""
    now = now or service_clock.now()
    digests = _digests(request)
    before = set(LoginPlace.objects.filter(player=player).values_list("digest", flat=True))
    for digest in digests:
        place, is_new = LoginPlace.objects.get_or_create(
            player=player, digest=digest, defaults={"first_at": now, "last_at": now}
        )
        if not is_new and place.last_at <= now - NOTED_EVERY:
            LoginPlace.objects.filter(pk=place.pk).update(last_at=now)
    if before and before.isdisjoint(digests):
        signals.secured.send(sender=Player, player=player, what="login", now=now)
    theirs = LoginPlace.objects.filter(player=player)
    kept = theirs.filter(last_at__gt=now - KEPT).order_by("-last_at", "-id")[:MOST]
    theirs.exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()


def name_browser(request: HttpRequest) -> None:
    """Give a browser that logs in a secret by which it is recognised later; `send_browser` sends it."""
    if not request.COOKIES.get(COOKIE):
        request.COOKIES[COOKIE] = secrets.token_urlsafe(32)


def send_browser(request: HttpRequest, response: HttpResponse, path: str) -> None:
    """Set the cookie with the browser's secret."""
    response.set_cookie(
        COOKIE, request.COOKIES[COOKIE], max_age=KEPT, path=path, secure=settings.SESSION_COOKIE_SECURE, httponly=True,
        samesite="Lax",
    )  # fmt: skip


def _known_place(request: Request | HttpRequest, player: Player | None) -> str | None:
    """The place of this request, if the owner has logged in from it: the browser, or the possibly shared address."""
    if player is None:
        return None
    since = service_clock.now() - KEPT
    digests = _digests(request)
    known = LoginPlace.objects.filter(player=player, digest__in=digests, last_at__gt=since)
    return min(known.values_list("digest", flat=True), key=digests.index, default=None)


def _digests(request: Request | HttpRequest) -> list[str]:
    """The digests of the browser, if it has a secret, and of the address."""
    browser = request.COOKIES.get(COOKIE)
    places = [("browser", browser)] if browser else []
    places.append(("address", address_of(request)))
    return [salted_hmac(f"trey.login_place.{kind}", text, algorithm="sha256").hexdigest() for kind, text in places]
