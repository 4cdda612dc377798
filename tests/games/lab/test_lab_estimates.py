"""Estimates of many games (LB8)."""

from fractions import Fraction
from math import sqrt
from random import Random
from xml.etree import ElementTree

import pytest

from games.lab.counting import count
from games.lab.estimates import Estimate, differences, figures
from games.lab.picture import MARGIN, WIDTH, picture
from games.lab.playing import Lot, Side, play
from games.lab.report import Report
from games.lab.words import in_a_sentence, in_words, label_of, order, sentences
from games.rules import GAMES


def test_a_mean_has_the_interval_of_its_standard_error() -> None:
    values = [*range(40)]

    found = figures([{"moves": value} for value in values], ["moves"])["moves"]

    half = 1.96 * sqrt(sum((value - 19.5) ** 2 for value in values) / 39 / 40)
    assert found.value == 19.5
    assert (found.low, found.high) == (pytest.approx(19.5 - half, abs=1e-6), pytest.approx(19.5 + half, abs=1e-6))
    assert (found.median, found.p90) == (19, 35)  # the 20th and the 36th of 40


def test_a_share_has_wilsons_interval() -> None:
    found = figures([{"won_blind": int(number < 10)} for number in range(100)], ["won_blind"])["won_blind"]

    assert found == Estimate("share", 0.1, 0.055229, 0.174367, 100)


def test_under_thirty_games_there_is_no_interval() -> None:
    found = figures([{"stalled": 2}] * 29, ["stalled"])["stalled"]

    assert (found.value, found.low, found.high, found.games) == (2, None, None, 29)


def test_a_kind_of_end_that_a_game_does_not_have_counts_as_none() -> None:
    games = [{"ended.out": 1, "closings.ten": 4}] * 45 + [{"ended.agreed": 1}] * 15

    found = figures(games, ["ended.out", "ended.agreed", "closings.ten"])

    assert (found["ended.out"].value, found["ended.agreed"].value, found["closings.ten"].value) == (0.75, 0.25, 3)


def test_a_figure_that_does_not_exist_in_a_game_leaves_the_game_out() -> None:
    pairs = [({"out.1": 3}, {"out.1": 5})] * 30 + [({"out.1": 3}, {})] * 10

    assert figures([first for first, _ in pairs], ["out.1"])["out.1"].games == 40
    assert differences(pairs, ["out.1"])["out.1"] == Estimate("mean", 2, 2, 2, 30)


def test_numbers_are_rounded_half_even_to_six_decimals() -> None:
    eighth = Fraction(1, 8) / 10**6

    found = figures([{"points.1": 1 + 4 * eighth}, {"points.1": 1 + 12 * eighth}], ["points.1"])["points.1"]

    assert found.value == 1.000001
    assert figures([{"points.1": 4 * eighth}], ["points.1"])["points.1"].value == 0
    assert figures([{"points.1": 12 * eighth}], ["points.1"])["points.1"].value == 0.000002


def test_the_intervals_hold_the_truth_in_about_95_of_100_runs() -> None:
    chance = Random(7)
    held = 0
    for _ in range(300):
        games = [
            {"pick_ups": chance.choice((0, 1, 1, 4, 9)), "won_blind": int(chance.random() < 0.2)} for _ in range(200)
        ]
        found = figures(games, ["pick_ups", "won_blind"])
        for name, truth in (("pick_ups", 3), ("won_blind", 0.2)):
            low, high = found[name].low, found[name].high
            held += low is not None and high is not None and low <= truth <= high

    assert 0.92 < held / 600 < 0.98


def test_figures_have_one_order() -> None:
    assert sorted(["out.10", "out.2", "winner", "ended.out", "moves", "points.1"], key=order) == [
        "moves",
        "ended.out",
        "points.1",
        "out.2",
        "out.10",
        "winner",
    ]


def test_lb11_two_sentences_say_what_a_rule_does() -> None:
    shares = (Estimate("share", 0.2, 0.1, 0.3, 2000), Estimate("share", 0.3, 0.2, 0.4, 2000))
    turns = (Estimate("mean", 154.4, 153, 155, 2000), Estimate("mean", 122.3, 121, 123, 2000))
    sides = [{"hand_overs": turn, "won_blind": share, "days": share} for turn, share in zip(turns, shares, strict=True)]
    apart = {"won_blind": Estimate("mean", 0.1, 0.05, 0.15, 2000), "days": Estimate("mean", -3, -5, -1, 2000)}

    assert sentences(2000, 4, *sides, apart) == [
        "In 2,000 simulated games among four simple players a game takes 122 turns instead of 154.",
        "It lasts 0.3 days instead of 0.2.",
    ]
    assert sentences(2000, 4, *sides, {"won_blind": apart["won_blind"]})[1] == (
        "30 % of the games are won by an unseen card instead of 20 %."
    )
    assert len(sentences(2000, 4, *sides, {"days": Estimate("mean", 0.1, -0.1, 0.3, 2000)})) == 1


def test_lb11_a_game_that_takes_as_long_is_said_to_and_nothing_says_it_again() -> None:
    turns = [Estimate("mean", value, 100, 160, 2000) for value in (154.4, 154.2)]
    stalled = [Estimate("mean", value, 0, 1, 2000) for value in (0.034, 0.0341)]
    pairs = zip(turns, stalled, strict=True)
    sides = [{"hand_overs": one, "moves": one, "days": one, "stalled": two} for one, two in pairs]
    apart = Estimate("mean", 0.0001, 0.00005, 0.00015, 2000)
    differing = {
        "hand_overs": Estimate("mean", -0.2, -1, 0.6, 2000),
        "moves": Estimate("mean", 5, 4.9, 5.1, 2000),
        "days": Estimate("mean", 5, 4.9, 5.1, 2000),
        "stalled": apart,
    }
    assert sentences(2000, 4, *sides, differing) == [
        "In 2,000 simulated games among four simple players a game takes as long as before.",
        "There are up to 0.0341 pick-ups without progress instead of 0.0340.",
    ]


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("blind_fits", 0.034, 0.0071, ("0.034", "0.0071")),
        ("blind_fits", 0, 0.021, ("0", "0.021")),
        ("blind_fits", 0.4, 0.05, ("0.4", "0.050")),
        ("blind_fits", 1.54, 1.51, ("1.54", "1.51")),
        ("moves", 153.7, 153.6, ("153.7", "153.6")),
        ("moves", 154.4, 122.3, ("154", "122")),
        ("won_blind", 0.2, 0.3, ("20 %", "30 %")),
        ("won_blind", 0.0042, 0.051, ("0.42 %", "5.1 %")),
        ("won_blind", 0.504, 0.501, ("50.4 %", "50.1 %")),
        ("moves", 3, 3, ("3.0", "3.0")),
    ],
)
def test_lb11_small_figures_are_not_rounded_away(name: str, old: float, new: float, said: tuple[str, str]) -> None:
    assert in_a_sentence(name, old, new) == said
    assert in_words("stalled", 0.0042) == "0.0042" and in_words("won_blind", 0.00042) == "0.042 %"


def test_lb11_in_the_picture_a_bar_from_0_goes_to_the_edge_and_says_both_figures() -> None:
    side = Side("threes", 4, *GAMES["threes"].complete_options(4, None, {}))
    other = Side("threes", 4, *GAMES["threes"].complete_options(4, "2022", {}))
    first = {"won_blind": Estimate("share", 0, 0, 0.01, 2000), "moves": Estimate("mean", 100, 99, 101, 2000)}
    second = {"won_blind": Estimate("share", 0.034, 0.03, 0.04, 2000), "moves": Estimate("mean", 100.2, 99, 101, 2000)}
    differing = {
        "won_blind": Estimate("mean", 0.034, 0.03, 0.04, 2000),
        "moves": Estimate("mean", 0.2, 0.1, 0.3, 2000),
    }
    drawn = picture(Report([(side, first), (other, second)], differing, 2000, "1", ["plain"] * 4))
    texts = [element.text for element in ElementTree.fromstring(drawn).iter() if element.text]
    assert {"Won by an unseen card", "0 % → 3.4 %", "Moves", "+0.2 %"} <= set(texts)
    bars = [element.attrib for element in ElementTree.fromstring(drawn).iter() if element.tag.endswith("rect")]
    assert max(float(bar["x"]) + float(bar["width"]) for bar in bars) == WIDTH - MARGIN
    assert "inf" not in drawn and "nan" not in drawn
    assert "stroke-dasharray" in drawn and "Dashed: it was 0" in " ".join(texts)


@pytest.mark.parametrize(("more", "beyond"), [(99, False), (101, True), (900, True)])
def test_in_the_picture_a_bar_that_goes_on_beyond_the_edge_is_an_arrow(more: float, beyond: bool) -> None:
    rules = GAMES["threes"]
    sides = [Side("threes", 4, *rules.complete_options(4, ruleset, {})) for ruleset in (None, "2022")]
    found = [{"moves": Estimate("mean", value, value, value, 2000)} for value in (100, 100 + more)]
    differing = {"moves": Estimate("mean", more, more - 1, more + 1, 2000)}
    drawn = picture(Report(list(zip(sides, found, strict=True)), differing, 2000, "1", ["plain"] * 4))
    assert ('class="beyond"' in drawn, "arrow:" in drawn) == (beyond, beyond)


@pytest.mark.parametrize("game", GAMES)
def test_every_figure_has_a_name_and_a_sentence(game: str) -> None:
    side = Side(game, 2, *GAMES[game].complete_options(2, None, {}))
    counted = count(*play(side, Lot("1", 0, ["plain", "random"])))
    found = figures([counted], counted)

    for name in counted:
        apart = {name: Estimate("mean", 1, 0.5, 1.5, 30)}
        said = sentences(30, 2, found, found, apart)[-1]
        assert said.endswith(".")
        assert "{" not in said + label_of(name, 2)
