"""A table's game is opened, or its table is ruled before: two connections, interleaved by hand (LI5, LI6)."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from tournament_scene import Club

from core import clock as service_clock
from core import log
from games.models import Game, stream_of
from tests.core.log.log_scene import Crew, until, waiting_for_locks
from tests.tournaments.moment import services
from tournaments import models
from tournaments.services import runner
from tournaments.services.tables import open_table

pytestmark = pytest.mark.django_db(transaction=True)
PLANS: dict[str, dict[str, Any]] = {
    "rounds": {"settings": {"rounds": 1, "tables": {"size": 2}}},
    "knockout": {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}},
}


@pytest.fixture
def club(clock: service_clock.FrozenClock) -> Club:
    return Club(service_clock.now())


@pytest.fixture
def crew() -> Iterator[Crew]:
    with ThreadPoolExecutor(2) as pool:
        yield Crew(pool)


def seat(club: Club, plan: dict[str, Any]) -> None:
    """The first round is seated; its games are still to be opened."""
    club.open(*club.people[:4], **plan)
    services.start(club.id, club.olga, now=club.now)
    runner.run_step(club.id, now=club.now)


def ruling(club: Club, name: str) -> Any:
    asked: dict[str, Any] = {"ruling": name, "round": 1, "table": 1, "reason": "because"}
    if name != "void":
        first, second = club.t.tables[1, 1].entrants
        asked["players"] = [{"entrant": second, "place": 1}, {"entrant": first, "place": 2}]
    return lambda: services.rule(club.id, club.olga, asked, now=club.now)


def hold(stream: str) -> None:
    """Nothing is appended to the stream until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT head FROM log_counter WHERE bucket = %s FOR UPDATE", [log.bucket_of(stream)])


def wait_for(waiting: int) -> None:
    """Wait until this number of connections wait for locks of this transaction."""
    until(lambda: waiting_for_locks() == waiting)


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("name", ["rule_table", "enter_result", "void"])
class TestInterleaved:
    def test_li5_the_game_is_being_opened_when_its_table_is_ruled(
        self, club: Club, crew: Crew, name: str, plan: dict[str, Any]
    ) -> None:
        """The runner has looked at the tournament and is about to commit: the ruling waits, and ends the game."""
        seat(club, plan)
        key, rule = club.game_id(1), ruling(club, name)
        with transaction.atomic():
            hold(stream_of(key))
            opening = crew.start(lambda: open_table(club.id, key, now=club.now))
            wait_for(1)
            ruled = crew.start(rule)
            wait_for(2)
        assert opening.result() is not None
        ruled.result()
        self.check(club, key, name, "cancelled")

    def test_li5_the_table_is_being_ruled_when_its_game_is_opened(
        self, club: Club, crew: Crew, name: str, plan: dict[str, Any]
    ) -> None:
        """The ruling is about to commit: the runner waits, and opens no game."""
        seat(club, plan)
        key, rule = club.game_id(1), ruling(club, name)
        with transaction.atomic():
            hold(models.stream_of(club.id))
            ruled = crew.start(rule)
            wait_for(1)
            opening = crew.start(lambda: open_table(club.id, key, now=club.now))
            wait_for(2)
        ruled.result()
        assert opening.result() is None
        self.check(club, key, name, None)

    @staticmethod
    def check(club: Club, key: Any, name: str, status: str | None) -> None:
        club.run()
        assert club.t.games[str(key)].outcome == ("none" if name == "void" else "result")
        assert [game.status for game in Game.objects.filter(pk=key)] == ([] if status is None else [status])
        assert club.types().count("voided" if name == "void" else "result") == 1


def test_li3_who_withdraws_with_resign_before_the_game_is_opened_resigns_it_once_it_is(club: Club) -> None:
    seat(club, {"settings": {"rounds": 2, "tables": {"size": 2}}})
    first, second = club.t.tables[1, 1].entrants
    player = next(one for one in club.people if one.pk == club.t.entrants[second].player)
    services.withdraw(club.id, player, second, resign=True, now=club.now)
    club.run()
    assert club.game(1, round=1).status == "finished"
    players = club.record().results[str(club.game_id(1, round=1))].players
    assert [(one.entrant, one.absent) for one in players] == [(first, False), (second, True)]
