"""What each page of a tournament shows. A page is drawn from this and its template of the same name."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.paginator import EmptyPage, Paginator
from django.core.paginator import Page as Part
from django.db import connection
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe

from core import clock as service_clock
from core.notifications.posting import absolute
from core.pictures import Words
from core.text import whole_in
from games import selectors as games_now
from tournaments import selectors
from tournaments.models import Round, Tournament, TournamentGame
from tournaments.picture import Picture
from tournaments.picture.bracket import MOST_IN_COLUMN
from tournaments.picture.ruled import named_beside
from tournaments.picture.tables import RoundLine, TableLine
from tournaments.stream import Status

ROWS = 200
TABLES = 48
"""The most tables on the first page of a tournament and on a page of a round; the rest have pages of their own."""
ENDED = 12
RULINGS = 5
MOST_PAGES = 1000

Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """Of a page in several parts, it is the one with the number `at`."""

    picture: Picture
    base: str
    query: str
    at: int


def page_number(request: HttpRequest) -> int:
    """The number of a page of a list. Raises Http404."""
    number = whole_in(request.GET.get("page", "1"), MOST_PAGES)
    if not number:
        raise Http404
    return number


def paged(rows: Any, number: int, size: int) -> Part[Any]:
    """The rows of a page. Raises Http404 after the last one."""
    try:
        return Paginator(rows, size).page(number)
    except EmptyPage:
        raise Http404 from None


def tournament(page: Page) -> Context:
    picture, t = page.picture, page.picture.tournament
    before, after = picture.neighbours
    near = [(one.slug, one.title, one.status) if one else None for one in (before, *after)]
    key = (page.at, page.query, _names_at(t), near)
    found = selectors.kept_of_version(t, _what("page", *key), t.version, lambda: _of_version(page))
    if picture.has_started:
        what = _what("now", *key, *_open_games_at(picture))
        found |= selectors.kept_of_version(t, what, t.version, lambda: _now(page))
    safe = {name: mark_safe(drawn) for name, drawn in found.items()}  # noqa: S308  drawn by templates
    return {"first": page.at == 1, **safe}


def _what(name: str, *shown: object) -> str:
    return f"{name}:{hashlib.sha256(repr(shown).encode()).hexdigest()[:32]}"


def _names_at(t: Tournament) -> str:
    """A digest of all names on the pages, and of what says whether players have a page."""
    others = selectors.kept_of_version(t, "others", t.version, lambda: named_beside(t))
    with connection.cursor() as cursor:
        cursor.execute(_NAMES, [t.pk, others])
        return str(cursor.fetchone()[0])


_NAMES = """
SELECT md5(string_agg(ROW(id, username, closed_at, preferences -> 'unlisted')::text, ',' ORDER BY id))
FROM accounts_player
WHERE id IN (SELECT player_id FROM tournaments_entrant WHERE tournament_id = %s) OR id = ANY(%s::uuid[])
"""


def _open_games_at(picture: Picture) -> tuple[object, ...]:
    """The versions of the open games, from which it follows whom they wait for, and the outages that move deadlines."""
    t = picture.tournament
    ids = TournamentGame.objects.filter(tournament=t, outcome="open").values_list("game", flat=True)
    versions = sorted(games_now.rows_of(ids).values_list("pk", "version"))
    return versions, games_now.known_outages(t.started_at, service_clock.now()) if t.started_at else ()


def _now(page: Page) -> dict[str, str]:
    picture = page.picture
    context: Context = {"picture": picture, "base": page.base, "query": page.query}
    if picture.tournament.kind == "season" and page.at == 1:
        tables = picture.rooms_of(open_games(picture))
        context["joinable"] = [one for one in tables if one.games[0].status == "open"]
        context["running"] = [one for one in tables if one.is_open and one.games[0].status != "open"]
        context["left_games"] = [one for one in tables if not one.is_open]
    elif page.at == 1:
        shown, _ = rounds_shown(picture.round_rows)
        rounds = picture.rounds_of([one for one in shown if one.closed_at is None])
        context["open_rounds"] = rounds
        context["left"] = bool(rounds) and all(one.was_left for one in rounds)
        if picture.folds_standings:
            context["open_rounds"] = [replace(one, tables=_not_in_bracket(one)) for one in rounds]
    return {"now": render_to_string("tournaments/kept/now.html", context)}


def _not_in_bracket(shown: RoundLine) -> Sequence[TableLine]:
    """The tables that go on, or have no result that the bracket shows; all of a round that it leaves out."""
    if sum(len(one.names) for one in shown.tables) > MOST_IN_COLUMN:
        return shown.tables
    return [one for one in shown.tables if one.is_open or not any(result.counts for result in one.results)]


def _of_version(page: Page) -> dict[str, str]:
    picture, base, query = page.picture, page.base, page.query
    pager = paged(picture.rows if picture.has_started else picture.holders, page.at, ROWS)
    context: Context = {"picture": picture, "base": base, "query": query, "pager": pager}
    if page.at == 1:
        shown, others = rounds_shown(picture.round_rows)
        closed = picture.rounds_of([one for one in shown if one.closed_at is not None])
        context |= {
            "is_playing": any(one.closed_at is None for one in shown),
            "closed_rounds": closed,
            "other_rounds": others,
            "rulings": picture.rulings[:RULINGS],
            "more_rulings": len(picture.rulings[RULINGS:]),
        }
        if picture.tournament.kind == "season":
            rooms = _rooms(picture)
            going = len(open_games(picture))
            ended = list(rooms.filter(~Q(outcome="open"))[: max(0, min(ENDED, TABLES - going))])
            context["ended"] = picture.rooms_of(ended)
            context["more_games"] = rooms.count() - len(ended) - going
        if picture.tournament.visibility == "public":
            context["shared"] = _shared(picture)
    parts = ("head", "top", "standings", "foot")
    return {part: render_to_string(f"tournaments/kept/{part}.html", context) for part in parts}


def entrant(page: Page, key: str) -> Context:
    details = page.picture.details_of(key)
    if details is None:
        raise Http404
    return {"title": details.row.name.text, "details": details}


def crosstable(page: Page) -> Context:
    if not page.picture.has_crosstable:
        raise Http404
    return {"title": "Crosstable", "crosstable": page.picture.crosstable}


def one_round(page: Page, number: int) -> Context:
    row = next((one for one in page.picture.round_rows if one.number == number), None)
    if row is None:
        raise Http404
    [shown] = page.picture.rounds_of([row])
    return {"title": shown.title, "round": shown, "pager": paged(shown.tables, page.at, TABLES)}


def games(page: Page) -> Context:
    """All games of a season, newest first; of rounds and cups the rounds in which they stand."""
    pager = paged(_rooms(page.picture), page.at, TABLES)
    return {"title": "Games", "pager": pager, "tables": page.picture.rooms_of(list(pager))}


def rulings(page: Page) -> Context:
    return {"title": "Rulings", "pager": paged(page.picture.rulings, page.at, ROWS)}


def words_of(picture: Picture) -> Words:
    called_off = f" {picture.ended_why}" if picture.tournament.status == Status.CANCELLED else ""
    return Words(
        kicker=f"{picture.game_title} · {picture.kind}, {picture.status}",
        title=picture.tournament.title,
        said=f"{picture.headline}{called_off}",
    )


def _shared(picture: Picture) -> Context:
    """What messengers show of the page. Each version has a picture of its own."""
    row = picture.tournament
    address = absolute(f"{reverse('tournament-picture', args=[row.slug])}?v={row.version}")
    return {
        "url": absolute(row.get_absolute_url()),
        "picture": address,
        "alt": words_of(picture).alt,
    }


def rounds_shown(rounds: Sequence[Round]) -> tuple[list[Round], list[Round]]:
    """The open rounds, or the newest one, as many as fit on the first page, and the others."""
    left, count = TABLES, 0
    for one in rounds:
        if one.state.tables > left or (count and one.closed_at is not None):
            break
        left, count = left - one.state.tables, count + 1
    return list(rounds[:count]), list(rounds[count:])


def open_games(picture: Picture) -> list[TournamentGame]:
    """A season's games that are not over, newest first, as many as fit on the first page."""
    return list(_rooms(picture).filter(outcome="open")[:TABLES])


def _rooms(picture: Picture) -> QuerySet[TournamentGame]:
    return TournamentGame.objects.filter(tournament=picture.tournament, round=None).order_by("-since", "-id")
