"""The reader of a page."""

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from core.accounts.models import Player


def reader_of(request: HttpRequest) -> Player | None:
    """The player whose session this browser has. Without its cookie nothing is looked up."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    return request.user if isinstance(request.user, Player) else None


def log_in_url() -> str:
    """Return where people log in: the dashboard's own page if there is no other."""
    try:
        return reverse("account_login")
    except NoReverseMatch:
        return reverse("admin:login")
