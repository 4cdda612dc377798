"""What the official clients do by themselves (AP17 to AP20): each scenario with each client, behind a proxy."""

import base64
import hmac
import json
import time
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from core.accounts.models import Player
from games.rules import PLAYED
from games.rules.record import replay
from tests.clients.conftest import Rig
from tests.clients.proxy import Fault
from tests.config.web_server import until
from tests.core.accounts.test_accounts_apps import back, pressed
from tests.core.notifications.receivers import Receiver, make_certificate
from tests.games.api.client import PASSWORD, Person, concrete
from tests.games.api.conftest import behind_setup, game_in, person, room_of
from tests.rules.house import SHORT

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def people(rig: Rig) -> tuple[Person, Person]:
    return person("alice"), person("bob")


def running_game(people: tuple[Person, Person]) -> tuple[dict[str, Any], Person]:
    """A game after its setup, and who is to move."""
    alice, bob = people
    game = game_in(room_of(alice, bob), alice)
    behind_setup(game, alice, bob)
    now = alice.sees(game)
    return now, people[now["to_act"][0]]


def legal(who: Person, game: dict[str, Any]) -> dict[str, Any]:
    return concrete(who.get(f"games/{game['id']}/moves").body["moves"][0])


def test_ap19_a_move_whose_answer_is_lost_is_made_once(rig: Rig, people: tuple[Person, Person]) -> None:
    game, who = running_game(people)
    rig.api.fails(*[Fault("/moves", "lost")] * 3)
    [played] = rig.calls(who.token, ["play_move", [game["id"], legal(who, game)]])
    assert rig.requests("/moves") == [("POST", 201)] * 4
    assert who.sees(game)["version"] == played["version"]
    keys = {line for head in rig.api.heads for line in head.split("\r\n") if line.lower().startswith("idempotency-key")}
    assert len(keys) == 1


def test_ap19_no_answer_in_time_is_a_lost_one(rig: Rig, people: tuple[Person, Person]) -> None:
    rig.api.fails(Fault("/games", "unanswered"))
    [room] = rig.calls(people[0].token, ["open_room", [], {"game": "threes", "seats": 2}], timeout=5)
    assert room["id"] == people[0].get("games?mine=true").body["results"][0]["id"]
    assert rig.requests("/games") == [("POST", 201)] * 2


def test_ap19_an_answer_that_goes_on_coming_is_not_lost(rig: Rig, people: tuple[Person, Person]) -> None:
    room = room_of(*people)
    length = len(json.dumps(people[0].sees(room)))
    rig.api.fails(Fault("/games/", "slow", after=length // 7))
    [game] = rig.calls(people[0].token, ["get_game", [room["id"]]], timeout=5)
    assert game["id"] == room["id"]
    assert rig.requests("/games/") == [("GET", 200)]


def test_ap19_a_post_without_a_key_is_not_sent_again(rig: Rig, people: tuple[Person, Person]) -> None:
    room = room_of(*people)
    rig.api.fails(Fault("/start", "lost"))
    assert rig.calls(people[0].token, ["start_game", [room["id"]]]) == ["lost"]
    assert rig.requests("/start") == [("POST", 200)]


def test_ap19_busy_and_limited_are_waited_for_as_the_server_says(rig: Rig, people: tuple[Person, Person]) -> None:
    room = room_of(*people)
    rig.api.answers("/start", "503 Busy", Retry_After="0")
    rig.api.answers("/start", "429 Too Many", Retry_After="1")
    begun = time.monotonic()
    [game] = rig.calls(people[0].token, ["start_game", [room["id"]]])
    assert game["status"] == "setup"
    assert time.monotonic() - begun >= 1
    assert rig.requests("/start") == [("POST", 0), ("POST", 0), ("POST", 200)]


@pytest.mark.parametrize("is_date", [False, True])
def test_ap19_a_fraction_and_a_date_are_waited_for_too(rig: Rig, people: tuple[Person, Person], is_date: bool) -> None:
    """By the clock of the server, whatever that of the client says."""
    headers = {"Retry_After": "0.9"}
    if is_date:
        headers = {"Retry_After": "Wed, 21 Oct 2015 07:28:01 GMT", "Date": "Wed, 21 Oct 2015 07:28:00 GMT"}
    rig.api.answers("/me", "429 Too Many", **headers)
    begun = time.monotonic()
    [me] = rig.calls(people[0].token, ["my_profile"])
    assert me["username"] == "alice"
    assert time.monotonic() - begun >= 0.9


def test_ap19_what_cannot_heal_is_said_at_once(rig: Rig, people: tuple[Person, Person], tmp_path: Path) -> None:
    """A wrong certificate: else it would be tried for longer than the test waits."""
    make_certificate("other.example", tmp_path / "authority.pem", tmp_path / "server.pem")
    with Receiver(certificate=tmp_path / "server.pem") as receiver:
        given = {"token": people[0].token, "url": f"https://127.0.0.1:{receiver.port}", "spans": {"patience": 3600}}
        assert rig.begins("calls", calls=[["my_profile", [], {}]], **given).all() == ["lost"]
        assert rig.begins("follows", stream="news", places=[], **given).all() == ["lost"]


def test_ap19_an_address_or_a_token_that_is_none_is_refused_at_the_start(rig: Rig) -> None:
    good = "http://trey.example"
    wrong = [("127.0.0.1:8000", None), ("localhost", None), ("ftp://x", None), ("http://u:pa55@x", None)]
    wrong += [(good, token) for token in ("tok\nen", "to ken", "", "tokén")]
    said = rig.begins("makes", clients=[(good, " token\n"), *wrong]).all()
    assert said[0] == "token"
    assert all("refused" in one for one in said[1:])
    assert not any(secret in str(one) for one in said[1:] for secret in ("pa55", "tok\\nen", "to ken", "tokén"))


def test_ap19_a_key_and_a_name_of_ones_own(rig: Rig, people: tuple[Person, Person]) -> None:
    game, who = running_game(people)
    move = legal(who, game)
    once, again = rig.calls(who.token, *[["play_move", [game["id"], move], {"key": "mine-1"}]] * 2)
    assert once == again, "a program that was started anew plays it once"
    sent = [head.lower() for head in rig.api.heads]
    assert all("idempotency-key: mine-1" in head and "user-agent: trey-client/" in head for head in sent)


def test_no1_a_note_is_kept_from_the_text_of_another_device(rig: Rig, people: tuple[Person, Person]) -> None:
    game, who = running_game(people)

    def heard(method: str, **keys: Any) -> Any:
        return rig.begins("headers", who.token, method=method, places=[game["id"]], keys=keys).all()[0]

    _, before = heard("get_note")
    rig.calls(who.token, ["write_note", [game["id"]], {"text": "from the phone"}])
    [no] = rig.calls(who.token, ["write_note", [game["id"]], {"text": "from the laptop", "expect": before}])
    assert (no["status"], no["code"]) == (412, "stale_version")
    now, tag = heard("get_note")
    assert now["text"] == "from the phone"
    [written] = rig.calls(who.token, ["write_note", [game["id"]], {"text": "both", "expect": tag}])
    assert written["text"] == heard("get_note")[0]["text"] == "both"


def test_ap19_what_takes_longer_than_patience_is_an_error_at_once(rig: Rig, people: tuple[Person, Person]) -> None:
    said = json.dumps({"code": "too_many_requests", "detail": "Later.", "status": 429}).encode()
    rig.api.answers("/me", "429 Too Many", said, Retry_After="121", X_Request_ID="r-1")
    [no] = rig.calls(people[0].token, ["my_profile"])
    assert (no["status"], no["code"], no["detail"]) == (429, "too_many_requests", "Later.")
    assert (no["retry_after"], no["request_id"]) == (121, "r-1")
    assert len(rig.requests("/me")) == 1


def test_ap19_nobody_there_is_tried_until_patience_ends(rig: Rig, people: tuple[Person, Person]) -> None:
    rig.api.fails(*[Fault("/me", "refused")] * 100)
    assert rig.calls(people[0].token, ["my_profile"], patience=3) == ["lost"]
    assert 3 <= len(rig.requests("/me")) <= 12


def test_ap19_what_has_not_changed_is_not_sent_again(rig: Rig, people: tuple[Person, Person]) -> None:
    room = room_of(*people)
    once, again = rig.calls(people[0].token, *[["get_game", [room["id"]]]] * 2)
    assert once == again
    assert once["id"] == room["id"]
    assert rig.requests("/games/") == [("GET", 200), ("GET", 304)]


def test_hg17_a_whole_house_game_is_played(rig: Rig, people: tuple[Person, Person]) -> None:
    """By the first move of each list, from the deal to the end; what it was played by is in its record."""
    rules = {**SHORT, "title": "Eights <b>& a hand</b>"}
    alice, bob = people
    [room] = rig.calls(alice.token, ["open_room", [], {"game": "house", "options": {"rules": rules}, "seats": 2}])
    assert room["title"] == rules["title"] and room["options"]["rules"]["powers"] == rules["powers"]
    rig.calls(bob.token, ["join_game", [room["id"]]])
    [game] = rig.calls(alice.token, ["start_game", [room["id"]]])
    tokens, made = {seat: who.token for seat, who in enumerate((alice, bob))}, 0
    while game["status"] != "finished":
        seat = game["to_act"][0]
        [legal] = rig.calls(tokens[seat], ["legal_moves", [game["id"]]])
        [played] = rig.calls(tokens[seat], ["play_move", [game["id"], legal["moves"][0]["send"]]])
        game, made = played["game"], made + 1
    record, events = rig.calls(alice.token, ["get_record", [game["id"]]], ["list_events", [game["id"]]])
    assert record["options"] == room["options"] and len(record["moves"]) == made
    again = replay(record, PLAYED)
    assert again.error is None and again.game.view(again.state, None)["result"] == game["view"]["result"]
    assert [one["seat"] for one in events["results"] if "move" in one["data"]] == [
        one["seat"] for one in record["moves"]
    ]


def test_ap19_a_move_for_another_version_is_refused(rig: Rig, people: tuple[Person, Person]) -> None:
    game, who = running_game(people)
    move = legal(who, game)
    stale, played = rig.calls(
        who.token,
        ["play_move", [game["id"], move], {"expect": game["version"] - 1}],
        ["play_move", [game["id"], move], {"expect": game["version"]}],
    )
    assert (stale["status"], stale["code"]) == (412, "stale_version")
    assert played["version"] > game["version"]


def test_ap19_a_problem_says_all_that_the_server_said(rig: Rig, people: tuple[Person, Person]) -> None:
    readers = Person("alice", people[0].post("auth/login", login("alice", scopes=["read"])).body["token"])
    wrong, lacking = (
        rig.calls(people[0].token, ["open_room", [], {"game": "whist", "seats": 2}]),
        rig.calls(readers.token, ["open_room", [], {"game": "threes", "seats": 2}]),
    )
    assert wrong[0]["code"] == "invalid"
    assert "game" in str(wrong[0]["errors"])
    assert (lacking[0]["status"], lacking[0]["code"], lacking[0]["scope"]) == (403, "insufficient_scope", "play")
    assert lacking[0]["request_id"]


def test_ap19_a_redirect_is_an_error_and_no_answer(rig: Rig, people: tuple[Person, Person]) -> None:
    for _ in range(2):
        rig.api.answers("/games", "301 Moved Permanently", b"", Location=f"{rig.api.url}/api/v1/games")
    found = rig.calls(people[0].token, ["list_games"], ["open_room", [], {"game": "threes", "seats": 2}])
    assert [no["status"] for no in found] == [301, 301]
    assert rig.requests("/games") == [("GET", 0), ("POST", 0)]
    rig.streams.answers("/live", "302 Found", b"", Location=f"{rig.streams.url}/elsewhere")
    [no] = rig.begins("follows", people[0].token, stream="news", places=[]).all()
    assert no["status"] == 302


def test_ap18_unknown_keys_and_values_pass(rig: Rig, people: tuple[Person, Person]) -> None:
    new = {"id": "1", "status": "haunted", "ghosts": [{"boo": True}]}
    rig.api.answers("/games/", "200 OK", json.dumps(new).encode())
    assert rig.calls(people[0].token, ["get_game", ["1"]]) == [new]


def test_ap18_no_results_yet_are_an_empty_text(rig: Rig, people: tuple[Person, Person]) -> None:
    assert rig.calls(people[0].token, ["export_my_results"]) == [""]


def test_ap18_what_stands_in_a_path_is_quoted(rig: Rig, people: tuple[Person, Person]) -> None:
    [no] = rig.calls(people[0].token, ["player", ["a/b?c é"]])
    assert no["status"] == 404
    assert [path for _, path, _ in rig.api.seen] == ["/api/v1/players/a%2Fb%3Fc%20%C3%A9"]


def test_ap18_the_items_of_all_pages(rig: Rig, people: tuple[Person, Person]) -> None:
    alice, _ = people
    rooms = [alice.opens()["id"] for _ in range(5)]
    keys = {"limit": 2, "status": "open"}
    listed = rig.begins("lists", alice.token, method="list_games", places=[], keys=keys).all()
    assert sorted(room["id"] for room in listed) == sorted(rooms)
    assert len(rig.requests("/games")) == 3
    assert all("status=open" in path for _, path, _ in rig.api.seen)


def test_ap18_a_page_is_asked_for_as_the_one_before_says(rig: Rig, people: tuple[Person, Person]) -> None:
    first = {"results": [1], "next": f"{rig.api.url}/api/v1/leaderboards/threes?cursor=x&limit=1"}
    for page in (first, {"results": [2], "next": None}):
        rig.api.answers("/leaderboards/", "200 OK", json.dumps(page).encode())
    asked = {"method": "leaderboard", "places": ["threes"], "keys": {"around": "me", "limit": 1}}
    assert rig.begins("lists", people[0].token, **asked).all() == [1, 2]
    assert [path.partition("?")[2] for _, path, _ in rig.api.seen] == ["around=me&limit=1", "cursor=x&limit=1"]


def test_ap18_a_plan_is_one_value(rig: Rig, people: tuple[Person, Person]) -> None:
    game, _ = running_game(people)
    plan = {"lines": [{"when": {}, "move": {"move": "play", "choose": "lowest"}}], "turns": 2}
    [kept] = rig.calls(people[0].token, ["keep_plan", [game["id"], plan]])
    assert kept.get("turns", kept) == 2


def test_ap20_logging_in_keeps_the_token(rig: Rig, people: tuple[Person, Person]) -> None:
    pair = login("alice")
    made, me = rig.calls(None, ["log_in", [pair["username"], pair["password"]]], ["my_profile"])
    assert made["scopes"] == ["read", "play", "organise", "notify", "account"]
    assert me["username"] == "alice"


def login(name: str, **more: Any) -> dict[str, Any]:
    return {"username": name, "password": PASSWORD, **more}


# Streams


def test_ap19_a_stream_cut_anywhere_gives_each_event_once_and_in_order(rig: Rig, people: tuple[Person, Person]) -> None:
    game, who = running_game(people)
    who.post(f"games/{game['id']}/moves", {"move": "resign"})
    events = people[0].get(f"games/{game['id']}/events?after={game['version']}").body["results"]
    rig.streams.fails(*[Fault("/live", "cut", after=count) for count in range(0, 700, 23)])
    heard = rig.begins(
        "follows", people[0].token, stream="watch", places=[game["id"], game["version"]], spans={"pause": 0.001}
    ).all()
    assert heard[-1] == "over"
    moved = [event for event in heard[:-1] if event["event"] == "moved"]
    assert [event["id"] for event in moved] == [event["version"] for event in events]
    assert [event["data"]["type"] for event in moved] == [event["type"] for event in events]


def test_ap19_a_silent_stream_is_opened_again_after_what_came(rig: Rig, people: tuple[Person, Person]) -> None:
    game, who = running_game(people)
    rig.streams.fails(Fault("/live", "silent", after=20))
    spans = {"pause": 0.05, "silence": 4}
    client = rig.begins(
        "follows", people[0].token, stream="watch", places=[game["id"], game["version"] - 1], spans=spans
    )
    first = client.next()
    assert (first["event"], first["id"]) == ("moved", game["version"])
    who.post(f"games/{game['id']}/moves", {"move": "resign"})
    assert client.all()[-1] == "over"
    assert len(rig.streams.seen) >= 2


def test_ap19_streams_and_calls_outlive_a_restart(rig: Rig, people: tuple[Person, Person]) -> None:
    game, who = running_game(people)
    client = rig.begins("follows", people[0].token, stream="watch", places=[game["id"], game["version"] - 1])
    assert client.next()["id"] == game["version"]
    rig.api.fails(*[Fault("/games/", "refused")] * 3)
    rig.streams.fails(*[Fault("/live", "refused")] * 3)
    rig.live.cut()
    who.post(f"games/{game['id']}/moves", {"move": "resign"})
    heard = [event for event in client.all() if event != "over"]
    moved = [event["id"] for event in heard if event["event"] == "moved"]
    assert moved == list(range(game["version"] + 1, who.sees(game)["version"] + 1))
    assert rig.requests("/games/").count(("GET", 0)) == 3


def test_ap19_a_line_separator_within_a_message_ends_no_line(rig: Rig, people: tuple[Person, Person]) -> None:
    alice, bob = people
    room = alice.opens(talk="all")
    bob.post(f"games/{room['id']}/join", {})
    client = rig.begins("follows", alice.token, stream="watch", places=[room["id"], 1])
    while client.next()["event"] != "talk":
        pass
    text = "one\u2028two\u2029three\u0085four"
    assert bob.post(f"games/{room['id']}/talk", {"text": text}).status == 201
    said = bob.get(f"games/{room['id']}/talk").body["results"][0]["text"]
    while (event := client.next())["event"] != "talk" or event["data"].get("text") is None:
        pass
    assert event["data"]["text"] == said


def test_ap19_a_stream_that_is_not_yours_to_watch_is_an_error(rig: Rig, people: tuple[Person, Person]) -> None:
    alice, bob = people
    room = alice.opens(visibility="private")
    for token, status in ((bob.token, 404), ("nonsense", 401)):
        [no] = rig.begins("follows", token, stream="watch", places=[room["id"]]).all()
        assert no["status"] == status
    begun = rig.begins(
        "follows", bob.token, stream="watch", places=[room["id"], 0], keys={"invitation": room["invitation"]}, count=1
    )
    assert begun.next()["id"] == 1


def test_ap19_a_game_that_is_over_is_watched_to_its_end_only(rig: Rig, people: tuple[Person, Person]) -> None:
    game, who = running_game(people)
    who.post(f"games/{game['id']}/moves", {"move": "resign"})
    last = who.sees(game)["version"]
    assert rig.begins("follows", who.token, stream="watch", places=[game["id"]]).all() == ["over"]
    heard = rig.begins("follows", who.token, stream="watch", places=[game["id"], last - 1]).all()
    assert [event["id"] for event in heard[:-1] if event["event"] == "moved"] == [last]


def test_ap19_news_come_after_what_is_listed(rig: Rig, people: tuple[Person, Person]) -> None:
    alice, bob = people
    room = alice.opens()
    client = rig.begins("follows", bob.token, stream="news", places=[])
    until(lambda: rig.streams.seen, 240)
    alice.post(f"games/{room['id']}/invite", {"username": "bob"})
    while (heard := client.next())["event"] != "notification":
        pass
    assert (heard["id"], heard["data"]["kind"]) == (1, "invited")


def test_ap19_results_come_as_they_are_listed(rig: Rig, people: tuple[Person, Person]) -> None:
    from tournaments.services import number_results

    game, who = running_game(people)
    who.post(f"games/{game['id']}/moves", {"move": "resign"})
    number_results.catch_up()
    [event] = rig.begins("follows", who.token, stream="results_live", places=[0], count=1).all()
    assert event == {"event": "result", "id": 1, "data": who.get("results").body["results"][0]}


def test_ap19_a_stream_is_the_same_wherever_it_is_cut_into_parts(rig: Rig) -> None:
    """Lines end at LF, CR and CRLF; what has no blank line behind it is no event."""
    for end in ("\n", "\r", "\r\n"):
        lines = [
            "retry: 2000",
            "",
            ":",
            "",
            "event: moved",
            "id: 18",
            'data: {"a":',
            "data:1}",
            "",
            'data: "\u2028é"',
            "",
        ]
        heard, *lacking = rig.begins("parts", text=end.join([*lines, "id: 19", "data: 2", ""])).all()
        assert heard == [
            {"event": "moved", "id": 18, "data": {"a": 1}},
            {"event": "message", "id": None, "data": "\u2028é"},
        ]
        assert lacking == []


# Turns


def test_ap20_a_turn_comes_when_it_begins_and_at_the_start(rig: Rig, people: tuple[Person, Person]) -> None:
    game, who = running_game(people)
    other = people[1 - people.index(who)]
    at_start = rig.begins("follows", who.token, stream="my_turns", places=[])
    assert at_start.next()["id"] == game["id"]
    waiting = rig.begins("follows", other.token, stream="my_turns", places=[])
    rooms = [game_in(room_of(*people), people[0]) for _ in range(2)]  # setup: everybody's turn
    assert {waiting.next()["id"], waiting.next()["id"]} == {room["id"] for room in rooms}
    now = who.sees(game)
    while now["your_seat"] in now["to_act"] and now["status"] == "playing":
        now = who.post(f"games/{game['id']}/moves", legal(who, game)).body["game"]
    begun = waiting.next()
    assert (begun["id"], begun["version"]) == (game["id"], now["version"])


def test_ap20_turns_are_listed_where_there_is_no_stream(rig: Rig, people: tuple[Person, Person]) -> None:
    game, who = running_game(people)
    rig.streams.fails(*[Fault("/live", "refused")] * 50)
    client = rig.begins("follows", who.token, stream="my_turns", places=[])
    assert client.next()["id"] == game["id"]


def test_ap20_turns_outlive_a_server_that_is_away_for_longer_than_patience(
    rig: Rig, people: tuple[Person, Person]
) -> None:
    game, who = running_game(people)
    rig.api.fails(*[Fault("/me", "refused")] * 12)
    spans = {"pause": 0.05, "patience": 0.1}
    assert rig.begins("follows", who.token, stream="my_turns", places=[], spans=spans).next()["id"] == game["id"]
    [no] = rig.begins("follows", "nonsense", stream="my_turns", places=[]).all()
    assert (no["status"], no["code"]) == (401, "invalid_token")


def test_ap20_a_turn_is_waited_for(rig: Rig, people: tuple[Person, Person]) -> None:
    game, who = running_game(people)
    other = people[1 - people.index(who)]
    client = rig.begins("calls", other.token, calls=[["wait_for_turn", [game["id"]], {}]] * 2)
    now = who.sees(game)
    while now["your_seat"] in now["to_act"] and now["status"] == "playing":
        now = who.post(f"games/{game['id']}/moves", legal(who, game)).body["game"]
    assert client.next()["version"] == now["version"]
    assert client.next()["version"] == now["version"], "it is still that turn"


def test_ap20_a_turn_is_waited_for_from_the_lobby_where_seats_move_up(
    rig: Rig, people: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = people
    game = alice.opens(game="three_thirteen")["id"]
    bob.post(f"games/{game}/join")
    client = rig.begins("calls", bob.token, calls=[["wait_for_turn", [game], {}]])
    until(lambda: rig.streams.seen, 240)
    alice.post(f"games/{game}/leave")
    person("carol").post(f"games/{game}/join")
    monkeypatch.setattr("games.rules.fairness.Chance.dealer", lambda *_: 1)
    now = bob.post(f"games/{game}/start").body
    assert (now["your_seat"], now["to_act"]) == (0, [0])
    assert client.next()["your_seat"] == 0


# Webhooks and logging in


def signed(secret: bytes, body: str, at: float, number: str = "msg_1") -> dict[str, str]:
    mac = hmac.digest(secret, f"{number}.{int(at)}.{body}".encode(), "sha256")
    signature = f"v1a,none v1,{base64.b64encode(mac).decode()}"
    return {"Webhook-Id": number, "webhook-timestamp": str(int(at)), "webhook-signature": signature}


def test_ap20_a_webhook_is_verified(rig: Rig) -> None:
    secret, other = b"s" * 24, b"o" * 24
    named = [f"whsec_{base64.b64encode(each).decode()}" for each in (secret, other)]
    body, now = '{"type": "game.turn", "data": {"text": "é"}}', time.time()
    good = signed(secret, body, now)
    posts = [
        (named[0], good, body, True),
        ([named[1], named[0]], good, body, True),
        (named[1], good, body, False),
        (named[0], good, body.replace("turn", "tern"), False),
        (named[0], {**good, "webhook-timestamp": str(int(now) + 1)}, body, False),
        (named[0], signed(secret, body, now - 301), body, False),
        (named[0], signed(secret, body, now + 360), body, False),
        (named[0], {}, body, False),
    ]
    said = rig.begins("webhooks", posts=[post[:3] for post in posts]).all()
    assert ["refused" not in one for one in said] == [accepted for *_, accepted in posts]
    assert said[:2] == [json.loads(body)] * 2


def test_ap20_a_program_logs_in_by_device(rig: Rig, people: tuple[Person, Person]) -> None:
    browser = browser_of("alice")
    client = rig.begins("device", client_id="https://owl.example/bot", scopes=["read", "play"])
    device = client.next()
    page = browser.get("/oauth/device", {"code": device["user_code"]})
    assert (
        "The program is logged in" in pressed(browser, page, action="allow", scopes=["read", "play"]).content.decode()
    )
    token, me = client.next(), client.next()
    assert token["scope"] == "read play"
    assert me["username"] == "alice"


def test_ap20_a_program_that_is_refused_is_told(rig: Rig, people: tuple[Person, Person]) -> None:
    browser = browser_of("alice")
    client = rig.begins("device", client_id="https://owl.example/bot", scopes=["read"])
    page = browser.get("/oauth/device", {"code": client.next()["user_code"]})
    pressed(browser, page, action="refuse")
    [no] = client.all()
    assert (no["status"], no["code"]) == (400, "access_denied")


def test_ap20_a_page_asks_with_a_challenge_and_exchanges_the_code(rig: Rig, people: tuple[Person, Person]) -> None:
    app, browser = "https://owl.example/in", browser_of("alice")
    client = rig.begins("page", client_id=app, redirect_uri=app, scopes=["read"])
    asked = client.next()
    page = browser.get(asked["url"].removeprefix(rig.api.url))
    answer = back(pressed(browser, page, action="allow", scopes=["read"]))
    assert answer["state"] == asked["state"]
    client.tell(answer["code"])
    token, me = client.all()
    assert (token["scope"], me["username"]) == ("read", "alice")


def browser_of(name: str) -> Client:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(Player.objects.get(username=name))
    return browser
