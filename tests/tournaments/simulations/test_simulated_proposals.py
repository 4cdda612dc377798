"""LB11: beside a proposal, simulated games say what it would do."""

from typing import Any

import pytest

from core.jobs import services as work
from core.jobs.models import Work
from games.lab.playing import Side
from games.lab.report import report
from games.lab.runs import Run, play_all
from games.rules import GAMES
from games.rules.shedding.document import completed
from games.selectors import access
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club
from tournaments.simulations import services as simulations
from tournaments.simulations.models import Simulation

pytestmark = pytest.mark.django_db

ASKED = {"title": "As in 2022", "reason": "Games are long.", "ruleset": "2022"}


@pytest.fixture
def season(club: Club) -> Club:
    return club.start(kind="season", settings={"tables": {"size": 3}}).run(days=8)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations, "PAIRS", 31)


def propose(club: Club, **asked: Any) -> int:
    return int(services.propose(club.id, club.player("ada"), {**ASKED, **asked}, now=club.now).n)


def simulate(club: Club, times: int = 100) -> None:
    for _ in range(times):
        job = work.find(simulations.JOB, f"{club.id}/1")
        if job is None:
            return
        assert work.do(job.kind, job.key, now=job.due_at) is True


@pytest.mark.sampled
def test_its_figures_are_those_of_the_pairs_of_its_seed(season):
    propose(season)
    simulate(season)

    sides = [Side("threes", 3, *GAMES["threes"].complete_options(3, ruleset, {})) for ruleset in ("2023", "2022")]
    run = Run(sides, 31, f"{season.id}/1", ["plain"] * 3)
    pairs = [(one.figures[0], one.figures[1]) for one in play_all(run)]
    columns = [(side, [pair[number] for pair in pairs]) for number, side in enumerate(sides)]
    [row] = Simulation.objects.all()
    assert row.report == report(columns, pairs, seed=run.seed, bots=run.bots).document()
    assert row.counted == []


@pytest.mark.sampled
def test_it_goes_on_where_it_stopped_and_leaves_room_for_other_jobs(season, monkeypatch):
    propose(season)
    simulate(season)
    at_once = Simulation.objects.get().report
    Simulation.objects.update(report=None, seconds=0)
    monkeypatch.setattr(simulations, "SLICE", 0.0)
    begun = Work.objects.count()
    work.put(simulations.JOB, f"{season.id}/1", {"tournament": str(season.id), "proposal": 1}, due_at=season.now)

    simulate(season, times=1)
    [row], job = Simulation.objects.all(), work.find(simulations.JOB, f"{season.id}/1")
    assert (len(row.counted), row.report) == (1, None)
    assert job is not None
    assert job.due_at == season.now + simulations.PAUSE
    simulate(season)
    assert Simulation.objects.get().report == at_once
    assert Work.objects.count() == begun


def test_when_its_time_is_up_it_says_what_there_is_and_under_thirty_pairs_nothing(season, monkeypatch):
    propose(season)
    Simulation.objects.update(counted=[[{"hand_overs": 5, "days": "1/2"}, {"hand_overs": 4, "days": "1/3"}]] * 29)
    monkeypatch.setattr(simulations, "MOST_SECONDS", 0.0)
    simulate(season, times=1)
    assert Simulation.objects.get().report["games"] == 30
    assert work.find(simulations.JOB, f"{season.id}/1") is None

    Simulation.objects.update(report=None, counted=[])
    work.put(simulations.JOB, f"{season.id}/1", {"tournament": str(season.id), "proposal": 1}, due_at=season.now)
    simulate(season, times=1)
    assert Simulation.objects.get().report is None
    assert work.find(simulations.JOB, f"{season.id}/1") is None


@pytest.mark.parametrize(
    "asked",
    [
        {"ruleset": "2023", "confirm": True},
        {"ruleset": "2023", "options": {"decks": 2}, "title": "What holds for three, said by name"},
    ],
)
def test_rules_that_change_nothing_at_the_table_are_not_simulated(season, asked):
    usual = GAMES["threes"].complete_options(3, "2023", {})[1]["decks"]
    if "options" in asked:
        asked = {**asked, "options": {"decks": usual}}
    propose(season, **asked)

    assert not Simulation.objects.exists()
    assert work.find(simulations.JOB, f"{season.id}/1") is None


def test_a_dry_run_simulates_nothing(season):
    propose(season, dry_run=True)

    assert not Simulation.objects.exists()


def test_the_simulation_goes_with_its_tournament(season):
    propose(season)
    Simulation.objects.all().delete()

    simulate(season)
    assert work.find(simulations.JOB, f"{season.id}/1") is None


def test_one_is_played_at_a_time_and_none_that_was_withdrawn(club: Club, monkeypatch):
    monkeypatch.setattr(simulations, "SLICE", 0.0)
    season = club.start(kind="season", settings={"tables": {"size": 3}}, proposals="entrants").run(days=8)
    for name in ("ada", "bob"):
        services.propose(season.id, season.player(name), ASKED, now=season.now)
    first, second = (work.find(simulations.JOB, f"{season.id}/{n}") for n in (1, 2))
    assert first is not None
    assert second is not None

    assert work.do(second.kind, second.key, now=season.now) is True
    assert [len(row.counted) for row in Simulation.objects.order_by("proposal")] == [0, 0]
    services.withdraw_proposal(season.id, season.player("ada"), 1, now=season.now)
    assert work.do(first.kind, first.key, now=season.now) is True
    assert work.find(simulations.JOB, first.key) is None
    assert work.do(second.kind, second.key, now=season.now) is True
    assert [len(row.counted) for row in Simulation.objects.order_by("proposal")] == [0, 1]


@pytest.mark.sampled
def test_lb11_nobody_waits_for_a_simulation_that_fails(club: Club):
    season = club.start(kind="season", settings={"tables": {"size": 3}}, proposals="entrants").run(days=8)
    for name in ("ada", "bob"):
        services.propose(season.id, season.player(name), ASKED, now=season.now)
    Simulation.objects.filter(proposal=1).update(counted=0)  # a damaged row
    assert work.do(simulations.JOB, f"{season.id}/1", now=season.now) is False
    assert work.do(simulations.JOB, f"{season.id}/2", now=season.now) is True
    assert Simulation.objects.get(proposal=2).seconds > 0


@pytest.mark.sampled
def test_lb11_players_take_turns_whoever_proposed_more(club: Club, clock, monkeypatch):
    """Ada's proposals in three tournaments do not keep Bob's from being played."""
    monkeypatch.setattr(simulations, "SLICE", 0.0)
    seasons = [
        club.start(kind="season", title=str(n), settings={"tables": {"size": 3}}, proposals="entrants").id
        for n in range(3)
    ]
    club.run(days=8)
    for season in seasons:
        services.propose(season, club.player("ada"), ASKED, now=club.now)
    services.propose(seasons[0], club.player("bob"), ASKED, now=club.now)

    def played() -> list[int]:
        for job in Work.objects.filter(kind=simulations.JOB).order_by("-pk"):
            work.do(job.kind, job.key, now=club.now)
        return [len(row.counted) for row in Simulation.objects.order_by("pk")]

    for _ in range(10):
        counted = played()
    assert counted[1:3] == [0, 0], "one of a player's at a time"
    assert min(counted[0], counted[3]) >= 3 and abs(counted[0] - counted[3]) <= 1


def test_hg19_a_title_that_staff_hid_is_not_in_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = [Side("house", 2, "house", {"rules": completed({"title": title})}) for title in ("Rude words", "Ours")]
    pairs = [played.figures for played in play_all(Run(sides, 2, "seed", ["plain", "plain"]))]
    counted = [(side, [pair[n] for pair in pairs]) for n, side in enumerate(sides)]
    kept = Simulation(report=report(counted, pairs, seed="seed", bots=["plain", "plain"]).document())
    assert "Rude words" in kept.drawn(is_open=True)
    monkeypatch.setattr(access, "HIDING", [lambda digest: digest == sides[0].rules.digest])
    shown = kept.drawn(is_open=True)
    assert "Rude words" not in shown and "House game" in shown and "Ours" in shown
