"""Reviews of finished games (PLAY section 9), from their events alone."""

import json
import subprocess
import sys
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

from games.bots.shedding import remember
from games.bots.shedding.network import networks
from games.bots.shedding.ratings import Chances
from games.bots.shedding.table import KnownTable
from games.review import Happened, NoReviewError, numbered, review, shedding
from games.rules import GAMES
from games.rules.record import record_of
from games.rules.shedding import SheddingGame
from games.rules.three_thirteen import discards_to_go_out, lay_out
from tests.games.review.played import played

SHEDDING = [name for name, game in GAMES.items() if isinstance(game, SheddingGame)]
ROOT = Path(__file__).resolve().parents[3]


@cache
def mixed(game: str) -> list:
    return played(game, 3, 1, ("steady", "random"))


@cache
def reviewed(game: str) -> dict:
    return review(GAMES[game], numbered(mixed(game)))


def sum_of(places) -> Decimal:
    return sum(map(Decimal, places), Decimal())


@pytest.mark.sampled
@pytest.mark.parametrize("game", SHEDDING)
def test_rv2_expected_places_begin_after_setup_add_up_and_end_with_the_result(game: str) -> None:
    found, events = reviewed(game), mixed(game)
    state = None
    for event in events:
        state = GAMES[game].evolve(state, event)
    assert found["from"] == 4  # the deal, and three choices of face-up cards
    assert [one["version"] for one in found["places"]] == list(range(4, len(events) + 1))
    for one in found["places"][:-1]:
        assert abs(sum_of(one["seats"]) - 6) <= Decimal("0.02")
    placements = GAMES[game].result(state)["placements"]
    last = {line["seat"]: f"{line['place']:.2f}" for line in placements}
    assert found["places"][-1]["seats"] == [last[seat] for seat in range(3)]


@pytest.mark.parametrize("game", SHEDDING)
def test_rv2_who_waits_counts_by_the_networks_rating_of_the_position_as_it_lies(game: str) -> None:
    """The chances of the two who wait at the first version of play say how they stand to each other."""
    rules, events = GAMES[game], mixed(game)[:4]
    state = memory = None
    for event in events:
        state = rules.evolve(state, event)
        memory = remember(rules, [rules.redact(event, "public")], memory)
    waiting = [seat for seat in range(3) if seat not in rules.to_act(state)]
    chances = {}
    for seat in waiting:
        table = KnownTable(rules, rules.view(state, seat), memory.hands, seat=seat)
        chances[seat] = max(0.001, min(1.0, Chances(table, networks(game)).of(table.position)))
    places = {seat: Decimal(place) for seat, place in enumerate(reviewed(game)["places"][0]["seats"])}
    by_chance = sorted(waiting, key=lambda seat: -chances[seat])
    assert sorted(waiting, key=lambda seat: places[seat]) == by_chance


@pytest.mark.sampled
@pytest.mark.parametrize("game", SHEDDING)
def test_rv3_steady_bots_lose_nothing_and_random_ones_do(game: str) -> None:
    """Where a position came back, steady bots vary their moves: in these games none did."""
    alone = review(GAMES[game], numbered(played(game, 3, 2)))
    assert [one["lost"] for one in alone["seats"]] == ["0.00"] * 3
    assert alone["decisions"] == []
    steady, random, _ = (Decimal(one["lost"]) for one in reviewed(game)["seats"])
    assert random > steady


@pytest.mark.parametrize("game", SHEDDING)
def test_rv4_the_dearest_decisions_of_each_seat_come_first(game: str) -> None:
    found = reviewed(game)
    costs = [Decimal(one["cost"]) for one in found["decisions"]]
    assert costs == sorted(costs, reverse=True)
    assert min(costs) >= Decimal("0.05")
    for seat in range(3):
        assert len([one for one in found["decisions"] if one["seat"] == seat]) <= 5
    for one in found["decisions"]:
        made = mixed(game)[one["version"] - 1]
        assert (made["seat"], made["data"]["move"]) == (one["seat"], one["made"])
        assert one["better"] != one["made"]


@pytest.mark.sampled
def test_rv4_says_who_made_each_move() -> None:
    happened = [Happened(one.version, one.event, "clock") for one in numbered(mixed("threes"))]
    assert {one["by"] for one in review(GAMES["threes"], happened)["decisions"]} == {"clock"}


@pytest.mark.sampled
@pytest.mark.parametrize("game", SHEDDING)
def test_rv2_says_more_than_that_all_stand_equal(game: str) -> None:
    """Over 200 games the squared error is a tenth below that at least; these few are always the same."""
    equal = expected = 0.0
    for seed in range(100, 106):
        *places, result = [
            [float(place) for place in one["seats"]]
            for one in review(GAMES[game], numbered(played(game, 2, seed)))["places"]
        ]
        for now in places:
            equal += sum((1.5 - place) ** 2 for place in result)
            expected += sum((own - place) ** 2 for own, place in zip(now, result, strict=True))
    assert expected < 0.9 * equal


@pytest.mark.sampled
def test_rv5_nothing_is_said_while_more_than_four_are_in_play() -> None:
    found = review(GAMES["threes"], numbered(played("threes", 5, 1, ("steady", "random"))))
    five = [one for one in found["places"] if one["seats"] is None]
    assert 0 < len(five) < len(found["places"])
    assert all(one["version"] > five[-1]["version"] for one in found["decisions"])


def test_rv5_refuses_options_that_change_what_cards_can_do() -> None:
    events = played(
        "threes",
        2,
        1,
        ("random",),
        {"merge_last_hand": not GAMES["threes"].complete_options(2, None, {})[1]["merge_last_hand"]},
    )
    with pytest.raises(NoReviewError, match="has not learned to play by these rules"):
        review(GAMES["threes"], numbered(events))


@pytest.mark.parametrize("game", GAMES)
def test_rv1_before_the_end_there_is_no_review(game: str) -> None:
    with pytest.raises(NoReviewError, match="has not finished"):
        review(GAMES[game], numbered(mixed(game)[:-1] if game != "three_thirteen" else thirteen()[:-1]))


def test_rv6_the_last_versions_and_decisions_are_enough(monkeypatch) -> None:
    whole, events = reviewed("threes"), mixed("threes")
    monkeypatch.setattr(shedding, "MOST_VERSIONS", 20)
    found = review(GAMES["threes"], numbered(events))
    assert found["from"] == len(events) - 19
    assert found["places"] == whole["places"][-20:]
    monkeypatch.setattr(shedding, "MOST_DECISIONS", 3)
    found = review(GAMES["threes"], numbered(events))
    assert sum(one["decisions"] for one in found["seats"]) == 3
    assert found["places"] == whole["places"][-len(found["places"]) :]


@pytest.mark.sampled
def test_rv6_the_command_prints_the_same_from_a_record(tmp_path) -> None:
    records = tmp_path / "records.jsonl"
    lines = [record_of(GAMES[game], mixed(game)) for game in ("threes", "castle")]
    unfinished = record_of(GAMES["threes"], mixed("threes")[:-1])
    records.write_text("".join(json.dumps(record) + "\n" for record in [*lines, unfinished, {"format": "x"}]))
    done = subprocess.run(
        [sys.executable, "-m", "games.review", str(records)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == [reviewed("threes"), reviewed("castle")]
    assert done.returncode == 2
    assert "line 3: The game has not finished." in done.stderr
    assert "line 4: The record has no game" in done.stderr


@cache
def thirteen() -> list:
    return played("three_thirteen", 3, 1, ("steady", "stubborn", "random"), {"rounds": 4})


def test_rv7_each_turn_of_three_thirteen_has_the_least_penalty_of_its_hand() -> None:
    rules, found, state = GAMES["three_thirteen"], review(GAMES["three_thirteen"], numbered(thirteen())), None
    expected: list = []
    for version, event in enumerate(thirteen(), start=1):
        state = rules.evolve(state, event)
        if event["type"] == "dealt":
            expected.append({"round": state.round, "turns": []})
        if event["type"] in ("discarded", "went_out"):
            seat = event["seat"]
            left = lay_out(state.hands[seat], wild=state.wild, ace_points=state.options["ace_points"]).penalty
            expected[-1]["turns"].append({"version": version, "seat": seat, "penalty": left})
    assert found["rounds"] == expected
    assert len(expected) == 4


def test_rv7_names_a_chance_to_go_out_that_was_missed_and_a_dear_last_discard() -> None:
    """One seat never goes out, another throws its hand away: what that certainly cost, in points."""
    rules, found, state = GAMES["three_thirteen"], review(GAMES["three_thirteen"], numbered(thirteen())), None
    before = {}
    for version, event in enumerate(thirteen(), start=1):
        before[version] = state
        state = rules.evolve(state, event)
    assert {one["what"] for one in found["decisions"]} == {"missed_out", "final_discard"}
    for one in found["decisions"]:
        then, seat = before[one["version"]], one["seat"]
        if one["what"] == "missed_out":
            assert then.went_out is None
            assert one["better"] == discards_to_go_out(then.hands[seat], wild=then.wild)
            assert int(one["cost"]) == state.rounds[then.round - 1][seat]["penalty"]
        else:
            assert then.went_out not in (None, seat)
            assert int(one["cost"]) > 0
    assert found["seats"][0]["lost"] == "0"
