"""The public pages of a tournament. Each is kept as long as what it shows is the same (`tournaments.pages.kept`)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.platform.http.conditional import if_none_match
from tournaments.access import may_know
from tournaments.models import Round, Tournament, TournamentGame
from tournaments.pages.kept import body_for, digest_of
from tournaments.picture import Picture

ROWS = 200
TABLES = 48
"""So many tables the first page of a tournament shows, and a page of a round; the others have pages of their own."""
RULINGS = 20
# What an unchanged page takes of the tournament's row.
LOOKED_AT = ("slug", "version", "visibility", "invitation", "organisers", "open_proposals", "after", "asked_organisers")
MOST_PAGES = 1000

Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pager:
    """Where a page stands among the pages of a list."""

    number: int
    pages: int

    @property
    def previous(self) -> int | None:
        """The page before, if there is one."""
        return self.number - 1 or None

    @property
    def next(self) -> int | None:
        """The page behind, if there is one."""
        return self.number + 1 if self.number < self.pages else None


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Standings, newest rounds or games, and rulings. A private tournament takes its invitation (`?invitation=`)."""
    number = _page_number(request)

    def context(picture: Picture) -> Context:
        pager, rows = _paged(picture.reckoning.standings, number, ROWS)
        shown, others = _rounds_shown(picture.round_rows)
        return {
            "pager": pager,
            "rows": picture.rows[(number - 1) * ROWS :][: len(rows)],
            "rounds": picture.rounds_of(shown) if number == 1 else [],
            "other_rounds": others if number == 1 else [],
            **(_rooms(picture) if number == 1 else {}),
            "rulings": picture.rulings[:RULINGS],
            "more_rulings": max(0, len(picture.rulings) - RULINGS),
        }

    return _respond(request, slug, "tournament", context, number)


@require_safe
def entrant(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """What a row of the standings opens to: the games of an entrant, the sums, and what decided the place."""

    def context(picture: Picture) -> Context:
        details = picture.details_of(key)
        if details is None:
            raise Http404
        return {"details": details}

    return _respond(request, slug, "entrant", context, key)


@require_safe
def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody against everybody."""

    def context(picture: Picture) -> Context:
        if not picture.has_crosstable:
            raise Http404
        return {"crosstable": picture.crosstable}

    return _respond(request, slug, "crosstable", context)


@require_safe
def round_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A round with its tables."""
    at = _page_number(request)

    def context(picture: Picture) -> Context:
        row = next((one for one in picture.round_rows if one.number == number), None)
        if row is None:
            raise Http404
        [shown] = picture.rounds_of([row])
        pager, tables = _paged(shown.tables, at, TABLES)
        return {"round": shown, "tables": tables, "pager": pager}

    return _respond(request, slug, "round", context, number, at)


@require_safe
def games(request: HttpRequest, slug: str) -> HttpResponse:
    """All games of a season, newest first."""
    at = _page_number(request)

    def context(picture: Picture) -> Context:
        rows = TournamentGame.objects.filter(tournament=picture.tournament, round=None).order_by("-since", "-id")
        pager, shown = _paged(rows, at, TABLES, count=rows.count())
        return {"pager": pager, "tables": picture.rooms_of(list(shown))}

    return _respond(request, slug, "games", context, at)


@require_safe
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """All rulings, newest first."""
    at = _page_number(request)

    def context(picture: Picture) -> Context:
        pager, shown = _paged(picture.rulings, at, ROWS)
        return {"pager": pager, "rulings": shown}

    return _respond(request, slug, "rulings", context, at)


def _respond(
    request: HttpRequest, slug: str, page: str, context: Callable[[Picture], Context], *which: object
) -> HttpResponse:
    """The page, from what is kept if nothing of it has changed; 304 where the browser has it already."""
    shown = Tournament.objects.only(*LOOKED_AT).filter(slug=slug).exclude(status="draft").first()
    if shown is None or not may_know(shown, None, request.GET.get("invitation")):
        raise Http404

    def make(now: Tournament) -> str:
        picture = Picture(now)
        base = reverse("tournament-page", args=[now.slug])
        secret = {"invitation": now.invitation} if now.visibility == "private" else {}
        named = {"picture": picture, "base": base, "query": f"?{urlencode(secret)}" if secret else "", "page": page}
        return render_to_string(f"tournaments/{page}.html", {**named, **context(picture)})

    part = "/".join(map(str, (page, *which)))
    digest = digest_of(shown)
    response: HttpResponse
    if if_none_match(request, _etag(part, digest)):
        response = HttpResponseNotModified()
    else:
        digest, body = body_for(shown, part, digest, make)
        response = HttpResponse(body)
    if shown.visibility == "private":
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "private, no-store"
    else:
        response.headers["ETag"] = _etag(part, digest)
        response.headers["Cache-Control"] = "no-cache"
    return response


def _etag(part: str, digest: str) -> str:
    return f'"{hashlib.sha256(f"{digest}/{part}".encode()).hexdigest()[:32]}"'


def _page_number(request: HttpRequest) -> int:
    text = request.GET.get("page", "1")
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MOST_PAGES):
        raise Http404
    return int(text)


def _paged(rows: Any, number: int, size: int, *, count: int | None = None) -> tuple[Pager, Any]:
    """The rows of a page. Raises Http404 behind the last one."""
    whole = len(rows) if count is None else count
    pages = max(1, -(-whole // size))
    if number > pages:
        raise Http404
    return Pager(number, pages), rows[(number - 1) * size : number * size]


def _rounds_shown(rounds: Sequence[Round]) -> tuple[list[Round], list[Round]]:
    """The newest rounds, as many as fit the first page, and the others."""
    left, count = TABLES, 0
    for one in rounds:
        if one.tables > left:
            break
        left, count = left - one.tables, count + 1
    return list(rounds[:count]), list(rounds[count:])


def _rooms(picture: Picture) -> Context:
    """A season's games: those that still run first, then the newest."""
    if picture.tournament.kind != "season":
        return {}
    rows = TournamentGame.objects.filter(tournament=picture.tournament, round=None).order_by("-since", "-id")
    running = list(rows.filter(outcome="open")[:TABLES])
    ended = list(rows.filter(~Q(outcome="open"))[: TABLES - len(running)])
    more = rows.count() - len(running) - len(ended)
    return {"rooms": picture.rooms_of([*running, *ended]), "more_rooms": more}
