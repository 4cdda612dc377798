"""The samples of the next release can be made; those that play many games to choose one are left to the release."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.stored import collect, collect_tournaments

SMALL = [
    collect.lobby,
    collect.with_bots,
    collect.with_clocks,
    collect.settled,
    collect.with_plans,
    collect.with_channels,
    collect.by_house_rules,
]


@pytest.mark.sampled
@pytest.mark.parametrize("made", SMALL)
def test_a_sample_of_a_game_can_be_made(made: Callable[[], collect.Sample], tmp_path: Path) -> None:
    sample = made()
    sample.write(tmp_path / "games" / "sample.jsonl")
    assert len((tmp_path / "games" / "sample.jsonl").read_text().splitlines()) == len(sample.events) + 2 > 10


@pytest.mark.sampled
def test_the_samples_of_tournaments_can_be_made(tmp_path: Path) -> None:
    collect_tournaments.collect(tmp_path)
    assert [path for path in (tmp_path / "tournaments").iterdir() if path.read_text()]
