"""The maker of the steady bot's networks: its simulator plays by the rules, and what it makes can be made again."""

import json
import os
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from games.bots.shedding.network import FILES, read
from training import library as simulator
from training import making
from training.__main__ import check, learner_of
from training.checking import DiffersError
from training.library import GAMES, Learner
from training.making import make, save
from training.planning import Rule, planner_share

MADE = sorted(path.name.removesuffix(".manifest.json") for path in FILES.glob("*.manifest.json"))

needs_a_compiler = pytest.mark.skipif(not shutil.which(os.environ.get("CC", "cc")), reason="there is no C compiler")


@needs_a_compiler
def test_the_simulator_plays_by_the_rules_and_rates_as_the_bot() -> None:
    """`python -m training check` compares 100,000 moves; here some of each game."""
    compared = check(1_200, 7)
    assert compared["moves"] >= 1_200
    assert compared["ratings"] > 500


@needs_a_compiler
@pytest.mark.parametrize("rule", [Rule(), Rule(always=True)], ids=["while there is a stock", "always"])
@pytest.mark.parametrize("game", GAMES)
def test_a_planner_and_its_twin_play_whole_games_by_the_rules(game: str, rule: Rule) -> None:
    """A simulator out of step would rate moves that the rules refuse."""
    learner = learner_of(game)
    won = planner_share(game, learner, 20, rule)
    assert 0 < won < 1
    assert planner_share(game, learner, 20, rule) == won


@needs_a_compiler
def test_a_simulator_with_other_rules_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = tmp_path / "simulator"
    shutil.copytree(simulator.SOURCES, changed)
    rules = (changed / "rules.h").read_text()
    assert "in_a_row(pile, count, -1) >= 3" in rules
    (changed / "rules.h").write_text(rules.replace("in_a_row(pile, count, -1) >= 3", "in_a_row(pile, count, -1) >= 4"))
    monkeypatch.setattr(simulator, "SOURCES", changed)
    monkeypatch.setattr(simulator, "BUILT", tmp_path)
    simulator.library.cache_clear()
    with pytest.raises(DiffersError, match="the simulator has"):
        check(20_000, 1)
    simulator.library.cache_clear()


@needs_a_compiler
def test_a_shortened_run_gives_the_same_networks_twice_and_they_can_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "SHOWN", 4)
    monkeypatch.setattr(making, "MEASURED", 100)
    networks, made = make("castle", 300, 5, lambda line: None)
    assert make("castle", 300, 5, lambda line: None)[0] == networks
    assert make("castle", 300, 6, lambda line: None)[0] != networks
    other, made_otherwise = make("castle", 300, 5, lambda line: None, keeping=0.4, turn=0.997)
    assert other != networks
    otherwise = json.loads(save("castle", other, made_otherwise, tmp_path).with_suffix(".manifest.json").read_text())
    assert otherwise["command"] == "python -m training make castle --games 300 --seed 5 --keeping 0.4 --turn 0.997"
    path = save("castle", networks, made, tmp_path)
    manifest = json.loads((tmp_path / "castle.manifest.json").read_text())
    assert manifest["digest"] == sha256(path.read_bytes()).hexdigest()
    assert manifest["command"] == "python -m training make castle --games 300 --seed 5"
    assert manifest["simulator"] == simulator.source_digest()
    assert 0.0 < manifest["figures"]["first_of_four"] < 1.0
    assert len(read(path)) == 2


@needs_a_compiler
def test_it_learns() -> None:
    """An equal would win 25 of 100 against three random bots; even a short run makes it more than 40."""
    learner = Learner(1)
    number = GAMES.index("three_card")
    untaught = learner.measure(number, 4, 600, 3, alone=False)[0]
    settings = simulator.Settings(0.05, 0.7, 0.993, 0.993, 1e-3, 25, 5)
    learner.train(number, 1000, 2, settings)
    taught = learner.measure(number, 4, 600, 3, alone=False)[0]
    assert untaught < 0.4 < taught - 0.1


def test_a_missing_compiler_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setattr(simulator, "BUILT", tmp_path)
    simulator.library.cache_clear()
    with pytest.raises(RuntimeError, match="needs a C compiler; there is no no-such-compiler"):
        simulator.library()
    simulator.library.cache_clear()


@pytest.mark.parametrize("game", MADE)
def test_the_manifest_is_that_of_the_networks_beside_it(game: str) -> None:
    manifest = json.loads((FILES / f"{game}.manifest.json").read_text())
    assert manifest["digest"] == sha256((FILES / f"{game}.json").read_bytes()).hexdigest()
    assert manifest["command"].startswith(f"python -m training make {game} ")
