"""PL1, PL9: what a plan does tells its player nothing that the player cannot see."""

import random

from hypothesis import given
from hypothesis import strategies as st

from games.rules import GAMES
from games.rules.plans import judge_as_in_turn, read_plan
from tests.rules.plans.scene import HIGHEST, LOWEST, line
from tests.rules.playing import RandomGame

SHEDDING = [
    line(HIGHEST, would_close=True, interrupt=True),
    line({**LOWEST, "count": "all"}, inverted=True),
    line({"move": "flip", "choose": "first"}, would_close=True),
    line("draw", stock_is_out=False, next_has_at_most=3),
    line({**HIGHEST, "count": 2}, anyone_has_at_most=4),
    line("end_turn", bonus=True),
    line({**LOWEST, "keep": ["2", "T"]}, hand_at_least=3),
]
RUMMY = [
    line("go_out"),
    line({"move": "draw", "from": "discard"}, top_melds=True),
    line({"move": "draw", "from": "discard"}, top_helps=4),
    line({"move": "draw", "from": "stock"}),
    line({"move": "discard", "choose": "best"}),
]


def hidden_shuffled(game, state, seat, rng):
    """The state with the cards mixed that this seat cannot see: the stock and, in shedding games, face-down cards."""
    stored = GAMES[game].dump(state)
    stock = list(stored["stock"])
    rng.shuffle(stock)
    if game == "three_thirteen":
        others = [at for at in range(len(stored["hands"])) if at != seat]
        unseen = [card for at in others for card in stored["hands"][at]] + stock
        rng.shuffle(unseen)
        hands = [list(hand) for hand in stored["hands"]]
        for at in others:
            hands[at] = [unseen.pop() for _ in hands[at]]
        return GAMES[game].load(stored | {"hands": hands, "stock": unseen})
    down = [card for player in stored["players"] for card in player["face_down"] if card is not None] + stock
    rng.shuffle(down)
    players = [
        player | {"face_down": [None if card is None else down.pop() for card in player["face_down"]]}
        for player in stored["players"]
    ]
    return GAMES[game].load(stored | {"players": players, "stock": down})


@given(st.sampled_from(sorted(GAMES)), st.integers(0, 10**6))
def test_pl9_a_verdict_depends_on_nothing_that_the_seat_cannot_see(game, seed):
    rng = random.Random(seed)
    dealt = RandomGame(game, seed)
    list(dealt.steps(rng.randint(0, 60)))
    rules, state = dealt.rules, dealt.state
    if rules.status(state) == "finished":
        return
    seen = {place["seat"] for place in rules.view(state, None)["players"] if not place.get("place")}
    seat = rng.choice(sorted(seen))
    if any(any(player.shown) for player in getattr(state, "players", ())):
        return  # some face-down cards are seen by all
    plan = read_plan(rules, {"lines": RUMMY if game == "three_thirteen" else SHEDDING})
    other = hidden_shuffled(game, state, seat, rng)
    assert judge_as_in_turn(rules, state, seat, plan) == judge_as_in_turn(rules, other, seat, plan)


@given(st.sampled_from(sorted(GAMES)), st.integers(0, 10**6))
def test_pl2_what_a_plan_plays_is_legal_wherever_the_game_goes(game, seed):
    """Every seat follows its plan where it says what to do, and plays at random where it does not."""
    dealt = RandomGame(game, seed)
    rules = dealt.rules
    plan = read_plan(rules, {"lines": RUMMY if game == "three_thirteen" else SHEDDING})
    played = 0
    for _ in range(150):
        if rules.status(dealt.state) == "finished":
            break
        found = [(seat, judge_as_in_turn(rules, dealt.state, seat, plan)) for seat in rules.to_act(dealt.state)]
        seat, verdict = found[0]
        if verdict.move is None:
            dealt.step()
        else:
            dealt.apply(seat, verdict.move)
            played += 1
    assert played
