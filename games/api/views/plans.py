"""Keeping, reading, dropping and trying a plan for one's own seat."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.fields import Nothing
from core.http.openapi import body_examples, problems, ref
from core.http.throttling import limit
from core.http.views import ApiView, checked, object_of
from games import services
from games.api.moves import KeptPlanBody, PlanVerdictBody

_EXAMPLES = body_examples(
    {
        "lines": [
            {"move": {"move": "play", "choose": "lowest", "count": "all", "keep": ["2", "T"]}},
            {"move": {"move": "pick_up"}},
        ]
    },
    (
        "Three Thirteen",
        {
            "lines": [
                {"move": {"move": "go_out"}},
                {"move": {"move": "draw", "from": "discard"}, "when": {"top_helps": 5}},
                {"move": {"move": "draw", "from": "stock"}},
                {"move": {"move": "discard", "choose": "best"}},
            ],
            "turns": 2,
        },
    ),
    name="The shedding games: lowest first, else pick up",
)


class PlanView(ApiView):
    @extend_schema(
        operation_id="get_plan",
        tags=["plans"],
        responses={200: KeptPlanBody, **problems(400, 401, 403, 404)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Get your plan in a game. 404 with the code `no_plan` if there is none, or no longer."""
        return Response(_body(services.plan_of(game_id, player_of(request))))

    @extend_schema(
        operation_id="keep_plan",
        tags=["plans"],
        request={"application/json": ref("Plan")},
        examples=_EXAMPLES,
        responses={200: KeptPlanBody, **problems(400, 401, 403, 404, 409, 413, 415, 429)},
    )
    def put(self, request: Request, game_id: UUID) -> Response:
        """Keep a plan for your next turns, in place of the one before. Nobody else learns that you have one.

        When your turn begins, the first line whose `when` holds and whose move is legal is played within two seconds.
        Kept in your own turn, it also serves the rest of that turn.
        """
        player = player_of(request)
        limit("move", str(player.pk))
        return Response(_body(services.keep_plan(game_id, player, object_of(request))))

    @extend_schema(
        operation_id="drop_plan",
        tags=["plans"],
        request=None,
        responses={204: None, **problems(400, 401, 403, 404, 413, 415)},
    )
    def delete(self, request: Request, game_id: UUID) -> Response:
        """Drop your plan. There need not be one."""
        player = player_of(request)
        checked(Nothing, request)
        services.drop_plan(game_id, player)
        return Response(status=204)


class TryPlanView(ApiView):
    @extend_schema(
        operation_id="try_plan",
        tags=["plans"],
        request={"application/json": ref("Plan")},
        examples=_EXAMPLES,
        responses={200: PlanVerdictBody, **problems(400, 401, 403, 404, 409, 413, 415, 429)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Say what a plan would do now; out of turn, as if your turn began with the table as it is.

        Nothing is kept.
        """
        player = player_of(request)
        limit("move", str(player.pk))
        return Response(PlanVerdictBody(**services.try_plan(game_id, player, object_of(request)).as_json()))


def _body(kept: services.Kept) -> KeptPlanBody:
    return KeptPlanBody(**kept.plan, turns_left=kept.turns_left, kept_at=kept.kept_at)
