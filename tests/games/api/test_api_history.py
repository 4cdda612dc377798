"""GET games/{id}/events, history/{version}, record, fairness."""

import io
import json
from contextlib import redirect_stdout
from typing import Any

import pytest

from games.rules import GAMES
from games.rules.__main__ import main
from games.rules.cards import decks
from games.rules.fairness import Chance, commitment
from tests.games.api.client import Person, concrete


@pytest.fixture
def finished(alice: Person, running: dict[str, Any]) -> dict[str, Any]:
    """Alice's and Bob's game, ended: Alice resigned."""
    alice.post(f"games/{running['id']}/moves", {"move": "resign"})
    return alice.sees(running)


def played_to_the_end(alice: Person, bob: Person) -> dict[str, Any]:
    """A whole short game of Threes between the two."""
    game = alice.opens(options={"play_until": "first_out"})
    path, people = f"games/{game['id']}", (alice, bob)
    bob.post(f"{path}/join")
    game = alice.post(f"{path}/start").body
    while game["status"] != "finished":
        mover = people[game["to_act"][0]]
        game = mover.post(f"{path}/moves", concrete(mover.get(f"{path}/moves").body["moves"][0])).body["game"]
    return dict(game)


def events(who: Person, game: dict[str, Any], query: str = "") -> list[dict[str, Any]]:
    answer = who.get(f"games/{game['id']}/events{query}")
    assert answer.status == 200, answer.body
    return list(answer.body["results"])


def test_events_tell_everything_since_a_version(bob: Person, running: dict[str, Any]) -> None:
    every = events(bob, running)
    assert [event["version"] for event in every] == list(range(1, running["version"] + 1))
    assert events(bob, running, "?after=3") == every[3:]
    assert events(bob, running, f"?after={running['version']}") == []
    assert events(bob, running, "?after=2147483647") == []


def test_events_come_a_page_at_a_time_when_asked(bob: Person, running: dict[str, Any]) -> None:
    page = bob.get(f"games/{running['id']}/events?limit=2").body
    seen = page["results"]
    while page["next"]:
        page = bob.get(page["next"]).body
        seen = seen + page["results"]
    assert seen == events(bob, running)
    page = bob.get(f"games/{running['id']}/events?after=5&limit=3").body
    seen = page["results"]
    while page["previous"]:
        page = bob.get(page["previous"]).body
        seen = page["results"] + seen
    assert seen == events(bob, running)[:8], "each once"


def test_while_the_game_runs_no_event_shows_what_is_hidden(
    alice: Person, bob: Person, charlie: Person, running: dict[str, Any]
) -> None:
    opened = events(bob, running)[0]["data"]
    assert opened["secret"] is None
    (dealt,) = (event for event in events(bob, running) if event["type"] == "dealt")
    assert dealt["data"]["shuffle"] is None
    hand = alice.sees(running)["view"]["players"][0]["hand"]
    seen = json.dumps(events(charlie, running)) + json.dumps(charlie.sees(running))
    face_up = {card for player in running["view"]["players"] for card in player["face_up"]}
    assert all(f'"{card}"' not in seen for card in hand if card not in face_up)


def test_after_the_end_events_show_everything(charlie: Person, finished: dict[str, Any]) -> None:
    (dealt,) = (event for event in events(charlie, finished) if event["type"] == "dealt")
    assert len(dealt["data"]["shuffle"]) == 54


def test_the_invitation_of_a_private_room_is_in_no_event(alice: Person) -> None:
    room = alice.opens(visibility="private")
    answer = alice.get(f"games/{room['id']}/events")
    assert room["invitation"] not in answer.raw.decode()


def test_history_shows_the_game_as_it_was(alice: Person, bob: Person, room: dict[str, Any]) -> None:
    path = f"games/{room['id']}"
    seen = {room["version"]: bob.sees(room)}
    alice.post(f"{path}/start")
    seen[bob.sees(room)["version"]] = bob.sees(room)
    for who in (alice, bob):
        who.post(f"{path}/moves", concrete(who.get(f"{path}/moves").body["moves"][0]))
        seen[bob.sees(room)["version"]] = bob.sees(room)
    for version, then in seen.items():
        now = bob.get(f"{path}/history/{version}").body
        for key in ("version", "status", "players", "view", "to_act", "deadlines", "your_seat"):
            assert now[key] == then[key], (version, key)


@pytest.mark.parametrize("version", [0, 1000, 2**31, 10**30])
def test_a_version_that_never_was_is_404(bob: Person, running: dict[str, Any], version: int) -> None:
    answer = bob.get(f"games/{running['id']}/history/{version}")
    assert (answer.status, answer.code) == (404, "no_such_version")


def test_after_the_end_history_shows_everything(charlie: Person, finished: dict[str, Any]) -> None:
    past = charlie.get(f"games/{finished['id']}/history/5").body
    assert all(player["hand"] is not None for player in past["view"]["players"])


@pytest.mark.sampled
def test_the_record_of_a_game_replays_to_its_result_without_the_server(
    alice: Person, bob: Person, charlie: Person, tmp_path: Any
) -> None:
    finished = played_to_the_end(alice, bob)
    answer = charlie.get(f"games/{finished['id']}/record")
    assert answer.status == 200
    assert answer.body["format"] == "trey-record/1"
    file = tmp_path / "record.json"
    file.write_bytes(answer.raw)
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert main(["replay", str(file)]) == 0
    replayed = json.loads(printed.getvalue())
    assert replayed["error"] is None
    assert replayed["view"]["result"] == finished["view"]["result"]
    assert replayed["view"] == finished["view"]


def test_there_is_no_record_before_the_end(alice: Person, running: dict[str, Any]) -> None:
    answer = alice.get(f"games/{running['id']}/record")
    assert (answer.status, answer.code) == (409, "not_finished")


def test_a_finished_game_says_who_won_and_waits_for_nobody(alice: Person, finished: dict[str, Any]) -> None:
    assert (finished["status"], finished["to_act"], finished["deadlines"]) == ("finished", [], {})
    assert finished["finished_at"]
    places = finished["view"]["result"]["placements"]
    assert sorted(place["seat"] for place in places) == [0, 1]
    assert set(GAMES) >= {finished["game"]}


def test_the_commitment_is_always_there_and_what_opens_it_once_the_game_is_finished(
    alice: Person, bob: Person, charlie: Person, running: dict[str, Any]
) -> None:
    for person in (alice, bob, charlie):
        body = person.get(f"games/{running['id']}/fairness").body
        assert (body["scheme"], body["secret"], body["shuffles"]) == ("trey-fairness/1", None, 1)
        assert len(body["salts"]) == 2
    opened = events(alice, running)[0]["data"]
    assert opened["commitment"] == body["commitment"]


def test_the_shuffles_of_a_finished_game_can_be_checked(charlie: Person, finished: dict[str, Any]) -> None:
    fairness = charlie.get(f"games/{finished['id']}/fairness").body
    record = charlie.get(f"games/{finished['id']}/record").body
    secret = bytes.fromhex(fairness["secret"])
    assert commitment(secret) == fairness["commitment"]
    chance = Chance(secret, fairness["salts"])
    assert chance.dealer(record["seats"]) == record["dealer"] == fairness["dealer"]
    assert chance.shuffle(1)(decks(1, jokers=2)) == record["shuffles"][0]


def test_the_salts_of_the_players_are_those_they_gave(alice: Person, bob: Person) -> None:
    game = alice.opens(salt=" ♠ seven ")
    path = f"games/{game['id']}"
    assert bob.post(f"{path}/join", {"salt": "a die: 4"}).status == 200
    assert alice.post(f"{path}/start").status == 200
    assert alice.post(f"{path}/moves", {"move": "resign"}).status == 201
    assert bob.get(f"{path}/fairness").body["salts"] == [" ♠ seven ", "a die: 4"]
    again = bob.post(f"{path}/rematch", {"salt": "a die: 2"}).body
    assert alice.post(f"{path}/rematch", {"salt": None}).status == 201
    path = f"games/{again['id']}"
    bob.post(f"{path}/start")
    ours, drawn = bob.get(f"{path}/fairness").body["salts"]
    assert (ours, len(drawn)) == ("a die: 2", 32)


@pytest.mark.parametrize("salt", ["", "x" * 65, "a\nb", "\ud800", 7, ["x"]])
def test_a_salt_is_1_to_64_printable_characters(alice: Person, bob: Person, salt: object) -> None:
    room = alice.opens()
    for answer in (
        alice.post("games", {"game": "threes", "seats": 2, "salt": salt}),
        bob.post(f"games/{room['id']}/join", {"salt": salt}),
    ):
        assert (answer.status, [error["field"] for error in answer.body["errors"]]) == (400, ["salt"])
    assert len(alice.sees(room)["players"]) == 1


def test_the_fairness_of_a_private_room_is_for_its_players(alice: Person, charlie: Person) -> None:
    room = alice.opens(visibility="private")
    assert alice.get(f"games/{room['id']}/fairness").body["salts"] is None
    assert charlie.get(f"games/{room['id']}/fairness").status == 404
