"""Who may open a stream, and for how long it stays theirs (LV2, LV3). It reads by Django: call it in a thread."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from rest_framework.exceptions import AuthenticationFailed

from games import selectors
from games.access import may_know, may_watch
from games.platform import clock
from games.platform.accounts.authentication import token_in
from games.platform.accounts.models import Player, Token
from games.platform.http.exceptions import problem_of_refusal
from games.platform.http.invitations import checked_invitation
from games.platform.http.problems import Problem, invalid
from games.platform.live.server import Request
from games.platform.refusals import Refused
from games.projections import Snapshot

_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="trey"'}
_LAST_VERSION = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose stream it is, and the digest of the token with which it was opened."""

    player: Player
    token: str


def caller_of(request: Request) -> Caller:
    """Who asks. Raises Problem: not_authenticated, invalid_token."""
    try:
        token = token_in(request.headers.get("authorization", "").encode("latin-1"))
    except AuthenticationFailed as error:
        raise Problem("invalid_token", str(error.detail), headers=_CHALLENGE) from None
    if token is None:
        raise Problem("not_authenticated", "Send a token: Authorization: Bearer <token>.", headers=_CHALLENGE)
    return Caller(token.user, token.digest)


def check_query(request: Request, known: Collection[str]) -> None:
    """Raises Problem: invalid, for a key that the stream does not have; a token in an address is one (LV2)."""
    errors = [
        (key, "A token is sent in the header Authorization, never in an address." if "token" in key else "Unknown key.")
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
            if not (text.isascii() and text.isdecimal() and int(text) <= _LAST_VERSION):
                raise invalid([(name, "Must be a whole number, 0 or more.")])
            return int(text)
    return None


def game_of(request: Request, caller: Caller, game_id: UUID) -> Snapshot:
    """The game that the caller wants to watch. Raises Problem: not_found, players_only, invalid."""
    try:
        return selectors.game_for(
            caller.player, game_id, invitation=checked_invitation(request.query.get("invitation"))
        )
    except Refused as refused:
        raise problem_of_refusal(refused) from None


def may_go_on(game: Snapshot, player: Player, invitation: str | None) -> bool:
    """Whether somebody who watched the game may still watch it."""
    return may_know(game, player, invitation) and may_watch(game, player)


def still_valid(digests: Iterable[str]) -> set[str]:
    """Those of the tokens that have not been revoked, have not expired and belong to open accounts. One query."""
    rows = Token.objects.filter(digest__in=list(digests), expiry__gt=clock.now(), user__is_active=True)
    return set(rows.values_list("digest", flat=True))
