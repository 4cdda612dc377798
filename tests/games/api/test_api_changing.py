"""PATCH games/{id}, and the seats that a rematch keeps (CONTRACT, REST)."""

from typing import Any
from uuid import UUID

import pytest

from core import clock as service_clock
from games.projections import rebuild
from tests.games.api.client import Person
from tests.games.api.conftest import person


def resign(who: Person, game: dict[str, Any]) -> None:
    assert who.post(f"games/{game['id']}/moves", {"move": "resign"}).status == 201


def changes_of(who: Person, room: dict[str, Any]) -> list[dict[str, Any]]:
    events = who.get(f"games/{room['id']}/events").body["results"]
    return [event for event in events if event["type"] == "changed"]


# BT1: what starts a room


def status_of(who: Person, room: dict[str, Any]) -> str:
    return str(who.get(f"games/{room['id']}").body["status"])


def test_bt1_a_room_waits_for_its_opener_or_starts_when_it_is_full(alice: Person, bob: Person) -> None:
    room = alice.opens()
    assert room["start"] == "opener"
    assert bob.post(f"games/{room['id']}/join").body["status"] == "open"
    full = alice.opens(start="full")
    assert (full["start"], full["status"]) == ("full", "open")
    joined = bob.post(f"games/{full['id']}/join")
    assert (joined.status, joined.body["status"]) == (200, "setup")
    assert joined.body["view"]["players"][1]["hand"], "the last one to sit down sees the cards"
    events = [event["type"] for event in alice.get(f"games/{full['id']}/events").body["results"]]
    assert events == ["opened", "joined", "joined", "started", "dealt"]
    assert alice.post(f"games/{full['id']}/start").body["code"] == "already_started"


def test_bt1_bots_fill_a_room_and_the_opener_may_start_it_before(alice: Person, bob: Person) -> None:
    assert alice.opens(start="full", seats=2, bots=1)["status"] == "setup"
    room = alice.opens(start="full", seats=3)
    bob.post(f"games/{room['id']}/join")
    assert alice.post(f"games/{room['id']}/bots").body["status"] == "setup"
    early = alice.opens(start="full", seats=3)
    bob.post(f"games/{early['id']}/join")
    assert alice.post(f"games/{early['id']}/start").body["status"] == "setup"


@pytest.mark.parametrize("wanted", [{"start": "full"}, {"seats": 2}])
def test_bt1_a_change_that_leaves_no_seat_free_starts_it(alice: Person, bob: Person, wanted: dict[str, Any]) -> None:
    room = alice.opens(seats=2 if "start" in wanted else 3, start="opener" if "start" in wanted else "full")
    bob.post(f"games/{room['id']}/join")
    assert status_of(alice, room) == "open"
    assert alice.patch(f"games/{room['id']}", wanted).body["status"] == "setup"
    [changed] = changes_of(alice, room)
    assert set(wanted) <= set(changed["data"]["changes"])


def test_bt1_a_rematch_starts_once_all_of_the_old_table_are_back(alice: Person, bob: Person) -> None:
    room = alice.opens(start="full")
    bob.post(f"games/{room['id']}/join")
    resign(bob, room)
    again = alice.post(f"games/{room['id']}/rematch").body
    assert (again["start"], again["status"]) == ("full", "open"), "a kept seat is free"
    assert bob.post(f"games/{room['id']}/rematch").body["status"] == "setup"


def test_bt1_anything_else_is_refused_and_nothing_is_opened(alice: Person) -> None:
    for wanted in ("soon", None, 1):
        refused = alice.post("games", {"game": "threes", "seats": 2, "start": wanted})
        assert (refused.status, [error["field"] for error in refused.body["errors"]]) == (400, ["start"])
    room = alice.opens()
    assert alice.patch(f"games/{room['id']}", {"start": "soon"}).status == 400
    assert alice.get(f"games/{room['id']}").body == room


# The opener, while the room is open


def test_the_opener_changes_an_open_room(alice: Person) -> None:
    room = alice.opens(seats=3, clock={"per_turn": 3600, "bank": 600})
    wanted = {
        "ruleset": "2022",
        "options": {"play_until": "first_out", "powerless_on_empty": True},
        "seats": 4,
        "clock": {"per_turn": 7200},
        "visibility": "private",
    }
    answer = alice.patch(f"games/{room['id']}", wanted)
    assert answer.status == 200, answer.body
    changed = answer.body
    assert (changed["ruleset"], changed["seats"], changed["visibility"]) == ("2022", 4, "private")
    options = changed["options"]
    assert (options["play_until"], options["powerless_on_empty"], options["ten_wild"]) == ("first_out", True, True)
    assert (changed["clock"]["per_turn"], changed["clock"]["bank"]) == (7200, 0), "a clock is replaced as a whole"
    assert changed["version"] == room["version"] + 1
    assert alice.get(f"games/{room['id']}").body == changed
    assert answer.headers["etag"] == alice.get(f"games/{room['id']}").headers["etag"]


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        ({"seats": 4}, ("ruleset", "clock", "visibility")),
        ({"ruleset": "2022"}, ("seats", "clock", "visibility")),
        ({"clock": {"per_turn": 60}}, ("ruleset", "options", "seats", "visibility")),
        ({"options": {"ten_wild": True}}, ("ruleset", "seats", "clock", "visibility")),
        ({"visibility": "private"}, ("ruleset", "options", "seats", "clock")),
    ],
)
def test_what_is_left_out_stays_as_it_is(alice: Person, wanted: dict[str, Any], kept: tuple[str, ...]) -> None:
    room = alice.opens(options={"stalemate_after": 30})
    changed = alice.patch(f"games/{room['id']}", wanted).body
    assert {name: changed[name] for name in kept} == {name: room[name] for name in kept}
    assert [event["data"]["changes"] for event in changes_of(alice, room)] == [
        ["options", "seats"] if "seats" in wanted else ["ruleset", "options"] if "ruleset" in wanted else list(wanted)
    ]


def test_defaults_that_follow_the_seats_follow_the_new_number(alice: Person) -> None:
    room = alice.opens()
    assert room["options"]["decks"] == 1
    assert alice.patch(f"games/{room['id']}", {"seats": 4}).body["options"]["decks"] == 2


def test_what_was_asked_for_stays_under_another_ruleset(alice: Person) -> None:
    room = alice.opens(options={"stalemate_after": 30})
    options = alice.patch(f"games/{room['id']}", {"ruleset": "2022"}).body["options"]
    assert (options["stalemate_after"], options["ten_wild"]) == (30, True)


def test_the_game_is_played_by_the_changed_rules(alice: Person, bob: Person) -> None:
    room = alice.opens()
    bob.post(f"games/{room['id']}/join")
    alice.patch(f"games/{room['id']}", {"options": {"decks": 2, "play_until": "first_out"}, "clock": {"per_turn": 60}})
    game = alice.post(f"games/{room['id']}/start").body
    assert game["view"]["options"]["decks"] == 2 and game["view"]["options"]["play_until"] == "first_out"
    assert game["view"]["stock_count"] == 2 * 54 - 18 and game["clock"]["per_turn"] == 60


def test_an_event_tells_everybody_what_is_new(alice: Person, bob: Person, charlie: Person) -> None:
    room = alice.opens(seats=3)
    bob.post(f"games/{room['id']}/join")
    alice.patch(f"games/{room['id']}", {"seats": 4, "clock": {"per_turn": 60}})
    for who in (alice, bob, charlie):
        [event] = changes_of(who, room)
        assert event["seat"] == 0 and event["data"]["changes"] == ["seats", "clock"]
        assert (event["data"]["seats"], event["data"]["clock"]["per_turn"]) == (4, 60)


def test_changes_that_change_nothing_are_no_event(alice: Person) -> None:
    room = alice.opens()
    for wanted in ({}, {"seats": 2}, {"ruleset": "2023", "visibility": "public", "clock": {}, "options": {}}):
        answer = alice.patch(f"games/{room['id']}", wanted)
        assert (answer.status, answer.body["version"]) == (200, room["version"]), answer.body


def test_a_room_made_private_gets_an_invitation_that_no_event_shows(alice: Person, bob: Person) -> None:
    room = alice.opens(seats=3)
    private = alice.patch(f"games/{room['id']}", {"visibility": "private"}).body
    assert private["invitation"] and bob.get(f"games/{room['id']}").status == 404
    assert bob.post(f"games/{room['id']}/join", {"invitation": private["invitation"]}).status == 200
    assert all(event["data"]["invitation"] is None for event in changes_of(bob, room))
    again = alice.patch(f"games/{room['id']}", {"seats": 4}).body
    assert again["invitation"] == private["invitation"], "another change leaves it"
    assert alice.patch(f"games/{room['id']}", {"visibility": "public"}).body["invitation"] is None


def test_nobody_but_the_opener_changes_a_room(alice: Person, bob: Person, charlie: Person) -> None:
    room = alice.opens(seats=3)
    bob.post(f"games/{room['id']}/join")
    path, wanted = f"games/{room['id']}", {"seats": 4}
    assert (bob.patch(path, wanted).status, bob.patch(path, wanted).code) == (403, "not_the_opener")
    assert (charlie.patch(path, wanted).status, charlie.patch(path, wanted).code) == (403, "not_a_player")
    private = alice.opens(visibility="private")
    assert charlie.patch(f"games/{private['id']}", wanted).status == 404
    alice.post(f"games/{room['id']}/leave")
    assert bob.patch(path, wanted).status == 200, "the opener's part passed to bob"


def test_not_once_the_game_runs_or_is_over(alice: Person, game: dict[str, Any]) -> None:
    path = f"games/{game['id']}"
    assert (alice.patch(path, {"seats": 4}).status, alice.patch(path, {"seats": 4}).code) == (409, "already_started")
    resign(alice, game)
    assert (alice.patch(path, {"seats": 4}).status, alice.patch(path, {"seats": 4}).code) == (409, "game_over")
    room = alice.opens()
    alice.post(f"games/{room['id']}/cancel")
    assert alice.patch(f"games/{room['id']}", {"seats": 4}).code == "game_cancelled"


def test_a_changed_room_is_rebuilt_from_its_events(alice: Person) -> None:
    room = alice.opens()
    alice.patch(f"games/{room['id']}", {"seats": 3, "visibility": "private", "options": {"ten_wild": True}})
    assert rebuild(UUID(room["id"])).differences == ()


# Refused where those who sit would not fit


def test_a_room_cannot_have_fewer_seats_than_people_and_bots(alice: Person, bob: Person) -> None:
    room = alice.opens(seats=4)
    bob.post(f"games/{room['id']}/join")
    alice.post(f"games/{room['id']}/bots", {"level": "random"})
    refused = alice.patch(f"games/{room['id']}", {"seats": 2, "clock": {"per_turn": 60}})
    assert (refused.status, refused.code) == (409, "seats_taken")
    assert alice.get(f"games/{room['id']}").body["clock"] == room["clock"], "nothing of it was done"
    assert alice.patch(f"games/{room['id']}", {"seats": 3}).status == 200


@pytest.mark.parametrize(
    ("wanted", "fields"),
    [
        ({"seats": 1}, {"seats"}),
        ({"seats": "3"}, {"seats"}),
        ({"seats": None}, {"seats"}),
        ({"ruleset": "2021"}, {"ruleset"}),
        ({"options": {"decks": 0}}, {"options.decks"}),
        ({"options": {"decks": 1}, "seats": 7}, {"options.decks"}),
        ({"options": {"wild": True}, "clock": {"per_turn": -1}}, {"options.wild", "clock.per_turn"}),
        ({"visibility": "secret"}, {"visibility"}),
        ({"game": "castle"}, {"game"}),
        ({"rated": False}, {"rated"}),
    ],
)
def test_what_makes_no_sense_is_400_naming_the_field(alice: Person, wanted: dict[str, Any], fields: set[str]) -> None:
    room = alice.opens()
    answer = alice.patch(f"games/{room['id']}", wanted)
    assert answer.status == 400
    assert {error["field"] for error in answer.body["errors"]} == fields
    assert alice.get(f"games/{room['id']}").body == room, "and it stays as it was"


def test_more_than_the_game_is_for_is_400(alice: Person) -> None:
    room = alice.opens(game="castle")
    answer = alice.patch(f"games/{room['id']}", {"seats": 6})
    assert answer.status == 400 and [error["field"] for error in answer.body["errors"]] == ["seats"]


# A rematch keeps the seats of the old table for its people for a day


@pytest.fixture
def rematch(alice: Person, bob: Person, game: dict[str, Any]) -> dict[str, Any]:
    resign(alice, game)
    answer = bob.post(f"games/{game['id']}/rematch")
    assert answer.status == 201
    return dict(answer.body)


def test_a_stranger_cannot_take_a_seat_of_the_old_table(
    alice: Person, charlie: Person, rematch: dict[str, Any]
) -> None:
    answer = charlie.post(f"games/{rematch['id']}/join")
    assert (answer.status, answer.code) == (409, "seats_kept")
    assert alice.post(f"games/{rematch['id']}/join").status == 200, "by join as well as by rematch"


def test_nor_can_a_bot(bob: Person, rematch: dict[str, Any]) -> None:
    answer = bob.post(f"games/{rematch['id']}/bots", {})
    assert (answer.status, answer.code) == (409, "seats_kept")


def test_after_a_day_the_seats_are_anybodys(
    clock: service_clock.FrozenClock, charlie: Person, rematch: dict[str, Any]
) -> None:
    clock.advance(hours=23, minutes=59)
    assert charlie.post(f"games/{rematch['id']}/join").code == "seats_kept"
    clock.advance(minutes=1)
    assert charlie.post(f"games/{rematch['id']}/join").status == 200


def test_a_larger_rematch_has_free_seats_for_anybody_beside_those_that_are_kept(
    alice: Person, bob: Person, charlie: Person, rematch: dict[str, Any]
) -> None:
    path, dora = f"games/{rematch['id']}", person("dora")
    assert bob.patch(path, {"seats": 3}).status == 200
    assert charlie.post(f"{path}/join").status == 200
    assert dora.post(f"{path}/join").code == "seats_kept"
    assert alice.post(f"{path}/join").status == 200
    assert dora.post(f"{path}/join").code == "room_full"


def test_a_rematch_can_be_opened_larger(alice: Person, charlie: Person, game: dict[str, Any]) -> None:
    resign(alice, game)
    path = f"games/{game['id']}/rematch"
    too_few = alice.post(path, {"seats": 1})
    assert too_few.status == 400
    room = alice.post(path, {"seats": 3}).body
    assert room["seats"] == 3 and charlie.post(f"games/{room['id']}/join").status == 200


def test_a_rematch_is_not_opened_smaller(alice: Person, bob: Person, charlie: Person) -> None:
    room = alice.opens(seats=3)
    for who in (bob, charlie):
        who.post(f"games/{room['id']}/join")
    alice.post(f"games/{room['id']}/start")
    for who in (bob, charlie):
        resign(who, room)
    answer = bob.post(f"games/{room['id']}/rematch", {"seats": 2})
    assert answer.status == 400 and answer.body["errors"][0]["field"] == "seats"
    again = bob.post(f"games/{room['id']}/rematch").body
    refused = bob.patch(f"games/{again['id']}", {"seats": 2})
    assert (refused.status, refused.code) == (409, "seats_kept"), "nor made smaller while seats are kept"


def test_who_left_the_rematch_still_has_a_seat(alice: Person, charlie: Person, rematch: dict[str, Any]) -> None:
    path = f"games/{rematch['id']}"
    alice.post(f"{path}/join")
    alice.post(f"{path}/leave")
    assert charlie.post(f"{path}/join").code == "seats_kept"
    assert alice.post(f"{path}/join").status == 200
