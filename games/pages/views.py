"""The page of a game, and what it reads for those who are not logged in."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from core.accounts.models import Player
from core.hooks import address
from core.http.addresses import page_live_url
from core.http.media import encode
from core.notifications.posting import absolute
from core.pictures import Row, Words, answer_picture
from core.refusals import Refused
from core.text import whole_in
from games import selectors
from games.api.bodies import GameBody, SeatBody, game_body
from games.hooks import PANELS
from games.pages.lobby.page import about_reader, silence
from games.projections import Snapshot
from games.rules import GAMES, notation
from games.rules.notation import Moment, moments
from games.rules.three_thirteen import THREE_THIRTEEN
from games.rules.words import counted, listed
from games.selectors import belonging
from games.wording import span

Body = dict[str, Any]
MOST_EVENTS = 1000


@require_safe
def table(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """The table as it is, or at `?at=VERSION`; a private one by its players' session, or `?invitation=CODE`.

    A game that may not be seen is a page that says so: 404, or 403 where only its players may look on.
    """
    viewer = viewer_of(request)
    try:
        game, shown = _seen(request, game_id, viewer)
    except Refused as refused:
        context: Body = {**about_reader(request), "refused": refused, "next": request.get_full_path()}
        return _hidden(render(request, "play/refused.html", context, status=refused.status))
    body = game_body(shown, viewer)
    names = [name_of(row) for row in body.players]
    base = reverse("api:game", args=[game_id]) if viewer else reverse("game-data", args=[game_id])
    page = {
        "game": json.loads(encode(body)),
        "last": game.version,
        "base": base,
        "live": _live(request, game_id) if viewer else None,
        "silence": silence(),
        "panels": [panel.for_script(game, viewer) for panel in PANELS],
        "channels": address("room-channels-page", game_id),
        "loggedIn": viewer is not None,
        "invitation": request.GET.get("invitation", ""),
        "ended": game.status == "finished",
        # A house game has no networks to review it with.
        "hasReview": game.game in GAMES and address("review-page", game_id) is not None,
        "again": selectors.rematch_waits(viewer, game),
        "playsOn": _plays_on(game, viewer),
        "maySit": viewer is not None and game.status == "open" and belonging.admits(game, viewer),
        "at": shown.version if "at" in request.GET else None,
        "callingOff": [at for at, seat in enumerate(game.players) if seat.agrees_to_cancel],
        "hasMelds": game.rules.family == THREE_THIRTEEN.family,
        "anyCardOpens": game.rules.any_card_opens,
    }
    context = {
        **about_reader(request, besides=game_id),
        "page": page,
        "panels": PANELS,
        "body": body,
        "title": selectors.game_title(game),
        "people": listed(names) or "nobody yet",
        "seats": list(zip(names, body.players, strict=False)),
        "said": _said(body, names),
        "where": belonging.where(game),
        "is_public": game.visibility == "public",
        "is_practice": game.is_practice and game.is_running and game.seat_of(viewer) is not None,
        "shared": _shared(game, body, names) if game.visibility == "public" else None,
    }
    response = render(request, "play/table.html", context)
    response.headers["Cache-Control"] = "private, no-cache"
    return response if game.visibility == "public" and page["at"] is None else _hidden(response)


@require_safe
def picture(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """The picture that messengers show with a link to a public game.

    That of a private game is for those who may see the game, once it is over: they hand it on with the names
    (`?names=1`), or without. 404 otherwise.
    """
    try:
        game = selectors.game_for(None, game_id)
    except Refused:
        game = _ended(request, game_id)
    is_public = game.visibility == "public"
    body = game_body(game, None)
    is_named = is_public or request.GET.get("names") == "1"
    names = [name_of(row) if is_named else f"player {row.seat + 1}" for row in body.players]
    words = _words(selectors.game_title(game), body, names)
    if not is_named:
        words = replace(words, title=counted(len(names), "player"))
    if told := [one.said for one in _moments(game, names)]:
        words = replace(words, said=" ".join(told[-2:]))
    response = answer_picture(request, replace(words, rows=_rows(body, names)))
    if not is_public:
        response.headers["Cache-Control"] = "private, no-cache"
    return response


@require_safe
def turning(request: HttpRequest, game_id: UUID) -> HttpResponse:
    game = _ended(request, game_id)
    names = [name_of(row) for row in game_body(game, None).players]
    found = [one._asdict() for one in _moments(game, names, game.seat_of(viewer_of(request)))]
    return _hidden(JsonResponse({"results": found}, headers={"Cache-Control": "private, no-cache"}))


def _ended(request: HttpRequest, game_id: UUID) -> Snapshot:
    try:
        game = selectors.game_for(viewer_of(request), game_id, invitation=invitation_of(request))
    except Refused:
        raise Http404 from None
    if game.status != "finished":
        raise Http404
    return game


def _moments(game: Snapshot, names: list[str], own: int | None = None) -> list[Moment]:
    return moments(selectors.events_for(None, game), names, own) if game.status == "finished" else []


def _plays_on(game: Snapshot, viewer: Player | None) -> bool:
    """Whether the reader may make a season of the game once it is over."""
    if viewer is None or viewer.is_guest or game.belongs_to is not None or game.seat_of(viewer) is None:
        return False
    return any(seat.player not in (None, viewer.pk) for seat in game.players)


def _words(title: str, body: GameBody, names: list[str]) -> Words:
    about = body.tournament
    where = f" · {about.title}" if about else ""
    return Words(f"{title}{where}", listed(names) or "nobody yet", _said(body, names))


def _rows(body: GameBody, names: list[str]) -> list[Row]:
    if body.status == "open":
        return [
            Row("Seats", f"{len(names)} of {body.seats} taken"),
            *([Row("Pace", f"{span(body.clock['per_turn'])} per turn")] if body.clock else []),
        ]
    if body.view is None:
        return []
    if body.view["result"] is not None:
        places = [line.split(". ", 1) for line in notation.result(body.view, names).splitlines()]
        return [Row(f"{place}.", text) for place, text in places]
    return [
        Row("To play" if seat in body.to_act else "", name, _cards_left(player))
        for seat, (name, player) in enumerate(zip(names, body.view["players"], strict=True))
    ]


def _cards_left(player: Mapping[str, Any]) -> str:
    if player["place"] is not None:
        return "out"
    return counted(player["hand_count"] + len(player["face_up"]) + sum(player["face_down"]), "card")


def _shared(game: Snapshot, body: GameBody, names: list[str]) -> dict[str, str | None]:
    words = _words(selectors.game_title(game), body, names)
    return {
        "title": f"{selectors.game_title(game)}: {words.title}",
        "said": words.said,
        "url": absolute(reverse("game-page", args=[game.id])),
        "picture": absolute(f"{reverse('game-picture', args=[game.id])}?v={game.version}"),
        "alt": words.alt,
    }


@require_safe
def data(request: HttpRequest, game_id: UUID, part: str, version: int | None = None) -> HttpResponse:
    """Return what the page reads if nobody is logged in: the API's own bodies of what everybody may see."""
    try:
        game = selectors.game_for(None, game_id, invitation=invitation_of(request))
        body = _PARTS[part](request, game, version or 0)
    except Refused as refused:
        problem = {"status": refused.status, "code": refused.code, "detail": refused.detail}
        return HttpResponse(encode(problem), status=refused.status, content_type="application/problem+json")
    return HttpResponse(
        encode(body), content_type="application/json", headers={"Cache-Control": "no-cache", "X-Robots-Tag": "noindex"}
    )


def viewer_of(request: HttpRequest) -> Player | None:
    return request.user if request.user.is_authenticated else None


def name_of(row: SeatBody) -> str:
    player = row.player
    if player is None:
        return f"bot {row.seat + 1}"
    return player.username or f"player {row.seat + 1}"


def _events(request: HttpRequest, game: Snapshot, _: int) -> Body:
    after = _whole(request.GET.get("after", "0"))
    events = selectors.events_for(None, game, after=after, limit=MOST_EVENTS + 1)
    return {"results": events[:MOST_EVENTS], "next": len(events) > MOST_EVENTS or None, "previous": None}


_PARTS: dict[str, Callable[[HttpRequest, Snapshot, int], object]] = {
    "game": lambda _, game, __: game_body(game, None),
    "events": _events,
    "history": lambda _, game, version: game_body(selectors.history_view(game, version), None),
    "record": lambda _, game, __: selectors.record_of(game),
    "fairness": lambda _, game, __: selectors.fairness_of(game),
}


def _seen(request: HttpRequest, game_id: UUID, viewer: Player | None) -> tuple[Snapshot, Snapshot]:
    game = selectors.game_for(viewer, game_id, invitation=invitation_of(request))
    if "at" not in request.GET:
        return game, game
    return game, selectors.history_view(game, _whole(request.GET["at"]))


def _live(request: HttpRequest, game_id: UUID) -> str:
    code = invitation_of(request)
    return page_live_url(request, f"games/{game_id}/live") + (f"?{urlencode({'invitation': code})}" if code else "")


def invitation_of(request: HttpRequest) -> str | None:
    code = request.GET.get("invitation")
    return code if code is not None and len(code) <= 64 else None


def _whole(text: str) -> int:
    if (number := whole_in(text)) is None:
        raise Http404
    return number


def _hidden(response: HttpResponse) -> HttpResponse:
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _said(body: GameBody, names: list[str]) -> str:
    """Return whose turn it is, or how it ended, for those without script."""
    view = body.view
    if body.status == "cancelled":
        return "The game was called off."
    if view is None:
        return "The table is open, and no cards have been dealt yet."
    if view["result"] is not None:
        return "The game is over. " + ", ".join(notation.result(view, names).splitlines()) + "."
    acting = listed([names[seat] for seat in body.to_act])
    if body.status == "setup":
        return f"{acting} to choose face-up cards."
    return f"{acting} to play. {notation.asks_for(view)}" if "pile" in view else f"{acting} to play."


@require_safe
def service_worker(_: HttpRequest) -> HttpResponse:
    return HttpResponse(_script(), content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})


@cache
def _script() -> bytes:
    return (Path(__file__).parent / "static" / "lobby" / "sw.js").read_bytes()
