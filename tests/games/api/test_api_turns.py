"""GET me/turns."""

from typing import Any

from tests.games.api.client import Person


def turns(who: Person) -> list[str]:
    return [game["id"] for game in who.get("me/turns").body["results"]]


def started(alice: Person, bob: Person, **wanted: Any) -> str:
    room = alice.opens(**wanted)
    bob.post(f"games/{room['id']}/join")
    alice.post(f"games/{room['id']}/start")
    return str(room["id"])


def test_the_most_urgent_game_comes_first(alice: Person, bob: Person, charlie: Person, clock: Any) -> None:
    slow = started(alice, bob, clock={"per_turn": 86400, "quiet_hours": False})
    quick = started(alice, bob, clock={"per_turn": 600, "quiet_hours": False})
    middle = started(alice, bob, clock={"per_turn": 3600, "quiet_hours": False})
    alice.opens()
    assert turns(alice) == turns(bob) == [quick, middle, slow]
    assert turns(charlie) == []


def test_a_game_leaves_the_list_when_it_waits_for_others(alice: Person, bob: Person, running: dict[str, Any]) -> None:
    assert [bool(turns(who)) for who in (alice, bob)] == [seat in running["to_act"] for seat in (0, 1)]


def test_turns_are_paged(alice: Person, bob: Person) -> None:
    games = {started(alice, bob) for _ in range(3)}
    first = alice.get("me/turns?limit=2").body
    second = alice.get(first["next"]).body
    assert {game["id"] for game in first["results"] + second["results"]} == games
    assert (second["next"], alice.get(second["previous"]).body["results"]) == (None, first["results"])
