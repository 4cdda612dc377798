"""The public pages of a tournament. Each is kept as long as what it shows is the same (`tournaments.pages.kept`).

A reader who is logged in gets the same page with a part of their own in it, which is made each time.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from core.accounts.models import Player
from core.http.conditional import if_none_match
from core.notifications.chat import absolute
from core.refusals import NotFound
from games.pages.lobby.page import LOG_IN, about_reader, reader_of, refused
from tournaments.access import may_know
from tournaments.models import Tournament, TournamentGame
from tournaments.pages.drawing import rows_drawn, tables_drawn
from tournaments.pages.kept import body_for, digests_of
from tournaments.pages.pieces import QUERY, ROWS, TABLES, Pieces, open_games, pieces_of, rounds_shown
from tournaments.pages.sharing import address_of, words_of
from tournaments.picture import Picture, Viewer
from tournaments.selectors import tournament_for

# The columns of the tournament's row that an unchanged page needs.
LOOKED_AT = (
    "slug", "version", "status", "visibility", "invitation", "organisers", "asked_organisers", "open_proposals",
    "offers", "after",
)  # fmt: skip
# By hand: the ORM takes longer to write it than PostgreSQL to answer.
_LOOK = f"SELECT id, {', '.join(LOOKED_AT)} FROM tournaments_tournament WHERE slug = %s"  # noqa: S608  columns
MOST_PAGES = 1000
# Between these, the part for a reader who is logged in replaces what strangers read.
BEGINS, ENDS = "<!--you-->", "<!--/you-->"
# And here their name and bell replace the link to log in.
NAVIGATION = ('<nav aria-label="Site">', "</nav>")
# This is replaced by the page's version, so that the page can ask for a newer one (refresh.js).
ETAG = "~this-version~"

Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pager:
    """The place of a page among the pages of a list."""

    number: int
    pages: int

    @property
    def previous(self) -> int | None:
        """The page before, if there is one."""
        return self.number - 1 or None

    @property
    def next(self) -> int | None:
        """The next page, if there is one."""
        return self.number + 1 if self.number < self.pages else None


@require_safe
def by_id(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    """Lead from the id, which a game's page knows, to the page; 404 for those who may not know of the tournament."""
    try:
        found = tournament_for(reader_of(request), tournament_id)
    except NotFound:
        return _not_found(request)
    return redirect("tournament-page", slug=found.slug)


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what is played now, the standings, rounds or games, and rulings. A private one takes its invitation."""
    number = page_number(request)

    def context(picture: Picture) -> Context:
        base = reverse("tournament-page", args=[picture.tournament.slug])
        pager, rows = paged(picture.rows if picture.has_started else picture.holders, number, ROWS)
        if number > 1:
            drawn = rows_drawn(rows, base, QUERY, leader=bool(picture.leaders)) if picture.has_started else ""
            return {"pager": pager, "rows": rows, "drawn_rows": drawn}
        pieces = pieces_of(picture, base)
        shown, others = rounds_shown(picture.round_rows)
        rounds = picture.rounds_of([one for one in shown if one.closed_at is None])
        return {
            "pager": pager,
            "rows": rows,
            "shared": shared_of(picture),
            "drawn_rows": mark_safe(pieces.rows),  # noqa: S308  names are escaped where they are put in
            "open_rounds": [(one, tables_drawn(one.tables)) for one in rounds],
            "left": bool(rounds) and all(one.was_left for one in rounds),
            "closed_rounds": [(one, mark_safe(drawn)) for one, drawn in pieces.closed],  # noqa: S308
            "other_rounds": others,
            **_rooms(picture, pieces),
            "rulings": picture.newest_rulings[0],
            "more_rulings": picture.newest_rulings[1] - len(picture.newest_rulings[0]),
        }

    return _respond(request, slug, "tournament", context, number, own=True)


@require_safe
def entrant(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show what a row of the standings opens to: the entrant's games, the sums, and what decided the place."""

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
    at = page_number(request)

    def context(picture: Picture) -> Context:
        row = next((one for one in picture.round_rows if one.number == number), None)
        if row is None:
            raise Http404
        [shown] = picture.rounds_of([row])
        pager, tables = paged(shown.tables, at, TABLES)
        return {"round": shown, "tables": tables_drawn(tables, heading=2), "pager": pager}

    return _respond(request, slug, "round", context, number, at)


@require_safe
def games(request: HttpRequest, slug: str) -> HttpResponse:
    """All games of a season, newest first; of rounds and cups the rounds in which they stand."""
    at = page_number(request)

    def context(picture: Picture) -> Context:
        rows = TournamentGame.objects.filter(tournament=picture.tournament, round=None).order_by("-since", "-id")
        pager, shown = paged(rows, at, TABLES, count=rows.count())
        return {"pager": pager, "tables": tables_drawn(picture.rooms_of(list(shown)), heading=2)}

    return _respond(request, slug, "games", context, at)


@require_safe
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """All rulings, newest first."""
    at = page_number(request)

    def context(picture: Picture) -> Context:
        pager, shown = paged(picture.rulings, at, ROWS)
        return {"pager": pager, "rulings": shown}

    return _respond(request, slug, "rulings", context, at)


def _not_found(request: HttpRequest) -> HttpResponse:
    """The same page for what does not exist and what the reader may not know of, with a link to log in."""
    may_be = "The link may be old, or the tournament may be a private one of others."
    log_in = "" if reader_of(request) else " If you are in it, log in."
    return refused(request, "There is no such tournament", may_be + log_in, 404)


def _respond(
    request: HttpRequest,
    slug: str,
    page: str,
    context: Callable[[Picture], Context],
    *which: object,
    own: bool = False,
) -> HttpResponse:
    """The page, taken from the cache if nothing on it has changed; 304 if the browser has it already.

    `own`: it has a part for a reader who is logged in.
    """
    reader, invitation = reader_of(request), request.GET.get("invitation")
    shown = next(iter(Tournament.objects.raw(_LOOK, [slug])), None)
    if shown is None or not may_know(shown, reader, invitation):
        return _not_found(request)
    # A reader known by the log-in alone gets links without the invitation: it is not theirs to pass on.
    invited = shown.visibility == "private" and invitation is not None and may_know(shown, None, invitation)
    part = "/".join(map(str, (page, *which, *(["invited"] if invited else []))))
    digests, header, known = digests_of(shown), {}, None
    if reader is not None:
        header = about_reader(request)
        known = f"{reader.pk} {reader.username} {reader.calendar is None} {header['unread']}"
    # A message is shown once, so a page with one is nobody's copy.
    told = reader is not None and len(get_messages(request)) > 0
    etag = _etag(part, digests.whole, known)
    if not told and if_none_match(request, etag):
        return _with_headers(HttpResponseNotModified(), shown, reader, etag)
    digests, body = body_for(shown, part, digests, lambda now: _drawn(now, page, context, invited=invited))
    if own and reader is not None:
        current = Tournament.objects.get(pk=shown.pk)
        body = _with(body, _own_part(request, Viewer(Picture(current), reader, invitation)), BEGINS, ENDS)
    if reader is not None:
        body = _with(body, render_to_string("site/navigation.html", header, request), *NAVIGATION)
    etag = _etag(part, digests.whole, known)
    response = HttpResponse(body.replace(ETAG.encode(), etag.strip('"').encode(), 1))
    return _with_headers(response, shown, reader, None if told else etag)


def _drawn(now: Tournament, page: str, context: Callable[[Picture], Context], *, invited: bool) -> str:
    """Draw a page as strangers read it, with marks for names and for the page's version."""
    picture = Picture(now, marked=True)
    base = reverse("tournament-page", args=[now.slug])
    query = f"?{urlencode({'invitation': now.invitation})}" if invited else ""
    drawn: Context = {"picture": picture, "page": page, "base": base, "query": query, "here": f"{base}{query}"}
    drawn |= {"viewer": AnonymousUser(), "log_in": LOG_IN, "etag": ETAG, **context(picture)}
    return render_to_string(f"tournaments/{page}.html", drawn).replace(QUERY, escape(query))


def _with_headers(response: HttpResponse, shown: Tournament, reader: Player | None, etag: str | None) -> HttpResponse:
    """Say who may keep the page, and search engines whether they may list it. Without an `etag`, nobody keeps it."""
    private = shown.visibility == "private"
    patch_vary_headers(response, ["Cookie"])
    if private:
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
    if private or etag is None:
        response.headers["Cache-Control"] = "private, no-store"
    else:
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "no-cache" if reader is None else "private, no-cache"
    return response


def _own_part(request: HttpRequest, viewer: Viewer) -> str:
    """Return what a reader who is logged in is told and may do."""
    query = f"?{urlencode({'invitation': viewer.invitation})}" if viewer.invitation else ""
    base = reverse("tournament-page", args=[viewer.picture.tournament.slug])
    return render_to_string("tournaments/you.html", {"you": viewer, "base": base, "query": query}, request)


def _with(body: bytes, part: str, begins: str, ends: str) -> bytes:
    """The kept page with a part replacing what strangers read."""
    before, begin, rest = body.partition(begins.encode())
    _, end, after = rest.partition(ends.encode())
    return before + begin + part.encode() + end + after


def _etag(part: str, digest: str, reader: object) -> str:
    return f'"{hashlib.sha256(f"{digest}/{part}/{reader}".encode()).hexdigest()[:32]}"'


def page_number(request: HttpRequest) -> int:
    """The number of a page of a list. Raises Http404."""
    text = request.GET.get("page", "1")
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MOST_PAGES):
        raise Http404
    return int(text)


def paged(rows: Any, number: int, size: int, *, count: int | None = None) -> tuple[Pager, Any]:
    """The rows of a page. Raises Http404 after the last one."""
    whole = len(rows) if count is None else count
    pages = max(1, -(-whole // size))
    if number > pages:
        raise Http404
    return Pager(number, pages), rows[(number - 1) * size : number * size]


def shared_of(picture: Picture) -> Context:
    """Return what messengers show of the page."""
    row = picture.tournament
    if row.visibility != "public":
        return {}
    page = absolute(reverse("tournament-page", args=[row.slug]))
    return {"url": page, "picture": address_of(row), "alt": words_of(picture).alt}


def _rooms(picture: Picture, pieces: Pieces) -> Context:
    """A season's games: those that can be joined, those that run, and the newest ones that are over."""
    if picture.tournament.kind != "season":
        return {}
    tables = picture.rooms_of(open_games(picture))
    return {
        "joinable": tables_drawn(one for one in tables if one.games[0].status == "open"),
        "running": tables_drawn(one for one in tables if one.is_open and one.games[0].status != "open"),
        "left_games": tables_drawn((one for one in tables if not one.is_open), heading=3),
        "ended": mark_safe(pieces.ended),  # noqa: S308  names are escaped where they are put in
        "more_games": pieces.rooms - pieces.over - len(tables),
    }
