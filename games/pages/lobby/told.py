"""The bell (NT8): the reader's notifications, where each went, and why or why not."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods
from msgspec.structs import asdict

from core.accounts.models import Player
from core.notifications import selectors, services
from core.notifications.bodies import NotificationBody, NotificationFateBody
from games import selectors as games
from games.notifications.kinds import INVITED
from games.pages.lobby.page import logged_in, player_of, shown
from games.pages.lobby.preferences import CHANNEL_NAMES

AT_ONCE = 30


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def notifications(request: HttpRequest) -> HttpResponse:
    """Show what the player was told, newest first, of each table the newest; POST marks as read what was shown."""
    player = player_of(request)
    if request.method == "POST":
        services.read(player, _number(request.POST.get("up_to")) or 0)
        return redirect("notifications-page")
    before = _number(request.GET.get("before"))
    rows = selectors.notifications_of(player).order_by("-number")
    found = list((rows if before is None else rows.filter(number__lt=before))[: AT_ONCE + 1])
    told = selectors.bodies(player, found[:AT_ONCE])
    tables: dict[object, list[dict[str, Any]]] = {}
    for one in told:
        is_of_a_table = (one.link or "").startswith(("/games/", "/rooms/"))
        tables.setdefault(one.link if is_of_a_table else one.number, []).append(_line(one))
    context = {
        "told": [(newest, earlier) for newest, *earlier in tables.values()],
        "newest": told[0].number if told else 0,
        "older": told[-1].number if len(found) > AT_ONCE else None,
        "has_unread": any(not one.read for one in told),
    }
    return shown(request, "lobby/notifications.html", context)


def invitations(player: Player, at_most: int) -> list[selectors.Said]:
    """Text and link of the player's invitations to rooms that still wait, newest first."""
    rows = selectors.notifications_of(player).filter(
        kind=INVITED.name, subject=INVITED.subject, subject_id__in=games.rooms_without(player).values("pk")
    )
    return list(selectors.texts((player, one) for one in rows.order_by("-number")[:at_most]).values())


def _line(told: NotificationBody) -> dict[str, Any]:
    alike: dict[object, tuple[list[str], NotificationFateBody]] = {}
    for name, fate in told.channels.each():
        names, _ = alike.setdefault((fate.state, fate.reason, fate.until, fate.error), ([], fate))
        names.append(CHANNEL_NAMES.get(name, name.capitalize()))
    fates = [(", ".join(dict.fromkeys(names)), fate) for names, fate in alike.values()]
    return {**asdict(told), "fates": fates}


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 16 else None
