"""Rooms and games: opening, listing and reading them, their clocks and channels, and what happens in the lobby."""

from collections.abc import Callable, Sequence
from typing import ClassVar, cast
from uuid import UUID

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core import clock as service_clock
from core.accounts.login.authentication import player_of
from core.accounts.models import Player
from core.http.bodies import Nothing, RequestBody, page_of
from core.http.conditional import Tagged, etag_of, tagged
from core.http.fields import ChoiceFilter, TruthFilter, invitation_of, invitation_parameter
from core.http.idempotency import once
from core.http.openapi import LOCATION, problems
from core.http.pagination import CursorPages
from core.http.throttling import limit
from core.http.views import ApiView, ListView, PublicView, QueryParameter, checked
from games import selectors, services
from games.api.bodies import (
    GAME_NAMES,
    GameBody,
    GameClockBody,
    GameRulesBody,
    PeopleBody,
    PersonBody,
    bodies_of,
    changeable,
    clock_of,
    game_bodies,
    game_body,
    game_etag,
    rules_body,
)
from games.api.requests import (
    AddBotRequest,
    ChangeRoomRequest,
    InviteRequest,
    JoinRequest,
    KickRequest,
    OpenRoomRequest,
    RematchRequest,
    SeenRequest,
)
from games.models import Game, Seat
from games.notifications import services as notifications
from games.projections import Snapshot
from games.rules import GAMES
from games.selectors.people import people_of

INVITATION = invitation_parameter("The code of a private room. Not needed if you are in it.")


class OneGameView(ApiView):
    """A view of one game: a private one is also for whoever shows its invitation."""

    query: ClassVar[Sequence[QueryParameter]] = (INVITATION,)

    def game(self, request: Request, game_id: UUID) -> Snapshot:
        """The game, if the caller may see it. Raises NotFound, Forbidden (players_only)."""
        return selectors.game_for(player_of(request), game_id, invitation=invitation_of(request))


def game_answer(game: Snapshot, player: Player, status: int = 200) -> Tagged:
    """A response with a game in a player's view and its ETag, and for a new room its Location."""
    body = game_body(game, player)
    answer = Tagged(Response(body, status=status, headers={"ETag": game_etag(body, player)}))
    if status == 201:
        answer["Location"] = f"/api/v1/games/{game.id}"
    return answer


class GameFilters(filters.FilterSet):
    status = ChoiceFilter(Game.Status.values, help_text="Only games with this status.")
    game = ChoiceFilter(GAME_NAMES, help_text="Only this game, by its name in GET rulesets.")
    mine = TruthFilter(method="only_mine", help_text="Only games in which the caller has a seat.")

    def only_mine(self, games: QuerySet[Game], name: str, value: bool) -> QuerySet[Game]:
        return selectors.mine(games, cast("Player", self.request.user)) if value and self.request else games


class NewestFirst(CursorPages):
    ordering = ("-opened_at", "-id")


class MostUrgentFirst(CursorPages):
    ordering = ("due_at", "waits_since", "id")

    def beyond(self, rows: selectors.Turns, ordering: Sequence[str], place: Sequence[str]) -> selectors.Turns:
        return rows.beyond(place)


class GamesView(ListView[Game]):
    queryset = Game.objects.none()
    pagination_class = NewestFirst
    filterset_class = GameFilters

    @extend_schema(operation_id="list_games", responses={200: GameBody})
    def get(self, request: Request) -> Response:
        """List public rooms and games and your own, newest first."""
        player = player_of(request)
        return self.page_of(selectors.games_for(player), lambda games: game_bodies(games, player))

    @extend_schema(
        operation_id="open_room",
        parameters=[LOCATION],
        request=OpenRoomRequest,
        responses={201: GameBody, **problems(409, 429)},
    )
    @once()
    def post(self, request: Request) -> Tagged:
        """Open a room and sit down in it. For a private room, the response contains the `invitation` code."""
        player = player_of(request)
        wanted = services.with_saved(player, checked(OpenRoomRequest, request))
        bots, salt = [None] * wanted.pop("bots"), wanted.pop("salt", None)
        return game_answer(services.open_room(player, services.Terms(**wanted), bots=bots, salt=salt), player, 201)


class GameView(OneGameView):
    @extend_schema(
        operation_id="get_game",
        responses={200: GameBody, **problems(403)},
    )
    def get(self, request: Request, game_id: UUID) -> Tagged:
        """Get a room or game as you may see it.

        The strong ETag covers the whole body, so that you can poll with `If-None-Match`.
        """
        player, game = player_of(request), self.game(request, game_id)
        parts = changeable(game)
        return tagged(request, game_etag(parts, player), lambda: game_body(game, player, parts))

    @extend_schema(
        operation_id="change_room",
        request=ChangeRoomRequest,
        responses={200: GameBody, **problems(403, 409)},
    )
    def patch(self, request: Request, game_id: UUID) -> Tagged:
        """Change your open room.

        Everyone at the table is told. The rules of a tournament's table cannot be changed.
        """
        player = player_of(request)
        return game_answer(services.change_room(game_id, player, checked(ChangeRoomRequest, request)), player)


class TurnsView(ListView[Seat]):
    queryset = Seat.objects.none()
    pagination_class = MostUrgentFirst

    @extend_schema(operation_id="list_my_turns", tags=["me"], responses={200: GameBody})
    def get(self, request: Request) -> Response:
        """List the games that wait for you, most urgent first."""
        player = player_of(request)
        return self.page_of(selectors.Turns(player), lambda turns: bodies_of([turn.game for turn in turns], player))


class PeopleView(ApiView):
    @extend_schema(operation_id="list_my_people", tags=["me"], responses={200: PeopleBody})
    def get(self, request: Request) -> Response:
        """List the people you have played with.

        These are players with whom you finished a private game or at least two others, the most recent first, at
        most 200. Nobody else sees the list. Players who set `not_in_people` or blocked you are left out.
        """
        found = people_of(player_of(request))
        return Response(PeopleBody([PersonBody(one.id, one.username, one.games, one.last_at) for one in found]))


class ClockView(OneGameView):
    @extend_schema(operation_id="explain_clock", responses={200: GameClockBody, **problems(403)})
    def get(self, request: Request, game_id: UUID) -> Response:
        """Explain the deadlines of a game to the second.

        Your own shows every pause; those of other players leave out their private hours.
        """
        player, game, now = player_of(request), self.game(request, game_id), service_clock.now()
        return Response(GameClockBody(game.version, now, clock_of(game), selectors.explained(game, player, now)))


class Deed(ApiView):
    """A command on a room or game, which answers with the game after it."""

    change_failures = (403, 409)

    def done(self, request: Request, body: type[RequestBody], act: Callable[..., Snapshot], game_id: UUID) -> Tagged:
        player = player_of(request)
        return game_answer(act(game_id, player, **checked(body, request)), player)


class JoinView(Deed):
    @extend_schema(operation_id="join_game", request=JoinRequest, responses=GameBody)
    def post(self, request: Request, game_id: UUID) -> Tagged:
        """Join an open room. A private room needs its invitation code."""
        return self.done(request, JoinRequest, services.join, game_id)


class LeaveView(Deed):
    @extend_schema(operation_id="leave_game", request=None, responses=GameBody)
    def post(self, request: Request, game_id: UUID) -> Tagged:
        """Leave an open room. Later seats move up. To leave a running game, play the move `resign`."""
        return self.done(request, Nothing, services.leave, game_id)


class KickView(Deed):
    @extend_schema(operation_id="kick_player", request=KickRequest, responses=GameBody)
    def post(self, request: Request, game_id: UUID) -> Tagged:
        """Remove somebody from an open room. Only the opener can do this."""
        return self.done(request, KickRequest, services.kick, game_id)


class StartView(Deed):
    @extend_schema(operation_id="start_game", request=None, responses=GameBody)
    def post(self, request: Request, game_id: UUID) -> Tagged:
        """Start the game with the players at the table. Only the opener can do this."""
        return self.done(request, Nothing, services.start, game_id)


class CancelView(Deed):
    @extend_schema(operation_id="cancel_game", request=None, responses=GameBody)
    def post(self, request: Request, game_id: UUID) -> Tagged:
        """Call a game off.

        The opener can call off an open room. A running game is called off when everyone in it has agreed.
        """
        return self.done(request, Nothing, services.cancel, game_id)


class RematchView(Deed):
    @extend_schema(
        operation_id="rematch",
        parameters=[LOCATION],
        request=RematchRequest,
        responses={201: GameBody, **problems(429)},
    )
    @once()
    def post(self, request: Request, game_id: UUID) -> Tagged:
        """Play again with the same people. The first request opens the room, the others join it.

        The seats are kept for the same players for a day.
        """
        player = player_of(request)
        return game_answer(services.rematch(game_id, player, **checked(RematchRequest, request)), player, 201)


class BotsView(Deed):
    @extend_schema(operation_id="add_bot", request=AddBotRequest, responses={200: GameBody, **problems(429)})
    @once(made=200)
    def post(self, request: Request, game_id: UUID) -> Tagged:
        """Add a bot to an open room. Only the opener can do this; `kick` removes the bot again."""
        return self.done(request, AddBotRequest, services.add_bot, game_id)


class ReturnView(Deed):
    @extend_schema(operation_id="take_seat_back", request=None, responses={200: GameBody, **problems(429)})
    def post(self, request: Request, game_id: UUID) -> Tagged:
        """Take your seat back from the bot. If it is your turn, its time starts afresh."""
        return self.done(request, Nothing, services.take_back, game_id)


class InviteView(ApiView):
    @extend_schema(
        operation_id="invite_player",
        request=InviteRequest,
        responses={204: None, **problems(403, 409, 429)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Invite a player to your open room. The player is told once, with a link to the table."""
        player = player_of(request)
        limit("invite", str(player.pk))
        notifications.invite(game_id, player, checked(InviteRequest, request)["username"])
        return Response(status=204)


class SeenView(ApiView):
    @extend_schema(
        operation_id="saw_game",
        request=SeenRequest,
        responses={204: None, **problems(403, 422)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Report that you see a game. You get no more notifications about this version."""
        notifications.saw(game_id, player_of(request), **checked(SeenRequest, request))
        return Response(status=204)


class RulesetsView(PublicView):
    @extend_schema(operation_id="list_rulesets", tags=["rulesets"], responses={200: page_of(GameRulesBody)})
    def get(self, request: Request) -> Tagged:
        """List the games with their rulesets, options and plans.

        Options and plans are JSON Schemas, from which a client can draw a form. There is only one page.
        """
        body = page_of(GameRulesBody)([rules_body(rules) for rules in GAMES.values()], None, None)
        return tagged(request, etag_of(1, body), lambda: body, {"Cache-Control": "public, max-age=300"})
