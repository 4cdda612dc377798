"""A ruling on a running game acts once, on the tournament that was seen, whatever is killed or comes twice (LI5)."""

from datetime import datetime
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from tournament_scene import Club

from core import log
from core.jobs.receipts import Answer, Keyed
from core.refusals import Conflict, KeyReused, Stale
from games.models import Seat
from tests.tournaments.moment import services
from tournaments import models
from tournaments.services import making_rulings as rulings_service
from tournaments.services import running_games

pytestmark = pytest.mark.django_db
ROUNDS = {"settings": {"rounds": 2, "tables": {"size": 3}}}


class Killed(BaseException):
    """The process ends here."""


def keyed(club: Club, asked: Any, key: str = "k1") -> Keyed:
    def answer(executed: Any) -> Answer:
        return Answer(201, {"version": executed.result})

    return Keyed(club.olga.pk, f"tournaments/{club.id}/rulings", key, asked, answer)


def ruled(club: Club, asked: dict[str, Any], key: str = "k1", **more: Any) -> Any:
    return services.rule(club.id, club.olga, asked, keyed=keyed(club, asked, key), now=club.now, **more)


def extension(club: Club) -> dict[str, Any]:
    key = club.t.tables[1, 1].entrants[0]
    return {"ruling": "extend", "game": str(club.game_id(1)), "entrant": key, "seconds": 3600, "reason": "a flight"}


def void(club: Club) -> dict[str, Any]:
    return {"ruling": "void", "game": str(club.game_id(1)), "reason": "wrong deck"}


def placing(club: Club) -> dict[str, Any]:
    players = [{"entrant": key, "place": place} for place, key in enumerate(club.t.tables[1, 1].entrants, 1)]
    return {"ruling": "rule_table", "round": 1, "table": 1, "players": players, "reason": "nobody moves"}


RULINGS = pytest.mark.parametrize("asked", [extension, void, placing], ids=lambda make: make.__name__)


def acts(club: Club) -> list[str]:
    """What has happened to the game of table 1, and what the tournament has recorded of it."""
    events = log.read(f"game-{club.game_id(1, round=1)}", types=("game.turn_extended", "game.called_off"))
    told = [one for one in club.types() if one in ("extended", "voided", "result")]
    return [event.type for event in events] + told


@RULINGS
def test_li5_a_retry_after_a_crash_between_the_game_and_the_tournament_gets_the_answer_and_acts_once(
    club: Club, asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = asked(club.start(**ROUNDS))
    with monkeypatch.context() as patched:
        patched.setattr(running_games, "record", _killed)
        with pytest.raises(Killed):
            ruled(club, body)
    [done] = acts(club)
    answer = ruled(club, body)
    [_, told] = acts(club)
    assert acts(club) == [done, told]
    assert answer.status == 201
    [version] = [event.version for event in log.read(models.stream_of(club.id)) if event.type == f"tournament.{told}"]
    assert answer.body == {"version": version}, "the version of its event"
    again = ruled(club, body)
    assert (again.status, again.body, again.replayed) == (201, answer.body, True)
    assert acts(club) == [done, told]


@RULINGS
def test_li5_a_retry_after_the_runner_recorded_it_gets_the_same_answer(
    club: Club, asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = asked(club.start(**ROUNDS))
    with monkeypatch.context() as patched:
        patched.setattr(running_games, "record", _killed)
        with pytest.raises(Killed):
            ruled(club, body)
    club.run()
    before = acts(club)
    assert ruled(club, body).body["version"] is not None
    assert acts(club) == before


@RULINGS
def test_the_key_of_a_ruling_that_has_only_acted_takes_no_other_request(
    club: Club, asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = asked(club.start(**ROUNDS))
    with monkeypatch.context() as patched:
        patched.setattr(running_games, "record", _killed)
        with pytest.raises(Killed):
            ruled(club, body)
    with pytest.raises(KeyReused):
        ruled(club, {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "x"})


@RULINGS
def test_a_refused_ruling_leaves_its_key_free(club: Club, asked: Any) -> None:
    body = asked(club.start(**ROUNDS))
    version = club.t.version
    with pytest.raises(Stale):
        ruled(club, body, if_match=lambda t: t.version == version - 1)
    assert acts(club) == []
    assert ruled(club, body).status == 201


@RULINGS
def test_li5_the_condition_is_checked_when_the_game_decides(
    club: Club, asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes in after the ruling was judged first is seen: nothing happens to the game."""
    body, seen = asked(club.start(**ROUNDS)), club.t.version
    judged = rulings_service._ruled_in

    def then_something_happens(*args: Any, **more: Any) -> Any:
        found = judged(*args, **more)
        adjusted = {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "meanwhile"}
        monkeypatch.setattr(rulings_service, "_ruled_in", judged)
        services.rule(club.id, club.olga, adjusted, now=club.now)
        return found

    monkeypatch.setattr(rulings_service, "_ruled_in", then_something_happens)
    with pytest.raises(Stale):
        ruled(club, body, if_match=lambda t: t.version == seen)
    assert acts(club) == []


@pytest.mark.sampled
@pytest.mark.django_db(transaction=True)
@RULINGS
def test_li5_the_same_request_four_times_at_once_acts_once(club: Club, asked: Any) -> None:
    body = asked(club.start(**ROUNDS))
    key = body.get("entrant")
    due = _due(club, key) if key else None
    answers = at_once(4, lambda: ruled(club, body))
    assert {answer.status for answer in answers} == {201}
    assert len({answer.body["version"] for answer in answers}) == 1
    assert len(acts(club)) == 2
    if key and due is not None:
        assert (_due(club, key) - due).total_seconds() == 3600


def test_a_ruling_without_a_key_is_refused_the_second_time(club: Club) -> None:
    club.start(**ROUNDS)
    body = void(club)
    assert services.rule(club.id, club.olga, body, now=club.now).version is not None
    with pytest.raises(Conflict) as error:
        services.rule(club.id, club.olga, body, now=club.now)
    assert error.value.code == "already_void"


def _due(club: Club, key: str) -> datetime:
    index = club.t.tables[1, 1].entrants.index(key)
    due = Seat.objects.get(game=club.game_id(1), index=index).due_at
    assert due is not None
    return due


def _killed(*_: Any, **__: Any) -> Any:
    raise Killed


def at_once(count: int, act: Any) -> list[Any]:
    """What an act gives in so many threads that begin together."""
    barrier, found = Barrier(count), []

    def go() -> None:
        try:
            barrier.wait()
            found.append(act())
        finally:
            connection.close()

    threads = [Thread(target=go) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == count
    return found
