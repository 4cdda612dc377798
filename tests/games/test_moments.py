"""The turning moments of a game that is over."""

import pytest

from games.rules import GAMES
from games.rules.notation import moments
from tests.rules.playing import RandomGame

NAMES = ["ada", "bob", "cyd"]


def told(*events, own=None):
    shown = [{"version": at, "seat": seat, "data": data} for at, (seat, data) in enumerate(events, 1)]
    return [tuple(one) for one in moments(shown, NAMES, own)]


def played(move, *effects, calls=()):
    return {"move": move, "effects": list(effects), "calls": list(calls)}


def test_tc10_what_was_called_is_told_of_whoever_caused_it_and_the_last_of_a_sort():
    play = {"move": "play", "cards": ["6H"]}
    assert told(
        (None, {"calls": ["who_dealt"], "who_dealt": [2]}),
        (0, played(play, calls=["exorcism"])),
        (1, played(play, calls=["exorcism", "on_the_train"])),
    ) == [(1, "cyd: “Who the fuck dealt?”"), (3, "bob was on the train."), (3, "bob: an exorcism")]


def test_the_largest_pick_up_and_the_last_blind_card():
    took = [{"effect": "picked_up", "seat": 1, "cards": ["3H"] * count} for count in (4, 9, 9)]
    flip = {"move": "flip", "position": 0}
    fits, fails = {"effect": "laid", "cards": ["TH"]}, {"effect": "lifted", "card": "4S"}
    pick_ups = [(1, played({"move": "pick_up"}, effect)) for effect in took]
    assert told(*pick_ups) == [(2, "Biggest pick-up: bob, 9 cards.")]
    assert told((0, played(flip, fits)), (2, played(flip, fails))) == [
        (2, "The last face-down card was cyd's: 4, which did not fit.")
    ]
    assert told((0, played(flip, fits, {"effect": "out"}))) == [(1, "The last face-down card was ada's: 10, and out.")]


def test_the_reader_is_you():
    flip = played({"move": "flip", "position": 0}, {"effect": "lifted", "card": "4S"})
    took = {"effect": "picked_up", "seat": 0, "cards": ["3H"]}
    shown = [
        (0, played({"move": "pick_up"}, took, calls=["on_the_train", "kerchoo"])),
        (0, flip),
        (None, {"round": 2, "scores": [{"penalty": 9}, {"penalty": 3}]}),
    ]
    said = {seat: [one for _, one in told(*shown, own=seat)] for seat in (0, 1)}
    assert said[0] == [
        "Biggest pick-up: you, 1 card.",
        "You were on the train.",
        "You: “Kerchoo!”",
        "The last face-down card was yours: 4, which did not fit.",
        "Most expensive round: round 2, 9 points for you.",
    ]
    assert not [one for one in said[1] if "you" in one.lower()]


@pytest.mark.parametrize("name", GAMES)
def test_each_game_ends_with_moments_that_happened(name):
    game = RandomGame(name, 5, seats=3)
    for _ in game.steps():
        pass
    shown = [{"version": at, "seat": one["seat"], "data": one["data"]} for at, one in enumerate(game.events, 1)]
    found = moments(shown, NAMES)
    assert found and len(found) <= 8
    assert [one.version for one in found] == sorted(one.version for one in found)
    if name == "three_thirteen":
        costs = [score["penalty"] for one in shown for score in one["data"].get("scores", ())]
        assert f" {max(costs)} points" in found[0].said
