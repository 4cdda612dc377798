"""Guests: players without a password, held by a browser's session until they keep their account.

The session lasts a year and is renewed by use. A link takes it to another browser, once.
"""

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.contrib import auth
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.dateparse import parse_datetime

from core import clock as service_clock
from core.accounts import ending, names, services, signals
from core.accounts.ending import Right, What
from core.accounts.login import client_ids, sessions
from core.accounts.models import GuestLink, Player, Session, Token
from core.refusals import Conflict, Invalid, NotFound

View = Callable[[HttpRequest], HttpResponseBase]
SESSION = timedelta(days=365)
AWAY = timedelta(days=30)
SEEN_EVERY = timedelta(days=1)
LINK = timedelta(minutes=10)
LINK_OF_ORGANISER = timedelta(days=1)
AT_ONCE = 100
_SEEN = "guest_seen_at"
_NAME = Player._meta.get_field("username")  # noqa: SLF001  Django's public way to a model's fields


def checked_name(text: str) -> str:
    """The name under which a guest sits down; blanks within it become dashes. Raises Invalid (bad_name)."""
    name = str(Player.normalize_username(re.sub(r"\s+", "-", text.strip())))
    try:
        _NAME.run_validators(name)
        if not name:
            raise ValidationError("Enter a name of at least 2 letters.")
    except ValidationError as error:
        detail = " ".join(error.messages)
        raise Invalid("bad_name", detail, field="username") from None
    return name


def sign_up(username: str) -> Player:
    """Make a guest. The name must have been checked. Raises Conflict (username_taken)."""
    at = service_clock.now()
    guest = Player(username=username, date_joined=at, guest_seen_at=at)
    guest.set_unusable_password()
    return services.added(guest)


def free_name(taken: str) -> str | None:
    """A free name like the one that is taken, such as "bob-2"; None if the first few are taken, too."""
    stem = taken[:36]
    likely = [*(f"{stem}-{n}" for n in range(2, 6)), f"{stem}-{secrets.randbelow(900) + 100}"]
    return next(filter(_is_free, likely), None)


def sign_up_unnamed() -> Player:
    """Make a guest of somebody who gave no name, such as "guest-4711"; where many are taken it has more digits."""
    for digits in (4, 5, 6, 8, 10, 12):
        name = f"guest-{secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)}"
        if _is_free(name):
            with suppress(Conflict):
                return sign_up(name)
    raise services.username_taken()


def _is_free(name: str) -> bool:
    return not names.is_taken(Player, name)


def taken_said(name: str) -> str:
    near = free_name(name)
    return f"{name} is taken{f'; {near} is free' if near else ''}. Choose another name."


def log_in(request: HttpRequest, player: Player) -> None:
    auth.login(request, player, backend=settings.AUTHENTICATION_BACKENDS[0])
    if player.is_guest:
        _renew(request, service_clock.now())


def follow_sessions(get_response: View) -> View:
    """Middleware: a request of a session answers what was pushed to its browser, and renews a guest's."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        # A call with a token has no session, and a public page does not look at it.
        session = getattr(request, "session", None)
        if session is None or not session.accessed:
            return response
        if session.unanswered:
            Session.objects.filter(pk=session.session_key).update(unanswered=0)
        if text := session.get(_SEEN):
            seen, now = parse_datetime(text), service_clock.now()
            if seen is None or now - seen >= SEEN_EVERY:
                _renew(request, now)
                here = str(request.session.get(auth.SESSION_KEY))
                guests = Player.objects.filter(pk=here, guest_seen_at__isnull=False, closed_at__isnull=True)
                guests.update(guest_seen_at=now)
        return response

    return middleware


def new_link(
    guest: Player, *, by: Player | None = None, session: str | None = None, token: Token | None = None
) -> tuple[str, datetime]:
    """The secret of a link to another browser, and when it expires; an earlier link stops working.

    Made `by` an organiser it lasts a day. It ends with the session or the token that made it.
    Raises Conflict (no_guest): the account is kept.
    """
    if not guest.is_guest:
        raise Conflict(
            "no_guest", "This is no longer a guest account. Log in with its password, passkey or email address."
        )
    at, secret = service_clock.now(), secrets.token_urlsafe(24)
    expires_at = at + (LINK if by is None else LINK_OF_ORGANISER)
    if by is not None:
        signals.secured.send(sender=Player, player=guest, what="guest_link", now=at)
    GuestLink.objects.update_or_create(
        player=guest,
        defaults={
            "digest": _digest(secret),
            "expires_at": expires_at,
            "by": by.pk if by is not None else None,
            "session_id": session,
            "token": token,
        },
    )
    return secret, expires_at


def use_link(secret: str) -> Player:
    """The guest to whom a link leads; it cannot be used again. An organiser's link ends all other access.

    Raises NotFound (link_used).
    """
    with transaction.atomic():
        link = link_of(secret)
        if not GuestLink.objects.filter(pk=link.pk, digest=link.digest).delete()[0]:
            raise _no_link()
        if link.by is not None:
            services.end_log_ins(player=link.player)
        return link.player


@ending.at_once(Right.TOURNAMENT, What.LINKS)
def end_links_by(*, players: Iterable[UUID], **_: Any) -> None:
    """Whoever organises no more can let nobody in."""
    GuestLink.objects.filter(by__in=list(players)).delete()


@ending.at_once(Right.PASSWORD, What.LINKS)
@ending.at_once(Right.ACCOUNT, What.LINKS)
def end_links(*, player: Player, **_: Any) -> None:
    GuestLink.objects.filter(Q(player=player) | Q(by=player.pk)).delete()


@shared_task(name="core.accounts.tasks.close_idle_guests")
def close_idle() -> int:
    """Close the guests who have done nothing for 30 days and sit in no game and no tournament; return how many."""
    at, closed, after = service_clock.now(), 0, None
    while True:
        rows = _idle(at).order_by("pk")
        ids = list((rows if after is None else rows.filter(pk__gt=after)).values_list("pk", flat=True)[:AT_ONCE])
        if not ids:
            return closed
        after = ids[-1]
        busy: set[UUID] = set()
        for _, found in signals.idle_guests.send(sender=Player, players=set(ids)):
            busy |= cast("set[UUID]", found)
        # Read again: one of them may have come back just now.
        for guest in _idle(at).filter(pk__in=set(ids) - busy):
            services.close(guest, now=at)
            closed += 1


def _idle(now: datetime) -> QuerySet[Player]:
    by_token = Token.objects.filter(user=OuterRef("pk"), last_used_at__gte=now - AWAY)
    rows = Player.objects.filter(guest_seen_at__lt=now - AWAY, closed_at__isnull=True, is_active=True)
    return rows.filter(~Exists(by_token))


def _renew(request: HttpRequest, now: datetime) -> None:
    request.session.set_expiry(int(SESSION.total_seconds()))
    request.session[_SEEN] = now.isoformat()


def link_of(secret: str) -> GuestLink:
    """Raises NotFound (link_used)."""
    valid = GuestLink.objects.filter(digest=_digest(secret), expires_at__gt=service_clock.now())
    links = valid.select_related("player")
    link = links.filter(player__guest_seen_at__isnull=False, player__is_active=True).first()
    if link is None or not _still_given(link):
        raise _no_link()
    return link


@ending.on_the_way_out(Right.SESSION, What.LINKS)
@ending.on_the_way_out(Right.TOKEN, What.LINKS)
@ending.on_the_way_out(Right.APP, What.LINKS)
def _still_given(link: GuestLink) -> bool:
    """Whether what made the link still lets somebody in; the release before did not note what it was."""
    if link.session_id is not None:
        return sessions.player_in(link.session_id) is not None
    if link.token_id is None:
        return True
    token = Token.objects.filter(pk=link.token_id, expiry__gt=service_clock.now(), user__is_active=True).first()
    return token is not None and (token.app is None or client_ids.is_allowed(token.app))


def _no_link() -> NotFound:
    return NotFound("link_used", "This link was used, has expired or was replaced. Ask for a new one.")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
