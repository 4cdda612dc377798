"""Three Thirteen, ruling by ruling. Each test's name begins with the number of the ruling it proves."""

import json
from collections import Counter

import pytest

from games.rules.cards import decks
from games.rules.moves import IllegalMove, MalformedMove
from games.rules.options import SetupError
from games.rules.options import schema as schema_of
from games.rules.three_thirteen import THREE_THIRTEEN as GAME
from games.rules.three_thirteen.decide import is_meld
from games.rules.three_thirteen.state import hand_size, wild_rank

SPADES = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"


class Table:
    """A game whose first cards are known.

    `hands` are in seat order (one string of codes each), then `up` is turned up, then `stock` follows; the cards not
    named lie below in a fixed order. The dealer is the last seat, so that seat 0 begins. Later shuffles take
    `orders` one after the other, then leave the cards as they are; `shuffled` holds what was given to be shuffled.
    A game can begin in a later round (`begins`): its first event is then the deal of that round.
    """

    def __init__(self, *hands, up="2C", stock="", orders=(), begins=1, ruleset="house", **options):
        seats = len(hands)
        self.hands = [hand.split() for hand in hands]
        self.shuffled = []
        chosen = GAME.complete_options(seats, ruleset, options)
        self.orders = [self.order(up, stock, chosen[1]["decks"])]
        self.events = []
        if begins == 1:
            self.state, self.events = GAME.deal(seats, ruleset, options, seats - 1, self.shuffle)
        else:
            self.apply([self.dealt(seats, begins, up, chosen)])
        self.orders = [order.split() for order in orders]

    def order(self, up, stock, count):
        served = [card for row in zip(*self.hands, strict=True) for card in row]
        named = [*served, up, *stock.split()]
        rest = Counter(decks(count, jokers=0))
        rest.subtract(named)
        assert min(rest.values()) >= 0, "a card is named too often"
        return named + list(rest.elements())

    def dealt(self, seats, begins, up, chosen):
        ruleset, options = chosen
        order = self.orders.pop()
        taken = seats * hand_size(begins) + 1
        data = {"ruleset": ruleset, "options": options, "seats": seats, "round": begins, "wild": wild_rank(begins)}
        data |= {"dealer": seats - 1, "hands": self.hands, "discard_top": up, "stock_count": len(order) - taken}
        return {"type": "dealt", "seat": None, "data": data | {"to_act": [0], "shuffle": order}}

    def shuffle(self, cards):
        self.shuffled.append(list(cards))
        named = self.orders.pop(0) if self.orders else []
        return named + list((Counter(cards) - Counter(named)).elements())

    def apply(self, events):
        for event in events:
            self.state = GAME.evolve(getattr(self, "state", None), event)
        self.events += events
        return events

    def move(self, seat, **move):
        return self.apply(GAME.decide(self.state, seat, move, self.shuffle))

    def draw(self, seat, source="stock"):
        (event,) = self.move(seat, move="draw", **{"from": source})
        return event["data"]["card"]

    def discard(self, seat, card):
        return self.move(seat, move="discard", card=card)

    def go_out(self, seat, card, *melds):
        named = {"melds": [meld.split() for meld in melds]} if melds else {}
        return self.move(seat, move="go_out", discard=card, **named)

    def resign(self, seat):
        return self.move(seat, move="resign")

    def turn(self, *seats, source="stock"):
        """Each seat draws a card and puts it away again."""
        for seat in seats:
            self.discard(seat, self.draw(seat, source))

    def out(self, seat):
        """The seat draws a card and goes out with it."""
        return self.go_out(seat, self.draw(seat))

    def empty_the_stock(self):
        """Turns in which the card drawn is put away, until the stock's last card has been drawn and put away."""
        while self.state.stock:
            self.turn(self.state.turn)

    def refused(self, seat, **move):
        """The code with which the move is refused; nothing has changed then."""
        before = GAME.dump(self.state)
        with pytest.raises(IllegalMove) as refusal:
            GAME.decide(self.state, seat, move, self.shuffle)
        assert GAME.dump(self.state) == before
        assert refusal.value.detail.endswith(".")
        return refusal.value.code

    def view(self, viewer=None):
        return GAME.view(self.state, viewer)

    def player(self, seat, viewer=None):
        return self.view(viewer)["players"][seat]

    def legal(self):
        return GAME.legal_moves(self.state, self.state.turn)

    def result(self):
        """`ended_by`, and (seat, place, score) of everyone."""
        result = GAME.result(self.state)
        return result["ended_by"], [tuple(line.values()) for line in result["placements"]]


def three_players(**more):
    """Seat 0 can go out with three sevens, whatever it draws; the others hold nothing."""
    return Table("7S 7H 7D", "9S AH KD", "QS JH 2D", **{"stock": "KC 9C 4C 5C"} | more)


def two_players(**more):
    """Seat 0 can go out, seat 1 holds 9 + 15 + 10 = 34 penalty points."""
    return Table("7S 7H 7D", "9S AH KD", **{"stock": "KC 9C 4C 5C"} | more)


# --- TT1, TT2: decks, deal, dealer ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "by_seats"),
    [("house", [1, 1, 2, 2, 3, 3, 3]), ("classic", [1, 2, 2, 3, 3, 3, 3])],
    ids=["the house rules use 1 deck for 2-3, 2 for 4-5, 3 for 6-8", "the classic rules 1 for 2, 2 for 3-4, 3 for 5-8"],
)
def test_tt1_and_tt11_decks_follow_from_the_number_of_players(ruleset, by_seats):
    assert [GAME.complete_options(seats, ruleset, {})[1]["decks"] for seats in range(2, 9)] == by_seats


def test_tt1_cards_are_dealt_one_at_a_time_from_the_dealers_left_then_one_is_turned_up():
    order = SPADES.split() + [card for card in decks(1, jokers=0) if card[1] != "S"]
    state, (dealt,) = GAME.deal(3, "house", {}, 1, lambda cards: order)
    assert state.hands == (("2S", "5S", "8S"), ("3S", "6S", "9S"), ("AS", "4S", "7S"))
    assert state.discards == ("TS",)
    assert state.stock[:2] == ("JS", "QS")
    assert len(state.stock) == 52 - 9 - 1
    assert dealt["data"]["shuffle"] == order


def first_seat_melds_all(served, size):
    """An order that gives the first seat served the lowest spades, a run in every round."""
    spades = SPADES.split()
    others = [card for card in decks(1, jokers=0) if card not in spades[:size]] * 2
    rows = [[spades[row], *others[row * (served - 1) : (row + 1) * (served - 1)]] for row in range(size)]
    return " ".join(card for row in rows for card in row)


def test_tt1_and_tt2_eleven_rounds_each_with_one_card_more_the_next_wild_rank_and_the_next_dealer():
    first, second = "AS 2S 3S", "2H 3H 4H"
    table = Table(first, second, decks=3, orders=[first_seat_melds_all(2, size) for size in range(4, 14)])
    seen = []
    for _ in range(11):
        view = table.view()
        seen.append((view["round"], view["wild"], view["dealer"], view["players"][0]["hand_count"]))
        assert view["to_act"] == [(view["dealer"] + 1) % 2]
        table.out(table.state.turn)
        table.turn(table.state.turn)
    wilds = "3456789TJQK"
    assert seen == [(n, wilds[n - 1], n % 2, n + 2) for n in range(1, 12)]
    assert GAME.status(table.state) == "finished"
    assert GAME.to_act(table.state) == []
    assert [len(table.player(seat)["rounds"]) for seat in (0, 1)] == [11, 11]


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("AS KH 9D", 34),
        ("QS JH TD", 30),
        ("2S 4H 8D", 14),
        ("3S 5H 9D", 17),
    ],
    ids=[
        "an ace costs 15, a king 10",
        "queen, jack and ten cost 10 each",
        "2 to 10 cost their face value",
        "a wild card left over costs its face value",
    ],
)
def test_tt1_and_tt7_penalty_points(hand, points):
    table = Table("7S 7H 7D", hand, rounds=1)
    table.out(0)
    table.turn(1)
    assert table.player(1)["rounds"][0]["penalty"] == points
    assert table.player(1)["total"] == points


def test_tt1_aces_are_low_in_runs():
    assert is_meld(["AS", "2S", "3S"], "9")
    assert not is_meld(["QS", "KS", "AS"], "9")


def test_tt2_the_seat_left_of_the_dealer_goes_first_and_play_is_clockwise():
    table = three_players()
    turns = []
    for _ in range(4):
        turns += GAME.to_act(table.state)
        table.turn(table.state.turn)
    assert turns == [0, 1, 2, 0]


def test_tt2_nobody_moves_out_of_turn():
    table = three_players()
    assert table.refused(1, move="draw", **{"from": "stock"}) == "not_your_turn"
    assert GAME.legal_moves(table.state, 1) == []
    assert GAME.why_not(table.state, 1)["code"] == "not_your_turn"
    assert GAME.why_not(table.state, 0) is None
    assert GAME.may_interrupt(table.state) == []


# --- TT3: the turn --------------------------------------------------------------------------------------------------


def test_tt3_a_turn_is_a_draw_from_stock_or_discard_pile_and_then_a_discard():
    table = three_players()
    assert table.view()["step"] == "draw"
    assert table.legal() == [{"move": "draw", "from": "stock"}, {"move": "draw", "from": "discard"}]
    assert table.draw(0, "stock") == "KC"
    assert table.view()["step"] == "discard"
    table.discard(0, "7S")
    assert table.view()["discard_top"] == "7S"
    assert table.draw(1, "discard") == "7S"
    assert table.player(1)["hand"] == ["9S", "AH", "KD", "7S"]
    assert table.view()["discard_top"] == "2C"


def test_tt3_the_card_just_taken_from_the_discard_pile_may_be_discarded():
    table = three_players()
    table.turn(0, source="discard")
    assert table.view()["discard_top"] == "2C"
    assert GAME.to_act(table.state) == [1]


def test_tt3_nobody_discards_or_goes_out_before_drawing():
    table = three_players()
    assert table.refused(0, move="discard", card="7S") == "draw_first"
    assert table.refused(0, move="go_out", discard="7S") == "draw_first"


def test_tt3_nobody_draws_twice():
    table = three_players()
    table.draw(0)
    assert table.refused(0, move="draw", **{"from": "stock"}) == "already_drawn"
    assert table.refused(0, move="draw", **{"from": "discard"}) == "already_drawn"


def test_tt3_only_a_card_in_hand_can_be_discarded():
    table = three_players()
    table.draw(0)
    assert table.refused(0, move="discard", card="9S") == "not_your_cards"
    assert table.refused(0, move="discard", card="XR") == "not_your_cards"


@pytest.mark.parametrize("seat", [3, -1, True, "0", None, 0.0])
def test_tt3_an_unknown_seat_cannot_move(seat):
    table = three_players()
    assert table.refused(seat, move="draw", **{"from": "stock"}) == "no_such_seat"
    assert table.refused(seat, move="resign") == "no_such_seat"


def test_tt3_a_discard_is_listed_once_for_each_different_card():
    table = Table("7S 7S 8H", "9S AH KD", decks=2, stock="8H")
    table.draw(0)
    assert table.legal() == [{"move": "discard", "card": "7S"}, {"move": "discard", "card": "8H"}]


@pytest.mark.parametrize(
    "move",
    [
        None,
        [],
        {},
        {"move": "pass"},
        {"move": 1},
        {"move": "draw"},
        {"move": "draw", "from": "hand"},
        {"move": "draw", "from": None},
        {"move": "draw", "from": "stock", "card": "7S"},
        {"move": "discard"},
        {"move": "discard", "card": "7s"},
        {"move": "discard", "card": ["7S"]},
        {"move": "go_out"},
        {"move": "go_out", "discard": 7},
        {"move": "go_out", "discard": "7S", "melds": None},
        {"move": "go_out", "discard": "7S", "melds": ["7S"]},
        {"move": "go_out", "discard": "7S", "melds": [["7S", "1S"]]},
        {"move": "resign", "why": "tired"},
    ],
    ids=json.dumps,
)
def test_moves_of_another_shape_are_malformed(move):
    table = three_players()
    with pytest.raises(MalformedMove):
        GAME.decide(table.state, 0, move, table.shuffle)


# --- TT4: sets, runs, wild cards ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("7S 7H 7D", "a set is three cards of one rank"),
        ("7S 7H 7D 7C 7S", "or more, with several copies of one card"),
        ("7S 7S 7S", "even nothing but copies of one card"),
        ("5H 6H 7H", "a run is three cards of one suit in sequence"),
        ("7H 5H 8H 6H", "or more, named in any order"),
        (SPADES, "a whole suit"),
        ("7S 7H 3D", "a wild card stands for any card in a set"),
        ("5H 3S 7H", "and in a run"),
        ("7S 3H 3D", "any number of them"),
        ("3S 3H 3D", "also alone"),
        ("2H 3H 4H", "or for themselves"),
        ("QH KH 3D", "a run may end at the king"),
        ("AH 3D 3S 4H", "or begin at the ace"),
        ("KH 3D 3S", "wild cards find room below a king"),
    ],
)
def test_tt4_a_meld(cards, why):
    assert is_meld(cards.split(), "3"), why


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("", "nothing is no meld"),
        ("7S 7H", "two cards are too few"),
        ("3S 3H", "two wild cards too"),
        ("7S 7H 8D", "two ranks are no set"),
        ("5H 6H 7D", "two suits are no run"),
        ("5H 6H 8H", "a gap breaks a run"),
        ("5H 8H 3D", "one wild card does not fill a gap of two"),
        ("5H 5H 6H 7H", "no place of a run holds two copies"),
        ("5H 5H 3D 6H", "not with a wild card either"),
        ("KH AH 2H", "a run does not go round the corner"),
        ("QH KH AH", "aces are low"),
        ("QH AH 3D", "and wild cards do not make them high"),
        ("5H 5H 6H 3D", "a pair and a neighbour"),
        ("XR 7H 7D", "there are no jokers here"),
    ],
)
def test_tt4_no_meld(cards, why):
    assert not is_meld(cards.split(), "3"), why


def test_tt4_a_run_with_wild_cards_lies_within_ace_to_king():
    assert is_meld([*SPADES.split()[:10], "KH", "KD", "KC"], "K"), "ten spades and three wild cards fill the suit"
    assert not is_meld([*SPADES.split()[:11], "KH", "KD", "KC"], "K"), "fourteen have no room"


# --- TT5: going out -------------------------------------------------------------------------------------------------


def test_tt5_going_out_is_a_right_not_a_duty():
    table = three_players()
    table.turn(0)
    assert table.view()["went_out"] is None
    assert GAME.to_act(table.state) == [1]


def test_tt5_go_out_names_the_discard_and_the_melds_are_found():
    table = three_players()
    table.draw(0)
    (event,) = table.go_out(0, "KC")
    assert event["type"] == "went_out"
    assert [sorted(meld) for meld in event["data"]["melds"]] == [["7D", "7H", "7S"]]
    assert event["data"]["move"] == {"move": "go_out", "discard": "KC"}
    view = table.view()
    assert (view["went_out"], view["discard_top"], view["to_act"]) == (0, "KC", [1])


def test_tt5_the_melds_may_be_named():
    table = Table("4S 5S 6S 4H 5H 6H", "2D 9D KS KD AH 8C", begins=4, stock="KC", rounds=4)
    table.draw(0)
    (event,) = table.go_out(0, "KC", "6S 4S 5S", "4H 5H 6H")
    assert event["data"]["melds"] == [["6S", "4S", "5S"], ["4H", "5H", "6H"]]


@pytest.mark.parametrize(
    "melds",
    [[], ["7S 7H"], ["7S 7H 7H"], ["7S 7H 7D KC"], ["7S 7H 7D", "7S 7H 7D"], ["7S 7H 7C"], ["7S 7H 7D", ""]],
    ids=["none", "a card missing", "a card twice", "the discard too", "all twice", "a card not held", "an empty one"],
)
def test_tt5_named_melds_must_be_melds_of_exactly_all_the_rest(melds):
    table = three_players()
    table.draw(0)
    table.refused(0, move="go_out", discard="KC", melds=[meld.split() for meld in melds])
    assert table.player(0)["hand_count"] == 4


def test_tt5_a_go_out_that_does_not_arrange_all_is_refused_and_costs_nothing():
    table = three_players()
    table.draw(0)
    assert table.refused(0, move="go_out", discard="7S") == "not_all_melded"
    table.go_out(0, "KC")
    assert table.view()["went_out"] == 0


def test_tt5_the_discard_of_a_go_out_must_be_in_hand():
    table = three_players()
    table.draw(0)
    assert table.refused(0, move="go_out", discard="9C") == "not_your_cards"


def test_tt5_going_out_is_listed_once_for_each_different_discard_without_melds():
    table = Table("7S 7H 7D", "9S AH KD", stock="7C")
    table.draw(0)
    go_outs = [move for move in table.legal() if move["move"] == "go_out"]
    assert sorted(move["discard"] for move in go_outs) == ["7C", "7D", "7H", "7S"]
    assert all(set(move) == {"move", "discard"} for move in go_outs)


def test_tt5_going_out_is_not_listed_where_it_is_not_possible():
    table = Table("7S 7H 8D", "9S AH KD", stock="QC")
    table.draw(0)
    assert {move["move"] for move in table.legal()} == {"discard"}


# --- TT6: final turns -----------------------------------------------------------------------------------------------


def test_tt6_each_other_player_has_one_final_turn_clockwise():
    table = Table("9S AH KD", "7S 7H 7D", "QS JH 2D", stock="KC 9C 4C 5C", rounds=1)
    table.turn(0)
    table.out(1)
    turns = []
    while GAME.status(table.state) == "playing":
        turns += GAME.to_act(table.state)
        table.turn(table.state.turn)
    assert turns == [2, 0]


def test_tt6_nobody_goes_out_in_a_final_turn():
    table = Table("7S 7H 7D", "8S 8H 8D", stock="KC KD")
    table.out(0)
    table.draw(1)
    assert table.refused(1, move="go_out", discard="KD") == "somebody_is_out"
    assert "go_out" not in {move["move"] for move in table.legal()}


def test_tt6_all_melded_after_a_final_turn_costs_nothing_and_the_first_stays_the_one_who_went_out():
    table = Table("7S 7H 7D", "8S 8H 8D", stock="KC KD", rounds=1)
    table.out(0)
    table.turn(1)
    assert table.view()["went_out"] == 0
    assert [table.player(seat)["rounds"][0]["penalty"] for seat in (0, 1)] == [0, 0]
    assert [table.player(seat)["rounds"][0]["went_out"] for seat in (0, 1)] == [True, False]


def test_tt6_a_final_turn_may_draw_from_the_discard_pile():
    table = two_players()
    table.out(0)
    assert {"move": "draw", "from": "discard"} in table.legal()
    table.turn(1, source="discard")
    assert table.view()["round"] == 2


def test_tt6_the_last_final_turn_scores_the_round_and_deals_the_next_in_the_same_move():
    table = two_players()
    table.out(0)
    assert [event["type"] for event in table.discard(1, table.draw(1))] == ["discarded", "round_scored", "dealt"]
    view = table.view()
    assert (view["round"], view["wild"], view["step"], view["went_out"], view["renewed"]) == (2, "4", "draw", None, 0)
    assert (view["discard_count"], view["stock_count"]) == (1, 52 - 8 - 1)
    assert table.player(1)["total"] == 34


def test_tt6_the_last_round_is_scored_and_nothing_is_dealt():
    table = two_players(rounds=1)
    table.out(0)
    assert [event["type"] for event in table.discard(1, table.draw(1))] == ["discarded", "round_scored"]
    assert table.view()["round"] == 1
    assert table.view()["went_out"] == 0


def test_tt6_all_see_the_melds_of_who_went_out_until_the_round_is_scored():
    table = three_players()
    assert [table.view(viewer)["laid"] for viewer in (None, "public", 0, 1)] == [None] * 4
    table.out(0)
    for viewer in (None, "public", 0, 1):
        assert [sorted(meld) for meld in table.view(viewer)["laid"]] == [["7D", "7H", "7S"]]
    table.turn(1)
    assert table.view(2)["laid"] is not None
    table.turn(2)
    assert table.view(2)["laid"] is None


def test_tt6_melds_laid_down_are_scored_after_the_last_round_too():
    table = two_players(rounds=1)
    table.out(0)
    table.turn(1)
    assert GAME.status(table.state) == "finished"
    assert (table.view()["laid"], table.view()["went_out"]) == (None, 0)
    assert table.player(0)["rounds"][0]["melds"] == [["7S", "7H", "7D"]]


def test_tt6_and_tt12_the_melds_stay_when_who_went_out_resigns():
    table = three_players()
    table.out(0)
    table.resign(0)
    assert [sorted(meld) for meld in table.view("public")["laid"]] == [["7D", "7H", "7S"]]
    table.resign(1)
    assert GAME.status(table.state) == "finished"
    assert table.view("public")["laid"] is not None, "this round is never scored"


def test_tt12_who_went_out_and_resigned_is_scored_with_the_melds_that_all_saw():
    table = three_players()
    table.out(0)
    table.resign(0)
    table.turn(1)
    table.turn(2)
    score = table.player(0)["rounds"][0]
    assert (score["penalty"], score["went_out"], score["left"]) == (0, True, [])
    assert [sorted(meld) for meld in score["melds"]] == [["7D", "7H", "7S"]]


def test_tt12_of_others_who_resigned_nothing_is_laid_out():
    table = three_players()
    table.out(0)
    table.resign(1)
    table.turn(2)
    score = table.player(1)["rounds"][0]
    assert (score["penalty"], score["went_out"], score["melds"], score["left"]) == (45, False, [], [])


# --- TT7: scoring ---------------------------------------------------------------------------------------------------


def test_tt7_hands_are_laid_out_at_the_least_possible_penalty_not_greedily():
    # The three sevens would leave 8 + 9 + 10; the run of spades leaves 7 + 7 + 10.
    table = Table("AS 2S 4H 5D 9C TS", "7S 8S 9S 7H 7D KS", begins=4, rounds=4, renewals=0)
    while GAME.status(table.state) == "playing":
        table.turn(table.state.turn)
    scored = table.player(1)["rounds"][0]
    assert scored["penalty"] == 24
    assert [sorted(meld) for meld in scored["melds"]] == [["7S", "8S", "9S"]]
    assert sorted(scored["left"]) == ["7D", "7H", "KS"]


def test_tt7_the_melds_and_what_is_left_are_shown_to_all():
    table = Table("7S 7H 7D", "QS QH 4D", stock="KC QD")
    table.out(0)
    table.draw(1)
    table.discard(1, "4D")
    for viewer in (0, 1, None):
        assert table.player(0, viewer)["rounds"][0] == {
            "penalty": 0,
            "melds": [["7S", "7H", "7D"]],
            "left": [],
            "went_out": True,
        }
        shown = table.player(1, viewer)["rounds"][0]
        assert (shown["penalty"], sorted(shown["melds"][0]), shown["left"]) == (0, ["QD", "QH", "QS"], [])


# --- TT8: the empty stock -------------------------------------------------------------------------------------------


def test_tt8_the_stock_is_renewed_when_a_player_draws_from_it_empty_and_not_before():
    table = two_players()
    table.empty_the_stock()
    assert table.view()["stock_count"] == 0
    assert table.view()["renewed"] == 0
    assert len(table.shuffled) == 1, "only the deal"
    seat = table.state.turn
    below, top = table.state.discards[:-1], table.state.discards[-1]
    assert table.legal() == [{"move": "draw", "from": "stock"}, {"move": "draw", "from": "discard"}]
    card = table.draw(seat)
    assert table.shuffled[1:] == [list(below)], "exactly the discard pile but its top card"
    view = table.view()
    assert (view["discard_top"], view["discard_count"], view["renewed"]) == (top, 1, 1)
    assert view["stock_count"] == len(below) - 1
    assert table.events[-1]["data"]["shuffle"][0] == card


def test_tt8_drawing_from_the_discard_pile_renews_nothing():
    table = two_players()
    table.empty_the_stock()
    table.draw(table.state.turn, "discard")
    assert (table.view()["stock_count"], table.view()["renewed"]) == (0, 0)


TENS = (  # five hands of ten for round 8 (tens wild): one deck leaves a card turned up and a stock of one
    "AS 2S 4S 5S 7S 8S TS JS KS 2C",
    "AH 2H 4H 5H 7H 8H TH JH KH 4C",
    "AD 2D 4D 5D 7D 8D TD JD KD 5C",
    "AC 3S 6S 9S QS 3H 6H 9H QH 7C",
    "3D 6D 9D QD 3C 6C 9C QC KC 8C",
)


def one_card_outside_the_hands():
    """Round 8, five players, one deck: a player has left with the stock's only card."""
    table = Table(*TENS, begins=8, decks=1, rounds=8, up="TC", stock="JC")
    table.draw(0)
    table.resign(0)
    return table


def test_tt8_with_fewer_than_two_cards_in_the_discard_pile_drawing_from_it_is_the_only_choice():
    table = one_card_outside_the_hands()
    assert (table.view()["stock_count"], table.view()["discard_count"]) == (0, 1)
    assert table.legal() == [{"move": "draw", "from": "discard"}]
    assert table.refused(1, move="draw", **{"from": "stock"}) == "stock_empty"
    table.turn(1, source="discard")
    assert GAME.to_act(table.state) == [2]


def test_tt8_an_empty_discard_pile_leaves_the_stock_as_the_only_choice():
    table = three_players()
    table.draw(0, "discard")
    table.resign(0)
    assert table.view()["discard_top"] is None
    assert table.legal() == [{"move": "draw", "from": "stock"}]
    assert table.refused(1, move="draw", **{"from": "discard"}) == "discard_pile_empty"


def test_tt8_and_tt13_with_nothing_left_to_draw_at_all_the_round_is_over():
    table = one_card_outside_the_hands()
    table.draw(1, "discard")
    assert [event["type"] for event in table.resign(1)] == ["resigned", "round_scored"]
    assert table.result()[0] == "rounds"


# --- TT9, S12: the winner -------------------------------------------------------------------------------------------


def test_tt9_the_lowest_total_wins_and_s12_equal_totals_share_the_place_1_2_2_4():
    table = Table("AS KS QS", "7S 7H 7D", "2S 4H 9C", "2H 4S 9D", decks=2, rounds=1, stock="KH KC JD JC")
    table.turn(0)
    table.out(1)
    table.turn(2, 3, 0)
    assert table.result() == ("rounds", [(1, 1, 0), (2, 2, 15), (3, 2, 15), (0, 4, 35)])
    assert table.view()["result"]["placements"][0] == {"seat": 1, "place": 1, "score": 0}


def test_tt9_totals_add_up_over_the_rounds():
    second_round = "KD AS QH 2S JD 3S KH 4S"  # seat 0 deals, seat 1 is served first
    table = Table("9S AH KC", "7S 7H 7D", stock="TS 9C 4C", rounds=2, orders=[second_round])
    table.turn(0)
    table.out(1)
    table.turn(0)
    assert (table.view()["dealer"], table.player(0)["total"]) == (0, 34)
    table.turn(1)
    table.out(0)
    table.turn(1)
    assert table.result() == ("rounds", [(0, 1, 34), (1, 2, 40)])


# --- TT10: who sees what --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [0, 1, 9, True, "2", None, 2.0])
def test_tt10_two_to_eight_players(seats):
    with pytest.raises(SetupError) as wrong:
        GAME.complete_options(seats, "house", {})
    assert wrong.value.field == "seats"


def test_tt10_a_seat_sees_its_own_hand_only():
    table = three_players()
    for viewer in range(3):
        hands = [player["hand"] for player in table.view(viewer)["players"]]
        assert [hand is not None for hand in hands] == [seat == viewer for seat in range(3)]
        assert [player["hand_count"] for player in table.view(viewer)["players"]] == [3, 3, 3]
    assert [player["hand"] for player in table.view("public")["players"]] == [None] * 3
    assert [len(player["hand"]) for player in table.view(None)["players"]] == [3, 3, 3]


def test_tt10_the_deal_shows_a_seat_its_own_hand_and_nobody_the_order():
    dealt = three_players().events[0]
    seen = GAME.redact(dealt, 0)["data"]
    assert seen["hands"] == [["7S", "7H", "7D"], None, None]
    assert seen["shuffle"] is None
    assert seen["discard_top"] == "2C"
    assert GAME.redact(dealt, "public")["data"]["hands"] == [None, None, None]
    assert GAME.redact(dealt, None) == dealt


def test_tt10_a_card_drawn_from_the_stock_is_seen_by_who_drew_it_only():
    table = three_players()
    table.draw(0)
    drew = table.events[-1]
    assert [GAME.redact(drew, viewer)["data"]["card"] for viewer in (0, 1, "public")] == ["KC", None, None]


def test_tt10_a_card_drawn_from_the_discard_pile_is_seen_by_all():
    table = three_players()
    table.draw(0, "discard")
    assert [GAME.redact(table.events[-1], viewer)["data"]["card"] for viewer in (0, 1, "public")] == ["2C"] * 3


def test_tt10_the_order_of_a_renewed_stock_is_seen_by_nobody():
    table = two_players()
    table.empty_the_stock()
    table.draw(table.state.turn)
    seen = [GAME.redact(table.events[-1], viewer)["data"] for viewer in (0, 1, "public")]
    assert [data["shuffle"] for data in seen] == [None] * 3
    assert [data["renewed"] for data in seen] == [1] * 3


def test_tt10_going_out_shows_the_melds_to_all():
    table = three_players()
    table.out(0)
    assert GAME.redact(table.events[-1], 2)["data"]["melds"] == [["7S", "7H", "7D"]]
    assert table.player(0, 2)["hand"] is None


def test_tt10_a_finished_game_shows_everything_to_every_seat():
    table = two_players(rounds=1)
    table.out(0)
    table.turn(1)
    assert table.view(0) == table.view(1) == table.view(None)


def test_tt10_after_the_end_every_move_is_refused():
    table = two_players(rounds=1)
    table.out(0)
    table.turn(1)
    assert table.refused(0, move="draw", **{"from": "stock"}) == "game_over"
    assert table.refused(0, move="resign") == "game_over"
    assert GAME.why_not(table.state, 0)["code"] == "game_over"


# --- TT11, TH1: rulesets and options --------------------------------------------------------------------------------


def test_tt11_house_is_the_default_ruleset_and_options_come_complete():
    house = {"rounds": 11, "ace_points": 15, "decks": 1, "renewals": 3}
    assert GAME.complete_options(3, None, {}) == ("house", house)
    assert GAME.complete_options(3, "classic", {}) == ("classic", house | {"ace_points": 1, "decks": 2})
    assert three_players().view()["options"] == house


def test_tt11_an_option_goes_before_its_ruleset():
    ruleset, options = GAME.complete_options(2, "classic", {"ace_points": 15, "decks": 4, "rounds": 5, "renewals": 0})
    assert (ruleset, options) == ("classic", {"rounds": 5, "ace_points": 15, "decks": 4, "renewals": 0})


def test_tt11_an_ace_costs_1_in_the_classic_game():
    table = two_players(ruleset="classic", rounds=1)
    table.out(0)
    table.turn(1)
    assert table.player(1)["total"] == 9 + 1 + 10


@pytest.mark.parametrize(
    ("field", "ruleset", "options"),
    [
        ("ruleset", "2022", {}),
        ("options.rounds", "house", {"rounds": 0}),
        ("options.rounds", "house", {"rounds": 12}),
        ("options.rounds", "house", {"rounds": True}),
        ("options.rounds", "house", {"rounds": "3"}),
        ("options.ace_points", "house", {"ace_points": 5}),
        ("options.decks", "house", {"decks": 0}),
        ("options.decks", "house", {"decks": 17}),
        ("options.decks", "house", {"decks": None}),
        ("options.renewals", "house", {"renewals": -1}),
        ("options.renewals", "house", {"renewals": 11}),
        ("options.direction", "house", {"direction": "left"}),
        ("options", "house", []),
    ],
    ids=str,
)
def test_tt11_other_rulesets_and_options_are_refused(field, ruleset, options):
    with pytest.raises(SetupError) as wrong:
        GAME.complete_options(4, ruleset, options)
    assert wrong.value.field == field


@pytest.mark.parametrize(("seats", "rounds", "enough"), [(4, 10, True), (4, 11, False), (8, 4, True), (8, 5, False)])
def test_th1_the_decks_must_hold_a_hand_of_the_last_round_for_each_seat_and_one_card_more(seats, rounds, enough):
    options = {"decks": 1, "rounds": rounds}
    if enough:
        assert GAME.complete_options(seats, "house", options)[1]["decks"] == 1
        return
    with pytest.raises(SetupError) as wrong:
        GAME.deal(seats, "house", options, 0, list)
    assert wrong.value.field == "options.decks"


def test_tt11_the_options_are_published_as_json_schema():
    schema = schema_of(GAME.options_of("classic"))
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == {"rounds", "ace_points", "decks", "renewals"}
    assert schema["properties"]["ace_points"]["default"] == 1
    assert GAME.options_of("house")["ace_points"].default == 15
    assert (schema["properties"]["rounds"]["minimum"], schema["properties"]["rounds"]["maximum"]) == (1, 11)


def test_the_dealer_must_sit_at_the_table():
    with pytest.raises(SetupError) as wrong:
        GAME.deal(2, "house", {}, 2, list)
    assert wrong.value.field == "dealer"


# --- TT12, S11: resignation -----------------------------------------------------------------------------------------


def test_tt12_the_cards_leave_with_the_player_also_one_just_drawn():
    table = three_players()
    table.draw(0)
    table.resign(0)
    view = table.view()
    assert view["players"][0]["hand_count"] == 0
    assert (view["stock_count"], view["discard_count"]) == (52 - 9 - 1 - 1, 1)
    assert (view["to_act"], view["step"]) == ([1], "draw")


def test_tt12_a_player_may_resign_out_of_turn_and_the_turn_stays_as_it_was():
    table = three_players()
    table.draw(0)
    duty = GAME.duties(table.state)
    table.resign(2)
    assert GAME.duties(table.state) == duty
    assert table.view()["step"] == "discard"
    table.discard(0, "KC")
    table.turn(1)
    assert GAME.to_act(table.state) == [0], "seat 2 is skipped"


def test_tt12_who_has_resigned_makes_no_more_moves():
    table = three_players()
    table.resign(2)
    assert table.refused(2, move="resign") == "resigned"
    assert GAME.why_not(table.state, 2)["code"] == "resigned"


def test_tt12_resigning_is_always_legal_and_never_listed():
    table = three_players()
    assert {"move": "resign"} not in table.legal()
    table.draw(0)
    assert {"move": "resign"} not in table.legal()


def test_tt12_the_round_one_leaves_in_and_every_later_one_count_15_for_each_card_one_would_be_dealt():
    orders = [first_seat_melds_all(2, 4), first_seat_melds_all(2, 5)]
    table = Table("7S 7H 7D", "9S AH KD", "QS JH 2D", decks=3, rounds=3, orders=orders)
    table.resign(1)
    for _ in range(3):
        assert table.player(1)["hand_count"] == 0
        table.out(table.state.turn)
        table.turn(table.state.turn)
    assert [scored["penalty"] for scored in table.player(1)["rounds"]] == [45, 60, 75]
    assert table.player(1)["rounds"][0] == {"penalty": 45, "melds": [], "left": [], "went_out": False}
    assert table.player(1)["total"] == 180


def test_tt12_the_aces_price_does_not_change_what_resigning_costs():
    table = three_players(ruleset="classic", ace_points=1, rounds=1)
    table.resign(1)
    table.out(0)
    table.turn(2)
    assert table.player(1)["total"] == 45


def test_tt12_who_had_gone_out_in_the_round_has_0_in_it_and_pays_for_the_later_ones():
    table = three_players(rounds=2, orders=[first_seat_melds_all(2, 4)])
    table.out(0)
    table.resign(0)
    assert table.view()["went_out"] == 0
    table.turn(1, 2)
    scored = table.player(0)["rounds"][0]
    assert (scored["penalty"], scored["went_out"]) == (0, True)
    table.out(table.state.turn)
    table.turn(table.state.turn)
    assert table.player(0)["total"] == 60
    assert table.result()[1][-1] == (0, 3, 60)


def test_tt12_and_s11_its_place_is_the_last_free_one_regardless_of_totals():
    table = Table("7S 7H 7D", "9S AH KD", "QS JH 2D", "4S 6H 8D", decks=2, rounds=1, stock="KC")
    table.out(0)
    assert table.resign(0)[0]["data"]["place"] == 4
    assert table.resign(3)[0]["data"]["place"] == 3
    table.turn(1, 2)
    assert table.result() == ("rounds", [(2, 1, 22), (1, 2, 34), (3, 3, 45), (0, 4, 0)])


def test_tt12_the_next_round_uses_the_whole_decks_and_skips_the_seat_in_dealing():
    table = three_players()
    table.resign(1)
    table.out(0)
    table.turn(2)
    view = table.view()
    assert view["dealer"] == 0
    assert [player["hand_count"] for player in view["players"]] == [4, 0, 4]
    assert view["stock_count"] == 52 - 8 - 1
    assert view["to_act"] == [2]


def test_tt12_a_seat_that_resigned_does_not_deal():
    table = Table("7S 7H 7D", "9S AH KD", "QS JH 2D", stock="KC")
    table.resign(0)
    while table.view()["round"] == 1:
        table.turn(table.state.turn)
    assert table.view()["dealer"] == 1, "seat 2 dealt, seat 0 is skipped"


def test_tt12_when_the_dealer_resigns_the_deal_passes_on_from_its_seat():
    table = three_players()
    table.resign(2)
    table.out(0)
    table.turn(1)
    assert table.view()["dealer"] == 0


def test_tt12_who_resigns_before_its_final_turn_has_none():
    table = three_players(rounds=1)
    table.out(0)
    table.resign(1)
    assert GAME.to_act(table.state) == [2]
    table.turn(2)
    assert table.result() == ("rounds", [(0, 1, 0), (2, 2, 22), (1, 3, 45)])


def test_tt12_and_tt6_a_resignation_in_the_last_final_turn_scores_the_round():
    table = three_players()
    table.out(0)
    table.turn(1)
    table.draw(2)
    assert [event["type"] for event in table.resign(2)] == ["resigned", "round_scored", "dealt"]
    assert table.player(2)["total"] == 45
    assert [player["hand_count"] for player in table.view()["players"]] == [4, 4, 0]


def test_tt12_a_resignation_after_ones_final_turn_costs_the_full_round_too():
    table = three_players(rounds=1)
    table.out(0)
    table.turn(1)
    table.resign(1)
    assert GAME.to_act(table.state) == [2]
    table.turn(2)
    assert table.player(1)["rounds"][0]["penalty"] == 45


def test_tt12_when_one_player_is_left_the_game_ends_with_the_totals_as_they_stand():
    table = three_players()
    table.out(0)
    table.turn(1, 2)
    table.resign(0)
    assert [event["type"] for event in table.resign(2)] == ["resigned"]
    assert GAME.status(table.state) == "finished"
    assert table.result() == ("resignation", [(1, 1, 34), (2, 2, 22), (0, 3, 0)])
    assert len(table.player(1)["rounds"]) == 1, "the round that was broken off is not scored"
    assert GAME.to_act(table.state) == []
    assert GAME.duties(table.state) == {}


def test_tt12_the_last_one_wins_even_when_the_other_had_gone_out():
    table = two_players()
    table.out(0)
    table.resign(0)
    assert table.result() == ("resignation", [(1, 1, 0), (0, 2, 0)])


# --- TT13: no endless round -----------------------------------------------------------------------------------------


def test_tt13_the_stock_is_renewed_at_most_renewals_times_and_then_everybody_is_scored():
    table = two_players(rounds=1, renewals=2)
    renewed = []
    while GAME.status(table.state) == "playing":
        table.turn(table.state.turn)
        renewed.append(table.view()["renewed"])
    assert sorted(set(renewed)) == [0, 1, 2]
    view = table.view()
    assert (view["went_out"], view["stock_count"], view["renewed"]) == (None, 0, 2)
    assert [player["rounds"][0]["went_out"] for player in view["players"]] == [False, False]
    assert table.result() == ("rounds", [(0, 1, 0), (1, 2, 34)])


def test_tt13_the_round_ends_with_the_turn_that_emptied_the_stock_not_with_the_draw():
    table = two_players(renewals=0)
    while len(table.state.stock) > 1:
        table.turn(table.state.turn)
    seat = table.state.turn
    card = table.draw(seat)
    assert (table.view()["stock_count"], table.view()["round"]) == (0, 1)
    assert [event["type"] for event in table.discard(seat, card)] == ["discarded", "round_scored", "dealt"]
    assert table.view()["round"] == 2


def test_tt13_with_a_renewal_left_the_round_goes_on():
    table = two_players(renewals=1)
    table.empty_the_stock()
    assert table.view()["round"] == 1
    assert {"move": "draw", "from": "stock"} in table.legal()


def test_tt13_going_out_with_the_last_card_still_gives_the_others_their_final_turns():
    table = Table("7S 7H 7D", "9S AH KD", renewals=0)
    while len(table.state.stock) > 1 or table.state.turn != 0:
        table.turn(table.state.turn, source="stock" if len(table.state.stock) > 1 else "discard")
    table.out(0)
    assert (table.view()["stock_count"], GAME.to_act(table.state)) == (0, [1])
    assert {"move": "draw", "from": "stock"} in table.legal()


def test_tt13_in_the_final_turns_the_stock_is_renewed_as_often_as_needed():
    table = Table("7S 7H 7D", "9S AH KD", renewals=0, rounds=1)
    while len(table.state.stock) > 1 or table.state.turn != 0:
        table.turn(table.state.turn, source="stock" if len(table.state.stock) > 1 else "discard")
    table.out(0)
    table.turn(1)
    assert table.view()["renewed"] == 1
    assert table.view()["went_out"] == 0
    assert table.result()[0] == "rounds"


def test_tt13_and_tt12_a_turn_that_ends_by_resignation_ends_the_round_as_well():
    table = three_players(renewals=0)
    while len(table.state.stock) > 1:
        table.turn(table.state.turn)
    seat = table.state.turn
    table.draw(seat)
    assert [event["type"] for event in table.resign(seat)] == ["resigned", "round_scored", "dealt"]


def test_tt13_three_turns_each_without_a_card_from_the_stock_score_the_round():
    table = two_players(rounds=1)
    table.turn(0, 1, 0, 1, 0, source="discard")
    assert GAME.status(table.state) == "playing"
    card = table.draw(1, "discard")
    assert GAME.status(table.state) == "playing", "the round ends with the turn, not with the draw"
    assert [event["type"] for event in table.discard(1, card)] == ["discarded", "round_scored"]
    view = table.view()
    assert (view["went_out"], view["laid"], view["renewed"]) == (None, None, 0)
    assert table.result() == ("rounds", [(0, 1, 0), (1, 2, 34)])


def test_tt13_a_card_from_the_stock_starts_the_count_again():
    table = two_players()
    table.turn(0, 1, 0, 1, 0, source="discard")
    table.turn(1, source="stock")
    table.turn(0, 1, 0, 1, 0, source="discard")
    assert table.view()["round"] == 1
    table.turn(1, source="discard")
    assert table.view()["round"] == 2


def test_tt13_every_deal_starts_the_count_again():
    table = two_players()
    table.turn(0, 1, 0, 1, 0, 1, source="discard")
    assert table.view()["round"] == 2
    table.turn(1, 0, 1, 0, 1, source="discard")
    assert table.view()["round"] == 2


def test_tt13_a_resignation_starts_the_count_again_for_those_who_stay():
    table = three_players()
    table.turn(0, 1, 2, 0, 1, 2, 0, 1, source="discard")
    table.resign(0)
    table.turn(2, 1, 2, 1, 2, source="discard")
    assert table.view()["round"] == 1
    table.turn(1, source="discard")
    assert table.view()["round"] == 2


def test_tt13_the_turn_that_ends_by_resignation_is_not_counted():
    table = three_players()
    table.turn(0, 1, 2, source="stock")
    table.turn(0, 1, 2, 0, 1, 2, 0, 1, source="discard")
    table.draw(2, "discard")
    table.resign(2)
    assert table.view()["round"] == 1
    table.turn(0, 1, 0, 1, 0, source="discard")
    assert table.view()["round"] == 1
    table.turn(1, source="discard")
    assert table.view()["round"] == 2


def test_tt13_the_turn_under_way_when_another_player_resigns_is_counted_when_it_ends():
    table = three_players()
    table.turn(0, 1, 2, 0, 1, 2, 0, source="discard")
    card = table.draw(1, "discard")
    table.resign(0)
    table.discard(1, card)
    table.turn(2, 1, 2, 1, source="discard")
    assert table.view()["round"] == 1
    table.turn(2, source="discard")
    assert table.view()["round"] == 2


def test_tt13_a_stock_card_drawn_before_another_player_resigns_is_not_forgotten():
    table = three_players()
    card = table.draw(0, "stock")
    table.resign(2)
    table.discard(0, card)
    table.turn(1, 0, 1, 0, 1, source="discard")
    assert table.view()["round"] == 1
    table.turn(0, source="discard")
    assert table.view()["round"] == 2


def test_tt13_going_out_in_the_last_of_these_turns_gives_the_others_their_final_turns():
    table = Table("9S AH KD", "QS JH 2D", "7S 7H 7D")
    table.turn(0, 1, 2, 0, 1, 2, 0, 1, source="discard")
    table.go_out(2, table.draw(2, "discard"))
    table.turn(0, source="discard")
    assert GAME.to_act(table.state) == [1]
    assert table.view()["round"] == 1


# --- What the service leans on --------------------------------------------------------------------------------------


def test_a_duty_is_one_turn_draw_and_discard_together():
    table = three_players()
    first = GAME.duties(table.state)
    table.draw(0)
    assert GAME.duties(table.state) == first
    table.discard(0, "KC")
    second = GAME.duties(table.state)
    assert list(second) == [1]
    table.turn(1, 2)
    assert GAME.duties(table.state)[0] != first[0], "the same seat's next turn is another duty"


def test_the_event_of_a_move_holds_the_move_in_canonical_form():
    table = three_players()
    table.apply(GAME.decide(table.state, 0, {"from": "stock", "move": "draw"}, table.shuffle))
    assert list(table.events[-1]["data"]["move"].items()) == [("move", "draw"), ("from", "stock")]


def test_a_state_survives_being_stored_as_json():
    table = three_players()
    table.out(0)
    table.turn(1, 2)
    table.resign(1)
    assert GAME.load(json.loads(json.dumps(GAME.dump(table.state)))) == table.state


def test_an_event_of_no_known_type_is_an_error():
    with pytest.raises(ValueError, match="no event 'played'"):
        GAME.evolve(three_players().state, {"type": "played", "seat": 0, "data": {}})
