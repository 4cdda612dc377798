"""Three Thirteen under random play: what must hold in every game."""

import json
from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import PLAIN_DECK, decks
from games.rules.moves import IllegalMove
from games.rules.record import record_of, replay
from games.rules.three_thirteen import THREE_THIRTEEN as GAME

GAMES = {GAME.name: GAME}
LONGEST = 20_000  # moves; far beyond what any game here needs

setups = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**32),
        "seats": st.integers(2, 8),
        "ruleset": st.sampled_from(["house", "classic"]),
        "rounds": st.integers(1, 4),
        "renewals": st.integers(0, 2),
        "resigns": st.sampled_from([0.0, 0.01, 0.1]),
    }
)


class RandomGame:
    """A game in which each seat takes any legal move, goes out where it can, and now and then somebody leaves."""

    def __init__(self, setup, order=None):
        self.random = Random(setup["seed"])
        self.resigns = setup["resigns"]
        self.first_order = order
        options = {"rounds": setup["rounds"], "renewals": setup["renewals"]}
        seats = setup["seats"]
        self.state, self.events = GAME.deal(
            seats, setup["ruleset"], options, self.random.randrange(seats), self.shuffle
        )

    def shuffle(self, cards):
        order, self.first_order = self.first_order, None
        return order or self.random.sample(list(cards), len(cards))

    def choose(self):
        if self.random.random() < self.resigns:
            return self.random.choice(self.state.in_play), {"move": "resign"}
        (seat,) = GAME.to_act(self.state)
        listed = GAME.legal_moves(self.state, seat)
        return seat, self.random.choice([move for move in listed if move["move"] == "go_out"] or listed)

    def step(self, seat, move):
        events = GAME.decide(self.state, seat, move, self.shuffle)
        for event in events:
            self.state = GAME.evolve(self.state, event)
        self.events += events
        return events

    def steps(self):
        """Plays on, one move at a time, to the end of the game."""
        for _ in range(LONGEST):
            if GAME.status(self.state) == "finished":
                return
            seat, move = self.choose()
            yield seat, move, self.step(seat, move)
        raise AssertionError("the game does not end")

    def play(self):
        for _ in self.steps():
            pass
        return self


def accepted(state, seat, move):
    try:
        GAME.decide(state, seat, move, list)
    except IllegalMove:
        return False
    return True


@given(setups)
@settings(max_examples=40)
def test_every_game_ends_with_a_place_for_everyone(setup):
    result = GAME.result(RandomGame(setup).play().state)
    places = [line["place"] for line in result["placements"]]
    assert sorted(line["seat"] for line in result["placements"]) == list(range(setup["seats"]))
    assert places == sorted(places)
    for line in result["placements"]:
        better = sum(place < line["place"] for place in places)
        assert line["place"] == better + 1, "S12: 1, 2, 2, 4"


@given(setups, st.integers(0, 60))
@settings(max_examples=40)
def test_every_move_listed_is_accepted_and_every_other_refused(setup, at):
    game = RandomGame(setup)
    for n, _ in enumerate(game.steps()):
        if n == at:
            break
    every = [{"move": "draw", "from": source} for source in ("stock", "discard")]
    every += [{"move": "discard", "card": card} for card in PLAIN_DECK]
    every += [{"move": "go_out", "discard": card} for card in PLAIN_DECK]
    for seat in range(setup["seats"]):
        listed = GAME.legal_moves(game.state, seat)
        assert [move for move in every if accepted(game.state, seat, move)] == sorted(listed, key=every.index)
        assert bool(listed) == (GAME.why_not(game.state, seat) is None)
        assert bool(listed) == (seat in GAME.to_act(game.state))
        leaves = GAME.status(game.state) == "playing" and seat not in game.state.resigned
        assert accepted(game.state, seat, {"move": "resign"}) == leaves


class Passing(RandomGame):
    """A game in which nearly everybody takes the discard and nobody goes out."""

    def choose(self):
        seat, move = super().choose()
        listed = [move for move in GAME.legal_moves(self.state, seat) if move["move"] != "go_out"]
        if move["move"] == "draw" and self.random.random() < 0.95:
            return seat, listed[-1]
        return seat, self.random.choice(listed) if move["move"] == "go_out" else move


@given(setups)
@settings(max_examples=40)
def test_tt13_a_round_lasts_at_most_three_turns_each_without_a_card_from_the_stock(setup):
    game = Passing(setup | {"rounds": 2})
    turns, drawn_from_stock = 0, False
    for _, move, events in game.steps():
        if move["move"] == "draw":
            drawn_from_stock = move["from"] == "stock"
        turns = 0 if move["move"] == "resign" or drawn_from_stock else turns + (move["move"] == "discard")
        limit = 3 * len(game.state.in_play)
        assert turns <= limit
        if turns == limit:
            assert events[1]["type"] == "round_scored" and events[1]["data"]["went_out"] is None
        if len(events) > 1:
            turns = 0


@given(setups)
@settings(max_examples=40)
def test_no_card_is_lost_or_doubled(setup):
    game = RandomGame(setup)
    whole = Counter(decks(game.state.options["decks"], jokers=0))
    left_with_players = Counter()
    before = game.state
    for seat, move, events in game.steps():
        if move["move"] == "resign":
            left_with_players += Counter(before.hands[seat])
        if events[-1]["type"] == "dealt":
            left_with_players = Counter()
        before = game.state
        there = Counter(before.stock) + Counter(before.discards) + sum(map(Counter, before.hands), Counter())
        assert there + left_with_players == whole


@given(setups)
@settings(max_examples=30)
def test_the_events_alone_give_the_state_also_when_both_were_stored_as_json(setup):
    game = RandomGame(setup).play()
    state = None
    for event in json.loads(json.dumps(game.events)):
        state = GAME.evolve(state, event)
        assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state
    assert state == game.state


@given(setups)
@settings(max_examples=30)
def test_record_replay_record_is_the_identity(setup):
    game = RandomGame(setup).play()
    record = record_of(GAME, game.events)
    replayed = replay(json.loads(json.dumps(record)), GAMES)
    assert replayed.error is None
    assert replayed.state == game.state
    assert record_of(GAME, replayed.events) == record


@given(setups)
@settings(max_examples=30)
def test_a_duty_lasts_as_long_as_the_turn(setup):
    game = RandomGame(setup)
    seen = set()
    before = GAME.duties(game.state)
    for seat, move, events in game.steps():
        duties = GAME.duties(game.state)
        ends_a_turn = move["move"] in {"discard", "go_out"} or (move["move"] == "resign" and seat in before)
        if ends_a_turn:
            seen |= set(before.values())
            assert not seen & set(duties.values()), "a new turn is a new duty"
        elif len(events) == 1 and GAME.status(game.state) == "playing":
            assert duties == before
        before = duties


@given(setups, st.integers(0, 7), st.integers(0, 50), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_two_deals_that_differ_only_in_cards_a_seat_has_not_seen_look_the_same_to_it(setup, viewer, length, chance):
    viewer %= setup["seats"]
    setup |= {"rounds": 4}
    game = RandomGame(setup)
    script = []
    # Within the first round, and before anybody goes out or the stock is renewed: then each card keeps its place.
    while len(script) < length and len(game.state.stock) > 1:
        seat, move = game.choose()
        if move["move"] == "resign" and len(game.state.in_play) == 2:
            break  # a finished game hides nothing
        if move["move"] == "go_out":
            seat, move = GAME.to_act(game.state)[0], GAME.legal_moves(game.state, seat)[0]
        game.step(seat, move)
        if game.state.round > 1:  # TT13: the round was passed out
            game = RandomGame(setup)
            for earlier in script:
                game.step(*earlier)
            break
        script.append((seat, move))
    order = game.events[0]["data"]["shuffle"]
    other = RandomGame(setup, order=_hidden_cards_changed(game, viewer, order, chance))
    for seat, move in script:
        other.step(seat, move)
    for sees in (viewer, "public"):
        assert json.dumps(GAME.view(game.state, sees)) == json.dumps(GAME.view(other.state, sees))
        mine, theirs = ([GAME.redact(event, sees) for event in each.events] for each in (game, other))
        assert json.dumps(mine) == json.dumps(theirs)
    assert GAME.legal_moves(game.state, viewer) == GAME.legal_moves(other.state, viewer)


def _hidden_cards_changed(game, viewer, order, chance):
    """The first shuffle's order, all cards put about that the viewer has neither held nor seen on the discard pile."""
    seen = Counter(game.events[0]["data"]["hands"][viewer]) + Counter([game.events[0]["data"]["discard_top"]])
    for event in game.events:
        data = event["data"]
        if event["type"] == "discarded":
            seen[data["move"]["card"]] = game.state.options[
                "decks"
            ]  # all copies: which one was discarded does not matter
        elif event["type"] == "drew" and event["seat"] == viewer:
            seen[data["card"]] = game.state.options["decks"]
    hidden = [place for place, card in enumerate(order) if not seen[card]]
    mixed = chance.sample(hidden, len(hidden))
    changed = list(order)
    for place, source in zip(hidden, mixed, strict=True):
        changed[place] = order[source]
    return changed


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.sampled_from(["7H", "3S", "stock"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=6,
)
keys = st.sampled_from(["move", "from", "card", "discard", "melds", "seat"])
names = st.sampled_from(["draw", "discard", "go_out", "resign", "play"])


@given(st.dictionaries(keys, json_values, max_size=4), names | json_values, st.booleans())
@settings(max_examples=100)
def test_any_json_sent_as_a_move_is_accepted_or_refused(fields, name, drawn):
    game = RandomGame(
        {"seed": 5, "seats": 3, "ruleset": "house", "rounds": 1, "renewals": 1, "resigns": 0.0},
    )
    if drawn:
        game.step(*game.choose())
    before = GAME.dump(game.state)
    accepted(game.state, GAME.to_act(game.state)[0], fields | {"move": name})
    assert GAME.dump(game.state) == before
