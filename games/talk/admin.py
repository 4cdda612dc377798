"""Reports of what was said, and who is muted: for staff, and for organisers of their tournaments' games."""

import re
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core import clock
from core.refusals import Invalid, Refused
from core.text import whole_in
from games.admin import rights
from games.admin.site import site
from games.projections import load_all
from games.rules.words import counted
from games.selectors import game_title
from games.talk import moderation
from games.talk import services as talk
from games.wording import length

MOST = 100
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
DECISIONS = {
    "leave": "Leave it",
    "hide": "Hide the message",
    "mute": "Mute its author",
    "both": "Hide it and mute its author",
}
DECIDED = {"leave": "left", "hide": "hidden", "mute": "its author muted", "both": "hidden, its author muted"}
SPANS = {"hour": "an hour", "day": "a day", "week": "a week", "month": "30 days", "for good": "until taken back"}


@require_safe
def reports(request: HttpRequest) -> HttpResponse:
    return _reports(request, request.GET)


def _reports(request: HttpRequest, muting: QueryDict) -> HttpResponse:
    user, is_staff = rights.user_of(request), rights.is_staff(request)
    rows = list(moderation.open_reports(user, is_staff=is_staff)[:MOST])
    muted = list(moderation.mutes(user, is_staff=is_staff).select_related("player")[:MOST])
    decided = list(moderation.decided_reports(user, is_staff=is_staff)[:MOST])
    games = {game.id: game for game in load_all(list({row.game_id for row in rows}))}
    spans = {name: words for name, words in SPANS.items() if is_staff or moderation.SPANS[name] is not None}
    context = {
        **site.each_context(request),
        "title": "Reports",
        "reports": [
            {
                "row": row,
                "title": game_title(games[row.game_id]) if row.game_id in games else "A game",
                "said": [{**said, "sign": (said["sign"] or "").replace("_", " ")} for said in row.copied],
            }
            for row in rows
        ],
        "decisions": DECISIONS.items(),
        "spans": spans.items(),
        "mutes": muted,
        "decided": [{"row": row, "said": row.copied[-1], "words": DECIDED[row.decision or ""]} for row in decided],
        "may_suspend": is_staff,
        "muting": muting,
    }
    return render(request, "dashboard/reports.html", context)


@require_POST
def decide(request: HttpRequest, report_id: int) -> HttpResponse:
    asked = request.POST
    return _done(
        request,
        lambda: moderation.decide(
            report_id,
            rights.user_of(request),
            asked.get("decision", ""),
            asked.get("reason", "").strip(),
            asked.get("span", "day"),
            is_staff=rights.is_staff(request),
        ),
        "Decided. The players who reported it have been told.",
    )


@require_POST
def take_back(request: HttpRequest, report_id: int) -> HttpResponse:
    user, is_staff = rights.user_of(request), rights.is_staff(request)
    said = "Undone. The report is open again, and everyone who was told about the decision has been told."
    return _done(request, lambda: moderation.take_back(report_id, user, is_staff=is_staff), said)


@require_POST
def mute(request: HttpRequest) -> HttpResponse:
    """Mute somebody without a report: a player at a table, by name and the table's address."""
    asked, user, is_staff = request.POST, rights.user_of(request), rights.is_staff(request)
    try:
        game = _table(asked.get("table", ""))
        player = moderation.heard_at(game, asked.get("player", "").strip(), user, is_staff=is_staff)
        reason = asked.get("reason", "").strip()
        moderation.mute(game, player, user, asked.get("span", ""), reason, is_staff=is_staff)
    except Refused as no:
        messages.error(request, no.detail)
        return _reports(request, asked)
    messages.success(request, "Muted. The player has been told why.")
    return HttpResponseRedirect(reverse("admin:reports"))


def _table(said: str) -> UUID:
    if (found := _ID.search(said)) is None:
        raise Invalid("invalid", "Paste the address of the table.", field="table")
    return UUID(found[0])


@require_POST
def unmute(request: HttpRequest) -> HttpResponse:
    key = whole_in(request.POST.get("mute"), 2**63 - 1) or 0
    user, is_staff = rights.user_of(request), rights.is_staff(request)
    return _done(request, lambda: moderation.unmute(key, user, is_staff=is_staff), "The player can write again.")


@require_http_methods(["GET", "HEAD", "POST"])
def said(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """What is said at a table of a tournament, for its organisers alone, who hide what must go."""
    user, asked = rights.user_of(request), request.POST
    try:
        found = talk.reading(game_id, user)
    except Refused:
        raise Http404 from None
    if not talk.organises(found.game, user):
        raise Http404
    if request.method == "POST":
        number, back = whole_in(asked.get("number")) or 0, reverse("admin:said", args=[game_id])
        if "again" in asked:
            return _done(request, lambda: moderation.show_again(game_id, user, number), "It is shown again.", back)
        reason = asked.get("reason", "").strip()
        return _done(
            request, lambda: moderation.hide(game_id, user, number, reason), "Hidden. The author has been told.", back
        )
    rows = talk.shown(talk.messages_of(found, before=whole_in(request.GET.get("before"))), found.blocked)
    context = {
        **site.each_context(request),
        "title": f"Table talk: {game_title(found.game)}",
        "game": found.game,
        "rows": [{**row, "sign": (row["sign"] or "").replace("_", " ")} for row in rows],
        "earlier": rows[0]["number"] if len(rows) == talk.MOST_AT_ONCE else None,
    }
    return render(request, "dashboard/said.html", context)


def _done(request: HttpRequest, act: Any, said: str, back: str = "") -> HttpResponse:
    try:
        act()
    except Refused as no:
        messages.error(request, no.detail)
    else:
        messages.success(request, said)
    return HttpResponseRedirect(back or reverse("admin:reports"))


def waiting(request: HttpRequest) -> dict[str, Any]:
    rows = moderation.open_reports(rights.user_of(request), is_staff=rights.is_staff(request))
    oldest: datetime | None = rows.values_list("at", flat=True).first()
    if oldest is None:
        return {}
    count = rows.count()
    verb = "waits" if count == 1 else "wait"
    return {"count": counted(count, "report"), "verb": verb, "age": length(clock.now() - oldest)}


site.add_page("reports/", reports, "reports")
site.add_page("reports/<int:report_id>/", decide, "report_decide")
site.add_page("reports/<int:report_id>/back/", take_back, "report_take_back")
site.add_page("reports/said/<uuid:game_id>/", said, "said")
site.add_page("reports/mute/", mute, "report_mute")
site.add_page("reports/unmute/", unmute, "report_unmute")
site.add_panel(waiting, "dashboard/home_reports.html", first=True)
