"""The dashboard's page of house games: reports, and what is hidden. For staff alone."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from core.refusals import Invalid, Refused
from core.text import uuid_in
from games.admin import rights
from games.admin.site import site
from games.house import moderation, services
from games.rules.words import counted

MOST = 100


@require_safe
def house_games(request: HttpRequest) -> HttpResponse:
    _check_staff(request)
    context = {
        **site.each_context(request),
        "title": "House games",
        "reports": moderation.open_reports()[:MOST],
        "hidden": services.latest(list(moderation.hidden_games()[:MOST])),
    }
    return render(request, "dashboard/house_games.html", context)


@require_POST
def decide(request: HttpRequest) -> HttpResponse:
    """Hide a house game, leave it or show it again: one of a report, or by its address."""
    _check_staff(request)
    staff, what = rights.user_of(request), request.POST.get("what")
    try:
        game_id = _id_in(request.POST.get("game", ""))
        if what == "show":
            moderation.show_again(staff, game_id)
        else:
            moderation.decide(staff, game_id, hide=what == "hide", reason=request.POST.get("reason", "").strip())
    except Refused as no:
        messages.error(request, no.detail)
    else:
        messages.success(request, "Done. Those concerned are told.")
    return HttpResponseRedirect(reverse("admin:house_games"))


def _id_in(said: str) -> UUID:
    if (found := uuid_in(said.strip().rstrip("/").rpartition("/")[2].partition("?")[0])) is None:
        raise Invalid("invalid", "Paste the address of the house game.", field="game")
    return found


def _check_staff(request: HttpRequest) -> None:
    if not rights.is_staff(request):
        raise PermissionDenied


def waiting(request: HttpRequest) -> dict[str, Any]:
    count = moderation.open_reports().count() if rights.is_staff(request) else 0
    return {"house_reports": counted(count, "report")} if count else {}


site.add_page("house-games/", house_games, "house_games")
site.add_page("house-games/decide/", decide, "house_game_decide")
site.add_panel(waiting, "dashboard/home_house_games.html", first=True)
