"""Schemas for the OpenAPI document that serializers cannot express: the token and the calendar."""

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension

from core.calendars import VACATION_DAYS_A_YEAR

CODES = (
    "wrong_credentials", "wrong_password", "second_factor", "wrong_code", "blocked", "no_such_player", "bad_username",
    "too_many_blocked", "username_taken", "bad_calendar", "bad_handle", "busy",
)  # fmt: skip
_ROWS = {"type": "array", "items": {"type": "object", "additionalProperties": True}}
_EXPORTED = (
    "tokens", "sessions", "blocked", "second_factors", "login_places", "audit", "games", "entries", "organises",
    "votes", "ratings", "notifications", "webhooks", "push", "chat", "channels",
)  # fmt: skip

COMPONENTS: dict[str, Any] = {
    "AccountExport": {
        "type": "object",
        "description": "Everything the service holds about you. docs/accounts.md describes its keys.",
        "required": ["format", "exported_at", "account", *_EXPORTED],
        "properties": {
            "format": {"type": "string", "const": "trey-account/1"},
            "exported_at": {"type": "string", "format": "date-time"},
            "account": {"type": "object", "additionalProperties": True},
            **dict.fromkeys(_EXPORTED, _ROWS),
        },
    },
    "Calendar": {
        "type": "object",
        "description": "When a player's clocks stand still, in games that allow it.",
        "additionalProperties": False,
        "properties": {
            "time_zone": {"type": "string", "default": "UTC", "description": "An IANA name, such as Europe/Berlin."},
            "quiet_hours": {
                "type": ["array", "null"],
                "items": {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"},
                "minItems": 2,
                "maxItems": 2,
                "description": "Begin and end of each day's quiet hours, in local time; at most 12 hours.",
                "examples": [["22:00", "07:00"]],
            },
            "vacation": {
                "type": "array",
                "items": {
                    "type": "array",
                    "items": {"type": "string", "format": "date"},
                    "minItems": 2,
                    "maxItems": 2,
                },
                "description": f"First and last days; at most {VACATION_DAYS_A_YEAR} days in a calendar year.",
                "examples": [[["2026-12-24", "2027-01-02"]]],
            },
        },
    },
}


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
