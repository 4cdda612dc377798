"""The moves that an entry in a list of legal moves stands for, and the seat that they are for."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

Listed = Mapping[str, Any]
"""An entry of the legal moves: a move, or a short form that stands for several."""

Move = dict[str, Any]


def moves_of(listed: Listed) -> Iterator[Move]:
    """Yield every different move that the entry stands for. The order of the cards does not make a move different."""
    match listed:
        case {"move": "arrange", "choose": count, "from": cards}:
            for chosen in _choices(cards, count):
                yield {"move": "arrange", "face_up": chosen}
        case {"move": "flip", "positions": positions}:
            for position in positions:
                yield {"move": "flip", "position": position}
        case {"move": "play", "min": least, "max": most, "cards": cards}:
            for count in range(least, most + 1):
                for chosen in _choices(cards, count):
                    yield {"move": "play", "cards": chosen}
            face_up = listed.get("with_face_up", [])
            for count in range(1, len(face_up) + 1):
                for chosen in _choices(face_up, count):
                    yield {"move": "play", "cards": [*cards, *chosen]}
        case _:
            yield dict(listed)


def _choices(cards: Sequence[str], count: int) -> Iterator[list[str]]:
    """Yield each different choice of this many cards once, even if there are several copies of a card."""
    kinds = sorted(Counter(cards).items())

    def choose(index: int, left: int) -> Iterator[list[str]]:
        if left == 0:
            yield []
        elif index < len(kinds):
            card, copies = kinds[index]
            for taken in range(min(copies, left), -1, -1):
                for rest in choose(index + 1, left - taken):
                    yield [card] * taken + rest

    return choose(0, count)


def any_of(listed: Listed, chance: Random) -> Move:
    match listed:
        case {"move": "arrange", "choose": count, "from": cards}:
            return {"move": "arrange", "face_up": chance.sample(list(cards), count)}
        case {"move": "flip", "positions": positions}:
            return {"move": "flip", "position": chance.choice(positions)}
        case {"move": "play", "min": least, "max": most, "cards": cards}:
            face_up = listed.get("with_face_up", [])
            count = chance.randint(least, most + len(face_up))
            along = chance.sample(face_up, max(0, count - len(cards)))
            return {"move": "play", "cards": [*chance.sample(list(cards), min(count, len(cards))), *along]}
        case _:
            return dict(listed)


def forced_move(legal: Sequence[Listed]) -> Move | None:
    """Return the only legal move, in the form in which it is sent. None if there are several, or none."""
    if len(legal) != 1:
        return None
    found = list(islice(moves_of(legal[0]), 2))
    return found[0] if len(found) == 1 else None


def own_player(view: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the player whose view this is: of those who may move, the one whose hand is shown."""
    may_move = {*view["to_act"], *view["may_interrupt"]}
    return next(player for player in view["players"] if player["seat"] in may_move and player["hand"] is not None)
