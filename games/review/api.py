"""The review of a finished game."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import player_of
from core.http.bodies import AnyObject, Body, doc, either, one_of
from core.http.openapi import problems
from core.http.throttling import limit
from core.http.views import checked
from games import selectors
from games.api.games import OneGameView
from games.api.requests import InvitedRequest
from games.review import services
from games.review.models import Review

_COST = "A decimal number as a string: places, or points in Three Thirteen."


class LostBody(Body):
    """The decisions of a seat, and their total cost."""

    seat: int
    decisions: int
    lost: Annotated[str, doc(_COST)]


class DecisionBody(Body):
    """One of the most costly decisions of a seat."""

    version: Annotated[int, doc("The version of the move.")]
    seat: int
    made: Annotated[AnyObject, doc("The move.")]
    better: Annotated[
        AnyObject | Sequence[str], doc("The move the bot would have made; for `missed_out`, the discards.")
    ]
    cost: Annotated[str, doc(_COST)]
    by: Annotated[str | None, doc("Who made the move: player, plan, clock, bot or forced.")]
    what: Annotated[str, one_of(("missed_out", "final_discard"))] | UnsetType = msgspec.UNSET


class ExpectedPlacesBody(Body):
    """The expected place of each seat at a version; null with more than four seats in play."""

    version: int
    seats: Sequence[str] | None


class SheddingReviewBody(Body):
    """A review of a shedding game. The most costly decisions come first, at most five of each seat."""

    game: str
    networks: Annotated[str, doc("The SHA-256 of the file with the bot's networks.")]
    from_: Annotated[int, doc("The first version that is reviewed.")] = msgspec.field(name="from")
    places: Sequence[ExpectedPlacesBody]
    seats: Sequence[LostBody]
    decisions: Sequence[DecisionBody]


class ReviewedTurnBody(Body):
    """The least penalty of a hand after a turn."""

    version: int
    seat: int
    penalty: int


class ReviewedRoundBody(Body):
    """A round of Three Thirteen."""

    round: int
    turns: Sequence[ReviewedTurnBody]


class ThreeThirteenReviewBody(Body):
    """A review of a game of Three Thirteen."""

    game: str
    rounds: Sequence[ReviewedRoundBody]
    seats: Sequence[LostBody]
    decisions: Sequence[DecisionBody]


class MakingBody(Body):
    """The review is being made."""

    status: Annotated[str, one_of(("making",))]


_RESPONSES = {200: either("Review", SheddingReviewBody, ThreeThirteenReviewBody), 202: MakingBody}


class ReviewView(OneGameView):
    @extend_schema(
        operation_id="get_review",
        tags=["history"],
        responses={**_RESPONSES, **problems(403, 409)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Get the review of a finished game. It must have been requested first."""
        return _answer(services.review_of(self.game(request, game_id)))

    @extend_schema(
        operation_id="ask_for_review",
        tags=["history"],
        request=InvitedRequest,
        responses={**_RESPONSES, **problems(403, 409, 429)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Request the review of a finished game.

        It says how everyone stood at each move, and which decisions cost most. It is made once, by the steady
        bot's networks; until it is ready the answer is 202. See docs/contribute/bots.md.
        """
        player = player_of(request)
        invitation = checked(InvitedRequest, request).get("invitation")
        game = selectors.game_for(player, game_id, invitation=invitation)
        return _answer(services.ask_for_review(game, lambda: limit("review", str(player.pk))))


def _answer(review: Review) -> Response:
    if review.body is None:
        return Response(MakingBody("making"), status=202)
    return Response(review.body)


urlpatterns = [path("games/<uuid:game_id>/review", ReviewView.as_view(), name="review")]
