"""Listing legal moves and playing one; keeping and trying a plan."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import app_of, player_of
from core.http.bodies import Nothing
from core.http.conditional import IF_MATCH, Tagged, if_match
from core.http.idempotency import KEY, keyed_of, response_of
from core.http.openapi import body_examples, problems, ref
from core.http.problems import invalid
from core.http.throttling import limit
from core.http.views import ApiView, QueryParameter, checked, object_of
from games import selectors, services
from games.api.bodies import LayOutBody, LegalMovesBody, PlayedBody, changeable, game_etag, legal_body, played_body
from games.api.games import INVITATION, OneGameView
from games.api.moves import KeptPlanBody, PlanVerdictBody
from games.projections import Snapshot
from games.rules.cards import CARDS

_EXAMPLES = body_examples(
    {"move": "play", "cards": ["7H", "7D"]},
    ("Choose what lies face up", {"move": "arrange", "face_up": ["QS", "KD", "AD"]}),
    ("Turn over a face-down card", {"move": "flip", "position": 1}),
    ("Take the pile", {"move": "pick_up"}),
    ("Draw (Three Card, Castle)", {"move": "draw"}),
    ("Decline a bonus play", {"move": "end_turn"}),
    ("Draw (Three Thirteen)", {"move": "draw", "from": "stock"}),
    ("Discard", {"move": "discard", "card": "7H"}),
    ("Go out", {"move": "go_out", "discard": "7H", "melds": [["AH", "2H", "3H"]]}),
    ("Resign (always legal)", {"move": "resign"}),
    name="Play",
)


def _without(request: Request) -> str | None:
    """The card of the query, or None. Raises Problem: invalid."""
    card: str | None = request.query_params.get("without")
    if card is not None and card not in CARDS:
        raise invalid([("without", "Must be a card, such as 7H.")])
    return card


WITHOUT = QueryParameter(
    "without",
    {"type": "string", "enum": sorted(CARDS)},
    read=_without,
    description="A card of the hand to leave out: what going out with this discard would lay down.",
)


class LayOutView(OneGameView):
    query = (WITHOUT, INVITATION)

    @extend_schema(
        operation_id="lay_out",
        tags=["moves"],
        responses={200: LayOutBody, **problems(403, 409, 422)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Lay out your hand of Three Thirteen. You get its melds, what is left over, and what that costs."""
        game, without = self.game(request, game_id), _without(request)
        return Response(LayOutBody(*selectors.lay_out_of(player_of(request), game, without=without)))


class MovesView(OneGameView):
    @extend_schema(
        operation_id="legal_moves",
        tags=["moves"],
        responses={200: LegalMovesBody, **problems(403, 409)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """List your legal moves.

        Each has `send`, a complete move that you can post as it is. If there are none, `reason` says why.
        """
        return Response(legal_body(selectors.legal_moves(player_of(request), self.game(request, game_id))))

    @extend_schema(
        operation_id="play_move",
        tags=["moves"],
        parameters=[KEY, IF_MATCH],
        request={"application/json": ref("Move")},
        examples=_EXAMPLES,
        responses={201: PlayedBody, **problems(403, 409, 422, 429)},
    )
    def post(self, request: Request, game_id: UUID) -> Tagged:
        """Play a move.

        Post what a legal move has in `send`, or a move of your own. With an `Idempotency-Key` a retry is safe:
        the move is applied once, and the response is the same for 30 days.
        """
        player = player_of(request)
        limit("move", str(player.pk))
        condition = if_match(request)

        def holds(snapshot: Snapshot) -> bool:
            return condition is None or condition.holds(
                snapshot.version, lambda: game_etag(changeable(snapshot), player)
            )

        def answer(played: services.Played) -> services.Answer:
            body = played_body(played, player)
            return services.Answer(201, body, {"ETag": game_etag(body.game, player)})

        move, keyed = object_of(request), keyed_of(request, answer)
        played = services.play(game_id, player, move, keyed=keyed, if_match=holds)
        return Tagged(response_of(played if isinstance(played, services.Answer) else answer(played)))


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
    @extend_schema(operation_id="get_plan", tags=["plans"], responses={200: KeptPlanBody, **problems(403)})
    def get(self, request: Request, game_id: UUID) -> Response:
        """Get your plan in a game. 404 with the code `no_plan` if you have none."""
        return Response(_kept(services.plan_of(game_id, player_of(request))))

    @extend_schema(
        operation_id="keep_plan",
        tags=["plans"],
        request={"application/json": ref("Plan")},
        examples=_PLANS,
        responses={200: KeptPlanBody, **problems(403, 409, 429)},
    )
    def put(self, request: Request, game_id: UUID) -> Response:
        """Keep a plan for your next turns. It replaces the one before. Nobody else learns that you have one.

        When your turn begins, the first line whose `when` holds and whose move is legal is played within two seconds.
        Kept in your own turn, it also serves the rest of that turn.
        """
        player = player_of(request)
        limit("move", str(player.pk))
        return Response(_kept(services.keep_plan(game_id, player, object_of(request), app=app_of(request))))

    @extend_schema(operation_id="drop_plan", tags=["plans"], request=None, responses={204: None, **problems(403)})
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
        examples=_PLANS,
        responses={200: PlanVerdictBody, **problems(403, 409, 429)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Say what a plan would do now.

        Out of turn, it is tried as if your turn began with the table as it is. Nothing is kept.
        """
        player = player_of(request)
        limit("move", str(player.pk))
        return Response(PlanVerdictBody(**services.try_plan(game_id, player, object_of(request)).as_json()))


def _kept(kept: services.Kept) -> KeptPlanBody:
    return KeptPlanBody(**kept.plan, turns_left=kept.turns_left, kept_at=kept.kept_at)
