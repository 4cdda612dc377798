"""The shape of moves, before any rule applies, and of the lists of legal ones; their words; the refusal of a move."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from games.rules.cards import CARDS, pretty, row

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


def words_of(move: Mapping[str, Any]) -> str:
    """A move as a sentence without its subject: "plays 7♥ 7♦"."""
    return _WORDS[move["move"]](move)


# A seat's face-down cards, by their positions.
_PLACES = ("left", "middle", "right", "fourth")
_DRAWS = {"stock": "draws from the stock", "discard": "takes the discard"}
_WORDS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "arrange": lambda move: f"lays {row(move['face_up'])} face up" if move["face_up"] else _CHOSEN,
    "play": lambda move: f"plays {row(move['cards'])}",
    "flip": lambda move: f"turns over the {_PLACES[move['position']]} face-down card",
    "pick_up": lambda _: "picks up the pile",
    "draw": lambda move: _DRAWS[move["from"]] if "from" in move else "draws",
    "end_turn": lambda _: "ends the turn",
    "discard": lambda move: f"discards {pretty(move['card'])}",
    "go_out": lambda move: f"goes out, discarding {pretty(move['discard'])}",
    "settle": lambda _: "agrees to end the game as it stands",
    "resign": lambda _: "resigns",
}
_CHOSEN = "has chosen what to lie face up"
