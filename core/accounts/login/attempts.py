"""Limits on guessing passwords and codes, the same for pages, the API and apps.

Each account has one from anywhere, and one for each place of its owner's, so nobody can lock an owner out by guessing.
Addresses and browsers are stored as digests only.
"""

import secrets
from datetime import timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from rest_framework.request import Request

from core import clock as service_clock
from core.accounts import names, services, signals
from core.accounts.models import LoginPlace, Player
from core.http.throttling import address_of, counted, limit

COOKIE = "trey_browser"
KEPT = timedelta(days=180)
MOST = 20
# A log-in from the same place is recorded at most this often.
NOTED_EVERY = timedelta(hours=1)
# So many wrong codes of a second factor within a day (seconds) are no typing errors.
TOLD_AFTER, DAY = 5, 86_400


def count(request: Request | HttpRequest, what: str = "logins") -> None:
    """Count a try from an address: a log-in of whatever kind, or `sign_ups`, `device_codes`. Raises Throttled."""
    limit(what, address_of(request))


def count_name(request: Request | HttpRequest, login: str) -> None:
    """Count an attempt to log in, before a password is hashed; an account's names count as one. Raises Throttled.

    Its address counts apart: else the limit on the one would say whose the other is.
    """
    try:
        address = names.address(login)
    except ValidationError:
        player = services.named(login)
        name = Player.normalize_username(login if player is None else player.username).casefold()
        who = _apart(request, name, player=player)
    else:
        who = _apart(request, address, **_owner_of(address))
    limit("login_name", who)


def count_code(request: Request | HttpRequest, address: str) -> None:
    """Count a request for a code, with one query whether it has an owner or not. Raises Throttled."""
    limit("code", _apart(request, address, **_owner_of(address)))


def _owner_of(address: str) -> dict[str, object]:
    return {"player__emailaddress__email": address, "player__emailaddress__verified": True}


def count_second(request: HttpRequest, player: Player) -> None:
    limit("code", _apart(request, f"{player.pk} second factor", player=player))


def second_failed(player: Player) -> None:
    if counted("second_failed", str(player.pk), DAY) == TOLD_AFTER:
        signals.secured.send(sender=Player, player=player, what="guessed", now=service_clock.now())


def count_proof(player: Player, access: str) -> None:
    """Count an attempt to prove something while logged in; `access` names by what: a token, a session, a page."""
    limit("login_name", f"{player.pk} by {access}")


def logged_in(request: Request | HttpRequest, player: Player) -> None:
    """Remember where somebody has logged in from. The owner is told of a log-in from elsewhere."""
    now, digests = service_clock.now(), _digests(request)
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
    response.set_cookie(
        COOKIE, request.COOKIES[COOKIE], max_age=KEPT, path=path, secure=settings.SESSION_COOKIE_SECURE, httponly=True,
        samesite="Lax",
    )  # fmt: skip


def _apart(request: Request | HttpRequest, who: str, **owner: object) -> str:
    """Whom to count: by the browser or the address, if the owner has logged in from it. One query in any case."""
    since = service_clock.now() - KEPT
    digests = _digests(request)
    known = LoginPlace.objects.filter(digest__in=digests, last_at__gt=since, **owner)
    place = min(known.values_list("digest", flat=True), key=digests.index, default=None)
    return f"{who} at {place}" if place else who


def _digests(request: Request | HttpRequest) -> list[str]:
    browser = request.COOKIES.get(COOKIE)
    places = [("browser", browser)] if browser else []
    places.append(("address", address_of(request)))
    return [salted_hmac(f"trey.login_place.{kind}", text, algorithm="sha256").hexdigest() for kind, text in places]
