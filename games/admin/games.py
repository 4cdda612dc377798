"""The list of games, and the page of one: read-only, since a game changes only through the services."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST, require_safe

from core import log
from core.accounts import auditing
from core.accounts.models import Player
from core.dashboard import BigList, filter_by
from core.refusals import NotFound, Refused
from core.text import check_reason, uuid_in, whole_in
from games import selectors, services
from games.admin import rights
from games.admin.rights import ReadOnly
from games.admin.site import site
from games.models import Game, Seat
from games.projections import Snapshot, load
from games.rules import PLAYED
from games.rules.events import sentence
from games.selectors import belonging
from games.services.commands import existing
from games.wording import length, span

MOST_SENTENCES = 300
# The columns of the list: states are large, and secrets are not read.
COLUMNS = ("id", "game", "title", "digest", "status", "visibility", "rated", "opened_at", "moved_at")


GameFilter = filter_by("game", lambda: [(name, rules.title) for name, rules in PLAYED.items()])


@admin.register(Game, site=site)
class GameAdmin(ReadOnly, BigList):
    list_display = ("played", "who", "status", "visibility", "rated", "opened_at", "moved_at", "id")
    list_filter = (GameFilter, "status", "visibility", "rated")
    search_fields = ("id",)
    search_help_text = "The id of a game, or the name of a player"
    ordering = ("-opened_at", "-id")

    def has_view_permission(self, request: HttpRequest, obj: Game | None = None) -> bool:
        """Staff see all, organisers those of their tournaments."""
        return rights.may_enter(request) if obj is None else rights.may_run(request, obj.tournament)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return rights.may_enter(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        games = super().get_queryset(request).only(*COLUMNS)
        names = Seat.objects.select_related("player").only("game_id", "index", "bot", "player__username")
        return rights.own_games(request, games).prefetch_related(Prefetch("players", names))

    # Not `title`: a list would show the column of that name.
    @admin.display(description="Game")
    def played(self, game: Game) -> str:
        return selectors.game_title(game)

    @admin.display(description="Players")
    def who(self, game: Game) -> str:
        return ", ".join(names_of((seat.player, seat.bot) for seat in game.seat_rows()))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Game], search_term: str
    ) -> tuple[QuerySet[Game], bool]:
        """Search a game by its id, or a player's games by the whole name; both use an index."""
        term = search_term.strip()
        if not term:
            return queryset, False
        if (game_id := uuid_in(term)) is not None:
            return queryset.filter(pk=game_id), False
        try:
            found = Player.objects.get_by_natural_key(term)
        except Player.DoesNotExist:
            return queryset.none(), False
        return queryset.filter(players__player=found), False

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        return [
            path("<uuid:game_id>/table/<int:version>/", wrap(self.table), name="games_game_table"),
            path("<uuid:game_id>/look/", wrap(self.look), name="games_game_look"),
            path("<uuid:game_id>/record/", wrap(self.record), name="games_game_record"),
            path("<uuid:game_id>/rating/", wrap(self.rating), name="games_game_rating"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        game = self._game(request, object_id)
        hidden = self._looks(request, game)
        if hidden:
            self._note(request, game, game.version)
        now = existing(load(game.pk))
        told, earlier = sentences(request, now, before=whole_in(request.GET.get("before")), most=MOST_SENTENCES)
        return render(
            request,
            "dashboard/game.html",
            {
                **self.admin_site.each_context(request),
                "opts": self.opts,
                "title": selectors.game_title(game),
                "subtitle": str(game.pk),
                "game": game,
                "now": now,
                "tournament": belonging.described([game]).get(game.pk),
                "where": belonging.where(game),
                "seats": self._seats(request, game, now),
                "sentences": told,
                "earlier": earlier,
                "first": picture(request, now, now, hidden=hidden),
                "table_url": reverse("admin:games_game_table", args=[game.pk, 0]),
                "hidden": hidden,
                "running": game.dealt and game.status in (Game.Status.SETUP, Game.Status.PLAYING),
                "may_look": rights.may_see_hidden(request, game),
                "may_void": _may_void(request, game),
                "plays": rights.has_played(game, rights.user_of(request)),
                "is_staff": rights.is_staff(request),
                "organises": game.tournament in rights.organised(request),
            },
        )

    @method_decorator(require_safe)
    def table(self, request: HttpRequest, game_id: UUID, version: int) -> HttpResponse:
        game = self._game(request, game_id)
        hidden, now = self._looks(request, game), existing(load(game.pk))
        try:
            past = selectors.history_view(now, version)
        except NotFound as error:
            raise Http404(error.detail) from None
        if hidden:
            self._note(request, game, version)
        return JsonResponse(picture(request, now, past, hidden=hidden), headers={"Cache-Control": "no-store"})

    @method_decorator(require_POST)
    def look(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        game = self._game(request, game_id)
        if not rights.may_see_hidden(request, game):
            raise PermissionDenied
        back = HttpResponseRedirect(reverse("admin:games_game_change", args=[game.pk]))
        if "close" in request.POST:
            request.session.pop("looks_at", None)
            return back
        reason = request.POST.get("reason", "").strip()
        try:
            check_reason(reason)
        except Refused as error:
            messages.error(request, error.detail)
            return back
        auditing.write(rights.user_of(request), auditing.Action.OPENED_HIDDEN, f"game {game.pk}", reason=reason)
        # Open for this game and this session, until it is closed or another one is opened.
        request.session["looks_at"] = str(game.pk)
        return back

    @method_decorator(require_POST)
    def rating(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """Declare a finished game void for ratings, or let it count again; with a reason (RA6)."""
        game = self._game(request, game_id)
        if not _may_void(request, game):
            raise PermissionDenied
        user, reason = rights.user_of(request), request.POST.get("reason", "").strip()
        rule, act = services.void_game, auditing.Action.DECLARED_VOID
        done = "The game no longer counts in ratings."
        if "restore" in request.POST:
            rule, act, done = services.restore_game, auditing.Action.LET_COUNT, "The game counts again."
        try:
            with transaction.atomic():
                rule(game.pk, actor=log.Actor("staff", str(user.pk)), reason=reason)
                auditing.write(user, act, f"game {game.pk}", reason=reason)
        except Refused as error:
            messages.error(request, error.detail)
        else:
            messages.success(request, done)
        return HttpResponseRedirect(reverse("admin:games_game_change", args=[game.pk]))

    @method_decorator(require_safe)
    def record(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        game = self._game(request, game_id)
        if game.status != Game.Status.FINISHED:
            raise Http404
        name = f"{game.game}-{game.pk}.json"
        return JsonResponse(
            selectors.record_of(existing(load(game.pk))),
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    def _game(self, request: HttpRequest, game_id: object) -> Game:
        key = uuid_in(game_id)
        game = Game.objects.filter(pk=key).prefetch_related("players__player").first() if key else None
        if game is None or not self.has_view_permission(request, game):
            raise Http404
        return game

    def _looks(self, request: HttpRequest, game: Game) -> bool:
        return request.session.get("looks_at") == str(game.pk) and rights.may_see_hidden(request, game)

    def _note(self, request: HttpRequest, game: Game, version: int) -> None:
        if game.status != Game.Status.FINISHED:
            auditing.write(
                rights.user_of(request), auditing.Action.SAW_HIDDEN, f"game {game.pk}", reason=f"version {version}"
            )

    def _seats(self, request: HttpRequest, game: Game, now: Snapshot) -> list[dict[str, Any]]:
        explained = selectors.explained(now, rights.user_of(request))
        due = selectors.deadlines(now)
        return [
            {
                "row": seat,
                "name": name,
                "due": due.get(seat.index),
                "clock": _in_words(explained.get(str(seat.index))),
            }
            for seat, name in zip(game.seat_rows(), names_in(now), strict=True)
        ]


def _may_void(request: HttpRequest, game: Game) -> bool:
    """Return whether the caller may say if a game counts: staff who did not play in it, once it is over.

    One that was called off may count, too: by the places of its adjudication (RA1).
    """
    over = game.started_at is not None and game.status in (Game.Status.FINISHED, Game.Status.CANCELLED)
    return over and rights.is_staff(request) and not rights.has_played(game, rights.user_of(request))


def _in_words(clock: dict[str, Any] | None) -> dict[str, Any] | None:
    if clock is None:
        return None
    parts = [
        (name.replace("_", " "), length(timedelta(seconds=seconds)))
        for name, seconds in clock["totals"].items()
        if seconds
    ]
    return {"per_turn": span(clock["per_turn"]), "bank": span(clock["bank"]) if clock["bank"] else "", "parts": parts}


def picture(request: HttpRequest, game: Snapshot, shown: Snapshot, *, hidden: bool) -> dict[str, Any]:
    """Return what <trey-table> draws: `shown` is the game, now or at a past version.

    `hidden`: with all cards of a running game, for those with the right to see them.
    """
    user = rights.user_of(request)
    viewer = None if hidden else selectors.viewer_of(shown, user)
    return {
        "version": shown.version,
        "last": game.version,
        "title": selectors.game_title(game),
        "names": names_in(shown),
        "seat": shown.seat_of(user),
        "view": selectors.view_as(shown, viewer),
        "anyCardOpens": game.rules.any_card_opens,
        "hidden": hidden,
    }


def names_of(seats: Iterable[tuple[Player | None, Mapping[str, Any] | None]]) -> list[str]:
    """The names of the players and bots in seat order; bots with the same name are followed by their seat."""
    names = [
        player.username if player else f"{bot['level']} bot" if bot else f"seat {index}"
        for index, (player, bot) in enumerate(seats)
    ]
    return [f"{name} ({seat})" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def names_in(game: Snapshot) -> list[str]:
    return names_of((game.account_of(seat), seat.bot) for seat in game.players)


def sentences(
    request: HttpRequest, game: Snapshot, *, before: int | None, most: int
) -> tuple[list[dict[str, Any]], int | None]:
    """The newest events (before a version) as sentences, newest last, and where the earlier ones begin."""
    upto = game.version if before is None else min(before - 1, game.version)
    after = max(0, upto - most)
    events = log.read(game.stream, after=after, upto=upto) if upto > 0 else []
    seen = selectors.events_seen(events, selectors.viewer_of(game, rights.user_of(request)))
    names = names_in(game)
    people = _people(seen)
    told = [
        {"version": event["version"], "at": event["recorded_at"], "text": _sentence(event, names, people)}
        for event in seen
    ]
    return told, (after + 1 if after else None)


def _sentence(event: dict[str, Any], names: list[str], people: dict[str, str]) -> str:
    # In the lobby seats change hands: its events name the player.
    return sentence(event, names, who=people.get(str(event["data"].get("player"))))


def _people(events: list[dict[str, Any]]) -> dict[str, str]:
    ids = {event["data"]["player"] for event in events if event["data"].get("player")}
    if not ids:
        return {}
    return {str(pk): name for pk, name in Player.objects.filter(pk__in=ids).values_list("pk", "username")}
