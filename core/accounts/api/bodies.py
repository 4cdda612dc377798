"""The bodies of the accounts API, of requests and responses, and what else its document says: how one logs in."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator, MaxLengthValidator, MinLengthValidator
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from core import calendars
from core.accounts import exporting, names
from core.accounts.login.tokens import MAX_NAME
from core.accounts.models import Player, Token
from core.calendars import VACATION_DAYS_A_YEAR
from core.http.addresses import live_url
from core.http.bodies import AnyObject, Body, Moment, RequestBody, components, doc, one_of, schema
from core.http.openapi import example, ref
from core.http.problems import invalid
from core.http.scopes import ALL
from core.text import line
from core.values import LEFT_OUT, Faults, Value, value

# Where others see that a player is at the table; the first value is the default.
PRESENCES = ("private", "always", "never")
TALKS = ("all", "signs", "off")
HANDLES: dict[str, Any] = {
    "type": "object",
    "properties": {key: {"type": ["string", "null"], "maxLength": names.LONGEST_HANDLE} for key in names.HANDLES},
    "additionalProperties": False,
}


class CodeAskedBody(Body):
    """The request for a code. If the address has no account, no code is sent, but the response is the same."""

    request: Annotated[UUID, doc("Send this id with the code.")]
    expires_at: Moment


class OwnAddressBody(Body):
    """Your email address; null if you have none."""

    address: Annotated[str | None, schema({"format": "email"})]
    verified: Annotated[bool, doc("True if you have confirmed the address.")]


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
    last_used_at: Annotated[Moment, doc("Accurate to about an hour.")]
    expires_at: Moment
    current: Annotated[bool, doc("True if this call was made with this token.")]
    scopes: Annotated[
        Sequence[Annotated[str, one_of(ALL)]], doc("What the token may do; docs/build/api.md explains the scopes.")
    ]
    app: Annotated[str | None, doc("The client id of the app that holds the token.")]


class PreferencesBody(Body):
    """Your preferences for playing."""

    forced_moves: Annotated[bool, doc("True if your only legal move is made for you when that gives nothing away.")]
    unlisted: Annotated[bool, doc("True if you are left out of leaderboards and public pages.")]
    not_in_people: Annotated[bool, doc("True if you are left out of other players' lists of people to invite.")]
    presence: Annotated[str, one_of(PRESENCES), doc("Where other players can see that you are at the table.")]
    talk: Annotated[str, one_of(TALKS), doc("Which messages at your tables you see and send.")]


class ProfileBody(Body):
    """Your own account."""

    id: UUID
    username: str
    guest: Annotated[bool, doc("True for a guest, whose account exists only in one browser.")]
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
            not_in_people=chosen.get("not_in_people") is True,
            presence=str(chosen.get("presence", PRESENCES[0])),
            talk=str(chosen.get("talk", TALKS[0])),
        ),
        handles=player.handles,
        calendar=calendars.shown(player.calendar),
        live_url=live_url("me/live"),
    )


Hour = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")]


class Calendar(Struct, forbid_unknown_fields=True):
    """When your clocks pause, in games that allow it."""

    time_zone: Annotated[str, doc("An IANA name, such as Europe/Berlin.")] = "UTC"
    quiet_hours: (
        Annotated[
            Annotated[list[Hour], Meta(min_length=2, max_length=2)] | None,
            doc("Start and end of the daily quiet hours, in local time; at most 12 hours."),
            Meta(examples=[["22:00", "07:00"]]),
        ]
        | UnsetType
    ) = UNSET
    vacation: (
        Annotated[
            list[Annotated[list[date], Meta(min_length=2, max_length=2)]],
            doc(f"The first and last day of each vacation; at most {VACATION_DAYS_A_YEAR} days in a calendar year."),
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
        *((part, list[AnyObject]) for part in exporting.named()),
    ],
    namespace={"__doc__": "Everything the service stores about you. docs/play/accounts.md describes its keys."},
)
COMPONENTS = components(Calendar, AccountExport)


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "core.accounts.login.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "The token that `POST auth/login` returns."}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "core.accounts.login.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        what = "The session of this site's own pages. Requests that change something also need `X-CSRFToken`."
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME, "description": what}


_USERNAME = Player._meta.get_field("username")  # noqa: SLF001  Django's public way to a model's fields
MIN_PASSWORD, MAX_PASSWORD = 8, 256


def _fitting(validators: Iterable[Callable[[str], Any]], kept: Callable[[str], str]) -> Callable[[str], str]:
    """A reading of what is `kept` of a text, by Django's validators."""

    def read(given: str) -> str:
        try:
            found = kept(given)
            for judge in validators:
                judge(found)
            return found
        except ValidationError as error:
            raise ValueError(" ".join(error.messages)) from None

    return read


_lengths = (MinLengthValidator, MaxLengthValidator)
Username = Annotated[
    str,
    Value(
        least=2,
        most=_USERNAME.max_length,
        read=_fitting(
            [one for one in _USERNAME.validators if not isinstance(one, _lengths)], Player.normalize_username
        ),
        schema={"type": "string", "minLength": 2, "maxLength": _USERNAME.max_length, "pattern": r"^\w[\w.\-]*$"},
        help=str(_USERNAME.help_text),
    ),
]
Password = Annotated[str, Value(most=MAX_PASSWORD, exact=True, secret=True)]
NewPassword = Annotated[
    str,
    Value(
        most=MAX_PASSWORD,
        exact=True,
        schema={"type": "string", "writeOnly": True, "minLength": MIN_PASSWORD, "maxLength": MAX_PASSWORD},
        help="At least 8 characters, not a common one and not like the username.",
    ),
]
Address = Annotated[
    str,
    Value(
        most=names.LONGEST_ADDRESS,
        read=_fitting([EmailValidator()], names.address),
        schema={"type": "string", "format": "email", "minLength": 1, "maxLength": names.LONGEST_ADDRESS},
    ),
]


def _each_once(given: list[str]) -> list[str]:
    if len(set(given)) < len(given):
        raise ValueError("Name each scope once.")
    return given


Scopes = Annotated[
    list[Annotated[str, Value(words=ALL)]],
    Value(
        least=1,
        read=_each_once,
        schema={"type": "array", "items": {"type": "string", "enum": list(ALL)}, "minItems": 1, "uniqueItems": True},
        help="What the token may do; docs/build/api.md explains the scopes. Default: everything.",
    ),
]


def check_new_password(password: str, player: Player, field: str = "new_password") -> None:
    """Raises Problem (invalid) with what AUTH_PASSWORD_VALIDATORS have against it."""
    if fault := _against(password, player):
        raise invalid([(field, fault)])


def _against(password: str, player: Player) -> str:
    try:
        validate_password(password, player)
    except ValidationError as error:
        return " ".join(error.messages)
    return ""


@example({"username": "ada", "password": "a quiet evening"})
class SignUpRequest(RequestBody):
    """A new account."""

    username: Username
    password: NewPassword

    @staticmethod
    def check(given: Mapping[str, Any], faults: Faults) -> None:
        """The password is checked even if the name is invalid."""
        name, password = given.get("username"), given.get("password")
        if isinstance(password, str) and "password" not in faults:
            fault = _against(password, Player(username=name if isinstance(name, str) else ""))
            if fault:
                faults.refuse("password", fault)


@example({"username": "ada", "password": "a quiet evening"})
class LoginRequest(RequestBody):
    """Your username and password."""

    username: str = value(most=_USERNAME.max_length)
    password: Password
    token_name: Annotated[
        str,
        line(MAX_NAME, help="A name for the token in GET me/tokens, such as a device. Default: the User-Agent."),
    ] = LEFT_OUT
    scopes: Scopes = LEFT_OUT


@example({"address": "ada@example.org"})
class AddressRequest(RequestBody):
    """The address to send a code to."""

    address: Address


@example({"request": "7d9f2c1e-5b1f-4d53-9a6c-0f2f4f3f9b10", "code": "BCDFGH"})
class CodeRequest(RequestBody):
    """The code, and the `request` id from the response to the request for it."""

    request: UUID
    code: str = value(most=20, help="Six letters, in upper or lower case.")


@example({"request": "7d9f2c1e-5b1f-4d53-9a6c-0f2f4f3f9b10", "code": "BCDFGH", "token_name": "phone"})
class CodeLoginRequest(CodeRequest):
    """The code, and details of the new token."""

    token_name: Annotated[str, line(MAX_NAME, help="As in a log-in with a password.")] = LEFT_OUT
    scopes: Scopes = LEFT_OUT


@example({"request": "7d9f2c1e-5b1f-4d53-9a6c-0f2f4f3f9b10", "code": "BCDFGH", "new_password": "a quieter evening"})
class ResetRequest(CodeRequest):
    """The code and the new password."""

    new_password: NewPassword


@example({"password": "a quiet evening"})
class ProofRequest(RequestBody):
    """Your password, unless your account has none."""

    password: str = value(LEFT_OUT, most=MAX_PASSWORD, exact=True, secret=True, help="Required if the account has one.")


@example({"address": "ada@example.org", "password": "a quiet evening"})
class AddressChangeRequest(ProofRequest):
    """The new address."""

    address: Address


@example({"password": "a quiet evening", "new_password": "a quieter evening"})
class PasswordChangeRequest(ProofRequest):
    """The old password, unless your account has none, and the new one."""

    new_password: NewPassword


class PreferencesChangeRequest(RequestBody):
    """Changes to your preferences. Keys that you leave out stay as they are."""

    forced_moves: bool = value(
        LEFT_OUT, help="Make your only legal move for you at once, when that gives nothing away."
    )
    unlisted: bool = value(LEFT_OUT, help="Leave you out of leaderboards and public pages.")
    not_in_people: bool = value(LEFT_OUT, help="Leave you out of other players' lists of people to invite.")
    presence: str = value(
        LEFT_OUT,
        words=PRESENCES,
        help="Whether other players can see that you are at the table: in private rooms, always or never.",
    )
    talk: str = value(
        LEFT_OUT,
        words=TALKS,
        help="Which messages at your tables you see and send. Other players can see this setting.",
    )


@example({"preferences": {"forced_moves": True}})
class ProfileChangeRequest(RequestBody):
    """Changes to your account."""

    username: Username = LEFT_OUT
    preferences: PreferencesChangeRequest = LEFT_OUT
    handles: dict[str, Any] = value(
        LEFT_OUT,
        schema=HANDLES,
        help="Your names in chat services, for mentions in group chats. Services that you leave out stay as they are; "
        "null removes a name.",
    )
    calendar: dict[str, Any] = value(
        LEFT_OUT,
        schema=ref("Calendar"),
        help="Your calendar. Changes take effect at once. Keys that you leave out stay as they are.",
    )
