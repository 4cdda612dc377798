"""The bell (NT8): what one was told, where it went, and why or why not."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.pages.lobby.page import logged_in, player_of, shown
from games.pages.lobby.preferences import CHANNEL_NAMES
from games.platform.telling import selectors, services

AT_ONCE = 30


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def notifications(request: HttpRequest) -> HttpResponse:
    """What the player was told, newest first, and of each table the newest; POST marks as read what the page showed."""
    player = player_of(request)
    if request.method == "POST":
        services.read(player, _number(request.POST.get("up_to")) or 0)
        return redirect("notifications-page")
    before = _number(request.GET.get("before"))
    rows = selectors.notifications_of(player).order_by("-number")
    found = list((rows if before is None else rows.filter(number__lt=before))[: AT_ONCE + 1])
    told = selectors.bodies(player, found[:AT_ONCE])
    for one in told:
        one["link"] = page_of(one["link"])
        one["fates"] = [
            (CHANNEL_NAMES.get(name, name.capitalize()), fate)
            for name, fates in one["channels"].items()
            for fate in (fates if isinstance(fates, list) else [fates])
        ]
    tables: dict[object, list[dict[str, Any]]] = {}
    for one in told:
        is_of_a_table = (one["link"] or "").startswith("/games/")
        tables.setdefault(one["link"] if is_of_a_table else one["number"], []).append(one)
    context = {
        "told": [(newest, earlier) for newest, *earlier in tables.values()],
        "newest": told[0]["number"] if told else 0,
        "older": told[-1]["number"] if len(found) > AT_ONCE else None,
        "has_unread": any(not one["read"] for one in told),
    }
    return shown(request, "lobby/notifications.html", context)


def page_of(link: str | None) -> str | None:
    """Where a person goes for what the API's link names."""
    api = "/api/v1/"
    if link is None or not link.startswith(f"{api}games/"):
        return link
    path, _, invitation = link.removeprefix(api).partition("?invitation=")
    return f"/join/{invitation}" if invitation else f"/{path}"


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 16 else None
