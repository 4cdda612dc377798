"""A decision rests on one version of the tournament, which is loaded before, in few statements, and never for long."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from tournament_scene import Club

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from tests.tournaments.moment import services
from tournaments import models
from tournaments.projections import TOURNAMENT
from tournaments.services import seating


def statements_of_a_withdrawal(club: Club, waiting: int) -> int:
    guests = [Player(username=f"guest{waiting}-{number}") for number in range(waiting)]
    Player.objects.bulk_create(guests)
    club.open(*club.people[:3], *guests, limit=3)
    # All have missed a check-in, so that one after the other is passed over.
    rows = models.Entrant.objects.filter(tournament=club.id, standing="waiting")
    for row in rows:
        rows.filter(pk=row.pk).update(state=msgspec.to_builtins(replace(row.state, missed=True)))
    with CaptureQueriesContext(connection) as sent:
        services.withdraw(club.id, club.people[0], "e1", now=club.now)
    assert [entrant.standing for entrant in club.t.entrants.several(["e1", "e4"])] == ["withdrawn", "waiting"]
    return len([query for query in sent if "SAVEPOINT" not in query["sql"]])


@pytest.mark.sampled
def test_a_withdrawal_takes_as_many_statements_with_30_waiting_as_with_one(club: Club) -> None:
    assert statements_of_a_withdrawal(club, 30) == statements_of_a_withdrawal(club, 1)


def test_a_state_that_nobody_holds_is_read_by_one_statement_and_so_of_one_version(club: Club) -> None:
    club.open(*club.people[:3], settings={"rounds": 2, "tables": {"size": 3}})
    services.start(club.id, club.olga, now=club.now)
    club.run()
    with CaptureQueriesContext(connection) as sent:
        t = TOURNAMENT.load(club.id, log.Lock.NONE)
        assert t is not None
        parts = (t.entrants, t.players, t.formers, t.rounds, t.tables, t.games, t.proposals, t.electors)
        assert [len(part) for part in parts] == [3, 3, 0, 1, 1, 1, 0, 0]
    assert len(sent) == 1


@pytest.mark.django_db(transaction=True)
def test_a_round_is_planned_without_holding_the_tournament_and_again_if_it_has_changed(
    clock: service_clock.FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = Club(service_clock.now())
    club.open(*club.people[:5], settings={"rounds": 2, "tables": {"size": 2}})
    services.start(club.id, club.olga, now=club.now)
    compute, planned = seating.compute, []

    def withdraw() -> None:
        try:
            services.withdraw(club.id, club.people[0], "e1", now=club.now)
        finally:
            connections.close_all()

    def compute_and_meddle(t: Any) -> Any:
        assert not connection.in_atomic_block
        found = compute(t)
        planned.append(found)
        if len(planned) == 1:
            with ThreadPoolExecutor(1) as pool:
                pool.submit(withdraw).result(timeout=60)  # it waits for nobody
        return found

    monkeypatch.setattr(seating, "compute", compute_and_meddle)
    club.run()
    assert len(planned) == 2
    assert "e1" in {key for table in planned[0].tables for key in table} | set(planned[0].byes)
    seated = {key for table in club.t.tables_of(1) for key in table.entrants} | set(club.t.rounds[1].byes)
    assert seated == {"e2", "e3", "e4", "e5"}
