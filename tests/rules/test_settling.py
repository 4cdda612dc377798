"""An end by agreement (S14), in all shedding games. The tests prove the ruling sentence by sentence."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import GAMES, IllegalMove
from games.rules.record import record_of, replay
from tests.rules.playing import RandomGame
from tests.rules.table import Table

SHEDDING = [name for name, game in GAMES.items() if game.family == "shedding"]
EVERY_SHEDDING_GAME = pytest.mark.parametrize("game", SHEDDING)
LAST_LEFT = {"play_until": "last_left"}
GONE = "- - -"


def standing_still(game="threes", hands=("4S 5S", "6H 7H"), stalled=10, **position):
    """A game that has stood still for so many pick-ups. It is the turn of seat 0."""
    return Table.at(game, hands, stalled=stalled, **{"pile": "KH"} | position)


def one_is_out(*hands):
    """Seat 0 of a game to the last has just gone out."""
    hands = hands or ("6H", "6D 7D")
    position = {"options": LAST_LEFT, "face_down": [GONE] + ["4C - -"] * len(hands)}
    return Table.at("threes", ("KS", *hands), pile="KH", **position).move(0, "play KS")


def stand_still(table, count):
    """The same game after so many pick-ups without progress."""
    stalled = {"effects": [{"effect": "stalled", "count": count}], "calls": []}
    table.state = table.rules.evolve(table.state, {"type": "picked_up", "seat": 1, "data": stalled})
    return table


# While the count of S13 is at least five times the number of seats in play


@EVERY_SHEDDING_GAME
def test_s14_five_pick_ups_without_progress_for_each_seat_in_play_must_have_been(game):
    short = standing_still(game, stalled=9)
    assert not short.may_settle and short.refuses(0, "settle") == "cannot_settle"
    enough = standing_still(game, stalled=10)
    assert enough.may_settle and enough.move(0, "settle").settled == [0]


def test_s14_three_seats_in_play_need_fifteen_and_two_of_three_ten():
    hands = ("4S 5S", "6H 7H", "6D 7D")
    assert not standing_still(hands=hands, stalled=14).may_settle
    assert standing_still(hands=hands, stalled=15).may_settle
    assert not stand_still(one_is_out(), 9).may_settle
    assert stand_still(one_is_out(), 10).may_settle


def test_s14_the_pick_up_that_reaches_the_count_opens_it():
    table = standing_still(stalled=9)
    assert table.move(0, "pick_up").stalled == 10 and table.may_settle


def test_s14_a_stalemate_that_comes_sooner_leaves_no_time_to_settle():
    for after in (3, 5):
        table = standing_still(stalled=2 * after - 1, options={"stalemate_after": after}).move(0, "pick_up")
        assert table.result["ended_by"] == "stalemate" and not table.may_settle
    assert standing_still(stalled=11, options={"stalemate_after": 6}).may_settle


def test_s14_not_in_setup_and_not_after_the_end():
    table = Table.dealt("threes", 2)
    assert not table.may_settle and table.refuses(0, "settle") == "cannot_settle"
    over = standing_still().moves("0 settle", "1 settle")
    assert over.refuses(0, "settle") == "game_over" and not over.may_settle


# Every seat in play may settle, in turn or not


def test_s14_every_seat_in_play_may_in_turn_or_not():
    table = standing_still(hands=("4S 5S", "6H 7H", "6D 7D"), stalled=15)
    assert table.to_act == [0]
    assert table.moves("2 settle", "0 settle").settled == [0, 2], "sorted"


def test_s14_who_is_out_or_has_resigned_may_not():
    assert stand_still(one_is_out(), 10).refuses(0, "settle") == "already_out"
    resigned = stand_still(standing_still(hands=("4S", "6H", "6D")).move(2, "resign"), 10)
    assert resigned.refuses(2, "settle") == "resigned" and resigned.rules.may_settle(resigned.state) == [0, 1]


def test_s14_out_of_turn_in_castle_is_no_interruption():
    table = standing_still("castle", ("4S 5S", "KS KD KC"), stalled=10)
    assert table.may_interrupt == [1]
    table.move(1, "settle")
    assert table.may_interrupt == [1] and table.pile == ["KH"] and table.to_act == [0]


# Never listed, as `resign`; not progress, no part of a turn


def test_s14_it_is_never_listed():
    table = standing_still()
    assert table.legal(0) == [{"move": "pick_up"}] and table.legal(1) == []
    assert table.move(1, "settle").legal(0) == [{"move": "pick_up"}]
    assert table.rules.why_not(table.state, 1)["code"] == "not_your_turn"


@pytest.mark.parametrize(("bonus", "pile"), [(None, "KH"), ("must", ""), ("may", "2H")])
def test_s14_it_is_no_part_of_a_turn_and_no_progress(bonus, pile):
    table = standing_still(pile=pile, bonus=bonus, stalled=11)
    before = table.rules.dump(table.state)
    for seat in (0, 1):
        settled = standing_still(pile=pile, bonus=bonus, stalled=11).move(seat, "settle")
        changed = {key for key, value in table.rules.dump(settled.state).items() if value != before[key]}
        assert changed == {"settled"} and settled.stalled == 11 and settled.bonus == bonus and settled.to_act == [0]
        assert settled.rules.duties(settled.state) == table.rules.duties(table.state)


def test_s14_the_event_has_the_seats_that_agree():
    table = standing_still()
    [event] = table.rules.decide(table.state, 1, {"move": "settle"}, None)
    assert event == {
        "type": "settled",
        "seat": 1,
        "data": {"move": {"move": "settle"}, "effects": [{"effect": "settled", "seats": [1]}], "calls": []},
    }
    for viewer in (0, 1, "public", None):
        assert table.rules.redact(event, viewer) == event, "everybody sees it"


@pytest.mark.parametrize("raw", [{"move": "settle", "seat": 0}, {"move": "settle", "agree": True}])
def test_s14_it_has_no_further_keys(raw):
    table = standing_still()
    with pytest.raises(IllegalMove) as refusal:
        table.rules.decide(table.state, 0, raw, None)
    assert refusal.value.code == "malformed"


def test_s14_three_thirteen_knows_no_such_move():
    game = RandomGame("three_thirteen", 1)
    [seat] = game.rules.to_act(game.state)
    with pytest.raises(IllegalMove) as refusal:
        game.rules.decide(game.state, seat, {"move": "settle"}, game.shuffle)
    assert refusal.value.code == "malformed" and game.rules.may_settle(game.state) == []


# A second `settle` takes it back


def test_s14_a_second_settle_takes_it_back_and_a_third_agrees_again():
    table = standing_still()
    assert table.moves("1 settle", "1 settle").settled == []
    table.move(0, "settle")
    assert table.status == "playing" and table.settled == [0], "seat 1 does not agree any more"
    assert table.move(1, "settle").result["ended_by"] == "agreed"


# When all in play have, the game ends, and the seats left share the best place that is free


@EVERY_SHEDDING_GAME
def test_s14_when_all_have_the_game_ends_and_they_share_the_first_place_whatever_they_hold(game):
    table = standing_still(game, ("4S 5S 6S", "6H"), stalled=10).moves("1 settle", "0 settle")
    assert table.result == {
        "ended_by": "agreed",
        "placements": [{"seat": 0, "place": 1, "score": 4}, {"seat": 1, "place": 1, "score": 2}],
    }
    assert table.status == "finished" and table.to_act == [] and table.bonus is None
    assert table.settled == [0, 1] and not table.may_settle and table.stalled == 10


def test_s14_the_best_place_that_is_free_comes_after_those_who_are_out_and_before_those_who_resigned():
    table = stand_still(one_is_out("6H", "6D 7D", "6C").move(3, "resign"), 10).moves("2 settle", "1 settle")
    assert table.places() == [1, 2, 2, 4]
    assert [row["score"] for row in table.result["placements"]] == [0, 2, 3, None]


def test_s14_a_seat_that_has_not_settled_keeps_the_game_going():
    table = standing_still(hands=("4S", "6H", "6D"), stalled=15).moves("0 settle", "2 settle")
    assert table.status == "playing" and table.settled == [0, 2] and table.result is None


# A move that makes progress wipes what was agreed


@pytest.mark.parametrize(
    ("move", "position"),
    [
        ("0 play TS", {"hands": ("TS 4S", "6H"), "pile": "9H"}),  # the pile is closed
        ("0 play KS", {"hands": ("KS 4S", "6H"), "stock": "3S 3D"}),  # a card leaves the stock
        ("0 play KS", {"hands": ("", "6H"), "face_up": ["KS 4S"]}),  # a table card is played
        ("0 flip 0", {"hands": ("", "6H"), "face_down": ["4S 5S 6S"]}),  # one leaves the table for the hand
        ("2 resign", {"hands": ("4S", "6H", "6D"), "stalled": 15}),  # a player leaves
    ],
)
def test_s14_progress_wipes_what_was_agreed(move, position):
    table = standing_still(**position).move(1, "settle")
    assert table.settled == [1]
    table.moves(move)
    assert table.settled == [] and table.stalled == 0 and not table.may_settle
    assert table.refuses(1, "settle") == "cannot_settle"


def test_s14_one_who_goes_out_wipes_it_as_well():
    position = {"options": LAST_LEFT, "face_down": [GONE, "4C - -", "4C - -"], "stalled": 15}
    table = standing_still(hands=("KS", "6H", "6D"), **position).moves("1 settle", "2 settle", "0 play KS")
    assert table.places() == [1, None, None] and table.settled == [] and table.status == "playing"


def test_s14_moves_without_progress_leave_it():
    table = standing_still(hands=("KS 4S", "5H")).move(1, "settle")
    assert table.move(0, "play KS").settled == [1], "a play from the hand"
    assert table.move(1, "pick_up").settled == [1] and table.stalled == 11


def test_s14_who_resigns_last_does_not_make_the_others_agree():
    table = standing_still(hands=("4S", "6H", "6D"), stalled=15).moves("0 settle", "1 settle", "2 resign")
    assert table.status == "playing" and table.settled == [], "it is progress: the two left have to settle anew"
    assert table.places() == [None, None, 3]


def test_s14_the_last_one_left_by_resignation_wins_alone():
    table = standing_still().moves("0 settle", "1 resign")
    assert table.result["ended_by"] == "resignation" and table.places() == [1, 2]


def test_s14_a_stalemate_ranks_them_even_if_all_but_one_agreed():
    table = standing_still(hands=("4S 5S", "6H"), stalled=39).moves("1 settle", "0 pick_up")
    assert table.result["ended_by"] == "stalemate" and table.places() == [2, 1]


# What must hold always


@EVERY_SHEDDING_GAME
@given(seed=st.integers(min_value=0, max_value=2**32))
@settings(max_examples=15)
def test_s14_a_game_in_which_not_all_agree_goes_on_as_if_nobody_had(game, seed):
    plain, settling, chance = (
        RandomGame(game, seed, options={"stalemate_after": 20}),
        RandomGame(game, seed, options={"stalemate_after": 20}),
        random.Random(seed),
    )
    for _ in range(250):
        seats = settling.rules.may_settle(settling.state)
        if len(seats) > 1 and chance.random() < 0.5:
            settling.apply(chance.choice(seats), {"move": "settle"})
        if not plain.able():
            break
        assert settling.step()[:2] == plain.step()[:2]
    ours, theirs = settling.rules.dump(settling.state), plain.rules.dump(plain.state)
    assert {key: value for key, value in ours.items() if key != "settled"} == {
        key: value for key, value in theirs.items() if key != "settled"
    }


@EVERY_SHEDDING_GAME
def test_s14_the_record_of_a_game_that_was_settled_replays_to_the_same(game):
    played = next(
        found for seed in range(200) if (found := _until_it_stands_still(RandomGame(game, seed, seats=3))) is not None
    )
    for seat in played.rules.may_settle(played.state):
        played.apply(seat, {"move": "settle"})
    assert played.rules.result(played.state)["ended_by"] == "agreed"
    again = replay(record_of(played.rules, played.events), dict(GAMES))
    assert again.error is None and again.events == played.events
    assert again.game.view(again.state, None) == played.rules.view(played.state, None)


def _until_it_stands_still(game: RandomGame) -> RandomGame | None:
    for _ in game.steps(400):
        if game.rules.may_settle(game.state):
            return game
    return None
