"""PL4 and PL5 in Three Thirteen."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import PLAIN_DECK, without
from games.rules.three_thirteen import lay_out
from games.rules.three_thirteen.decide import is_meld
from tests.rules.plans.scene import line, played, rummy, verdict

GAME = "three_thirteen"
BEST = {"move": "discard", "choose": "best"}
TAKE = {"move": "draw", "from": "discard"}


def best(hand, **facts):
    """The best discard of a hand."""
    return played(GAME, rummy(hand, drawn=True, **facts), line(BEST)).removeprefix("discard ")


def helps(hand, top, asked, **facts):
    """Whether `top_helps` holds."""
    return verdict(GAME, rummy(hand, top, **facts), line(TAKE, top_helps=asked)).lines == ["plays"]


def melds(hand, top, asked=True, **facts):
    """Whether `top_melds` holds."""
    return verdict(GAME, rummy(hand, top, **facts), line(TAKE, top_melds=asked)).lines == ["plays"]


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("4S 9D KC 2H", "KC"),  # the least penalty
        ("7S 7D KC KH", "KH"),  # equal: S before H, D, C
        ("TS JH QD KC", "KC"),  # the same points: the highest rank
        ("TS JH QD KC AD", "AD"),  # an ace costs 15
        ("7D 7S 7C 3H", "7S"),  # any leaves nothing: never the wild one
        ("3D 3S 3C 3H", "3S"),  # only where all are wild
        ("4S 4H 4D 4C", "4S"),
    ],
)
def test_pl4_the_best_discard(hand, card):
    assert best(hand) == card


def test_pl4_tt11_an_ace_may_cost_1():
    assert best("AS 2H KD 9C", ace_points=1) == "KD"
    assert best("AS 2H AD", ace_points=1) == "2H"


def test_pl4_go_out_takes_the_best_discard():
    assert played(GAME, rummy("7S 7D 7C 3H", drawn=True), line("go_out")) == "go_out 7S"
    assert played(GAME, rummy("7S 7D 7C KH", drawn=True), line("go_out")) == "go_out KH"
    assert verdict(GAME, rummy("7S 7D 9C KH", drawn=True), line("go_out")).lines == ["not legal"]
    assert verdict(GAME, rummy("7S 7D 7C"), line("go_out")).lines == ["not legal"]


def test_pl4_tt6_nobody_goes_out_in_the_final_turns():
    state = rummy("7S 7D 7C KH", drawn=True, went_out=1, final_turns=(0,))
    found = verdict(GAME, state, line("go_out"), line(BEST))
    assert (found.lines, found.move) == (["not legal", "plays"], {"move": "discard", "card": "KH"})


def test_pl4_a_concrete_discard_and_going_out():
    state = rummy("7S 7D 7C KH", drawn=True)
    assert verdict(GAME, state, line({"move": "discard", "card": "AS"})).lines == ["not in hand"]
    named = {"move": "go_out", "discard": "KH", "melds": [["7S", "7D", "7C"]]}
    assert verdict(GAME, state, line(named)).move == named


def test_pl4_tt8_drawing_from_the_stock_where_it_can_be_renewed_and_only_then():
    stock = {"move": "draw", "from": "stock"}
    assert verdict(GAME, rummy("7S 8S KH", "2C 4C 5C", stock=()), line(stock)).lines == ["plays"]
    assert verdict(GAME, rummy("7S 8S KH", "2C", stock=()), line(stock), line(TAKE)).lines == ["not legal", "plays"]


@pytest.mark.parametrize(
    ("asked", "holds"),
    [(["7"], True), (["7H"], True), (["2H", "7H"], True), (["7S", "8"], False), (["wild"], False), ([], False)],
)
def test_pl5_top_names_ranks_and_cards(asked, holds):
    assert (verdict(GAME, rummy("9S 9D KC", "2C 7H"), line(TAKE, top=asked)).line == 0) is holds


def test_pl5_top_may_be_wild():
    assert verdict(GAME, rummy("9S 9D KC", "3C"), line(TAKE, top=["wild"])).line == 0
    assert verdict(GAME, rummy("9S 9D KC", "3C", in_round=2), line(TAKE, top=["wild"])).line is None


def test_pl5_top_helps_by_so_many_points_with_the_best_discard():
    assert helps("7S 7D KC", "7H", True)
    assert helps("7S 7D KC", "7H", 24) and not helps("7S 7D KC", "7H", 25)
    assert helps("9S 7D KC", "8H", True) and helps("9S 7D KC", "8H", 2) and not helps("9S 7D KC", "8H", 3)
    assert not helps("9S 7D KC", "QH", True) and helps("9S 7D KC", "QH", False)


def test_pl5_top_melds_is_not_top_helps():
    assert helps("9S 7D KC", "8H", True) and not melds("9S 7D KC", "8H")
    assert melds("7S 7D KC", "7H") and melds("9S 7D KC", "8H", False)
    assert melds("9S 7D KC", "3H") is False and melds("9S 9D KC", "3H")


def test_pl5_a_lay_out_of_least_penalty_is_any_of_them():
    """The wild card makes a set of kings, leaving the queen, or a run with the queen, leaving the other king."""
    assert melds("3S KS KH", "QS")


def test_pl5_the_three_are_false_once_one_has_drawn():
    state = rummy("7S 7D 7C KH", "7H", drawn=True)
    for name, asked in (("top", ["7"]), ("top_helps", True), ("top_helps", 1), ("top_melds", True)):
        assert verdict(GAME, state, line(BEST, **{name: asked})).lines == ["does not hold"]
    assert verdict(GAME, state, line(BEST, top_helps=False, top_melds=False)).lines == ["plays"]


def test_pl2_the_lines_are_read_again_from_the_top_in_the_second_half():
    usual = [line("go_out"), line(TAKE, top_helps=True), line({"move": "draw", "from": "stock"}), line(BEST)]
    assert verdict(GAME, rummy("7S 7D KC", "7H"), *usual).line == 1
    assert verdict(GAME, rummy("7S 7D KC", "QH"), *usual).line == 2
    assert verdict(GAME, rummy("7S 7D 7H KC", "QH", drawn=True), *usual).line == 0
    assert verdict(GAME, rummy("7S 7D 9H KC", "QH", drawn=True), *usual).line == 3


def melded_somewhere(hand, top, wild):
    """By trying out every meld that `top` can lie in."""
    least = lay_out([*hand, top], wild).penalty
    return any(
        is_meld([top, *others], wild) and lay_out(without(hand, others), wild).penalty == least
        for size in range(2, len(hand) + 1)
        for others in combinations(hand, size)
    )


@given(st.lists(st.sampled_from(PLAIN_DECK), min_size=4, max_size=8), st.sampled_from("3579K"))
def test_pl5_top_melds_finds_every_lay_out(cards, wild):
    """Few ranks and two of each card, so that lay-outs of equal penalty are frequent."""
    *hand, top = [{"A": "4", "2": "5", "J": "6", "T": "7", "8": "9"}.get(card[0], card[0]) + card[1] for card in cards]
    state = rummy(" ".join(hand), top, in_round="3456789TJQK".index(wild) + 1)
    found = verdict(GAME, state, line(TAKE, top_melds=True)).lines == ["plays"]
    assert found is melded_somewhere(hand, top, wild)


@given(st.lists(st.sampled_from(PLAIN_DECK), min_size=4, max_size=9, unique=True), st.sampled_from("3579K"))
def test_pl4_the_best_discard_leaves_the_least_penalty_and_goes_out_if_anything_does(cards, wild):
    state = rummy(" ".join(cards), drawn=True, in_round="3456789TJQK".index(wild) + 1)
    card = verdict(GAME, state, line(BEST)).move["card"]
    naturals = [other for other in cards if other[0] != wild] or cards
    assert card in naturals
    left = {other: lay_out(without(cards, [other]), wild).penalty for other in cards}
    assert left[card] == min(left[other] for other in naturals)
    assert (verdict(GAME, state, line("go_out")).line == 0) is (0 in left.values())
