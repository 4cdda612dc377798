"""The meld solver (TT7, TT4, TT5) against the definition: every way to lay a hand out, tried one by one."""

import random
from collections import Counter
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.rules.cards import PLAIN_DECK, RANKS, SUITS
from games.rules.three_thirteen import discards_to_go_out, lay_out
from games.rules.three_thirteen.lay_out import runs
from games.rules.three_thirteen.lay_out.hands import read_hand
from games.rules.three_thirteen.lay_out.search import saved_by_runs

RUN_ORDER = "A23456789TJQK"
RUNS = {
    length: [
        {rank + suit for rank in RUN_ORDER[first : first + length]} for suit in SUITS for first in range(14 - length)
    ]
    for length in range(3, 14)
}


# The definition, as the text and TT4 have it, and the least penalty by trying everything.


def is_set(cards, wild):
    return len(cards) >= 3 and len({card[0] for card in cards if card[0] != wild}) <= 1


def is_run(cards, wild):
    """Some run of that length has a place of its own for each natural; wild cards are the rest of it."""
    naturals = [card for card in cards if card[0] != wild]
    places = set(naturals)
    return len(places) == len(naturals) and any(places <= run for run in RUNS.get(len(cards), []))


def points(card, ace_points):
    return ace_points if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def least_penalty(cards, wild, ace_points=15):
    """By trying, for the first card that is still there, to leave it over and every meld that it can be in."""
    melds = {}  # by the number of the first card in it; each meld as the bits of its cards
    for bits in range(1 << len(cards)):
        chosen = [card for number, card in enumerate(cards) if bits >> number & 1]
        if len(chosen) >= 3 and (is_set(chosen, wild) or is_run(chosen, wild)):
            melds.setdefault(first_of(bits), []).append(bits)

    @cache
    def least(bits):
        if not bits:
            return 0
        first = first_of(bits)
        left_over = points(cards[first], ace_points) + least(bits & bits - 1)
        return min([left_over, *(least(bits ^ meld) for meld in melds.get(first, ()) if meld & bits == meld)])

    return least((1 << len(cards)) - 1)


def first_of(bits):
    return (bits & -bits).bit_length() - 1


def brute_discards(cards, wild):
    return sorted(card for card in set(cards) if least_penalty(less(cards, card), wild) == 0)


def less(cards, card):
    rest = list(cards)
    rest.remove(card)
    return rest


def check(cards, wild, ace_points, penalty):
    laid = lay_out(cards, wild, ace_points)
    assert laid.penalty == penalty
    assert sum(points(card, ace_points) for card in laid.left) == penalty
    assert Counter(laid.left) + Counter(card for meld in laid.melds for card in meld) == Counter(cards)
    assert [meld for meld in laid.melds if not is_set(meld, wild) and not is_run(meld, wild)] == []


@st.composite
def hands(draw, least=0, most=14):
    """Hands that meld well: few ranks and suits, with copies from any number of decks, none to many wild cards."""
    wild = draw(st.sampled_from(RANKS))
    first = draw(st.integers(0, 12))
    ranks = draw(
        st.sampled_from([RUN_ORDER, RUN_ORDER[first : first + 3], RUN_ORDER[first : first + 5], RUN_ORDER[::2]])
    )
    suits = draw(st.sampled_from([SUITS, SUITS[:2], SUITS[3]]))
    size = draw(st.integers(least, most))
    wilds = draw(st.integers(0, min(size, draw(st.sampled_from([0, 1, 2, 4, size])))))
    card = st.builds(str.__add__, st.sampled_from(ranks), st.sampled_from(suits))
    others = draw(st.lists(card, min_size=size - wilds, max_size=size - wilds))
    return draw(st.permutations(others + [wild + SUITS[number % 4] for number in range(wilds)])), wild


ACES = st.sampled_from([1, 15])


@settings(max_examples=200)
@given(hands(most=8), ACES)
@example((["KS", "QS", "3H", "3D"], "3"), 15)
def test_tt7_small_hands_cost_what_trying_everything_finds(hand, ace_points):
    cards, wild = hand
    check(cards, wild, ace_points, least_penalty(cards, wild, ace_points))


@settings(max_examples=60)
@given(hands(least=9, most=11), ACES)
def test_tt7_large_hands_cost_what_trying_everything_finds(hand, ace_points):
    cards, wild = hand
    check(cards, wild, ace_points, least_penalty(cards, wild, ace_points))


@settings(max_examples=12)
@given(hands(least=12), ACES)
def test_tt7_the_largest_hands_cost_what_trying_everything_finds(hand, ace_points):
    cards, wild = hand
    check(cards, wild, ace_points, least_penalty(cards, wild, ace_points))


@settings(max_examples=200)
@given(hands(), ACES)
def test_tt7_all_sizes_are_laid_out_in_melds_and_the_penalty_is_what_is_left(hand, ace_points):
    cards, wild = hand
    check(cards, wild, ace_points, lay_out(cards, wild, ace_points).penalty)


@settings(max_examples=120)
@given(hands(least=1))
def test_tt7_a_further_card_never_costs_more_than_itself_and_the_order_of_the_hand_nothing(hand):
    cards, wild = hand
    penalty = lay_out(cards, wild).penalty
    assert lay_out(cards[::-1], wild).penalty == penalty
    assert penalty <= lay_out(cards[1:], wild).penalty + points(cards[0], 15)


@settings(max_examples=80)
@given(hands(least=1, most=8))
def test_tt5_discards_of_small_hands_are_those_that_trying_everything_finds(hand):
    cards, wild = hand
    assert discards_to_go_out(cards, wild) == brute_discards(cards, wild)


@settings(max_examples=200)
@given(hands(least=4))
def test_tt5_a_discard_is_one_whose_rest_costs_nothing(hand):
    cards, wild = hand
    free = sorted(card for card in set(cards) if lay_out(less(cards, card), wild).penalty == 0)
    assert discards_to_go_out(cards, wild) == free


def test_tt7_dealt_hands_of_every_round_cost_what_trying_everything_finds():
    chance = random.Random(313)
    for size in range(3, 14):
        for _ in range(40 if size < 9 else 4):
            wild = RUN_ORDER[size - 1]
            cards = chance.sample(PLAIN_DECK * chance.randint(1, 3), size)
            check(cards, wild, 15, least_penalty(cards, wild))


EXAMPLES = {
    "the contract's: a run of three and a king left over": ("7H 8H 9H KS", "3", 15, 10),
    "the text's set of sevens and its run from the ace": ("7S 7H 7D AH 2H 3H", "6", 15, 0),
    "Q K A is no run, aces are low": ("QS KS AS", "3", 15, 35),
    "aces can cost 1": ("QS KS AS", "3", 1, 21),
    "either a set of sixes or a run of spades": ("5S 6S 7S 6H 6D", "9", 15, 12),
    "four sevens are one set": ("7S 7H 7D 7C", "4", 15, 0),
    "eight to queen is one run": ("8C 9C TC JC QC", "5", 15, 0),
    "a pair and a wild card are a set": ("5C 5D 3S", "3", 15, 0),
    "a wild card fills a gap": ("4D 5D 7D 6C", "6", 15, 0),
    "a wild card makes a run below a king": ("QS KS 3D", "3", 15, 0),
    "nothing is above the king: two wild cards go below": ("KS 3D 3C", "3", 15, 0),
    "a lone card and one wild card are no meld; the wild card costs its face value": ("KS 9D", "9", 15, 19),
    "two wild cards alone are no meld": ("9S 9D", "9", 15, 18),
    "wild cards alone are a meld": ("3S 3H 3D", "3", 15, 0),
    "all wild, from several decks": (" ".join(["KS"] * 14), "K", 15, 0),
    "one natural with two wild cards, whichever costs most": ("5S 9H AD 4C 4D", "4", 15, 14),
    "copies of one card are a set": ("8S 8S 8S", "3", 15, 0),
    "copies of one card have no place in one run": ("7S 8S 8S 9S", "3", 15, 8),
    "copies of cards make two runs": ("7S 7S 8S 8S 9S 9S", "3", 15, 0),
    "two runs that overlap in one suit": ("4S 5S 6S 6S 7S 8S", "3", 15, 0),
    "not greedy: the run of four gives a card to the set": ("4S 5S 6S 7S 7H 7D", "3", 15, 0),
    "not greedy: no set of kings, but three runs": ("JS QS KS JH QH KH JD QD KD", "3", 15, 0),
    "A..K is a whole run, and one more wild card splits it": (
        "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS KH",
        "K",
        15,
        0,
    ),
    "the wild ace may be wild too": ("2S 3S AH AD AC", "A", 15, 0),
    "no cards cost nothing": ("", "3", 15, 0),
}


@pytest.mark.parametrize(("cards", "wild", "ace_points", "penalty"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_tt4_and_tt7_known_hands(cards, wild, ace_points, penalty):
    check(cards.split(), wild, ace_points, penalty)


def test_tt7_the_lay_out_of_the_contract_is_exactly_that():
    assert lay_out(["7H", "8H", "9H", "KS"], wild="3", ace_points=15) == (10, [["7H", "8H", "9H"]], ["KS"])


def test_tt7_wild_cards_lie_at_the_places_they_stand_for():
    assert lay_out(["9S", "QS", "3H", "JS", "KS"], "3").melds == [["9S", "3H", "JS", "QS", "KS"]]
    assert lay_out(["KS", "3H", "QS"], "3").melds == [["3H", "QS", "KS"]]


def test_tt7_fourteen_cards_with_all_places_of_a_suit_are_two_runs():
    melds = lay_out(["AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "KH"], "K").melds
    assert sorted(len(meld) for meld in melds) == [4, 10]


def test_tt5_discards_of_known_hands():
    assert discards_to_go_out(["7H", "8H", "9H", "KS"], wild="3") == ["KS"]
    assert discards_to_go_out(["7H", "8H", "9H", "TH"], wild="3") == ["7H", "TH"]
    assert discards_to_go_out(["7H", "7D", "7S", "7S"], wild="3") == ["7D", "7H", "7S"]
    assert discards_to_go_out(["7H", "7D", "KS", "3S"], wild="3") == ["KS"]
    assert discards_to_go_out(["7H", "8D", "KS", "3S"], wild="3") == []
    assert discards_to_go_out(["3H", "3D", "3S", "3S"], wild="3") == ["3D", "3H", "3S"]
    assert discards_to_go_out(["KS"], wild="3") == ["KS"]
    assert discards_to_go_out([], wild="3") == []


@pytest.mark.parametrize(
    ("cards", "wild", "ace_points", "sentence"),
    [
        (["7H", "XR"], "3", 15, "'XR' is not a card of this game. Cards are written like 'TH'; there are no jokers."),
        (["7h"], "3", 15, "'7h' is not a card"),
        (["7H", 7], "3", 15, "7 is not a card"),
        (["7H", ["8H"]], "3", 15, r"\['8H'\] is not a card"),
        (["7H"], "1", 15, "'1' is not a rank. The ranks are A 2 3"),
        (["7H"], None, 15, "None is not a rank"),
        (["7H"], "3", 5, "ace_points must be 1 or 15, not 5."),
        (["7H"] * 15, "3", 15, "A hand has at most 14 cards, not 15."),
    ],
)
def test_wrong_arguments_are_refused_in_a_sentence(cards, wild, ace_points, sentence):
    with pytest.raises(ValueError, match=sentence):
        lay_out(cards, wild, ace_points)


def test_the_hand_itself_is_left_as_it_was():
    cards = ["3S", "QS", "KS", "3H", "3D", "3C"]
    lay_out(cards, "3")
    discards_to_go_out(cards, "3")
    assert cards == ["3S", "QS", "KS", "3H", "3D", "3C"]


def test_the_table_of_runs_can_be_cleared_at_any_time(monkeypatch):
    monkeypatch.setattr(runs, "_MOST_ENTRIES", 5)
    small, usual = runs.RunTable(15), runs.RunTable(15)
    chance = random.Random(7)
    for _ in range(200):
        suits = read_hand(chance.sample(PLAIN_DECK * 2, 13), "9", 15).suits
        assert [small[suit] for suit in suits] == [usual[suit] for suit in suits]
        assert saved_by_runs(small, suits, 2) == saved_by_runs(usual, suits, 2)
        assert len(small) <= 5
