"""The bodies of the accounts API, of requests and responses, and what else its document says: how one logs in."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core import exceptions
from django.core.validators import EmailValidator, MaxLengthValidator, MinLengthValidator
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import extend_schema_field
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from rest_framework import serializers

from core import calendars
from core.accounts import names
from core.accounts.models import Player, Token
from core.accounts.tokens import MAX_NAME
from core.calendars import VACATION_DAYS_A_YEAR
from core.http.addresses import live_url
from core.http.bodies import AnyObject, Body, Moment, components, doc, one_of, schema
from core.http.fields import Choice, JSONObject, Line, Strict, Text, Truth
from core.http.openapi import example, ref
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


Hour = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")]
_EXPORTED = (
    "tokens", "sessions", "blocked", "second_factors", "login_places", "audit", "games", "notes", "talk", "moderation",
    "entries", "organises", "votes", "ratings", "notifications", "webhooks", "push", "chat", "channels",
    "calendar_address",
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


_USERNAME = Player._meta.get_field("username")  # noqa: SLF001  Django's public way to a model's fields
MIN_PASSWORD, MAX_PASSWORD = 8, 256
WHAT_IS_GOOD = "At least 8 characters, not a common one and not like the username."


@extend_schema_field(ref("Calendar"))
class CalendarField(JSONObject):
    """Quiet hours and vacation, checked by `games.clocks`."""


@extend_schema_field(HANDLES)
class HandlesField(JSONObject):
    """Handles in chat services, checked by `core.accounts.names`."""


class UsernameField(Text):
    """A name as the model allows it, normalised (NFKC) as it is stored."""

    def __init__(self, *, required: bool = True) -> None:
        super().__init__(
            required=required, min_length=2, max_length=_USERNAME.max_length, help_text=str(_USERNAME.help_text)
        )
        lengths = (MinLengthValidator, MaxLengthValidator)
        self.validators.extend(validator for validator in _USERNAME.validators if not isinstance(validator, lengths))

    def to_internal_value(self, data: Any) -> str:
        return str(Player.normalize_username(super().to_internal_value(data)))


class PasswordField(Text):
    """A password, with all its blanks."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, max_length=MAX_PASSWORD, write_only=True, **kwargs)


@extend_schema_field({"type": "string", "writeOnly": True, "minLength": MIN_PASSWORD, "maxLength": MAX_PASSWORD})
class NewPasswordField(PasswordField):
    """A password to set. AUTH_PASSWORD_VALIDATORS check whether it is good enough, and say why not."""


def check_new_password(password: str, player: Player, field: str | None = None) -> str:
    try:
        validate_password(password, player)
    except exceptions.ValidationError as error:
        detail: Any = list(error.messages)
        raise serializers.ValidationError({field: detail} if field else detail) from None
    return password


@example({"username": "ada", "password": "a quiet evening"})
class SignUpSerializer(Strict):
    """A new account."""

    username = UsernameField()
    password = NewPasswordField(help_text=WHAT_IS_GOOD)

    def validate_password(self, password: str) -> str:
        # As it was sent: the password is checked even if the name is invalid.
        username = self.initial_data.get("username")
        return check_new_password(password, Player(username=username if isinstance(username, str) else ""))


@extend_schema_field(
    {"type": "array", "items": {"type": "string", "enum": list(ALL)}, "minItems": 1, "uniqueItems": True}
)
class ScopesField(serializers.ListField):
    """What the token may do: a list of scopes, each once."""

    child = Choice(ALL)

    def __init__(self, **more: Any) -> None:
        help_text = "What the token may do; docs/api.md has each in words. Left out: everything."
        super().__init__(required=False, allow_empty=False, help_text=help_text, **more)

    def to_internal_value(self, data: Any) -> list[str]:
        wanted: list[str] = super().to_internal_value(data)
        if len(set(wanted)) < len(wanted):
            raise exceptions.ValidationError("Name each scope once.")
        return wanted


@example({"username": "ada", "password": "a quiet evening"})
class LoginSerializer(Strict):
    """The pair that signing up took."""

    username = Text(max_length=_USERNAME.max_length)
    password = PasswordField()
    token_name = Line(
        required=False,
        max_length=MAX_NAME,
        help_text="What to call the token in GET me/tokens, such as a device. Left out: the User-Agent.",
    )
    scopes = ScopesField()


class EmailField(Text):
    """A mail address, as it is kept."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=names.LONGEST_ADDRESS, **kwargs)
        self.validators.append(EmailValidator())

    def to_internal_value(self, data: Any) -> str:
        try:
            return names.address(super().to_internal_value(data))
        except exceptions.ValidationError as error:
            raise serializers.ValidationError(error.messages) from None


@example({"address": "ada@example.org"})
class AddressSerializer(Strict):
    """The address to which a code is sent."""

    address = EmailField()


@example({"request": "7d9f2c1e-5b1f-4d53-9a6c-0f2f4f3f9b10", "code": "BCDFGH"})
class CodeSerializer(Strict):
    """The code, and the `request` from the response to asking for it."""

    request = serializers.UUIDField()
    code = Text(max_length=20, help_text="Six letters, in any case.")


@example({"request": "7d9f2c1e-5b1f-4d53-9a6c-0f2f4f3f9b10", "code": "BCDFGH", "token_name": "phone"})
class CodeLoginSerializer(CodeSerializer):
    """The code, and what to call the token."""

    token_name = Line(required=False, max_length=MAX_NAME, help_text="As when logging in by password.")
    scopes = ScopesField()


@example({"request": "7d9f2c1e-5b1f-4d53-9a6c-0f2f4f3f9b10", "code": "BCDFGH", "new_password": "a quieter evening"})
class ResetSerializer(CodeSerializer):
    """The code and the new password."""

    new_password = NewPasswordField(help_text=WHAT_IS_GOOD)


@example({"password": "a quiet evening"})
class ProofSerializer(Strict):
    """Your password, unless your account has none."""

    password = PasswordField(required=False, help_text="Required if the account has one.")


@example({"address": "ada@example.org", "password": "a quiet evening"})
class AddressChangeSerializer(ProofSerializer):
    """The new address."""

    address = EmailField()


@example({"password": "a quiet evening", "new_password": "a quieter evening"})
class PasswordChangeSerializer(ProofSerializer):
    """The old password, unless your account has none, and the new one."""

    new_password = NewPasswordField(help_text=WHAT_IS_GOOD)

    def validate_new_password(self, password: str) -> str:
        return check_new_password(password, self.context["request"].user)


class PreferencesChangeSerializer(Strict):
    """Changes to your preferences. Keys left out stay as they are."""

    forced_moves = Truth(
        required=False,
        help_text="Let the server make your move at once when you have no other and that reveals nothing.",
    )
    unlisted = Truth(required=False, help_text="Leave you out of leaderboards and public pages.")
    presence = Choice(
        PRESENCES,
        required=False,
        help_text="Where others at the table see that you are there: in private rooms, always or never.",
    )
    talk = Choice(
        TALKS,
        required=False,
        help_text="What reaches you of what is said at your tables, and what you send. The others see what you chose.",
    )


@example({"preferences": {"forced_moves": True}})
class ProfileChangeSerializer(Strict):
    """Changes to your account."""

    username = UsernameField(required=False)
    preferences = PreferencesChangeSerializer(required=False)
    handles = HandlesField(
        required=False,
        help_text="The names by which groups may mention you. Services left out stay as they are; null removes one.",
    )
    calendar = CalendarField(required=False, help_text="Takes effect now. Keys left out stay as they are.")
