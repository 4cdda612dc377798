"""The schemas of moves, the body of `POST games/{id}/moves`, and of legal moves as they are listed."""

from collections.abc import Mapping
from typing import Any

from core.http.openapi import ref
from games.api.schema.parts import CARD, CARDS, const, one_of, shape

_COUNT = {"type": "integer", "minimum": 1}
_POSITION = {"type": "integer", "minimum": 0, "maximum": 2}


def _cards(description: str, at_least: int = 1, at_most: int | None = None) -> dict[str, Any]:
    bounds = {"minItems": at_least} | ({"maxItems": at_most} if at_most is not None else {})
    return {**CARDS, **bounds, "description": description}


def _move(
    name: str, description: str, required: Mapping[str, Any] | None = None, optional: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    return shape(description, {"move": const(name), **(required or {})}, optional, closed=True)


def _legal(name: str, description: str, sent: str, keys: Mapping[str, Any] | None = None, **optional: Any) -> Any:
    send = {"send": {**ref(sent), "description": "A complete move, ready to be posted."}}
    return shape(description, {"move": const(name), **(keys or {}), **send}, optional)


_SOURCE = {"type": "string", "enum": ["stock", "discard"]}

_MOVES: dict[str, Any] = {
    "ArrangeMove": _move(
        "arrange",
        "Shedding games, setup: the three cards to lie face up.",
        {"face_up": _cards("The three cards.", 3, 3)},
    ),
    "PlayMove": _move(
        "play",
        "Shedding games: cards of one rank from the active zone, in the order in which they go onto the pile.",
        {"cards": _cards("The cards.")},
        {
            "interrupt": {
                "type": "boolean",
                "description": "Castle: true plays it out of turn only. If it is no interruption any more, it is "
                "refused (409 `race_lost`).",
            }
        },
    ),
    "FlipMove": _move("flip", "Shedding games: turn over and play a face-down card.", {"position": _POSITION}),
    "PickUpMove": _move("pick_up", "Shedding games: take the pile."),
    "DrawMove": _move(
        "draw",
        "Three Thirteen, first half of a turn (`from` is needed). Three Card and Castle: without `from`.",
        optional={"from": _SOURCE},
    ),
    "EndTurnMove": _move("end_turn", "Shedding games: decline a bonus play that is a right."),
    "DiscardMove": _move("discard", "Three Thirteen: second half of a turn.", {"card": CARD}),
    "GoOutMove": _move(
        "go_out",
        "Three Thirteen: second half of a turn, going out.",
        {"discard": CARD},
        {
            "melds": {
                "type": "array",
                "items": _cards("A set or a run."),
                "description": "Optional: without them the server finds them.",
            }
        },
    ),
    "SettleMove": _move(
        "settle",
        "Shedding games: agree to end a game that stands still, also out of turn; a second one takes it back. Legal "
        "for a player still in while the view says `may_settle`, and never listed.",
    ),
    "ResignMove": _move("resign", "Leave a running game for good. Always legal for a player still in."),
}

_LEGAL: dict[str, Any] = {
    "LegalArrange": _legal(
        "arrange",
        "Choose the cards to lie face up.",
        "ArrangeMove",
        {"choose": {**_COUNT, "description": "How many."}, "from": _cards("Among these.")},
    ),
    "LegalPlay": _legal(
        "play",
        "Cards of one rank: `min` to `max` of `cards`.",
        "PlayMove",
        {
            "rank": {"type": "string", "description": 'Jokers are "X".'},
            "cards": _cards("Those that may be played."),
            "min": _COUNT,
            "max": _COUNT,
        },
        with_face_up=_cards("A possible merge: any of these may go along with all of `cards`."),
    ),
    "LegalFlip": _legal(
        "flip",
        "Turn over one of the face-down cards.",
        "FlipMove",
        {"positions": {"type": "array", "items": _POSITION, "minItems": 1}},
    ),
    "LegalPickUp": _legal("pick_up", "Take the pile.", "PickUpMove"),
    "LegalDraw": _legal("draw", "Draw a card; in Three Thirteen `from` says where.", "DrawMove", **{"from": _SOURCE}),
    "LegalEndTurn": _legal("end_turn", "Decline the bonus play.", "EndTurnMove"),
    "LegalDiscard": _legal("discard", "Discard this card.", "DiscardMove", {"card": CARD}),
    "LegalGoOut": _legal("go_out", "Discard this card and meld all others.", "GoOutMove", {"discard": CARD}),
}


def _by_move(components: Mapping[str, Any]) -> dict[str, str]:
    return {component["properties"]["move"]["const"]: name for name, component in components.items()}


MOVES: dict[str, Any] = {
    **_MOVES,
    **_LEGAL,
    "Move": one_of("One move.", "move", _by_move(_MOVES)),
    "LegalMove": one_of(
        "A legal move. Those of a kind are listed at once: `play` once a rank, `flip` with its positions, `arrange` "
        "with the cards to choose from.",
        "move",
        _by_move(_LEGAL),
    ),
}
