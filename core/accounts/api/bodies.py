"""The bodies of the accounts API's responses."""

from typing import Annotated, Any
from uuid import UUID

from core import calendars
from core.accounts import handles
from core.accounts.models import Block, Player, Token
from core.http.addresses import live_url
from core.http.bodies import Body, Moment, doc, one_of, schema
from core.http.openapi import ref

# Where others see that a player is at the table (LV4); the first value is the default.
PRESENCES = ("private", "always", "never")
HANDLES: dict[str, Any] = {
    "type": "object",
    "properties": {service: {"type": ["string", "null"], "maxLength": handles.MOST} for service in handles.FORMS},
    "additionalProperties": False,
}


class CodeAskedBody(Body):
    """A code that was asked for. No code is sent if the address has no account; the response is the same."""

    request: Annotated[UUID, doc("Send it with the code.")]
    expires_at: Moment


class OwnAddressBody(Body):
    """Your address; null if you have none."""

    address: Annotated[str | None, schema({"format": "email"})]
    verified: Annotated[bool, doc("True if you have proved that you receive mails there.")]


class BlockedBody(Body):
    """A player you have blocked."""

    id: UUID
    username: str
    blocked_at: Moment


class TokenBody(Body):
    """Send it as `Authorization: Bearer <token>` until it expires or is revoked."""

    token: str
    expires_at: Moment


class TokenInfoBody(Body):
    """One of your tokens. The token itself is shown only once, when it is issued."""

    id: UUID
    name: str
    created_at: Moment
    last_used_at: Annotated[Moment, doc("To the hour or so.")]
    expires_at: Moment
    current: Annotated[bool, doc("True if this call was made with it.")]


class PreferencesBody(Body):
    """Your preferences for playing."""

    forced_moves: Annotated[bool, doc("The server makes forced moves that reveal nothing.")]
    unlisted: Annotated[bool, doc("Left out of leaderboards and public pages.")]
    presence: Annotated[str, one_of(PRESENCES), doc("Where others see that you are at the table.")]


class ProfileBody(Body):
    """Your own account."""

    id: UUID
    username: str
    guest: Annotated[bool, doc("True for a guest: only a browser's session holds the account.")]
    joined_at: Moment
    preferences: PreferencesBody
    handles: Annotated[dict[str, str], schema(HANDLES)]
    calendar: Annotated[dict[str, Any], schema(ref("Calendar"))]
    live_url: Annotated[str, doc("The live stream of your games: a URL, or a path.")]


def blocked_body(block: Block) -> BlockedBody:
    """A player who is blocked."""
    return BlockedBody(block.blocked.pk, block.blocked.username, block.at)


def token_info_body(token: Token, current: Token | None) -> TokenInfoBody:
    """A token; `current` is that of the call."""
    return TokenInfoBody(
        token.id, token.name, token.created, token.last_used_at, token.expiry, current=token == current
    )


def profile_body(player: Player) -> ProfileBody:
    """A player's account, as the player sees it."""
    chosen = player.preferences
    return ProfileBody(
        id=player.pk,
        username=player.username,
        guest=player.is_guest,
        joined_at=player.date_joined,
        preferences=PreferencesBody(
            forced_moves=chosen.get("forced_moves") is True,
            unlisted=chosen.get("unlisted") is True,
            presence=str(chosen.get("presence", PRESENCES[0])),
        ),
        handles=player.handles,
        calendar=calendars.shown(player.calendar),
        live_url=live_url("me/live"),
    )
