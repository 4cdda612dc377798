"""POST games/{id}/join, leave, kick, start, cancel, rematch."""

from typing import Any

import pytest

from core import log
from tests.games.api.client import Person


def names(game: dict[str, Any]) -> list[str]:
    return [seat["player"]["username"] for seat in game["players"]]


def resign(who: Person, game: dict[str, Any]) -> dict[str, Any]:
    answer = who.post(f"games/{game['id']}/moves", {"move": "resign"})
    assert answer.status == 201, answer.body
    return dict(answer.body["game"])


# join


def test_seats_are_given_in_the_order_of_joining(alice: Person, bob: Person, charlie: Person) -> None:
    room = alice.opens(seats=3)
    bob.post(f"games/{room['id']}/join")
    answer = charlie.post(f"games/{room['id']}/join", {})
    assert answer.status == 200
    assert names(answer.body) == ["alice", "bob", "charlie"]
    assert answer.body["your_seat"] == 2
    assert answer.headers["etag"] == charlie.get(f"games/{room['id']}").headers["etag"]


def test_a_full_room_is_409(charlie: Person, room: dict[str, Any]) -> None:
    answer = charlie.post(f"games/{room['id']}/join")
    assert (answer.status, answer.code) == (409, "room_full")


def test_sitting_down_twice_is_409(bob: Person, room: dict[str, Any]) -> None:
    answer = bob.post(f"games/{room['id']}/join")
    assert (answer.status, answer.code) == (409, "already_joined")


def test_nobody_joins_a_game_that_runs(charlie: Person, game: dict[str, Any]) -> None:
    answer = charlie.post(f"games/{game['id']}/join")
    assert (answer.status, answer.code) == (409, "already_started")


def test_a_private_room_is_joined_by_its_invitation_only(alice: Person, bob: Person) -> None:
    room = alice.opens(visibility="private")
    path = f"games/{room['id']}/join"
    for body in (None, {}, {"invitation": None}, {"invitation": "wrong"}):
        assert bob.post(path, body).status == 404
    answer = bob.post(path, {"invitation": room["invitation"]})
    assert (answer.status, answer.body["your_seat"]) == (200, 1)


def test_a_null_invitation_is_none(alice: Person, bob: Person) -> None:
    answer = bob.post(f"games/{alice.opens()['id']}/join", {"invitation": None})
    assert (answer.status, answer.body["your_seat"]) == (200, 1)


@pytest.mark.parametrize("body", [{"invitation": 5}, {"invitation": ""}, {"invitation": "x" * 65}, {"seat": 0}])
def test_a_join_that_cannot_be_read_is_400(bob: Person, alice: Person, body: dict[str, Any]) -> None:
    answer = bob.post(f"games/{alice.opens()['id']}/join", body)
    assert answer.status == 400
    assert answer.body["errors"][0]["field"] == next(iter(body))


# leave


def test_when_the_opener_leaves_the_next_one_moves_up_and_opens(
    alice: Person, bob: Person, room: dict[str, Any]
) -> None:
    answer = alice.post(f"games/{room['id']}/leave")
    assert (answer.status, answer.body["your_seat"]) == (200, None)
    seen = bob.sees(room)
    assert (names(seen), seen["your_seat"], seen["opener"]) == (["bob"], 0, 0)


def test_an_empty_room_is_cancelled(alice: Person) -> None:
    room = alice.opens()
    assert alice.post(f"games/{room['id']}/leave").body["status"] == "cancelled"


def test_who_is_not_in_the_room_cannot_leave_it(charlie: Person, room: dict[str, Any]) -> None:
    answer = charlie.post(f"games/{room['id']}/leave")
    assert (answer.status, answer.code) == (403, "not_a_player")


def test_a_game_that_runs_is_not_left_but_resigned(bob: Person, game: dict[str, Any]) -> None:
    answer = bob.post(f"games/{game['id']}/leave")
    assert (answer.status, answer.code) == (409, "already_started")


# kick


def test_the_opener_sends_somebody_out(alice: Person, bob: Person, room: dict[str, Any]) -> None:
    answer = alice.post(f"games/{room['id']}/kick", {"seat": 1})
    assert (answer.status, names(answer.body)) == (200, ["alice"])
    assert bob.sees(room)["your_seat"] is None


def test_only_the_opener_may_kick(bob: Person, room: dict[str, Any]) -> None:
    answer = bob.post(f"games/{room['id']}/kick", {"seat": 0})
    assert (answer.status, answer.code) == (403, "not_the_opener")


@pytest.mark.parametrize(
    "body", [{}, {"seat": 2}, {"seat": -1}, {"seat": "1"}, {"seat": 1, "player": "bob"}, {"seat": 99}]
)
def test_a_kick_at_no_seat_of_the_room_is_400(alice: Person, room: dict[str, Any], body: dict[str, Any]) -> None:
    assert alice.post(f"games/{room['id']}/kick", body).status == 400
    assert names(alice.sees(room)) == ["alice", "bob"]


# start


def test_starting_deals_and_each_sees_its_own_cards(alice: Person, bob: Person, room: dict[str, Any]) -> None:
    answer = alice.post(f"games/{room['id']}/start")
    assert (answer.status, answer.body["status"]) == (200, "setup")
    assert len(answer.body["view"]["players"][0]["hand"]) == 3
    assert answer.body["view"]["players"][1]["hand"] is None
    assert len(bob.sees(room)["view"]["players"][1]["hand"]) == 3


def test_fewer_than_the_seats_may_start_and_then_seats_is_their_number(alice: Person, bob: Person) -> None:
    room = alice.opens(seats=6)
    bob.post(f"games/{room['id']}/join")
    answer = alice.post(f"games/{room['id']}/start")
    assert (answer.status, answer.body["seats"], answer.body["view"]["seats"]) == (200, 2, 2)


def test_one_player_alone_is_too_few(alice: Person) -> None:
    answer = alice.post(f"games/{alice.opens()['id']}/start")
    assert (answer.status, answer.code) == (409, "too_few_players")


def test_only_the_opener_starts_and_only_once(
    alice: Person, bob: Person, charlie: Person, room: dict[str, Any]
) -> None:
    path = f"games/{room['id']}/start"
    assert bob.post(path).code == "not_the_opener"
    assert charlie.post(path).status == 403
    assert alice.post(path).status == 200
    assert (alice.post(path).status, alice.post(path).code) == (409, "already_started")


def test_a_start_takes_no_body(alice: Person, room: dict[str, Any]) -> None:
    answer = alice.post(f"games/{room['id']}/start", {"dealer": 0})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "dealer")


# cancel


def test_the_opener_calls_an_open_room_off(alice: Person, bob: Person, room: dict[str, Any]) -> None:
    assert bob.post(f"games/{room['id']}/cancel").code == "not_the_opener"
    answer = alice.post(f"games/{room['id']}/cancel")
    assert (answer.status, answer.body["status"]) == (200, "cancelled")
    assert bob.post(f"games/{room['id']}/join").status == 409


def test_a_running_game_is_called_off_once_all_its_people_agree(
    alice: Person, bob: Person, charlie: Person, game: dict[str, Any]
) -> None:
    path = f"games/{game['id']}/cancel"
    assert charlie.post(path).status == 403
    assert alice.post(path).body["status"] == "setup"
    off = bob.post(path).body
    assert (off["status"], off["to_act"], off["view"]["to_act"]) == ("cancelled", [], [])
    answer = alice.post(f"games/{game['id']}/moves", {"move": "resign"})
    assert (answer.status, answer.code) == (409, "game_cancelled")


# rematch


def test_a_rematch_is_one_room_for_all_who_ask(
    alice: Person, bob: Person, charlie: Person, game: dict[str, Any]
) -> None:
    path = f"games/{game['id']}/rematch"
    assert (alice.post(path).status, alice.post(path).code) == (409, "not_finished")
    resign(alice, game)
    first = bob.post(path)
    assert (first.status, first.body["rematch_of"], first.body["your_seat"]) == (201, game["id"], 0)
    second = alice.post(path)
    assert (second.body["id"], names(second.body)) == (first.body["id"], ["bob", "alice"])
    assert charlie.post(path).status == 403


# all of them


@pytest.mark.parametrize("call", ["join", "leave", "kick", "start", "cancel", "rematch", "moves"])
def test_a_private_room_is_404_to_who_is_not_in_it(alice: Person, charlie: Person, call: str) -> None:
    room = alice.opens(visibility="private")
    body = {"kick": {"seat": 0}, "moves": {"move": "resign"}}.get(call)
    before = len(log.read(f"game-{room['id']}"))
    answer = charlie.post(f"games/{room['id']}/{call}", body)
    assert (answer.status, answer.code) == (404, "not_found")
    assert len(log.read(f"game-{room['id']}")) == before
