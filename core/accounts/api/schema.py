"""What the OpenAPI document says of accounts beyond their calls: the calendar, the export, how one authenticates."""

from datetime import date
from typing import Annotated, Literal

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from core.calendars import VACATION_DAYS_A_YEAR
from core.http.bodies import AnyObject, Moment, components, doc

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
    """Tells the OpenAPI document how the token is sent."""

    target_class = "core.accounts.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "The token that `POST auth/login` returns."}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Tells the OpenAPI document of the pages' sessions."""

    target_class = "core.accounts.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        what = "The session of this site's own pages; what changes something needs `X-CSRFToken` too."
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME, "description": what}
