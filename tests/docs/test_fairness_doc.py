"""The outsider's check of docs/build/fairness.md, on games of every kind; and the numbers of the page."""

import hashlib
import hmac
import random
import re
import sys
from typing import Any

import pytest

from examples import fairness
from games.rules import GAMES
from games.rules.cards import JOKERS, PLAIN_DECK
from games.rules.fairness import Chance, commitment, secret_of_game
from games.rules.record import record_of
from tests.docs.pages import ROOT
from tests.rules.playing import concrete, pick
from tournaments.stream.state import GAMES as NAMESPACE

PAGE = (ROOT / "docs/build/fairness.md").read_text(encoding="utf-8")
VECTORS = dict(re.findall(r"^\| ([^|]+?) \| `?([^|`]+?)`? \|$", PAGE, re.MULTILINE))
SECRET = bytes(range(32))
SALTS = ["ada", "bob", "♠"]


class Played:
    """A game whose chance comes from a secret and salts, played at random, mostly from the stock."""

    def __init__(self, name: str, seats: int, lots: int) -> None:
        self.rules, self.rng = GAMES[name], random.Random(lots)
        self.salts = [f"salt {seat}" for seat in range(seats)]
        self.secret, self.shuffles = self.rng.randbytes(32), 0
        self.chance = Chance(self.secret, self.salts)
        state, self.events = self.rules.deal(seats, None, {}, self.chance.dealer(seats), self.shuffle)
        while self.rules.status(state) != "finished":
            seat = pick(self.rules.to_act(state), self.rng)
            listed = self.rules.legal_moves(state, seat)
            stock = [move for move in listed if move.get("from") == "stock"] if self.rng.random() < 0.9 else []
            move = concrete(pick(stock or listed, self.rng), self.rng)
            for event in self.rules.decide(state, seat, move, self.shuffle):
                state = self.rules.evolve(state, event)
                self.events.append(event)

    def shuffle(self, cards: Any) -> list[str]:
        self.shuffles += 1
        return self.chance.shuffle(self.shuffles)(cards)

    def shown(self) -> dict[str, Any]:
        """What the service shows of it at its end."""
        proof = {"secret": self.secret.hex(), "commitment": commitment(self.secret), "salts": self.salts}
        record = record_of(self.rules, self.events)
        return {"fairness": {**proof, "shuffles": self.shuffles}, "record": record, "events": self.events}


@pytest.fixture(scope="module")
def three_thirteen() -> Played:
    return Played("three_thirteen", 3, lots=5)


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seats", [2, 4])
def test_the_check_passes_an_honest_game(game: str, seats: int) -> None:
    fairness.check(**Played(game, seats, lots=seats).shown())


def test_it_follows_renewals_in_three_thirteen(three_thirteen: Played) -> None:
    renewals = [event for event in three_thirteen.events if event["type"] == "drew" and event["data"]["shuffle"]]
    assert renewals, "the game has none: choose other lots"
    fairness.check(**three_thirteen.shown())


@pytest.mark.parametrize("spoiled", ["a salt", "the secret", "a shuffle", "a renewal", "the dealer"])
def test_it_refuses_what_was_changed(three_thirteen: Played, spoiled: str) -> None:
    shown = three_thirteen.shown()
    events = [{**event, "data": dict(event["data"])} for event in shown["events"]]
    if spoiled == "a salt":
        shown["fairness"] = {**shown["fairness"], "salts": ["other", *shown["fairness"]["salts"][1:]]}
    elif spoiled == "the secret":
        shown["fairness"] = {**shown["fairness"], "secret": "00" * 32}
    elif spoiled == "the dealer":
        shown["record"] = {**shown["record"], "dealer": (shown["record"]["dealer"] + 1) % 3}
    else:
        kind = "dealt" if spoiled == "a shuffle" else "drew"
        event = [event for event in events if event["type"] == kind and event["data"]["shuffle"]][-1]
        event["data"]["shuffle"] = [*event["data"]["shuffle"][1:], event["data"]["shuffle"][0]]
    with pytest.raises(AssertionError):
        fairness.check(**{**shown, "events": events})


def test_it_uses_nothing_of_treys() -> None:
    text = (ROOT / "examples/fairness.py").read_text()
    imported = re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)
    assert imported and set(imported) <= set(sys.stdlib_module_names)


def test_the_numbers_of_the_page_are_those_of_the_rules() -> None:
    chance = Chance(SECRET, SALTS)
    key = hmac.digest(SECRET, b'trey-fairness/1\0key\0["ada","bob","\\u2660"]', "sha256")
    room = "5f0c0f6e-2f7b-4a51-9c5c-0d8f6a0f7c11"
    cards = {"shuffle 1": chance.shuffle(1)(PLAIN_DECK), "shuffle 2": chance.shuffle(2)(PLAIN_DECK)}
    found = {
        "commitment": hashlib.sha256(b"trey-fairness/1\0commitment\0" + SECRET).hexdigest(),
        "key": key.hex(),
        "block 0 of `dealer`": hmac.digest(key, b"dealer\0" + bytes(8), "sha256").hex(),
        "dealer of 3 seats": str(chance.dealer(3)),
        "`shuffle 1` of 52 cards begins": " ".join(cards["shuffle 1"][:8]),
        "`shuffle 2` of 52 cards begins": " ".join(cards["shuffle 2"][:8]),
        "`shuffle 1` of 108 cards with jokers begins": " ".join(chance.shuffle(1)((PLAIN_DECK + JOKERS) * 2)[:8]),
        f"secret of the game `{room}/2/1/1`": secret_of_game(SECRET, f"{room}/2/1/1").hex(),
        f"secret of the room `{room}/7`": secret_of_game(SECRET, f"{room}/7").hex(),
    }
    assert {name: VECTORS[name] for name in found} == found


def test_li9_the_namespace_of_rooms_is_the_pages() -> None:
    assert str(NAMESPACE) in PAGE
