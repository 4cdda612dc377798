"""Keeping and trying a plan."""

import json
from typing import Annotated, Any
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta, Struct, field
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import app_of, player_of
from core.accounts.models import Player
from core.http.bodies import AnyObject, Body, Moment, Nothing, components, doc, one_of, schema
from core.http.media import encode
from core.http.openapi import add_components, body_examples, problems, ref
from core.http.throttling import limit
from core.http.views import ApiView, checked, object_of
from games.plans import services
from games.projections import Snapshot
from games.rules.plans import MOST_LINES, MOST_TURNS, VERDICTS


class PlanLine(Struct, forbid_unknown_fields=True):
    """A line of a plan. It is played if all conditions in `when` are true and the move is legal."""

    move: Annotated[
        dict[str, Any],
        schema({"required": ["move"], "properties": {"move": {"type": "string"}}, "additionalProperties": {}}),
        doc("A move to send as it is, or one that is chosen on your turn. GET rulesets has the forms."),
    ]
    when: Annotated[AnyObject, doc("The conditions, all of which must be true. GET rulesets lists them.")] = field(
        default_factory=dict
    )
    interrupt: Annotated[bool, doc("Also try this line out of turn, when you can interrupt.")] = False


Lines = Annotated[list[PlanLine], Meta(min_length=1, max_length=MOST_LINES)]
Turns = Annotated[
    int,
    Meta(ge=1, le=MOST_TURNS, description="How many turns the plan is for, from the next turn that begins."),
]


class Plan(Struct, forbid_unknown_fields=True):
    """What to play on your next turns: the first line whose conditions are true and whose move is legal."""

    lines: Lines
    turns: Turns = 1


class KeptPlanBody(Body):
    """The caller's plan, defaults included."""

    lines: Lines
    turns: Turns
    turns_left: Annotated[int, doc("How many of these turns have not begun yet.")]
    kept_at: Moment


class PlanVerdictBody(Body):
    """What a plan would do."""

    line: Annotated[int | None, doc("The line that would play, counted from 0; null if none would.")]
    move: Annotated[AnyObject | None, doc("The move that would be sent.")]
    lines: Annotated[list[Annotated[str, one_of(VERDICTS)]], doc("A verdict on each line.")]


add_components(components(Plan))


_PLANS = body_examples(
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
    @extend_schema(operation_id="get_plan", responses={200: KeptPlanBody, **problems(403)})
    def get(self, request: Request, game_id: UUID) -> Response:
        """Get your plan in a game. 404 with the code `no_plan` if you have none."""
        return Response(_kept(services.plan_of(game_id, player_of(request))))

    @extend_schema(
        operation_id="keep_plan",
        request={"application/json": ref("Plan")},
        examples=_PLANS,
        responses={200: KeptPlanBody, **problems(403, 409, 429)},
    )
    def put(self, request: Request, game_id: UUID) -> Response:
        """Save a plan for your next turns. It replaces your current plan. Nobody else is told that you have one.

        When your turn begins, the first line whose conditions are true and whose move is legal is played within two
        seconds.
        A plan saved during your turn also applies to the rest of that turn.
        """
        player = player_of(request)
        limit("moves", str(player.pk))
        return Response(_kept(services.keep_plan(game_id, player, object_of(request), app=app_of(request))))

    @extend_schema(operation_id="drop_plan", request=None, responses={204: None, **problems(403)})
    def delete(self, request: Request, game_id: UUID) -> Response:
        """Drop your plan, if you have one."""
        player = player_of(request)
        checked(Nothing, request)
        services.drop_plan(game_id, player)
        return Response(status=204)


class TryPlanView(ApiView):
    @extend_schema(
        operation_id="try_plan",
        request={"application/json": ref("Plan")},
        examples=_PLANS,
        responses={200: PlanVerdictBody, **problems(403, 409, 429)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Try what a plan would do now.

        If it is not your turn, the plan is tried as if your turn began now. Nothing is saved.
        """
        player = player_of(request)
        limit("moves", str(player.pk))
        return Response(PlanVerdictBody(**services.try_plan(game_id, player, object_of(request)).as_json()))


def kept_in(game: Snapshot, viewer: Player | None) -> object:
    """The plan of a seat as its player's page gets it."""
    seat = game.seat_of(viewer)
    kept = services.plan_in(game, seat, viewer) if viewer is not None and seat is not None else None
    return None if kept is None else json.loads(encode(_kept(kept)))


def _kept(kept: services.Kept) -> KeptPlanBody:
    return KeptPlanBody(**kept.plan, turns_left=kept.turns_left, kept_at=kept.kept_at)


urlpatterns = [
    path("games/<uuid:game_id>/plan", PlanView.as_view(), name="plan"),
    path("games/<uuid:game_id>/plan/try", TryPlanView.as_view(), name="try_plan"),
]
