"""What must hold always, in all games: proved over random games (hypothesis chooses the seeds)."""

import json
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import GAMES, IllegalMove
from games.rules.cards import CARDS
from games.rules.record import record_of, replay
from tests.rules.playing import RandomGame, concrete

SEEDS = st.integers(min_value=0, max_value=2**32)
SHORT = {"three_thirteen": {"rounds": 3}}
EVERY_GAME = pytest.mark.parametrize("name", list(GAMES))
FEW = settings(max_examples=15)


def begun(name: str, seed: int, most: int | None = None) -> RandomGame:
    """A random game, played for a random number of moves."""
    game = RandomGame(name, seed, options=SHORT.get(name))
    for _ in game.steps(random.Random(seed).randrange(most or 150)):
        pass
    return game


@EVERY_GAME
@given(seed=SEEDS)
@FEW
def test_every_random_game_ends_and_its_places_are_complete(name, seed):
    game = RandomGame(name, seed, options=SHORT.get(name))
    for _ in game.steps():
        pass
    result = game.rules.result(game.state)
    assert sorted(row["seat"] for row in result["placements"]) == list(range(game.seats))
    places = [row["place"] for row in result["placements"]]
    assert places == sorted(places) and places[0] == 1
    assert all(place == 1 + sum(other < place for other in places) for place in places), "S12: 1, 2, 2, 4"
    assert game.able() == [] and all(not game.rules.legal_moves(game.state, seat) for seat in range(game.seats))


@EVERY_GAME
@given(seed=SEEDS)
@FEW
def test_every_listed_move_is_accepted(name, seed):
    game = begun(name, seed)
    for seat in game.able():
        assert game.rules.why_not(game.state, seat) is None
        for listed in game.rules.legal_moves(game.state, seat):
            for _ in range(3):
                game.rules.decide(game.state, seat, concrete(listed, game.rng), game.shuffle)


def listed_as(listed: dict[str, Any], move: dict[str, Any]) -> bool:
    """Whether an entry of the legal list stands for the move."""
    if listed["move"] != move["move"]:
        return False
    match move["move"]:
        case "play":
            cards, extra = Counter(move["cards"]), Counter(listed.get("with_face_up", []))
            named = Counter(listed["cards"])
            if cards <= named:
                return listed["min"] <= cards.total() <= listed["max"]
            return named <= cards and cards - named <= extra
        case "flip":
            return move["position"] in listed["positions"]
        case "arrange":
            return len(move["face_up"]) == listed["choose"] and Counter(move["face_up"]) <= Counter(listed["from"])
        case "go_out":
            return bool(listed["discard"] == move["discard"])
    return listed == move


MOVES = st.one_of(
    st.builds(lambda cards: {"move": "play", "cards": cards}, st.lists(st.sampled_from(sorted(CARDS)), max_size=4)),
    st.builds(
        lambda cards: {"move": "arrange", "face_up": cards}, st.lists(st.sampled_from(sorted(CARDS)), max_size=4)
    ),
    st.builds(lambda position: {"move": "flip", "position": position}, st.integers(0, 2)),
    st.sampled_from([{"move": "pick_up"}, {"move": "draw"}, {"move": "end_turn"}]),
    st.builds(lambda source: {"move": "draw", "from": source}, st.sampled_from(["stock", "discard"])),
    st.builds(lambda card: {"move": "discard", "card": card}, st.sampled_from(sorted(CARDS))),
    st.builds(lambda card: {"move": "go_out", "discard": card}, st.sampled_from(sorted(CARDS))),
)


@EVERY_GAME
@given(seed=SEEDS, moves=st.lists(MOVES, min_size=10, max_size=30), data=st.data())
@FEW
def test_what_is_not_listed_is_refused_and_changes_nothing(name, seed, moves, data):
    game = begun(name, seed)
    own = [card for seat in range(game.seats) for card in game.rules.view(game.state, None)["players"][seat]["hand"]]
    moves += [{"move": "play", "cards": [card]} for card in own] + [{"move": "discard", "card": card} for card in own]
    before = game.rules.dump(game.state)
    for move in moves:
        for seat in range(game.seats):
            if any(listed_as(listed, move) for listed in game.rules.legal_moves(game.state, seat)):
                continue
            with pytest.raises(IllegalMove):
                game.rules.decide(game.state, seat, move, game.shuffle)
    assert game.rules.dump(game.state) == before


@EVERY_GAME
@pytest.mark.parametrize(
    "move",
    [
        None, 1, [], "pick_up", {}, {"move": None}, {"move": 1}, {"move": "fly"}, {"move": "resign", "why": 1},
        {"move": "play", "cards": "3S"}, {"move": "play", "cards": [3]}, {"move": "play", "cards": ["3s"]},
        {"move": "discard", "card": None}, {"move": "go_out", "discard": "3S", "melds": ["3S"]},
        {"move": "flip", "position": True}, {"move": "flip", "position": 3}, {"move": "draw", "from": "hat"},
    ],
)  # fmt: skip
def test_moves_that_cannot_be_read_are_malformed(name, move):
    game = RandomGame(name, 1)
    with pytest.raises(IllegalMove) as refusal:
        game.rules.decide(game.state, game.able()[0], move, game.shuffle)
    assert refusal.value.code == "malformed"


def all_cards(view: dict[str, Any], stock: Counter[str]) -> Counter[str]:
    """Every card on a shedding table."""
    cards = Counter(view["pile"]) + Counter(view["out_of_play"]) + stock
    for player in view["players"]:
        cards += Counter(player["hand"]) + Counter(player["face_up"])
        cards += Counter(card for card in player["face_down_cards"] if card)
    return cards


@pytest.mark.parametrize("name", [name for name in GAMES if name != "three_thirteen"])
@given(seed=SEEDS)
@FEW
def test_no_card_is_lost_or_doubled(name, seed):
    game = RandomGame(name, seed)
    deck = Counter(game.events[0]["data"]["shuffle"])
    for _ in game.steps(200):
        assert all_cards(game.rules.view(game.state, None), Counter(game.state.stock)) == deck


@EVERY_GAME
@given(seed=SEEDS)
@FEW
def test_log_and_state_agree_and_a_state_survives_storage(name, seed):
    game = begun(name, seed)
    state = None
    for event in json.loads(json.dumps(game.events)):
        state = game.rules.evolve(state, event)
    stored = json.dumps(game.rules.dump(game.state), sort_keys=True)
    assert json.dumps(game.rules.dump(state), sort_keys=True) == stored
    assert json.dumps(game.rules.dump(game.rules.load(json.loads(stored))), sort_keys=True) == stored


@EVERY_GAME
@given(seed=SEEDS)
@FEW
def test_record_replay_record_is_the_identity(name, seed):
    game = begun(name, seed)
    record = record_of(game.rules, game.events)
    played = replay(json.loads(json.dumps(record)), GAMES)
    assert played.error is None and record_of(played.game, played.events) == record
    assert game.rules.dump(played.state) == game.rules.dump(game.state)


@EVERY_GAME
@given(seed=SEEDS)
@FEW
def test_a_duty_lasts_as_long_as_its_turn_or_choice(name, seed):
    game = RandomGame(name, seed, options=SHORT.get(name))
    for _ in range(60):
        status, before = game.rules.status(game.state), game.rules.duties(game.state)
        assert sorted(before) == game.rules.to_act(game.state)
        if not before:
            return
        seat, _, _ = game.step()
        after = game.rules.duties(game.state)
        if status == "setup" or seat not in before:
            assert all(after[other] == before[other] for other in before if other != seat and other in after)


def cards_in(value: Any) -> set[str]:
    """Every card code anywhere in a JSON value."""
    if isinstance(value, str):
        return {value} & CARDS
    if isinstance(value, dict):
        return cards_in(list(value.values()))
    return set().union(*map(cards_in, value)) if isinstance(value, list) else set()


def exchanged(value: Any, other: dict[str, str]) -> Any:
    """The JSON value with every card replaced by another."""
    if isinstance(value, str):
        return other.get(value, value)
    if isinstance(value, dict):
        return {key: exchanged(entry, other) for key, entry in value.items()}
    return [exchanged(entry, other) for entry in value] if isinstance(value, list | tuple) else value


ONE_DECK = {"three_card": 4, "tripp_jokes": 3, "threes": 2, "castle": 5}


@pytest.mark.parametrize("name", list(ONE_DECK))
@given(seed=SEEDS, stranger=st.booleans())
@settings(FEW, max_examples=40)
def test_games_that_differ_only_in_hidden_cards_look_the_same(name, seed, stranger):
    """S2, S6, CA9, CA11: cards that a viewer never saw are exchanged for each other throughout the log."""
    game = RandomGame(name, seed, seats=ONE_DECK[name])
    viewer = "public" if stranger else seed % game.seats
    seen = cards_in(game.rules.view(game.state, viewer))
    for _, _, events in game.steps(game.rng.randrange(60)):
        if game.rules.status(game.state) == "finished":
            return
        seen |= cards_in(game.rules.view(game.state, viewer))
        # S6: a flip is seen by all even when the card then goes to a hand.
        seen |= {effect["card"] for effect in events[0]["data"]["effects"] if effect["effect"] == "lifted"}
    hidden = sorted(set(game.events[0]["data"]["shuffle"]) - seen)
    events = json.loads(json.dumps(game.events))
    twin = exchanged(events, dict(zip(hidden, game.rng.sample(hidden, len(hidden)), strict=True)))
    state = twin_state = None
    for event, other in zip(events, twin, strict=True):
        state, twin_state = game.rules.evolve(state, event), game.rules.evolve(twin_state, other)
        assert game.rules.redact(event, viewer) == game.rules.redact(other, viewer)
        assert game.rules.view(state, viewer) == game.rules.view(twin_state, viewer)
