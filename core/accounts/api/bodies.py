"""The bodies of the accounts API's responses, and what else its document says: the calendar, how one logs in."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from core import calendars
from core.accounts import names
from core.accounts.models import Block, Player, Token
from core.calendars import VACATION_DAYS_A_YEAR
from core.http.addresses import live_url
from core.http.bodies import AnyObject, Body, Moment, components, doc, one_of, schema
from core.http.openapi import ref
from core.http.scopes import ALL

# Where others see that a player is at the table (LV4); the first value is the default.
PRESENCES = ("private", "always", "never")
TALKS = ("all", "signs", "off")
HANDLES: dict[str, Any] = {
    "type": "object",
    "properties": {key: {"type": ["string", "null"], "maxLength": names.LONGEST_HANDLE} for key in names.HANDLES},
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
    scopes: Sequence[Annotated[str, one_of(ALL)]]


class TokenInfoBody(Body):
    """One of your tokens. The token itself is shown only once, when it is issued."""

    id: UUID
    name: str
    created_at: Moment
    last_used_at: Annotated[Moment, doc("To the hour or so.")]
    expires_at: Moment
    current: Annotated[bool, doc("True if this call was made with it.")]
    scopes: Annotated[Sequence[Annotated[str, one_of(ALL)]], doc("What it may do; docs/api.md has each in words.")]
    app: Annotated[str | None, doc("The client id of the app that has it.")]


class PreferencesBody(Body):
    """Your preferences for playing."""

    forced_moves: Annotated[bool, doc("The server makes forced moves that reveal nothing.")]
    unlisted: Annotated[bool, doc("Left out of leaderboards and public pages.")]
    presence: Annotated[str, one_of(PRESENCES), doc("Where others see that you are at the table.")]
    talk: Annotated[str, one_of(TALKS), doc("What of a table's talk reaches you, and what you send.")]


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
    return BlockedBody(block.blocked.pk, block.blocked.username, block.at)


def token_info_body(token: Token, current: Token | None) -> TokenInfoBody:
    return TokenInfoBody(
        token.id,
        token.name,
        token.created,
        token.last_used_at,
        token.expiry,
        current=token == current,
        scopes=[scope for scope in ALL if scope in token.scopes],
        app=token.app,
    )


def profile_body(player: Player) -> ProfileBody:
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
            talk=str(chosen.get("talk", TALKS[0])),
        ),
        handles=player.handles,
        calendar=calendars.shown(player.calendar),
        live_url=live_url("me/live"),
    )


CODES = (
    "wrong_credentials", "wrong_password", "second_factor", "wrong_code", "blocked", "no_such_player", "bad_username",
    "too_many_blocked", "username_taken", "bad_calendar", "bad_handle", "busy",
)  # fmt: skip
Hour = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")]
_EXPORTED = (
    "tokens", "sessions", "blocked", "second_factors", "login_places", "audit", "games", "entries", "organises",
    "votes", "ratings", "notifications", "webhooks", "push", "chat", "channels",
)  # fmt: skip


class Calendar(Struct, forbid_unknown_fields=True):
    """When a player's clocks stand still, in games that allow it."""

    time_zone: Annotated[str, doc("An IANA name, such as Europe/Berlin.")] = "UTC"
    quiet_hours: (
        Annotated[
            Annotated[list[Hour], Meta(min_length=2, max_length=2)] | None,
            doc("Begin and end of each day's quiet hours, in local time; at most 12 hours."),
            Meta(examples=[["22:00", "07:00"]]),
        ]
        | UnsetType
    ) = UNSET
    vacation: (
        Annotated[
            list[Annotated[list[date], Meta(min_length=2, max_length=2)]],
            doc(f"First and last days; at most {VACATION_DAYS_A_YEAR} days in a calendar year."),
            Meta(examples=[[["2026-12-24", "2027-01-02"]]]),
        ]
        | UnsetType
    ) = UNSET


AccountExport = defstruct(
    "AccountExport",
    [
        ("format", Literal["trey-account/1"]),
        ("exported_at", Moment),
        ("account", AnyObject),
        *((part, list[AnyObject]) for part in _EXPORTED),
    ],
    namespace={"__doc__": "Everything the service holds about you. docs/accounts.md describes its keys."},
)
COMPONENTS = components(Calendar, AccountExport)


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "core.accounts.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "The token that `POST auth/login` returns."}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "core.accounts.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        what = "The session of this site's own pages; what changes something needs `X-CSRFToken` too."
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME, "description": what}
