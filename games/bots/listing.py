"""Legal moves as they are listed (CONTRACT, Records) and the moves as they are sent.

What one entry of a list stands for.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

Listed = Mapping[str, Any]
"""One entry of the legal moves: a move, or a collapsed form that stands for several."""

Move = dict[str, Any]


def moves_of(listed: Listed) -> Iterator[Move]:
    """Every different move that the entry stands for, one for all orders of the same cards."""
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


def first_of(listed: Listed) -> Move:
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


def _choices(cards: Sequence[str], count: int) -> Iterator[list[str]]:
    """Each different choice of so many cards once, however often a card is there."""
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


def counts_of(listed: Listed) -> Iterator[Move]:
    """The plays of an entry that differ in how many cards they have: suits never matter in the shedding games."""
    cards = listed["cards"]
    for count in range(listed["min"], listed["max"] + 1):
        yield {"move": "play", "cards": cards[:count]}
    face_up = listed.get("with_face_up", [])
    for count in range(1, len(face_up) + 1):
        yield {"move": "play", "cards": [*cards, *face_up[:count]]}


def any_of(listed: Listed, chance: Random) -> Move:
    """A move that the entry stands for, drawn by lot without listing them all."""
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
