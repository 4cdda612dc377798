"""What templates of the roof need besides their view's context."""

from functools import partial
from typing import Any

from django.http import HttpRequest

from config.middleware import ONCE
from core.accounts.pages.limits import ROOT
from core.http.idempotency import form_key
from games.pages.lobby.page import about_reader


def keys(_: HttpRequest) -> dict[str, Any]:
    """Context processor: hidden fields with which a form acts once, by `config.middleware.FormsOnce` or by its view."""
    return {"form_key": partial(form_key, ONCE), "own_form_key": partial(form_key, "key")}


def reader(request: HttpRequest) -> dict[str, Any]:
    """Context processor: the pages of accounts have the header of all others, with its live bell."""
    return about_reader(request) if request.path.startswith(ROOT) and request.user.is_authenticated else {}
