"""S13: a bot knows what everybody at the table saw since the last progress, and does not go round in circles."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.bots import circles
from games.bots.circles import done_before, events_wanted
from games.rules import GAMES
from games.rules.shedding import SheddingGame
from games.rules.shedding.state import Player
from tests.games.bots.positions import choose

SHEDDING = [name for name, game in GAMES.items() if game.family == "shedding"]


class Dead:
    """A game of Threes in which a queen goes to and fro, since who picks it up has nothing better to lead (TH8)."""

    def __init__(self) -> None:
        rules, hands = GAMES["threes"], (("4S", "QS"), ("5H", "6H"))
        assert isinstance(rules, SheddingGame)
        self.rules = rules
        state, _ = rules.deal(len(hands), None, {"play_until": "first_out"}, 0, list)
        draft = state.draft()
        draft.players = tuple(Player(hand, (), ("9C", "9D", "9H"), (False,) * 3, arranged=True) for hand in hands)
        draft.pile, draft.stock, draft.phase, draft.turn, draft.turn_number = (), (), "playing", 0, 9
        self.state = draft.freeze()
        self.events: list[dict[str, Any]] = []

    def move(self, name: str, *cards: str) -> "Dead":
        (seat,) = self.rules.to_act(self.state)
        move = {"move": name, **({"cards": list(cards)} if cards else {})}
        for event in self.rules.decide(self.state, seat, move, list):
            self.state = self.rules.evolve(self.state, event)
            self.events.append(self.rules.redact(event, "public"))
        return self

    @property
    def view(self) -> dict[str, Any]:
        return self.rules.view(self.state, self.rules.to_act(self.state)[0])


def test_nothing_is_asked_for_in_a_game_that_makes_progress() -> None:
    assert events_wanted(Dead().view) == 0
    standing_still = Dead().move("play", "QS").move("pick_up").move("play", "QS")
    assert events_wanted(standing_still.view) == circles.MOST_EVENTS
    assert events_wanted({"game": "three_thirteen"}) == 0


def test_the_position_is_the_same_only_if_hands_pile_and_counts_are() -> None:
    table = Dead()
    start = table.view
    assert done_before(start, table.events) == Counter()
    table.move("play", "QS").move("pick_up").move("play", "QS").move("pick_up").move("play", "QS")
    table.move("pick_up").move("play", "QS").move("pick_up")
    assert done_before(table.view, table.events) == Counter({("play", "Q", 1): 2})
    changed = table.view | {"pile": ["9S"]}
    assert done_before(changed, table.events) == Counter()


def test_progress_ends_what_is_remembered() -> None:
    table = Dead()
    for _ in range(2):
        table.move("play", "QS").move("pick_up").move("play", "QS").move("pick_up")
    counted = done_before(table.view, table.events)
    assert counted == Counter({("play", "Q", 1): 2})
    progress = {"type": "played", "seat": 1, "data": {"move": {"move": "play"}, "effects": [{"effect": "drew"}]}}
    assert done_before(table.view, [*table.events, progress]) == Counter()
    table_card = {"effect": "laid", "seat": 1, "cards": ["9C"], "hand": [], "face_up": [], "position": 2}
    progress["data"]["effects"] = [table_card]
    assert done_before(table.view, [*table.events, progress]) == Counter()


def test_the_best_of_the_moves_made_least_often_is_made() -> None:
    table = Dead()
    legal = table.rules.legal_moves(table.state, 0)
    first = choose("steady", table.view, legal, 1, table.events)
    other = {"4S": "QS", "QS": "4S"}[first["cards"][0]]
    table.move("play", "QS").move("pick_up").move("play", "QS").move("pick_up")
    assert choose("steady", table.view, legal, 1, table.events)["cards"] == ["4S"], "the queen was played here before"
    assert choose("steady", table.view, legal, 1)["cards"] != [other], "without the events nothing is known of it"


def test_a_bot_looks_back_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Dead()
    for _ in range(3):
        table.move("play", "QS").move("pick_up").move("play", "QS").move("pick_up")
    assert done_before(table.view, table.events)[("play", "Q", 1)] == 3
    monkeypatch.setattr(circles, "MOST_EVENTS", 5)
    assert done_before(table.view, table.events)[("play", "Q", 1)] == 1


@pytest.mark.sampled
@pytest.mark.parametrize("game", SHEDDING)
def test_taking_moves_back_gives_the_positions_as_they_were(game: str) -> None:
    """In whole games: what a seat is said to have done is what it did where it saw the same hand, pile and counts."""
    rules, compared = GAMES[game], 0
    for number in range(12):
        chance = Random(f"{game} {number}")
        state, _ = rules.deal(
            2, None, {"play_until": "first_out"}, 0, lambda cards, c=chance: c.sample(cards, len(cards))
        )
        events: list[dict[str, Any]] = []
        past: list[tuple[int, Any, Any]] = []
        while rules.result(state) is None:
            (seat, *_) = rules.may_interrupt(state) or rules.to_act(state)
            view, legal = rules.view(state, seat), rules.legal_moves(state, seat)
            if view["stalled"] == 0:
                past.clear()
            here = _position(view, seat)
            wanted = Counter(done for who, there, done in past if who == seat and there == here)
            found = done_before(view, events) if view["stalled"] else Counter()
            assert found >= wanted
            compared += wanted.total()
            move = choose("random", view, legal, len(events))
            past.append((seat, here, circles.done_of(move)))
            for event in rules.decide(state, seat, move, list):
                state = rules.evolve(state, event)
                events.append(rules.redact(event, "public"))
    assert compared > 0


def _position(view: dict[str, Any], seat: int) -> tuple[Any, ...]:
    hand = sorted(card[0] for card in view["players"][seat]["hand"])
    return hand, [card[0] for card in view["pile"]], [player["hand_count"] for player in view["players"]]
