from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import F, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from core.accounts.models import Player
from games.pages.lobby.page import LOG_IN, about_reader, reader_of
from games.rules import PLAYED
from games.rules.words import counted
from games.selectors import title_by
from tournaments import selectors
from tournaments.models import Tournament
from tournaments.pages.contents import page_number, paged
from tournaments.picture.words import STATUSES, kind_of, stages_of

FEW, MANY = 8, 30
MINE = "mine"
GROUPS = (("registration", "Open for entries"), ("running", "Running"), ("finished", "Over"))
_COLUMNS = ("slug", "title", "game", "kind", "status", "state", "set_up_at", "ended_at")
# The next important date before and after the start, of a season and of other kinds: the first one that is set.
_DATES = {
    (True, "registration"): (("opens_at", "first games begin"), ("closes_at", "last games begin")),
    (True, "running"): (("closes_at", "last games begin"),),
    (False, "registration"): (("starts_at", "starts"),),
}


@dataclass(frozen=True, slots=True)
class Listed:
    slug: str
    title: str
    line: str
    when: tuple[str, datetime] | None


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """All tournaments that the reader may know of, in groups; `?status=` shows one group, in pages."""
    reader, status, number = reader_of(request), request.GET.get("status", ""), page_number(request)
    query = {"q": request.GET.get("q", "").strip()[:100], "game": request.GET.get("game", "")}
    known = {**dict(GROUPS), **({MINE: "Mine"} if reader is not None else {})}
    if (status and status not in known) or (query["game"] and query["game"] not in PLAYED) or "\0" in query["q"]:
        raise Http404
    rows = selectors.tournaments_for(None)
    if reader is not None and status == MINE:
        rows = selectors.mine(Tournament.objects.all(), reader)
    # What is not over comes first, as all of these are among the others.
    rows = rows.only(*_COLUMNS).order_by(F("ended_at").desc(nulls_first=True), "-set_up_at", "-id")
    if query["game"]:
        rows = rows.filter(game=query["game"])
    if query["q"]:
        rows = rows.filter(title__icontains=query["q"])
    groups: list[tuple[str, list[Listed], bool, str]] = []
    pager = None
    if status:
        rows = rows if status == MINE else rows.filter(status=status)
        pager = paged(rows, number, MANY)
        groups.append((known[status], _listed(pager, mine=status == MINE), False, status))
    else:
        own, more = ([], False) if reader is None or query["q"] or query["game"] else _own(reader)
        groups.append(("Mine", own, more, MINE))
        others = rows.exclude(slug__in=[one.slug for one in own])
        groups += [(title, *_some(others.filter(status=name)), name) for name, title in GROUPS]
    context: dict[str, Any] = {
        "groups": [group for group in groups if group[1]],
        "games": [(name, rules.title) for name, rules in PLAYED.items()],
        "query": query,
        "status": status,
        "pager": pager,
        "pager_query": "?" + urlencode({name: value for name, value in {**query, "status": status}.items() if value}),
        "reader": reader,
        "log_in": LOG_IN,
        **about_reader(request),
    }
    response = render(request, "tournaments/list.html", context)
    patch_vary_headers(response, ["Cookie"])
    response.headers["Cache-Control"] = "no-cache" if reader is None else "private, no-cache"
    return response


def _own(reader: Player) -> tuple[list[Listed], bool]:
    rows = selectors.mine(Tournament.objects.all(), reader).only(*_COLUMNS)
    found = list(rows.order_by(F("ended_at").desc(nulls_first=True), "-set_up_at", "-id")[: MANY + 1])
    shown = [row for at, row in enumerate(found) if at < FEW or (at < MANY and row.ended_at is None)]
    return _listed(shown, mine=True), len(found) > len(shown)


def _some(rows: QuerySet[Tournament]) -> tuple[list[Listed], bool]:
    found = list(rows[: FEW + 1])
    return _listed(found[:FEW]), len(found) > FEW


def _listed(rows: Any, *, mine: bool = False) -> list[Listed]:
    """One's own are of any status, which the heading of the others says."""
    return [Listed(row.slug, row.title, _line(row, says_status=mine), _when(row)) for row in rows]


def _when(row: Tournament) -> tuple[str, datetime] | None:
    if row.ended_at is not None:
        return "ended", row.ended_at
    said = _DATES.get((row.kind == "season", row.status), ())
    return next(((word, at) for name, word in said if (at := getattr(row.state.plan, name))), None)


def _line(row: Tournament, *, says_status: bool) -> str:
    is_played = bool(row.kind != "season" and row.state.seated and row.ended_at is None)
    stages = stages_of(row.kind, row.state.plan, row.state.begun, row.state.seated if is_played else 0)
    parts = [title_by(row.state.played), stages if stages and row.ended_at is None else kind_of(row)]
    if says_status and row.ended_at is None:
        parts.append(STATUSES[row.status])
    parts.append(counted(row.state.places, "entrant"))
    if is_played and not stages:
        of = row.state.plan.settings["rounds"]
        parts.append(f"round {row.state.seated}" + (f" of {of}" if of and row.kind == "rounds" else ""))
    if row.status == "registration" and row.state.plan.entry != "open":
        parts.append("by invitation")
    return ", ".join(parts)
