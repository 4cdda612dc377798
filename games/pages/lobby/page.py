"""The base of these pages: their reader, how a refusal is shown, and that search engines leave them alone."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from uuid import UUID

import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.safestring import SafeString, mark_safe
from rest_framework.exceptions import Throttled

from core.accounts.models import Player
from core.accounts.pages.limits import ROOT
from core.http.addresses import page_live_url
from core.notifications.selectors import notifications_of, unread_count
from core.refusals import Refused

LOG_IN = "/accounts/login/"
# A live stream that missed this many comments counts as dead.
SILENT_BEATS = 3
BELOW = (ROOT, "/oauth/", "/problems/")

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def reader_of(request: HttpRequest) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


def player_of(request: HttpRequest) -> Player:
    """The player who is logged in. Only for views decorated with `logged_in`."""
    return cast("Player", request.user)


def silence() -> int:
    """After how many milliseconds of silence pages take a live stream for dead."""
    return SILENT_BEATS * max(15, settings.TREY_LIVE_HEARTBEAT) * 1000


def about_reader(request: HttpRequest, *, besides: UUID | None = None) -> dict[str, Any]:
    """Return what the header shows its reader: name and live bell, or a link to log in and come back `here`.

    The bell does not count what is told about `besides`, the game that the page itself is about.
    """
    player = reader_of(request)
    if player is None:
        return {"viewer": request.user, "here": request.get_full_path()}
    newest = notifications_of(player).order_by("-number").values_list("number", flat=True).first() or 0
    live = page_live_url(request, "me/live")
    unread = unread_count(player, besides=besides)
    bell = {"unread": unread, "my_live": live, "silence": silence(), "newest": newest, "besides": besides}
    return {"viewer": player, **bell}


def on_pages_below(request: HttpRequest) -> dict[str, Any]:
    """Context processor: the pages of rooms that know no bell have the header of all others, with it."""
    return about_reader(request) if request.path.startswith(BELOW) and request.user.is_authenticated else {}


def shown(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    status: int = 200,
    index: bool = False,
) -> HttpResponse:
    """The page for its reader alone, drawn after the view. `index`: whether search engines may list it."""
    response = TemplateResponse(request, template, {**about_reader(request), **(context or {})}, status=status)
    response["Cache-Control"] = "private, no-cache"
    if not index:
        response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def refused(request: HttpRequest, title: str, detail: str, status: int) -> HttpResponse:
    log_in = LOG_IN if status in (403, 404) and reader_of(request) is None else ""
    return shown(request, "lobby/refused.html", {"title": title, "detail": detail, "log_in": log_in}, status=status)


def answering(view: View[P]) -> View[P]:
    """Decorate a view: its refusals become pages, also for too many attempts."""

    @wraps(view)
    def answered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Throttled as too_many:
            seconds = int(getattr(too_many, "wait", None) or 60)
            response = refused(request, "Too many attempts", f"Try again in {minutes(seconds)}.", 429)
            response["Retry-After"] = str(seconds)
            return response
        except Refused as no:
            title = {
                404: "There is nothing here",
                403: "You don't have access to this page",
                503: "The server is busy",
            }.get(no.status, "This did not work")
            return refused(request, title, no.detail, no.status)

    return answered


def logged_in(view: View[P]) -> View[P]:
    @wraps(view)
    def checked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if reader_of(request) is None:
            return redirect_to_login(request.get_full_path(), LOG_IN)
        return answering(view)(request, *args, **kwargs)

    return checked


def done(request: HttpRequest, where: str, act: Callable[[], object], said: str = "") -> HttpResponse:
    """Carry out a command of a form, go back to the page, and say what was done or why not."""
    try:
        act()
    except Refused as no:
        messages.warning(request, no.detail)
    else:
        if said:
            messages.success(request, said)
    return redirect(where)


def qr(url: str) -> SafeString:
    """The address as a QR code: an SVG that is as large as its box, dark on white in any light."""
    picture = segno.make(url, error="m", micro=False)
    return mark_safe(picture.svg_inline(omitsize=True, border=2, dark="#1d1f24", light="#ffffff"))  # noqa: S308  ours


def minutes(seconds: int) -> str:
    count = max(1, -(-seconds // 60))
    return "a minute" if count == 1 else f"{count} minutes"
