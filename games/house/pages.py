"""The pages of house games: the lists, the form, and each with its rules, figures and versions."""

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.http.throttling import address_of, limit
from core.refusals import Refused, Stale
from core.text import whole_in
from games import services as games
from games.hooks import SEASONS, figures_of
from games.house import moderation, services
from games.house.forms import RulesForm
from games.house.models import HouseGame
from games.house.services import BUILT_IN, Saved
from games.pages.lobby.cards import game_url
from games.pages.lobby.page import answering, done, logged_in, player_of, qr, reader_of, shown
from games.pages.lobby.rooms import new_guest
from games.rules.shedding.document import Document
from games.rules.shedding.sentences import differences, sentences

MOST_LISTED, TRIED_WITH, USUAL = 100, 3, 4
"""How many are listed; how many sit at a table to try rules, and at those of figures and seasons, where they may."""


@require_safe
@answering
def house_games(request: HttpRequest) -> HttpResponse:
    player = reader_of(request)
    public = services.listed().select_related("author").order_by("-played", "-id")[:MOST_LISTED]
    mine = services.mine(player).order_by("-changed_at") if player is not None else ()
    context = {"mine": services.latest(list(mine)), "public": services.latest(list(public))}
    return shown(request, "house/list.html", context, index=True)


@require_http_methods(["GET", "HEAD", "POST"])
@answering
def new(request: HttpRequest) -> HttpResponse:
    """The form of a new house game, from the usual rules, from a game of ours or from another house game."""
    began, document = request.GET.get("from"), None
    if began is not None:
        _, _, document = services.origin(reader_of(request), began)
        document = {**document, "title": f"My {document['title']}"[:40]}
    return _form(request, document, origin=began)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def edit(request: HttpRequest, house_game_id: UUID) -> HttpResponse:
    """The form of the next version."""
    saved = services.house_game(player_of(request), house_game_id)
    if saved.row.author_id != player_of(request).pk:
        return redirect(f"{reverse('new-house-game-page')}?from={house_game_id}")
    return _form(request, saved.rules, saved=saved)


def _form(
    request: HttpRequest, document: Document | None, *, origin: str | None = None, saved: Saved | None = None
) -> HttpResponse:
    """Draw the form; or, as its button says, try the rules, save them, or only say what they are."""
    typed = request.method == "POST"
    form = RulesForm.sent(request.POST) if typed else RulesForm.of(document or services.usual())
    rules, faults = services.checked(form.document())
    form.faults = faults
    shown_to, chosen = saved.row.visibility if saved else "link", request.POST.get("visibility")
    # If the reader did not change it, whatever is saved now stays.
    visibility = shown_to if chosen in (None, request.POST.get("was")) else "public" if chosen == "public" else "link"
    context: dict[str, Any] = {
        "typed": typed,
        "begin": BUILT_IN.values(),
        "form": form,
        "sentences": () if faults else sentences(rules),
        "saved": saved,
        "origin": origin,
        "seen": request.POST.get("seen") if typed else saved and saved.row.version,
        "visibility": visibility,
        "was": shown_to,
    }
    act = request.POST.get("act")
    if typed and act == "check" and request.headers.get("Accept") == "application/json":
        _count(request, "house_check")
        said = {"errors": dict(faults)} if faults else {"sentences": context["sentences"]}
        return JsonResponse(said)
    if typed and not faults:
        try:
            if act == "try":
                return redirect(game_url(_deal(request, rules)))
            if act == "save":
                return redirect("house-game-page", _save(request, rules, visibility, origin, saved).row.pk)
        except Stale as stale:
            context |= {"stale": stale.detail, "differs": differences(saved.rules, rules) if saved else ()}
            context["seen"] = saved and saved.row.version
        except Refused as no:
            context["refused"] = no.detail
    wrong = typed and (faults or "stale" in context or "refused" in context)
    return shown(request, "house/form.html", context, status=400 if wrong else 200)


def _save(request: HttpRequest, rules: Document, visibility: str, origin: str | None, saved: Saved | None) -> Saved:
    player = reader_of(request) or new_guest(request)
    count = partial(limit, "house_save", str(player.pk))
    if saved is None:
        return services.save(player, rules, visibility, made_from=origin, count=count)
    seen = whole_in(request.POST.get("seen"))
    return services.change(
        player, saved.row.pk, rules, visibility, holds=lambda row: seen in (None, row.version), count=count
    )


def _deal(request: HttpRequest, rules: Document) -> UUID:
    """Deal a private table by these rules, with two bots where so many may sit; a stranger becomes a guest."""
    seats = _seats(rules, TRIED_WITH)
    terms = games.Terms("house", seats, options={"rules": rules}, visibility="private", start="full")
    terms.check()
    player = reader_of(request) or new_guest(request)
    return games.open_room(player, terms, bots=[None] * (seats - 1)).id


def _seats(rules: Document, wished: int) -> int:
    least, most = rules["seats"]
    return int(min(max(wished, least), most))


@require_safe
@answering
def house_game(request: HttpRequest, house_game_id: UUID) -> HttpResponse:
    player = reader_of(request)
    number = whole_in(request.GET["version"]) or 0 if "version" in request.GET else None
    saved = services.house_game(player, house_game_id, number)
    row, url = saved.row, request.build_absolute_uri(reverse("house-game-page", args=[house_game_id]))
    context = {
        "saved": saved,
        "sentences": sentences(saved.rules),
        "is_latest": saved.version.number == row.version,
        "is_mine": player is not None and row.author_id == player.pk,
        "is_public": row.visibility == HouseGame.Visibility.PUBLIC,
        "versions": services.history(saved),
        "origin": _origin(row, player),
        "why": moderation.WHY,
        "url": url,
        "qr": qr(url),
        "figures": _figures(saved),
        "seasons": [*SEASONS],
    }
    return shown(request, "house/game.html", context, index=row.visibility == HouseGame.Visibility.PUBLIC)


def _figures(saved: Saved) -> Any:
    return figures_of(saved.version.digest, saved.rules, _seats(saved.rules, USUAL))


def _origin(row: HouseGame, player: Any) -> Mapping[str, str] | None:
    if row.made_from_game:
        return {"title": BUILT_IN[row.made_from_game].title, "url": reverse("rules-page", args=[row.made_from_game])}
    made = services.origin_of(player, row)
    if made is None or not services.may_see(player, made.game):
        return None
    url = f"{reverse('house-game-page', args=[made.game_id])}?version={made.number}"
    return {"title": str(made.rules["title"]), "url": url}


@require_http_methods(["GET", "HEAD", "POST"])
@answering
def figures(request: HttpRequest, house_game_id: UUID) -> HttpResponse:
    """How far the simulated games are; a POST has them played."""
    number = whole_in(request.GET.get("version"))
    saved = services.house_game(reader_of(request), house_game_id, number)
    found = _figures(saved)
    if found is None:
        raise Http404
    if request.method == "POST":
        _count(request, "house_figures")
        found.ask()
        if request.headers.get("Accept") != "application/json":
            page = reverse("house-game-page", args=[house_game_id])
            return redirect(f"{page}?version={saved.version.number}#figures")
    return JsonResponse({"played": found.played, "games": found.games, "html": found.html})


@require_POST
@answering
def try_it(request: HttpRequest, house_game_id: UUID) -> HttpResponse:
    return redirect(game_url(_deal(request, services.house_game(reader_of(request), house_game_id).rules)))


@require_POST
@logged_in
def season(request: HttpRequest, house_game_id: UUID) -> HttpResponse:
    """Begin a private season of it, open for a year."""
    player = player_of(request)
    rules = services.house_game(player, house_game_id).rules
    begin = next(iter(SEASONS), None)
    if begin is None:
        raise Http404
    return redirect(begin(player, rules, _seats(rules, USUAL)))


@require_POST
@logged_in
def drop(request: HttpRequest, house_game_id: UUID) -> HttpResponse:
    player = player_of(request)
    return done(request, reverse("house-games-page"), lambda: services.drop(player, house_game_id), "It is deleted.")


@require_POST
@logged_in
def report(request: HttpRequest, house_game_id: UUID) -> HttpResponse:
    player, asked = player_of(request), request.POST
    count = partial(limit, "house_report", str(player.pk))
    return done(
        request,
        reverse("house-game-page", args=[house_game_id]),
        lambda: moderation.report(player, house_game_id, asked.get("why", ""), asked.get("text"), count=count),
        "Thank you. Staff will look at it, and we'll tell you what they decide.",
    )


def _count(request: HttpRequest, name: str) -> None:
    player = reader_of(request)
    limit(name, address_of(request) if player is None else str(player.pk))


urlpatterns = [
    path("house-games", house_games, name="house-games-page"),
    path("house-games/new", new, name="new-house-game-page"),
    path("house-games/<uuid:house_game_id>", house_game, name="house-game-page"),
    path("house-games/<uuid:house_game_id>/edit", edit, name="edit-house-game-page"),
    path("house-games/<uuid:house_game_id>/figures", figures, name="house-game-figures"),
    path("house-games/<uuid:house_game_id>/now", try_it, name="try-house-game"),
    path("house-games/<uuid:house_game_id>/season", season, name="season-of-house-game"),
    path("house-games/<uuid:house_game_id>/delete", drop, name="delete-house-game"),
    path("house-games/<uuid:house_game_id>/report", report, name="report-house-game"),
]
