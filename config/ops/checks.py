"""System checks: what must not be so in production, each with its hint. `manage.py check` and every start run them."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register()
def production_is_safe(**_: Any) -> list[CheckMessage]:
    """In production: a secret key of its own, no debug pages, named hosts, the true time."""
    if not settings.PRODUCTION:
        return []
    found: list[CheckMessage] = []
    if settings.SECRET_KEY == settings.DEVELOPMENT_SECRET_KEY or len(settings.SECRET_KEY) < 50:
        found.append(
            Error(
                "The secret key is the one for development, or shorter than 50 characters.",
                hint="Set TREY_SECRET_KEY to 50 or more random characters, and keep it secret.",
                id="trey.E001",
            )
        )
    if settings.DEBUG:
        found.append(
            Error(
                "Debug pages show secrets to everybody.",
                hint="Unset TREY_DEBUG in production.",
                id="trey.E002",
            )
        )
    if settings.TREY_CLOCK_AHEAD:
        found.append(
            Error(
                f"The clock would run {settings.TREY_CLOCK_AHEAD} seconds ahead, and people lose their turns.",
                hint="TREY_CLOCK_AHEAD is for tests; unset it in production.",
                id="trey.E003",
            )
        )
    if not settings.ALLOWED_HOSTS or "*" in settings.ALLOWED_HOSTS:
        found.append(
            Error(
                "The names that the service answers to are not set.",
                hint="Set TREY_HOSTS to the host names people use, separated by commas.",
                id="trey.E004",
            )
        )
    return found
