"""Moves, as the OpenAPI document describes them: sent, listed and in records."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from core.http.bodies import AnyObject, components, doc, schema
from core.http.openapi import ref

Card = Annotated[str, schema(ref("Card"))]
Cards = list[Card]
Position = Annotated[int, Meta(ge=0, le=3)]
Count = Annotated[int, Meta(ge=1)]
Some = Annotated[Cards, Meta(min_length=1)]
Source = Literal["stock", "discard"]


class _Move(Struct, tag_field="move", forbid_unknown_fields=True):
    pass


class ArrangeMove(_Move, tag="arrange"):
    """Shedding games, setup: the cards to lay face up."""

    face_up: Annotated[
        Cards,
        Meta(min_length=1, max_length=4, description="Three cards, or in a house game as many as are dealt face down."),
    ]


class PlayMove(_Move, tag="play"):
    """Shedding games: cards of one rank from the active zone, in the order in which they go onto the pile."""

    cards: Annotated[Some, doc("The cards.")]
    interrupt: (
        Annotated[
            bool,
            doc(
                "Castle: true plays it only out of turn. If it is no longer an interruption, it is refused "
                "(409 `race_lost`)."
            ),
        ]
        | UnsetType
    ) = UNSET


class FlipMove(_Move, tag="flip"):
    """Shedding games: turn over and play a face-down card."""

    position: Position


class PickUpMove(_Move, tag="pick_up"):
    """Shedding games: take the pile."""


class DrawMove(_Move, tag="draw"):
    """Three Thirteen, first half of a turn (`from` is needed). Three Card and Castle: without `from`."""

    source: Source | UnsetType = field(name="from", default=UNSET)


class EndTurnMove(_Move, tag="end_turn"):
    """Shedding games: decline an optional bonus play."""


class DiscardMove(_Move, tag="discard"):
    """Three Thirteen, second half of a turn: discard."""

    card: Card


class GoOutMove(_Move, tag="go_out"):
    """Three Thirteen, second half of a turn: go out."""

    discard: Card
    melds: (
        Annotated[
            list[Annotated[Some, doc("A set or a run.")]],
            doc("Optional. If you leave them out, the server finds them."),
        ]
        | UnsetType
    ) = UNSET


class SettleMove(_Move, tag="settle"):
    """Shedding games: agree to end a game that stands still, even out of turn. A second one takes it back.

    Legal for a player still in while the view says `may_settle`, but never listed.
    """


class ResignMove(_Move, tag="resign"):
    """Leave a running game for good. Always legal for a player still in."""


SENT = doc("A complete move, ready to be posted.")


class _Legal(Struct, tag_field="move", kw_only=True):
    pass


class LegalArrange(_Legal, tag="arrange"):
    """Choose the cards to lay face up."""

    choose: Annotated[Count, doc("The number of cards to choose.")]
    among: Annotated[Some, doc("The cards to choose from.")] = field(name="from")
    send: Annotated[ArrangeMove, SENT]


class LegalPlay(_Legal, tag="play"):
    """Cards of one rank: `min` to `max` of `cards`."""

    rank: Annotated[str, doc('Jokers are "X".')]
    cards: Annotated[Some, doc("The cards that can be played.")]
    min: Count
    max: Count
    send: Annotated[PlayMove, SENT]
    with_face_up: Annotated[Some, doc("A possible merge: any of these can be added to all of `cards`.")] | UnsetType = (
        UNSET
    )


class LegalFlip(_Legal, tag="flip"):
    """Turn over one of the face-down cards."""

    positions: Annotated[list[Position], Meta(min_length=1)]
    send: Annotated[FlipMove, SENT]


class LegalPickUp(_Legal, tag="pick_up"):
    """Take the pile."""

    send: Annotated[PickUpMove, SENT]


class LegalDraw(_Legal, tag="draw"):
    """Draw a card; in Three Thirteen `from` says where."""

    send: Annotated[DrawMove, SENT]
    source: Source | UnsetType = field(name="from", default=UNSET)


class LegalEndTurn(_Legal, tag="end_turn"):
    """Decline the bonus play."""

    send: Annotated[EndTurnMove, SENT]


class LegalDiscard(_Legal, tag="discard"):
    """Discard this card."""

    card: Card
    send: Annotated[DiscardMove, SENT]


class LegalGoOut(_Legal, tag="go_out"):
    """Discard this card and meld all others."""

    discard: Card
    send: Annotated[GoOutMove, SENT]


class Record(Struct):
    """A whole game in one file: everything that decided it, and nothing else."""

    format: Literal["trey-record/1"]
    game: str
    ruleset: str
    options: AnyObject
    seats: int
    dealer: int
    shuffles: Annotated[list[Cards], doc("The order of the cards after each shuffle, top card first.")]
    moves: Annotated[
        list[
            Annotated[
                dict[str, Any],
                schema(
                    {
                        "required": ["seat", "move"],
                        "properties": {"seat": {"type": "integer"}, "move": {"type": "string"}},
                        "additionalProperties": {},
                    }
                ),
            ]
        ],
        doc("The moves in order, each with its `seat`."),
    ]


COMPONENTS = components(
    Record,
    Move=(
        "One move.",
        (
            ArrangeMove, PlayMove, FlipMove, PickUpMove, DrawMove, EndTurnMove, DiscardMove, GoOutMove, SettleMove,
            ResignMove,
        ),
    ),
    LegalMove=(
        "A legal move. Similar moves are listed as one: `play` once for each rank, `flip` with its positions, "
        "`arrange` with the cards to choose from.",
        (LegalArrange, LegalPlay, LegalFlip, LegalPickUp, LegalDraw, LegalEndTurn, LegalDiscard, LegalGoOut),
    ),
)  # fmt: skip
