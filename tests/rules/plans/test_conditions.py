"""PL5 in the shedding games: what holds when."""

import pytest

from games.rules import GAMES
from games.rules.plans import judge_as_in_turn, read_plan
from tests.rules.plans.scene import HIGHEST, LOWEST, at, holds, line, played, verdict


@pytest.mark.parametrize(
    ("game", "pile", "asked"),
    [
        ("three_card", "4S", ["4"]),
        ("three_card", "", [None]),
        ("three_card", "2S", [None]),
        ("tripp_jokes", "9S 3S", ["9"]),
        ("tripp_jokes", "3S", [None]),
        ("tripp_jokes", "XR", [None]),
        ("threes", "9S 8S", ["K", "9"]),
        ("threes", "8S", [None]),
        ("castle", "7S", ["7"]),
    ],
)
def test_pl5_to_beat_is_what_the_next_play_must_beat(game, pile, asked):
    state = at(game, "AS", pile=pile)
    assert holds(game, state, to_beat=asked)
    assert not holds(game, state, to_beat=["5"])
    assert not holds(game, state, to_beat=["Q"] if None in asked else [None])


def test_pl5_th11_to_beat_follows_the_options():
    assert holds(
        "threes", at("threes", "AS", pile="8S", laid_on_empty=1, options={"eight_plain_on_empty": True}), to_beat=["8"]
    )


@pytest.mark.parametrize(("game", "pile", "is_so"), [
    ("threes", "7S", True), ("threes", "7S 8S", True), ("castle", "7S", True), ("three_card", "7S", False),
    ("threes", "", False), ("threes", "6S", False),
])  # fmt: skip
def test_pl5_inverted_where_the_pile_asks_for_lower(game, pile, is_so):
    assert holds(game, at(game, "AS", pile=pile), inverted=is_so)
    assert not holds(game, at(game, "AS", pile=pile), inverted=not is_so)


def test_pl5_the_pile_and_the_own_hand_are_counted():
    state = at("threes", "4S 5S 6S", pile="4H 4D", face_up=["9S 9H 9D"])
    for name, count in (("pile", 2), ("hand", 3)):
        assert holds("threes", state, **{f"{name}_at_least": count}) and holds(
            "threes", state, **{f"{name}_at_most": count}
        )
        assert not holds("threes", state, **{f"{name}_at_least": count + 1})
        assert not holds("threes", state, **{f"{name}_at_most": count - 1})


def test_pl5_next_is_the_next_seat_in_play_in_the_direction_as_it_is_and_all_zones_count():
    hands = ("9S", "4S 5S", "4H 5H 6H")
    tables = {"face_up": ["", "9H 9D", ""], "face_down": ["", "KS KH -", "KD - -"]}
    forward, back = at("castle", *hands, **tables), at("castle", *hands, **tables, direction=-1)
    assert holds("castle", forward, next_has_at_most=6) and not holds("castle", forward, next_has_at_most=5)
    assert holds("castle", back, next_has_at_most=4) and not holds("castle", back, next_has_at_most=3)


def test_pl5_next_and_anyone_pass_over_seats_that_are_out():
    state = at("threes", "9S", "", "4H 5H 6H", face_down=["", "- - -", "KD - -"], options={"play_until": "last_left"})
    state.change_player(1, place=1)
    assert holds("threes", state, next_has_at_most=4) and not holds("threes", state, next_has_at_most=3)
    assert holds("threes", state, anyone_has_at_most=4) and not holds("threes", state, anyone_has_at_most=3)


def test_pl5_anyone_is_any_other_seat():
    state = at("castle", "9S", "4S 5S", "4H 5H 6H", face_down=["- - -", "KS KH KC", "KD - -"])
    assert holds("castle", state, anyone_has_at_most=4) and not holds("castle", state, anyone_has_at_most=3)


def test_pl5_stock_is_out():
    assert holds("castle", at("castle", "9S"), stock_is_out=True)
    assert holds("castle", at("castle", "9S", stock="4S"), stock_is_out=False)
    assert not holds("castle", at("castle", "9S", stock="4S"), stock_is_out=True)


def test_pl5_bonus_is_a_bonus_play_of_ones_own():
    assert holds("castle", at("castle", "9S", bonus="may"), bonus=True)
    assert holds("threes", at("threes", "9S", bonus="must"), bonus=True)
    assert holds("castle", at("castle", "9S"), bonus=False)
    fours = line({"move": "play", "cards": ["4H"]}, bonus=True, interrupt=True)
    others = at("castle", "9S", "4H", pile="4S 4D 4C", bonus="may")
    assert verdict("castle", others, fours, seat=1).lines == ["does not hold"]


@pytest.mark.parametrize(
    ("game", "hand", "pile", "options", "closes"),
    [
        ("three_card", "TS", "9S", {}, True),
        ("three_card", "9S", "9H 9D 9C", {}, True),
        ("three_card", "9S", "9H 9D", {}, False),
        ("tripp_jokes", "XR", "9S", {}, False),
        ("tripp_jokes", "XR", "XB XR", {}, True),
        ("threes", "XR", "9S", {}, True),
        ("threes", "9S", "9H 8H 9D 8S 9C", {}, True),
        ("threes", "8S", "9S 8H 8D 8C", {}, True),
        ("threes", "TS", "9S", {}, True),
        ("threes", "TS", "JS", {"ten_wild": True}, True),
        ("castle", "4S", "4H 4D 4C", {}, True),
    ],
)
def test_pl5_would_close_is_asked_of_the_rules(game, hand, pile, options, closes):
    state = at(game, f"{hand} 5D", pile=pile, options=options)
    found = verdict(game, state, line({"move": "play", "cards": [hand]}, would_close=closes))
    assert found.lines == ["plays"]
    found = verdict(game, state, line({"move": "play", "cards": [hand]}, would_close=not closes))
    assert found.lines == ["does not hold"]


def test_pl5_a_play_that_is_not_legal_would_not_close():
    """TH6: a 10 does not go on a jack."""
    state = at("threes", "TS", pile="JS")
    ten = {"move": "play", "cards": ["TS"]}
    assert verdict("threes", state, line(ten, would_close=True), line(ten, would_close=False)).lines == [
        "does not hold",
        "not legal",
    ]


def test_pl5_of_a_flip_or_a_draw_nobody_knows_whether_it_closes():
    flip = {"move": "flip", "choose": "first"}
    state = at("castle", "", pile="9S", face_down=["TS - -"])
    assert verdict("castle", state, line(flip, would_close=True), line(flip, would_close=False)).line == 1
    state = at("castle", "4S", stock="TS")
    assert verdict("castle", state, line("draw", would_close=True), line("draw", would_close=False)).line == 1


def test_pl5_all_conditions_of_a_line_must_hold():
    state = at("three_card", "9S", pile="4S")
    assert played("three_card", state, line(LOWEST, to_beat=["4"], hand_at_most=1)) == "play 9S"
    assert played("three_card", state, line(LOWEST, to_beat=["4"], hand_at_most=0)) is None


def test_pl9_out_of_turn_a_plan_is_tried_as_if_ones_turn_began_with_the_table_as_it_is():
    rules = GAMES["castle"]
    state = at("castle", "9S", "4H KH", pile="8S", bonus="may")
    plan = read_plan(rules, {"lines": [line("end_turn"), line(LOWEST, bonus=False)]})
    assert judge_as_in_turn(rules, state, 1, plan).as_json() == {
        "line": 1,
        "move": {"move": "play", "cards": ["KH"]},
        "lines": ["not legal", "plays"],
    }


def test_pl9_what_the_plan_would_do_now_comes_first():
    rules = GAMES["castle"]
    state = at("castle", "9S", "4H KH", pile="4S 4D 4C")
    plan = read_plan(rules, {"lines": [line(HIGHEST), line({"move": "play", "cards": ["4H"]}, interrupt=True)]})
    assert judge_as_in_turn(rules, state, 1, plan).lines == ["not tried", "plays"]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_pl9_a_plan_is_tried_from_the_deal_on_by_every_seat(game):
    rules = GAMES[game]
    state, _ = rules.deal(2, None, {}, 1, list)
    move = {"move": "draw", "from": "stock"} if game == "three_thirteen" else LOWEST
    plan = read_plan(rules, {"lines": [line(move)]})
    for seat in range(2):
        found = judge_as_in_turn(rules, state, seat, plan)
        assert found.lines == (["plays"] if game == "three_thirteen" else ["not legal"])
