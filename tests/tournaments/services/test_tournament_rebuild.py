"""The rows are the stream's picture: made again they are the same, byte for byte."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.db.models import F
from tournament_scene import Club, end_game

from core import log
from core.jobs.models import Work
from core.log.rows import run
from games.models import Game
from tests.tournaments.moment import services
from tournaments import models
from tournaments.projections import TOURNAMENT, rebuild

PAIRS = {"settings": {"rounds": 2, "tables": {"size": 2}}}


def eventful(club: Club) -> Club:
    """A tournament in which a good deal happened."""
    club.start(*club.people[:4], limit=4, **PAIRS)
    services.enter(club.id, club.people[4], now=club.now)
    club.finish(1)
    for asked in (
        {"ruling": "void", "round": 1, "table": 1},
        {"ruling": "replace", "entrant": "e1", "player": club.people[5].username},
        {"ruling": "remove", "entrant": "e2"},
    ):
        services.rule(club.id, club.olga, {"reason": "because", **asked}, now=club.now)
        if asked["ruling"] == "replace":
            services.accept(club.id, club.people[5], "e1", now=club.now)
        club.run()
    services.withdraw(club.id, club.people[2], "e3", resign=True, now=club.now)
    return club.run()


@pytest.mark.sampled
def test_a_rebuild_makes_the_same_rows(club: Club) -> None:
    eventful(club)
    rebuilt = rebuild(club.id)
    assert rebuilt.differences == ()
    assert rebuilt.events == club.t.version


@pytest.mark.sampled
@pytest.mark.parametrize("model", [models.Tournament, models.Entrant, models.TournamentGame, models.Part, models.Round])
def test_rows_that_were_lost_come_back(club: Club, model: Any) -> None:
    eventful(club)
    before = list(model.objects.order_by("pk").values())
    model.objects.all().delete()
    rebuild(club.id)
    after = list(model.objects.order_by("pk").values())
    for row in (*before, *after):
        row.pop("look_at", None)
    assert after == before


@pytest.mark.sampled
def test_a_tournament_without_its_row_is_found_in_its_stream(club: Club) -> None:
    eventful(club)
    version = club.t.version
    models.Tournament.objects.filter(pk=club.id).delete()
    assert club.id in TOURNAMENT.ids()
    found = TOURNAMENT.load(club.id, log.Lock.WAIT)
    assert found is not None
    assert found.version == version


def test_a_row_without_a_stream_is_a_difference(club: Club) -> None:
    club.set_up()
    stray = models.Tournament.objects.get(pk=club.id)
    stray.id, stray.slug, stray.state = "7d1a3f62-5f0e-5b4c-8b56-3c1f0f8d9a41", "stray", None
    stray.save(force_insert=True)
    assert rebuild(stray.id).differences


def test_rows_behind_their_log_heal_by_themselves(club: Club) -> None:
    club.open(*club.people[:4], **PAIRS)
    models.Tournament.objects.filter(pk=club.id).update(version=F("version") - 1)
    services.start(club.id, club.olga, now=club.now)
    assert club.t.status == "running"


def test_a_clock_that_is_set_back_leaves_a_record_that_can_be_read(club: Club) -> None:
    club.start(settings={"rounds": 2, "tables": {"size": 3}}).finish_round()
    earlier = club.now - timedelta(hours=1)
    reason = {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "a bonus"}
    services.rule(club.id, club.olga, reason, now=earlier)
    assert club.record().adjustments
    assert club.standings()["e1"]["adjusted"] == "1"


@pytest.mark.sampled
def test_the_command_rebuilds_games_and_tournaments(club: Club, capsys: pytest.CaptureFixture[str]) -> None:
    eventful(club)
    call_command("rebuild", "--all")
    games, tournaments = capsys.readouterr().out.strip().splitlines()
    assert games.startswith(f"{Game.objects.count()} games rebuilt from ")
    assert tournaments == f"1 tournament rebuilt from {club.t.version} events, 0 of them differed."
    call_command("rebuild", str(club.id))
    assert capsys.readouterr().out.startswith("1 tournament rebuilt from ")


@pytest.mark.sampled
def test_li6_what_was_lost_of_the_runners_list_is_found_again(club: Club) -> None:
    club.open(*club.people[:4], kind="knockout", settings={"advance": 1, "tables": {"size": 2}})
    services.start(club.id, club.olga, now=club.now)
    for _ in range(12):
        # Nothing that was written down survives, and no time at which to look.
        Work.objects.all().delete()
        models.Tournament.objects.update(look_at=None)
        services.recover_all(now=club.now)
        services.run(now=club.now, seconds=0.001)
        for game in Game.objects.filter(tournament=club.id, status="setup").prefetch_related("players__player"):
            end_game(game.id, [0, 1], club.now)
    assert club.t.status == "finished"
    assert club.types().count("result") == 3


def test_a_row_is_inserted_once(club: Club) -> None:
    club.set_up()
    with transaction.atomic(), pytest.raises(log.LostRace), transaction.atomic():
        run(TOURNAMENT.save(None, club.t))
    assert models.Tournament.objects.count() == 1


def test_a_row_that_another_tournament_keeps_out_is_an_error(club: Club) -> None:
    """Else the log would go on without a row, and nobody would be told."""
    club.set_up()
    other = replace(club.t, id=UUID("7d1a3f62-5f0e-5b4c-8b56-3c1f0f8d9a41"))
    with transaction.atomic(), pytest.raises(IntegrityError, match="slug"), transaction.atomic():
        run(TOURNAMENT.save(None, other))
