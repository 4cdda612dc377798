"""What becomes of a tournament's entrants and organisers over its life (COMPETITION, LI), over the API."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from core import clock as service_clock
from core.accounts import services as accounts
from core.accounts.models import Player
from tests.games.api.client import Person
from tests.tournaments.api.conftest import run

Cast = dict[str, Person]
Opened = Callable[..., dict[str, Any]]


def ruled(cast: Cast, made: dict[str, Any], ruling: str, **asked: Any) -> None:
    body = {"ruling": ruling, "reason": "so ruled", **asked}
    answer = cast["olga"].post(f"tournaments/{made['id']}/rulings", body)
    assert answer.status == 201, answer.body


def standings_of(cast: Cast, made: dict[str, Any]) -> dict[str, str]:
    entries = cast["olga"].get(f"tournaments/{made['id']}/entries").body["results"]
    return {one["entrant"]: one["status"] for one in entries}


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_li5_who_is_reinstated_is_invited_again_and_finds_even_a_private_tournament(
    cast: Cast, opened: Opened, visibility: str
) -> None:
    made = opened(visibility=visibility, entry="invitation")
    entries = f"tournaments/{made['id']}/entries"
    assert cast["olga"].post(entries, {"player": "zoe"}).status == 201
    ruled(cast, made, "remove", entrant="e5")
    assert cast["zoe"].post(f"{entries}/e5/accept").status == (409 if visibility == "public" else 404)
    ruled(cast, made, "reinstate", entrant="e5")
    assert standings_of(cast, made)["e5"] == "invited"
    accepted = cast["zoe"].post(f"{entries}/e5/accept")
    assert (accepted.status, accepted.body["status"]) == (200, "in")


def test_li5_who_was_removed_from_the_waiting_list_does_not_come_back_by_withdrawing(
    cast: Cast, opened: Opened
) -> None:
    made = opened(limit=4)
    entries = f"tournaments/{made['id']}/entries"
    assert cast["zoe"].post(entries).body["status"] == "waiting"
    ruled(cast, made, "remove", entrant="e5")
    cast["zoe"].post(f"{entries}/e5/withdraw")
    again = cast["zoe"].post(entries)
    assert (again.status, again.body["code"]) == (409, "removed")


def test_li7_a_suspended_organiser_can_be_removed_by_another(cast: Cast, opened: Opened) -> None:
    organisers = f"tournaments/{opened()['id']}/organisers"
    cast["olga"].post(organisers, {"player": "zoe"})
    cast["zoe"].post(f"{organisers}/accept")
    accounts.suspend(Player.objects.get(username="olga"), Player.objects.get(username="sue"), "insults")
    removed = cast["zoe"].call("DELETE", organisers, {"player": "olga"})
    assert removed.status == 200
    assert [one["username"] for one in removed.body["results"]] == ["zoe"]


def test_li3_who_has_a_place_takes_over_also_before_checking_in(cast: Cast, opened: Opened) -> None:
    made = opened(check_in=3600)
    accounts.close(Player.objects.get(username="olga"))
    tournament = f"tournaments/{made['id']}"
    assert cast["ada"].get(tournament).body["you"]["may_organise_from"] is not None
    assert cast["bob"].post(f"{tournament}/organisers/accept").code == "not_an_organiser", "ada was there before"
    assert cast["ada"].post(f"{tournament}/organisers/accept").status == 200


@pytest.mark.sampled
@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("how", ["withdraws", "is removed"])
def test_li3_who_is_out_of_a_season_leaves_its_rooms_that_have_not_begun(
    cast: Cast, running: Opened, visibility: str, how: str
) -> None:
    """A game that began with them would not count for the others."""
    made = running(kind="season", settings={}, visibility=visibility)
    tournament = f"tournaments/{made['id']}"
    room, begun = (cast["ada"].post(f"{tournament}/games", {"seats": seats}).body["id"] for seats in (3, 2))
    for game in (room, begun):
        assert cast["bob"].post(f"games/{game}/join").status == 200
    if how == "withdraws":
        cast["ada"].post(f"{tournament}/entries/e1/withdraw", {"resign": False})
    else:
        ruled(cast, made, "remove", entrant="e1")
    run()
    assert names_at(cast["bob"], room) == ["bob"]
    assert names_at(cast["bob"], begun) == ["ada", "bob"], "what has begun goes on"


def names_at(person: Person, game: str) -> list[str]:
    return [seat["player"]["username"] for seat in person.get(f"games/{game}").body["players"]]


@pytest.mark.parametrize(("ends", "code"), [("closes", "season_closed"), ("is finished", "tournament_over")])
def test_sn1_nobody_joins_a_room_of_a_season_that_is_over_also_before_the_runner_has_called_it_off(
    cast: Cast, running: Opened, clock: service_clock.FrozenClock, ends: str, code: str
) -> None:
    closes_at = clock.at + timedelta(days=1)
    made = running(kind="season", settings={}, closes_at=closes_at.isoformat())
    tournament = f"tournaments/{made['id']}"
    room = cast["ada"].post(f"{tournament}/games", {"seats": 3}).body["id"]
    clock.set(closes_at - timedelta(seconds=1))
    assert cast["bob"].post(f"games/{room}/join").status == 200
    if ends == "closes":
        clock.set(closes_at)
    else:
        cast["olga"].post(f"{tournament}/finish")
    assert cast["cleo"].post(f"games/{room}/join").code == code
