"""Random documents of house games, and games by them."""

import random
from typing import Any

from games.rules.cards import JOKER, RANKS
from games.rules.shedding.document import POWERS, read
from tests.rules.playing import RandomGame

GOES_ON = ("next", "may", "must")
SHORT: dict[str, Any] = {
    "title": "Short", "without": "2345679", "deal": {"table": 1, "hand": 2}, "powers": {"8": ["skips"], "T": ["wild"]},
}  # fmt: skip
"""A game that is soon over."""


def some(rng: random.Random, ranks: str, most: int) -> str:
    return "".join(rng.sample(ranks, rng.randint(0, min(most, len(ranks)))))


def attempt(rng: random.Random) -> dict[str, Any]:
    """A document that says something of everything; not each is accepted."""
    without = some(rng, RANKS, rng.choice([0, 0, 2, 9]))
    jokers = rng.choice([0, 0, 1, 2, 4])
    order = [rank for rank in RANKS if rank not in without]
    search = [*order, *(JOKER if jokers else "")]
    for ranks in (order, search):
        if rng.random() < 0.3:
            rng.shuffle(ranks)
    fewest = rng.randint(2, 4)
    most = rng.randint(fewest, 6)
    opening: dict[str, Any] = {"who": rng.choice(["lowest", "lowest", "dealer_left", "dealer_right"])}
    if opening["who"] == "lowest":
        opening |= {"search": "".join(search), "race": rng.random() < 0.3, "card": rng.choice(["rank", "any"])}
    powers = {
        rank: rng.sample([*POWERS], rng.choice([1, 1, 2, 3]))
        for rank in some(rng, RANKS + JOKER, rng.choice([0, 3, 6, 14]))
    }
    return {
        "title": "Random", "seats": [fewest, most], "jokers": jokers, "without": without, "order": "".join(order),
        "decks": [[fewest, 1], [12, 2]] if rng.random() < 0.5 else [[12, rng.randint(1, 3)]],
        "deal": {
            "table": rng.randint(1, 4), "hand": rng.randint(1, 6), "shown": rng.random() < 0.3,
            "turn_up": rng.random() < 0.3,
        },
        "opening": opening, "direction": rng.choice(["left", "right"]), "powers": powers,
        "closed": {"then": rng.choice(GOES_ON)},
        "row": {
            "size": rng.choice([None, 3, 3, 4, 5, 8]), "then": rng.choice(GOES_ON), "at_once": rng.choice(GOES_ON),
            "through": some(rng, RANKS + JOKER, 2), "first": rng.random() < 0.5, "out_of_turn": rng.random() < 0.5,
        },
        "on_empty": {"powerless": rng.choice(["", "all", some(rng, RANKS + JOKER, 4)])},
        "turn": {
            "refill": rng.choice(["turn", "play"]), "draw": rng.choice([None, "fill", "gamble"]),
            "after_pick_up": rng.choice(["next", "must"]), "failed_flip": rng.choice(["hand", "returns"]),
            "merge": rng.random() < 0.4, "take_up": rng.random() < 0.3,
        },
        "end": {"until": rng.choice(["first_out", "last_left"]), "stalemate_after": rng.choice([3, 5, 20])},
    }  # fmt: skip


def random_document(rng: random.Random) -> dict[str, Any]:
    """A complete document that is accepted."""
    while True:
        document, faults = read(attempt(rng))
        if not faults:
            return document


def house_game(seed: int) -> RandomGame:
    """A random game by random rules."""
    rng = random.Random(seed)
    document = random_document(rng)
    return RandomGame("house", seed, options={"rules": document}, seats=rng.randint(*document["seats"]))
