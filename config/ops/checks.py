"""System checks for production. `manage.py check` runs them, and so does every start."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register()
def production_is_safe(**_: Any) -> list[CheckMessage]:
    """In production there must be a secret key, host names, no debug pages and no shifted clock."""
    if not settings.PRODUCTION:
        return []
    found: list[CheckMessage] = []
    if settings.SECRET_KEY == settings.DEVELOPMENT_SECRET_KEY or len(settings.SECRET_KEY) < 50:
        found.append(
            Error(
                "The secret key is the development key or shorter than 50 characters.",
                hint="Set TREY_SECRET_KEY to at least 50 random characters and keep it secret.",
                id="trey.E001",
            )
        )
    if settings.DEBUG:
        found.append(
            Error(
                "Debug pages show secrets to everyone.",
                hint="Unset TREY_DEBUG in production.",
                id="trey.E002",
            )
        )
    if settings.TREY_CLOCK_AHEAD:
        found.append(
            Error(
                f"The clock would run {settings.TREY_CLOCK_AHEAD} seconds ahead, and players would lose their turns.",
                hint="TREY_CLOCK_AHEAD is for tests. Unset it in production.",
                id="trey.E003",
            )
        )
    if not settings.ALLOWED_HOSTS or "*" in settings.ALLOWED_HOSTS:
        found.append(
            Error(
                "No host names are set.",
                hint="Set TREY_HOSTS to the host names of the service, separated by commas.",
                id="trey.E004",
            )
        )
    return found
