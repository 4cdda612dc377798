"""Several at once, in real transactions: two workers, two organisers, many who enter."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connections, transaction
from tournament_scene import Club, end_game

from core import clock as service_clock
from core.accounts.models import Player
from core.jobs.models import Work
from core.jobs.queue import hold
from core.refusals import Conflict, Refused
from games.models import Game
from tests.core.log.log_scene import until, waiting_for_locks
from tests.tournaments.moment import services
from tournaments.projections import rebuild
from tournaments.services import queue, running_games
from tournaments.services.queue import key_of
from tournaments.stream import By
from tournaments.stream.agenda import Kind
from tournaments.stream.ruling import read_ruling

pytestmark = pytest.mark.django_db(transaction=True)
PAIRS = {"settings": {"rounds": 3, "tables": {"size": 2}}}


@pytest.fixture
def club(clock: service_clock.FrozenClock) -> Club:
    return Club(service_clock.now())


def all_at_once(calls: Sequence[Any]) -> list[Any]:
    """Run the calls in a thread each, let go at the same moment; what they give, or the exceptions raised, in order."""
    barrier = Barrier(len(calls))

    def run(call: Any) -> Any:
        try:
            barrier.wait(timeout=30)
            return call()
        except Exception as error:  # noqa: BLE001  handed to the test, which judges it
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.mark.sampled
def test_li6_two_workers_do_each_piece_once(club: Club) -> None:
    club.open(**PAIRS)
    services.start(club.id, club.olga, now=club.now)
    for _ in range(10):
        done = all_at_once(
            [
                lambda: services.run(now=club.now),
                lambda: services.run(now=club.now),
                services.follow_games.catch_up,
                services.follow_games.catch_up,
            ]
        )
        assert not [one for one in done if isinstance(one, Exception)]
        for game in Game.objects.filter(tournament=club.id, status="setup").prefetch_related("players__player"):
            end_game(game.id, [0, 1], club.now)
    club.run()
    types = Counter(club.types())
    assert (types["seated"], types["result"], types["finished"]) == (3, 9, 1)
    assert Game.objects.filter(tournament=club.id).count() == 9
    assert not Work.objects.filter(kind__in=queue.kinds()).exists()
    assert rebuild(club.id).differences == ()


def test_li1_the_last_place_is_taken_once(club: Club) -> None:
    club.open(club.people[0], limit=3)
    others = [Player.objects.create_user(f"guest{number}") for number in range(6)]
    done = all_at_once([lambda who=who: services.enter(club.id, who, now=club.now) for who in others])
    assert not [one for one in done if isinstance(one, Exception)]
    assert club.t.places == 3
    assert len(club.t.queue) == 4
    assert len({entrant.key for entrant in club.t.entrants.values()}) == 7


def test_two_organisers_rule_on_one_game(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    piet = Player.objects.create_user("piet")
    club.organise(club.player("piet"))
    asked = {"ruling": "void", "round": 1, "table": 1, "reason": "wrong deck"}
    done = all_at_once([lambda who=who: services.rule(club.id, who, asked, now=club.now) for who in (club.olga, piet)])
    club.run()
    assert all(isinstance(one, services.Ruled | Refused) for one in done)
    assert club.types().count("voided") == 1
    assert club.game(1).status == "cancelled"


def test_a_ruling_and_the_end_of_the_game(club: Club) -> None:
    """Whichever comes first: one outcome, and the game agrees with it."""
    club.start(*club.people[:4], **PAIRS)
    game = club.game(1)
    asked = {"ruling": "void", "round": 1, "table": 1, "reason": "wrong deck"}
    all_at_once(
        [lambda: services.rule(club.id, club.olga, asked, now=club.now), lambda: end_game(game.id, [0, 1], club.now)]
    )
    club.run()
    outcome = club.t.games[str(game.id)].outcome
    ended = Game.objects.get(pk=game.id)
    assert (outcome, ended.status) in {("none", "cancelled"), ("void", "finished")}


def test_li5_of_rulings_on_one_running_game_one_holds_and_the_others_are_told(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    seated = club.t.tables[1, 1].entrants

    def ruling(first: str, second: str) -> Any:
        players = [{"entrant": first, "place": 1}, {"entrant": second, "place": 2, "absent": True}]
        asked = {"ruling": "enter_result", "round": 1, "table": 1, "players": players, "reason": f"{first} won"}
        return lambda: services.rule(club.id, club.olga, asked, now=club.now)

    done = all_at_once([ruling(*seated), ruling(*reversed(seated)), ruling(*seated), ruling(*reversed(seated))])
    refused = [one for one in done if isinstance(one, Exception)]
    assert len(refused) == 3
    assert {one.code for one in refused if isinstance(one, Refused)} <= {"game_cancelled", "too_many_results"}
    club.run()
    winner = seated[next(index for index, one in enumerate(done) if not isinstance(one, Exception)) % 2]
    [result] = club.record().results.values()
    assert result.source == "table"
    assert {one.entrant: one.absent for one in result.players} == {key: key != winner for key in seated}


def test_li5_a_ruling_that_ended_the_game_is_recorded_before_the_next_is_judged(club: Club) -> None:
    """The worker that records the first ruling is slow, or dies: the second ruling waits, and finds a result."""
    club.start(*club.people[:4], **PAIRS)
    first, second = club.t.tables[1, 1].entrants
    asked = {"ruling": "enter_result", "round": 1, "table": 1, "reason": "the first won"}
    asked["players"] = [{"entrant": first, "place": 1}, {"entrant": second, "place": 2}]
    act = running_games.Act(By(club.olga.pk), club.now)
    assert isinstance(running_games.touch(club.t, read_ruling(asked), act), running_games.Acted)
    other = {**asked, "players": [{"entrant": second, "place": 1}, {"entrant": first, "place": 2}]}

    def rule_too() -> Any:
        try:
            return services.rule(club.id, club.olga, other, now=club.now)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            assert hold(kind=Kind.OUTCOME, key=key_of(club.id, str(club.game_id(1)))) is not None
            ruling = pool.submit(rule_too)
            until(lambda: waiting_for_locks() or ruling.done())
            assert not ruling.done()
        with pytest.raises(Conflict) as error:
            ruling.result(timeout=30)
    assert error.value.code == "too_many_results"
    [result] = club.record().results.values()
    assert {one.entrant: one.place for one in result.players} == {first: 1, second: 2}
