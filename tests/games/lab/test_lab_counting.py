"""The figures of single games, counted by hand (LB4-LB7, LB16)."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.lab.counting import DAY, HOUR, Counted, beaten, count, ready
from games.lab.playing import Lot, Side, play, replayed
from games.rules import GAMES
from games.rules.cards import decks
from games.rules.record import record_of


def counted(record: dict[str, Any]) -> Counted:
    return count(*replayed(record))


def lesson(game: str) -> dict[str, Any]:
    script = json.loads(Path(f"games/lessons/{game}.json").read_text(encoding="utf-8"))
    record: dict[str, Any] = script["record"]
    return record


def test_the_lesson_of_three_card() -> None:
    """Seat 0, at the left of the dealer, wins by a flip; then seats 2, 1 and 3 have 2, 3 and 11 cards."""
    assert counted(lesson("three_card")) == {
        "moves": 64,
        "hand_overs": 53,
        "days": Fraction(23, 3),
        "ended.out": 1,
        "points.1": 1,
        "points.2": Fraction(1, 3),
        "points.3": Fraction(2, 3),
        "points.4": 0,
        "opener": Fraction(1, 2),
        "pick_ups": 7,
        "picked_up": 14 + 6 + 2 + 4 + 1 + 4 + 4,
        "closings.ten": 3,
        "largest_hand": 3 + 14 - 3 - 2 + 6,
        "blind_flips": 7,
        "blind_fits": 4,
        "won_blind": 1,
        "stalled": 2,
    }


def test_the_lesson_of_tripp_jokes_in_which_jokers_take_piles() -> None:
    figures = counted(lesson("tripp_jokes"))

    assert figures["pick_ups"] == 11  # three of them by a joker (TJ9)
    assert figures["picked_up"] == 3 + 5 + 2 + 4 + 2 + 4 + 2 + 1 + 2 + 3 + 2
    assert (figures["closings.ten"], figures["closings.three_in_a_row"]) == (3, 4)
    assert (figures["blind_flips"], figures["blind_fits"], figures["won_blind"]) == (6, 3, 1)
    assert (figures["points.1"], figures["points.2"], figures["points.3"]) == (0, 1, Fraction(1, 2))


def test_the_lesson_of_castle_in_which_shown_cards_are_seen() -> None:
    """Seat 0 flips position 2 twice: the second time everybody has seen the card (CA11)."""
    figures = counted(lesson("castle"))

    assert (figures["blind_flips"], figures["blind_fits"]) == (8, 5)
    assert (figures["closings.ten"], figures["closings.set_of_four"]) == (3, 2)
    assert figures["pick_ups"] == 6
    assert figures["picked_up"] == 5 + 4 + 1 + 3 + 1 + 6


def test_the_lesson_of_three_thirteen() -> None:
    """Rounds 1 to 3 between two: seat 0 has 0, 9 and 0, seat 1 has 21, 0 and 35."""
    figures = counted(lesson("three_thirteen"))

    assert [figures[f"penalty.{number}"] for number in (1, 2, 3)] == [Fraction(21, 2), Fraction(9, 2), Fraction(35, 2)]
    assert [figures[f"out.{number}"] for number in (1, 2, 3)] == [3, 3, 1]
    assert [figures[f"nobody_out.{number}"] for number in (1, 2, 3)] == [0, 0, 0]
    # The dealers are 1, 0 and 1.
    assert figures["dealer"] == Fraction(21 + 9 + 35, 3)
    assert figures["first"] == -figures["dealer"]
    assert (figures["renewals"], figures["winner"], figures["hand_overs"], figures["moves"]) == (0, 9, 8, 20)


def three_moves() -> dict[str, Any]:
    """Seat 1 draws and discards, and seat 0 leaves."""
    game = GAMES["three_thirteen"]
    state, events = game.deal(2, None, {}, 0, lambda cards: list(decks(1, jokers=0)))
    moves: list[tuple[int, dict[str, Any]]] = [(1, {"move": "draw", "from": "stock"})]
    for event in game.decide(state, *moves[0], list):
        state = game.evolve(state, event)
    moves += [(1, {"move": "discard", "card": state.hands[1][0]}), (0, {"move": "resign"})]
    record = record_of(game, events)
    return {**record, "moves": [{"seat": seat, **move} for seat, move in moves]}


def test_lb7_the_days_of_a_game_of_three_moves() -> None:
    """Seat 1 wakes at 1 h UTC and plays at 2:30; seat 0 wakes at 7 h and leaves at 8:30."""
    figures = counted(three_moves())

    assert figures["days"] == Fraction(17, 48)
    assert figures["hand_overs"] == 2
    assert figures["moves"] == 2  # resigning is none
    assert figures["ended.resignation"] == 1
    assert "penalty.1" not in figures


@pytest.mark.parametrize(
    ("seat", "since", "looks"),
    [
        (0, 0, 8.5),
        (0, 7, 8.5),
        (0, 10, 11.5),
        (0, 21.5, 23),
        (0, 22, 24 + 7.5),
        (0, 23, 24 + 8.5),
        (1, 0, 2.5),
        (3, 0, 1.5),
        (3, 4.5, 14),
        (7, 0, 1.5),
    ],
)
def test_lb7_a_seat_looks_after_one_and_a_half_waking_hours(seat: int, since: float, looks: float) -> None:
    assert ready(seat, round(since * HOUR)) == looks * HOUR


@given(seat=st.integers(0, 31), since=st.integers(0, 40 * DAY))
def test_lb7_who_has_more_time_never_looks_earlier(seat: int, since: int) -> None:
    assert since < ready(seat, since) <= ready(seat, since + 60) <= since + 60 + 10 * HOUR


def test_pt1_a_shared_place_counts_for_a_half() -> None:
    places = {"placements": [{"seat": seat, "place": place} for seat, place in enumerate((1, 2, 2, 4))]}

    assert beaten(places) == {0: 1, 1: Fraction(1, 2), 2: Fraction(1, 2), 3: 0}


@settings(max_examples=20)
@given(game=st.sampled_from(sorted(GAMES)), number=st.integers(0, 10**6), seats=st.integers(2, 5))
def test_lb16_the_points_of_all_places_add_up(game: str, number: int, seats: int) -> None:
    sides = Side(game, seats, *GAMES[game].complete_options(seats, None, {}))
    figures = count(*play(sides, Lot("points", number, ["plain"] * seats)))

    assert sum(figures[f"points.{place}"] for place in range(1, seats + 1)) == Fraction(seats, 2)
    assert figures["hand_overs"] <= figures["moves"] + seats


def test_lb4_levels_have_points_where_there_are_several() -> None:
    levels = ["plain", "random", "plain"]
    rules = Side("castle", 3, *GAMES["castle"].complete_options(3, None, {}))
    figures = count(*play(rules, Lot("1", 0, levels)))

    assert 2 * figures["level.plain"] + figures["level.random"] == Fraction(3, 2)
