"""Admission to streams, and its time limit. It reads by Django: call it in a thread."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.http import parse_cookie
from rest_framework.exceptions import AuthenticationFailed

from core import clock
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.login import sessions
from core.accounts.login.authentication import token_in
from core.accounts.models import Player, Session, Token
from core.http import addresses, scopes
from core.http.fields import checked_invitation
from core.http.problems import Problem, invalid
from core.live.server import Request
from core.text import whole_in
from games import selectors
from games.projections import Snapshot
from games.selectors.access import may_know, may_watch

_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="trey"'}


@dataclass(frozen=True, slots=True)
class Access:
    """The credential of a stream: a token (`key` is its digest), or a session (its key) and the password's hash.

    `staff`: whether the account is one of staff, who may see more.
    """

    key: str
    staff: bool
    password: str | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    player: Player
    access: Access


def caller_of(request: Request) -> Caller:
    """Return the caller, by a token or by our pages' session.

    Raises Problem: not_authenticated, invalid_token, insufficient_scope.
    """
    authorization = request.headers.get("authorization")
    if authorization is None and (key := _session_in(request)):
        player = sessions.player_in(key)
        if player is not None:
            return Caller(player, Access(key, _is_staff(player), player.password))
    try:
        token = token_in((authorization or "").encode("latin-1"))
    except AuthenticationFailed as error:
        headers = {"WWW-Authenticate": 'Bearer realm="trey", error="invalid_token"'}
        raise Problem("invalid_token", str(error.detail), headers=headers) from None
    if token is None:
        raise Problem("not_authenticated", "Send a token: Authorization: Bearer <token>.", headers=_CHALLENGE)
    scopes.check_in(token.scopes, "read")
    return Caller(token.user, Access(token.digest, _is_staff(token.user)))


def is_own_page(request: Request) -> bool:
    own = addresses.site_beside(request.headers.get("host", ""))
    return addresses.is_own(request.headers.get("origin"), request.headers.get("sec-fetch-site"), own)


def _session_in(request: Request) -> str | None:
    key = parse_cookie(request.headers.get("cookie", "")).get(settings.SESSION_COOKIE_NAME)
    # No session is named with a NUL, which PostgreSQL would not look for.
    return key if key and "\0" not in key and is_own_page(request) else None


def check_query(request: Request, known: Collection[str]) -> None:
    """Raises Problem (invalid) for an unknown query parameter, such as a token, which no address may hold."""
    errors = [
        (key, "Send the token in the Authorization header, not in the address." if "token" in key else "Unknown key.")
        for key in request.query
        if key not in known
    ]
    if errors:
        raise invalid(errors[:10])


def resumed_after(request: Request) -> int | None:
    """The number of the last event that the client has seen, by its `Last-Event-ID` or else by `after`.

    None if it names none. Raises Problem: invalid.
    """
    for name, text in (("Last-Event-ID", request.headers.get("last-event-id")), ("after", request.query.get("after"))):
        if text:
            if (number := whole_in(text)) is None:
                raise invalid([(name, "Must be a whole number, 0 or more.")])
            return number
    return None


def game_of(request: Request, caller: Caller, game_id: UUID) -> Snapshot:
    return selectors.game_for(caller.player, game_id, invitation=checked_invitation(request.query.get("invitation")))


@ending.on_the_way_out(Right.ROOM, What.STREAMS)
@ending.on_the_way_out(Right.TOURNAMENT, What.STREAMS)
def may_go_on(game: Snapshot, player: Player, invitation: str | None) -> bool:
    return may_know(game, player, invitation) and may_watch(game, player)


@ending.on_the_way_out(Right.SESSION, What.STREAMS)
@ending.on_the_way_out(Right.TOKEN, What.STREAMS)
@ending.on_the_way_out(Right.APP, What.STREAMS)
@ending.on_the_way_out(Right.ACCOUNT, What.STREAMS)
def still_valid(accesses: Iterable[Access]) -> set[Access]:
    """Return the credentials that have not ended or expired, and belong to open accounts with the same rights.

    One query for each kind.
    """
    wanted = list(accesses)
    digests = [each.key for each in wanted if each.password is None]
    keys = [each.key for each in wanted if each.password is not None]
    now = clock.now()
    found: set[Access] = set()
    if digests:
        tokens = Token.objects.filter(digest__in=digests, expiry__gt=now, user__is_active=True)
        is_staff = Q(user__is_staff=True) | Q(user__is_superuser=True)
        tokens = tokens.annotate(staff=Q(app__isnull=True) & is_staff)
        found.update(Access(digest, staff) for digest, staff in tokens.values_list("digest", "staff"))
    if keys:
        open_ones = Session.objects.filter(pk__in=keys, expire_date__gt=now, player__is_active=True)
        open_ones = open_ones.annotate(staff=Q(player__is_staff=True) | Q(player__is_superuser=True))
        found.update(Access(*row) for row in open_ones.values_list("pk", "staff", "player__password"))
    return found & set(wanted)


def _is_staff(player: Player) -> bool:
    return player.acts_as_staff
