"""What templates of the roof need besides their view's context."""

from typing import Any

from django.http import HttpRequest

from core.accounts.pages.limits import ROOT
from games.pages.lobby.page import about_reader


def reader(request: HttpRequest) -> dict[str, Any]:
    """Context processor: the pages of accounts have the header of all others, with its live bell."""
    return about_reader(request) if request.path.startswith(ROOT) and request.user.is_authenticated else {}
