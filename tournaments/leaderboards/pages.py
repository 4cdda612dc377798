from calendar import month_name
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from core import clock
from core.accounts.models import Player
from core.refusals import Invalid
from games.pages.lobby.page import about_reader, reader_of
from games.rules import GAMES, PLAYED
from tournaments.leaderboards import profiles, selectors
from tournaments.leaderboards.boards import BOARDS, boards_of
from tournaments.leaderboards.selectors import is_period
from tournaments.leaderboards.tally import ALL

LIMIT = 50
FIRST = 5


@require_safe
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    if game not in GAMES:
        raise Http404
    boards = [board.name for board in boards_of(GAMES[game].has_penalties)]
    board, period = request.GET.get("board", "rating"), request.GET.get("period", ALL)
    if board not in boards or not is_period(period):
        raise Http404
    reader = reader_of(request)
    mine = reader is not None and request.GET.get("around") == "me"
    around = reader.pk if reader is not None and mine else None
    try:
        page = selectors.board_page(game, board, period, limit=LIMIT, cursor=request.GET.get("cursor"), around=around)
    except Invalid:
        raise Http404 from None
    here = {"board": board, "period": period}
    now = clock.now()
    context: dict[str, Any] = {
        "game": game,
        "title": GAMES[game].title,
        "board_title": BOARDS[board].title,
        "explanation": BOARDS[board].about,
        "page": page,
        "has_deviation": board == "rating",
        "games": [_link(GAMES[one].title, one, {"board": "rating"}, current=one == game) for one in GAMES],
        "boards": [_link(BOARDS[one].title, game, here | {"board": one}, current=one == board) for one in boards],
        "periods": [
            _link(_title(one), game, here | {"period": one}, current=one == period)
            for one in dict.fromkeys((ALL, f"{now:%Y}", f"{now:%Y-%m}", period))
        ],
        "next": page.next and _url(game, here | {"cursor": page.next}),
        "previous": page.previous and _url(game, here | {"cursor": page.previous}),
        # Of a long board nobody asks.
        "nearly": selectors.nearly_on(selectors.BoardKey(game, period, board)) if page.total < LIMIT else [],
        "mine": mine,
        "around_me": _url(game, here | {"around": "me"}),
        "top": _url(game, here),
    }
    return _answer(request, "leaderboards/leaderboard.html", context)


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    reader = reader_of(request)
    shown = profiles.shown_player(username, reader)
    if shown is None:
        raise Http404
    context = {
        "player": shown,
        "own": reader is not None and reader.pk == shown.pk,
        "leagues": profiles.ratings(shown),
        "unrated": profiles.unrated(shown, reader),
        "games": profiles.newest_games(shown),
        "tournaments": profiles.tournaments_of(shown),
        "met": profiles.met_most(shown),
        "versus": _versus(reader, shown),
    }
    return _answer(request, "leaderboards/player.html", context)


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    boards = [(rules, selectors.board_page(game, "rating", ALL, limit=FIRST)) for game, rules in GAMES.items()]
    return _answer(request, "leaderboards/leaderboards.html", {"boards": boards})


def _answer(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    response = render(request, template, {**about_reader(request), **context})
    patch_vary_headers(response, ["Cookie"])
    return response


def _versus(reader: Player | None, shown: Player) -> list[profiles.Meetings]:
    if reader is None or reader.pk == shown.pk:
        return []
    return [one._replace(name=PLAYED[one.name].title) for one in profiles.versus(reader, shown)]


def _link(text: str, game: str, query: dict[str, str], *, current: bool) -> dict[str, Any]:
    return {"text": text, "url": _url(game, query), "current": current}


def _title(period: str) -> str:
    if period == ALL:
        return "All time"
    year, _, month = period.partition("-")
    return f"{month_name[int(month)]} {year}" if month else year


def _url(game: str, query: dict[str, str]) -> str:
    return f"{reverse('leaderboard-page', args=[game])}?{urlencode(query)}"


urlpatterns = [
    path("leaderboards", leaderboards, name="leaderboards-page"),
    path("leaderboards/<slug:game>", leaderboard, name="leaderboard-page"),
    path("players/<str:username>", player, name="player-page"),
]
