"""The history of a game: its events, the game at a version, its record; and where its live stream is."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import player_of
from core.http.addresses import live_url
from core.http.bodies import page_of
from core.http.openapi import path_parameter, problems, ref, stream_of
from core.http.pagination import AFTER, LIMIT, events_page
from core.http.problems import Problem
from core.http.views import ApiView, QueryParameter
from games import selectors
from games.api.bodies import EventBody, FairnessBody, GameBody, game_body
from games.api.games import INVITATION, OneGameView
from games.hooks import NEWS


class EventsView(OneGameView):
    query = (AFTER, LIMIT, INVITATION)

    @extend_schema(operation_id="list_events", responses={200: page_of(EventBody), **problems(403)})
    def get(self, request: Request, game_id: UUID) -> Response:
        """List the events of a game, oldest first. Parts that you cannot see are null until the game is over."""
        after, limit = AFTER.read(request), LIMIT.read(request)
        events = selectors.events_for(player_of(request), self.game(request, game_id), after=after, limit=limit + 1)
        return events_page(request, EventBody, events)


class HistoryView(OneGameView):
    @extend_schema(
        operation_id="game_at_version",
        parameters=[path_parameter("version", 1)],
        responses={200: GameBody, **problems(403)},
    )
    def get(self, request: Request, game_id: UUID, version: int) -> Response:
        """Get the game as you saw it at a version. After the end, everything is shown."""
        game = self.game(request, game_id)
        return Response(game_body(selectors.history_view(game, version), player_of(request)))


class RecordView(OneGameView):
    @extend_schema(
        operation_id="get_record",
        responses={200: ref("Record"), **problems(403, 409)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Get the record of a finished game.

        It holds everything that decided the game; `python -m games.rules replay` replays it.
        """
        return Response(selectors.record_of(self.game(request, game_id)))


class FairnessView(OneGameView):
    @extend_schema(
        operation_id="get_fairness",
        responses={200: FairnessBody, **problems(403)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Get the proof that nobody chose the cards.

        The commitment is there from the start; the secret that opens it follows when the game is finished. How to check
        them: docs/build/fairness.md.
        """
        return Response(FairnessBody(**selectors.fairness_of(self.game(request, game_id))))


RESUMED_AFTER = QueryParameter(
    "after",
    {"type": "integer", "minimum": 0},
    description="Start with what came after this `id`. `Last-Event-ID` takes precedence. Without either, the "
    "stream starts now.",
)
RESUMED = [
    OpenApiParameter(
        "Last-Event-ID",
        {"type": "integer", "minimum": 0},
        OpenApiParameter.HEADER,
        description="The `id` of the last event that you received. The stream continues after it.",
    )
]
OF_GAME = stream_of(
    "LiveOfGame",
    {"moved": ref("Event")},
    {
        **{news.event: news.data[0] for news in NEWS},
        "present": ref("Company"),
        "together": ref("Company"),
    },
)
OF_PLAYER = stream_of(
    "LiveOfPlayer",
    {"notification": ref("Notification")},
    {"game": ref("GameNews"), **{news.event: news.data[1] for news in NEWS}},
)


# Another process serves the streams: these views say where, and what it does.
class GameLiveView(OneGameView):
    query = (RESUMED_AFTER, INVITATION)

    @extend_schema(
        operation_id="watch_game",
        parameters=RESUMED,
        responses={**OF_GAME, **problems(403, 421, 429)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Watch a game.

        Server-sent events: a `moved` for each event of the game, its version as `id`. `data` is the event as `GET
        games/{id}/events` gives it to you, with `to_act` and `deadlines` as they are after the last event that was sent
        with it. A comment comes every 15 seconds. A game's `live_url` is the address.
        """
        raise elsewhere(f"games/{game_id}/live")


class MyLiveView(ApiView):
    query = (RESUMED_AFTER,)

    @extend_schema(
        operation_id="watch_my_games", tags=["me"], parameters=RESUMED, responses={**OF_PLAYER, **problems(421, 429)}
    )
    def get(self, request: Request) -> Response:
        """Watch your games.

        Server-sent events: a `notification` as `GET me/notifications` lists it, its number as `id`, and a `game` (`id`,
        `version`, `status`, `your_turn`) once for each game you play in when the stream begins, and then whenever one
        changes. `live_url` in `GET me` is the address.
        """
        raise elsewhere("me/live")


def elsewhere(path: str) -> Problem:
    """The 421 (RFC 9110, 15.5.20) for a request that this process does not serve."""
    detail = f"Live streams have a server of their own. This one is at {live_url(path)}."
    return Problem("misdirected", detail, status=421, headers={"Content-Location": live_url(path)})
