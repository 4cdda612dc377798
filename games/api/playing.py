"""Listing legal moves and playing one."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import player_of
from core.http.conditional import IF_MATCH, Tagged, if_match
from core.http.idempotency import KEY, keyed_of, response_of
from core.http.openapi import body_examples, problems, ref
from core.http.problems import invalid
from core.http.throttling import limit
from core.http.views import QueryParameter, object_of
from games import selectors, services
from games.api.bodies import LayOutBody, LegalMovesBody, PlayedBody, changeable, game_etag, legal_body, played_body
from games.api.games import INVITATION, OneGameView
from games.projections import Snapshot
from games.rules.cards import CARDS

_EXAMPLES = body_examples(
    {"move": "play", "cards": ["7H", "7D"]},
    ("Choose your face-up cards", {"move": "arrange", "face_up": ["QS", "KD", "AD"]}),
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
    description="A card to leave out, as if you went out by discarding it.",
)


class LayOutView(OneGameView):
    query = (WITHOUT, INVITATION)

    @extend_schema(
        operation_id="lay_out",
        tags=["moves"],
        responses={200: LayOutBody, **problems(403, 409, 422)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Lay out your hand of Three Thirteen. You get the melds, the cards left over and their penalty."""
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
        limit("moves", str(player.pk))
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
