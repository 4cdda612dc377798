"""The shape of moves, before any rule applies, and of the lists of legal ones; their words; the refusal of a move."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from games.rules.cards import CARDS, pretty, row
from games.rules.words import listed

Reader: TypeAlias = Callable[[str, object], Any]
Shapes: TypeAlias = Mapping[str, Mapping[str, Reader]]


class IllegalMove(Exception):  # noqa: N818 - its public name
    """A move that the rules refuse. `code` is stable and for programs, `detail` is a sentence for people."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail

    def as_json(self) -> dict[str, str]:
        return {"code": self.code, "detail": self.detail}


class MalformedMove(IllegalMove):
    """A move that cannot be read: unknown keys, unknown cards or wrong types."""

    def __init__(self, detail: str) -> None:
        super().__init__("malformed", detail)


def said(value: object) -> str:
    """Return a value as JSON for use in a sentence, shortened to 60 characters."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def card(key: str, value: object) -> str:
    if not isinstance(value, str) or value not in CARDS:
        raise MalformedMove(f"{key}: {said(value)} is not a card.")
    return value


def cards(key: str, value: object) -> list[str]:
    if not isinstance(value, list):
        raise MalformedMove(f"{key} must be a list of cards.")
    return [card(key, entry) for entry in value]


def card_lists(key: str, value: object) -> list[list[str]]:
    if not isinstance(value, list):
        raise MalformedMove(f"{key} must be a list of lists of cards.")
    return [cards(key, entry) for entry in value]


def position(places: int) -> Reader:
    *others, last = map(str, range(places))
    words = f"{', '.join(others)} or {last}" if others else last

    def read(key: str, value: object) -> int:
        if type(value) is not int or not 0 <= value < places:
            raise MalformedMove(f"{key} must be {words}, not {said(value)}.")
        return value

    return read


def one_of(*words: str) -> Reader:
    def read(key: str, value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise MalformedMove(f"{key} must be one of {', '.join(words)}, not {said(value)}.")
        return value

    return read


def read_move(raw: object, shapes: Shapes, optional: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the move in canonical form: `move`, then its keys in the order of its shape.

    Raises MalformedMove if `raw` is not an object, its `move` is missing or unknown, a key is missing that is not in
    `optional`, a key is unknown, or a value has the wrong type.
    """
    if not isinstance(raw, dict):
        raise MalformedMove('A move must be a JSON object with the key "move".')
    name = raw.get("move")
    if not isinstance(name, str) or name not in shapes:
        raise MalformedMove(f"move must be one of {', '.join(shapes)}, not {said(name)}.")
    move: dict[str, Any] = {"move": name}
    for key, reader in shapes[name].items():
        if key in raw:
            move[key] = reader(key, raw[key])
        elif key not in optional:
            raise MalformedMove(f"{name} needs the key {key}.")
    if len(move) < len(raw):
        raise MalformedMove(f"{name} takes no key {said(next(key for key in raw if key not in move))}.")
    return move


def first_of(listed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first move that the entry stands for, with as few cards as it may have."""
    match listed:
        case {"move": "arrange", "choose": count, "from": cards}:
            return {"move": "arrange", "face_up": cards[:count]}
        case {"move": "flip", "positions": positions}:
            return {"move": "flip", "position": positions[0]}
        case {"move": "play", "min": least, "cards": cards}:
            return {"move": "play", "cards": cards[:least]}
        case _:
            return dict(listed)


DO, DID, DONE = range(3)
"""The forms of a move's verb: "take", "took", "taken"."""
_IRREGULAR = {
    "choose": ("chose", "chosen"),
    "draw": ("drew", "drawn"),
    "go": ("went", "gone"),
    "lay": ("laid", "laid"),
    "take": ("took", "taken"),
}


def words_of(move: Mapping[str, Any], form: int = DID) -> str:
    """A move as a sentence without its subject: "played 7♥ 7♦"."""
    verb, *rest = _WORDS[move["move"]](move).split(" ")
    regular = f"{verb.removesuffix('e')}ed"
    return " ".join([verb if form == DO else _IRREGULAR.get(verb, (regular, regular))[form - 1], *rest])


def made_for(move: Mapping[str, Any], who: str) -> str | None:
    """What the clock or a bot did for somebody: "7♥ and 7♦ were played for you". None: as if by their own hands."""
    words = _MADE.get(move["move"])
    return f"{words(move)} for {who}" if words is not None else None


# A seat's face-down cards, by their positions.
_PLACES = ("left", "middle", "right", "fourth")
_DRAWS = {"stock": "draw from the stock", "discard": "take the discard"}
_WORDS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "arrange": lambda move: f"lay {row(move['face_up'])} face up" if move["face_up"] else "choose what lies face up",
    "play": lambda move: f"play {row(move['cards'])}",
    "flip": lambda move: f"turn over the {_PLACES[move['position']]} face-down card",
    "pick_up": lambda _: "take the pile",
    "draw": lambda move: _DRAWS[move["from"]] if "from" in move else "draw",
    "end_turn": lambda _: "end the turn",
    "discard": lambda move: f"discard {pretty(move['card'])}",
    "go_out": lambda move: f"go out, discarding {pretty(move['discard'])}",
    "settle": lambda _: "agree to end the game as it stands",
    "resign": lambda _: "resign",
}
_MADE: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "arrange": lambda move: (
        f"{were(move['face_up'])} laid face up" if move["face_up"] else "the face-up cards were chosen"
    ),
    "play": lambda move: f"{were(move['cards'])} played",
    "draw": lambda move: "the discard was taken" if move.get("from") == "discard" else "a card was drawn",
    "end_turn": lambda _: "the turn was ended",
    "discard": lambda move: f"{were([move['card']])} discarded",
}


def were(cards: Sequence[str]) -> str:
    """Cards as the subject of a sentence, with its verb: "7♥ was", "7♥ and 7♦ were"."""
    return f"{listed([pretty(card) for card in cards])} {'was' if len(cards) == 1 else 'were'}"
