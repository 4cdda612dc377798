"""POST games, GET games, GET games/{id}."""

import json
from typing import Any

import pytest

from games.api import bodies
from games.models import Game
from games.rules import GAMES
from tests.games.api.client import Answer, Person

SHAPE = {
    "id",
    "game",
    "ruleset",
    "options",
    "visibility",
    "status",
    "seats",
    "players",
    "your_seat",
    "version",
    "to_act",
    "deadlines",
    "deadline_at",
    "rated",
    "live_url",
    "invitation",
    "view",
}


def test_opening_a_room_answers_it_and_the_caller_sits_in_seat_0(alice: Person) -> None:
    answer = alice.post("games", {"game": "threes", "seats": 4})
    assert answer.status == 201
    room = answer.body
    assert set(room) >= SHAPE
    assert room["players"] == [
        {"seat": 0, "player": {"id": alice.get("me").body["id"], "username": "alice"}, "bot": None}
    ]
    assert (room["status"], room["your_seat"], room["opener"], room["version"]) == ("open", 0, 0, 2)
    assert (room["ruleset"], room["visibility"], room["rated"]) == ("2023", "public", True)
    assert (room["invitation"], room["view"], room["to_act"], room["deadlines"]) == (None, None, [], {})
    assert answer.headers["location"] == f"/api/v1/games/{room['id']}"


def test_options_and_clock_left_out_are_filled_in(alice: Person) -> None:
    room = alice.opens(options={"play_until": "first_out"}, clock={"per_turn": 600})
    assert room["options"]["play_until"] == "first_out"
    assert room["options"]["stalemate_after"] == 20
    assert room["clock"]["per_turn"] == 600
    assert room["clock"]["on_timeout"] == "play"


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_same_etag_is_the_same_bytes(alice: Person, bob: Person, name: str) -> None:
    opened = alice.post("games", {"game": name, "seats": 2})
    path = f"games/{opened.body['id']}"
    assert list(opened.body["options"]) == sorted(opened.body["options"])

    def seen_again(person: Person, answer: Answer, shown: Any) -> None:
        again = person.get(path)
        assert again.headers["etag"] == answer.headers["etag"]
        assert json.dumps(again.body) == json.dumps(shown)

    seen_again(alice, opened, opened.body)
    joined = bob.post(f"{path}/join")
    seen_again(bob, joined, joined.body)
    started = alice.post(f"{path}/start")
    seen_again(alice, started, started.body)
    assert list(started.body["view"]["options"]) == list(started.body["options"])
    over = bob.post(f"{path}/moves", {"move": "resign"})
    assert over.body["game"]["view"]["result"]
    seen_again(bob, over, over.body["game"])


BAD_ROOMS = [
    ({"seats": 2}, "game"),
    ({"game": "threes"}, "seats"),
    ({"game": "poker", "seats": 2}, "game"),
    ({"game": ["threes"], "seats": 2}, "game"),
    ({"game": "threes", "seats": "2"}, "seats"),
    ({"game": "threes", "seats": True}, "seats"),
    ({"game": "threes", "seats": 2.0}, "seats"),
    ({"game": "threes", "seats": None}, "seats"),
    ({"game": "threes", "seats": 1}, "seats"),
    ({"game": "threes", "seats": 33}, "seats"),
    ({"game": "castle", "seats": 6}, "seats"),
    ({"game": "threes", "seats": 2, "ruleset": "1999"}, "ruleset"),
    ({"game": "threes", "seats": 2, "ruleset": 2023}, "ruleset"),
    ({"game": "threes", "seats": 2, "options": []}, "options"),
    ({"game": "threes", "seats": 2, "options": {"deck": 1}}, "options.deck"),
    ({"game": "threes", "seats": 2, "options": {"decks": 0}}, "options.decks"),
    ({"game": "threes", "seats": 2, "options": {"decks": "1"}}, "options.decks"),
    ({"game": "threes", "seats": 20, "options": {"decks": 1}}, "options.decks"),
    ({"game": "threes", "seats": 2, "options": {"ten_wild": 1}}, "options.ten_wild"),
    ({"game": "threes", "seats": 2, "visibility": "secret"}, "visibility"),
    ({"game": "threes", "seats": 2, "rated": "yes"}, "rated"),
    ({"game": "threes", "seats": 2, "clock": 60}, "clock"),
    ({"game": "threes", "seats": 2, "clock": {"per_turn": 1}}, "clock.per_turn"),
    ({"game": "threes", "seats": 2, "clock": {"per_turn": "60"}}, "clock.per_turn"),
    ({"game": "threes", "seats": 2, "clock": {"time_zone": "Mars/Olympus"}}, "clock.time_zone"),
    ({"game": "threes", "seats": 2, "clock": {"on_timeout": "shout"}}, "clock.on_timeout"),
    ({"game": "threes", "seats": 2, "clock": {"speed": 1}}, "clock.speed"),
    ({"game": "threes", "seats": 2, "bots": 2}, "bots"),
    ({"game": "threes", "seats": 2, "bots": True}, "bots"),
    ({"game": "threes", "seats": 2, "colour": "red"}, "colour"),
]


@pytest.mark.parametrize(("body", "field"), BAD_ROOMS, ids=[str(body) for body, _ in BAD_ROOMS])
def test_a_room_that_cannot_be_is_400_and_names_the_field(alice: Person, body: dict[str, Any], field: str) -> None:
    answer = alice.post("games", body)
    assert answer.status == 400
    assert answer.body["errors"][0]["field"] == field
    assert Game.objects.count() == 0


def test_a_private_room_is_found_with_its_invitation_only(alice: Person, bob: Person) -> None:
    room = alice.opens(visibility="private")
    assert room["invitation"]
    path = f"games/{room['id']}"
    assert alice.get(path).body["invitation"] == room["invitation"]
    assert bob.get(path).status == 404
    assert bob.get(f"{path}?invitation=wrong").status == 404
    answer = bob.get(f"{path}?invitation={room['invitation']}")
    assert (answer.status, answer.body["invitation"]) == (200, None)
    assert bob.get("games").body["results"] == []
    assert [found["id"] for found in alice.get("games").body["results"]] == [room["id"]]


def test_rooms_are_listed_newest_first_and_filtered(alice: Person, bob: Person) -> None:
    threes = alice.opens()
    castle = bob.opens(game="castle", seats=3)
    bob.post(f"games/{threes['id']}/join")
    alice.post(f"games/{threes['id']}/start")

    def ids(query: str) -> list[str]:
        return [room["id"] for room in alice.get(f"games{query}").body["results"]]

    assert ids("") == [castle["id"], threes["id"]]
    assert ids("?status=open") == [castle["id"]]
    assert ids("?status=setup") == [threes["id"]]
    assert ids("?game=castle") == [castle["id"]]
    assert ids("?mine=true") == ids("?mine=True") == ids("?mine=1") == [threes["id"]]
    assert ids("?mine=false") == [castle["id"], threes["id"]]
    assert ids("?status=finished") == []
    assert ids("?status=&game=&mine=") == [castle["id"], threes["id"]]


def test_pages_follow_each_other_forth_and_back_and_miss_nothing(alice: Person) -> None:
    rooms = [alice.opens()["id"] for _ in range(5)][::-1]
    pages = [alice.get("games?limit=2").body]
    while pages[-1]["next"]:
        alice.opens()
        pages.append(alice.get(pages[-1]["next"]).body)
    assert [room["id"] for page in pages for room in page["results"]] == rooms
    assert pages[0]["previous"] is None
    back = alice.get(pages[-1]["previous"]).body
    assert [room["id"] for room in back["results"]] == rooms[2:4]
    assert [room["id"] for room in alice.get(back["next"]).body["results"]] == rooms[4:]


def test_rooms_opened_at_one_moment_are_paged_without_a_gap(alice: Person, clock: Any) -> None:
    rooms = {alice.opens()["id"] for _ in range(5)}
    seen: list[str] = []
    path: str | None = "games?limit=2"
    while path:
        page = alice.get(path).body
        seen += [room["id"] for room in page["results"]]
        path = page["next"]
    assert len(seen) == 5
    assert set(seen) == rooms


def test_a_list_costs_as_many_queries_as_a_list_of_one(alice: Person, django_assert_max_num_queries: Any) -> None:
    for _ in range(10):
        alice.opens()
    with django_assert_max_num_queries(5):
        assert len(alice.get("games").body["results"]) == 10


def test_the_etag_is_strong_and_a_reader_who_holds_it_gets_304(alice: Person, room: dict[str, Any]) -> None:
    path = f"games/{room['id']}"
    etag = alice.get(path).headers["etag"]
    assert etag.startswith(f'"v{room["version"]}-')
    for header in (etag, f'"other", {etag}', f"W/{etag}", "*"):
        answer = alice.get(path, If_None_Match=header)
        assert (answer.status, answer.raw, answer.headers["etag"]) == (304, b"", etag)
        assert "content-type" not in answer.headers, "a cache would take it for that of what it holds"
    for header in ('"other"', f'"v{room["version"]}"', "nonsense", ""):
        assert alice.get(path, If_None_Match=header).status == 200


def test_an_upgrade_ends_all_etags(alice: Person, room: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"games/{room['id']}"
    etag = alice.get(path).headers["etag"]
    monkeypatch.setattr(bodies, "made_of", lambda: "another release")
    assert alice.get(path, If_None_Match=etag).status == 200


def test_each_viewer_and_each_version_has_an_etag_of_its_own(
    alice: Person, bob: Person, charlie: Person, room: dict[str, Any]
) -> None:
    path = f"games/{room['id']}"
    before = {who.get(path).headers["etag"] for who in (alice, bob, charlie)}
    alice.post(f"{path}/start")
    after = {who.get(path).headers["etag"] for who in (alice, bob, charlie)}
    assert len(before | after) == 6


def test_no_cache_may_give_one_callers_answer_to_another(alice: Person, room: dict[str, Any]) -> None:
    headers = alice.get(f"games/{room['id']}").headers
    assert headers["cache-control"] == "private, no-cache"
    assert "Authorization" in headers["vary"]


def test_charlie_sees_of_a_public_game_what_everybody_at_the_table_sees(
    alice: Person, charlie: Person, running: dict[str, Any]
) -> None:
    seen = charlie.sees(running)
    assert seen["your_seat"] is None
    assert [player["hand"] for player in seen["view"]["players"]] == [None, None]
    assert [player["hand_count"] for player in seen["view"]["players"]] == [3, 3]
    assert alice.sees(running)["view"]["players"][0]["hand"] is not None
    assert alice.sees(running)["view"]["players"][1]["hand"] is None


def test_of_three_thirteen_who_does_not_play_sees_nothing_once_it_is_dealt(
    alice: Person, bob: Person, charlie: Person
) -> None:
    assert "three_thirteen" in GAMES
    room = alice.opens(game="three_thirteen")
    path = f"games/{room['id']}"
    bob.post(f"{path}/join")
    assert charlie.get(path).status == 200
    assert alice.post(f"{path}/start").status == 200
    for call in ("", "/events", "/history/1", "/moves", "/record"):
        assert charlie.get(path + call).status == 403, call
    assert charlie.get("games").body["results"] == []
    assert bob.get(path).body["view"]["game"] == "three_thirteen"


def test_a_game_tells_who_may_move_until_when(alice: Person, game: dict[str, Any]) -> None:
    assert game["status"] == "setup"
    assert game["to_act"] == [0, 1]
    assert set(game["deadlines"]) == {"0", "1"}
    assert game["deadline_at"] == min(game["deadlines"].values())


def test_th1_one_deck_is_enough_for_eight_players_if_few_rounds_are_played(alice: Person) -> None:
    room = alice.opens(game="three_thirteen", seats=8, options={"decks": 1, "rounds": 4})
    assert room["options"] == {"ace_points": 15, "decks": 1, "renewals": 3, "rounds": 4}
    too_many = alice.post("games", {"game": "three_thirteen", "seats": 8, "options": {"decks": 1, "rounds": 5}})
    assert fields_at_fault(too_many) == ["options.decks"]


def fields_at_fault(answer: Any) -> list[str]:
    assert (answer.status, answer.headers["content-type"]) == (400, "application/problem+json")
    assert all(error["detail"].endswith(".") for error in answer.body["errors"])
    return [error["field"] for error in answer.body["errors"]]


@pytest.mark.parametrize(
    ("wanted", "at_fault"),
    [
        ({"game": "poker", "seats": "two", "bots": -1}, ["game", "seats", "bots"]),
        ({"game": "threes"}, ["seats"]),
        ({"seats": True, "colour": "red", "rated": "yes"}, ["game", "seats", "rated", "colour"]),
        (
            {"game": "threes", "seats": 2, "options": {"decks": 99, "jokers": 1}, "clock": {"per_turn": 1, "x": 1}},
            ["options.decks", "options.jokers", "clock.per_turn", "clock.x"],
        ),
        (
            {"game": "three_thirteen", "seats": 31, "ruleset": "2023", "options": {"rounds": 0}, "clock": {"bank": -1}},
            ["seats", "ruleset", "options.rounds", "clock.bank"],
        ),
        ({"game": "threes", "seats": "2", "options": {"decks": 99}, "clock": {"strikes": 0}},
         ["seats", "options.decks", "clock.strikes"]),
        ({"game": "threes", "seats": 8, "options": {"decks": 1}}, ["options.decks"]),
        ({"game": "three_thirteen", "seats": 8, "options": {"decks": 1, "renewals": 99, "rounds": 4}},
         ["options.renewals"]),
    ],
)  # fmt: skip
def test_all_fields_at_fault_are_named_at_once(alice: Person, wanted: dict[str, Any], at_fault: list[str]) -> None:
    assert sorted(fields_at_fault(alice.post("games", wanted))) == sorted(at_fault)
    assert alice.get("games").body["results"] == []
