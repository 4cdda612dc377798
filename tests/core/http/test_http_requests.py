"""What a request may look like: whatever is wrong with it gets a 4xx that says so, and changes nothing."""

import base64
import json
import re
from io import BytesIO
from typing import Any
from urllib.parse import quote

import pytest
from django.db import OperationalError

from core import log
from core.accounts.login import tokens
from core.accounts.models import Player
from games import selectors
from tests.games.api.client import PASSWORD, Answer, Person, answer_of
from tests.games.api.conftest import game_in, room_of

HUGE = b'{"game": "' + b"x" * 70_000 + b'"}'

BODIES = {
    "no JSON": b"{",
    "empty": b"",
    "two values": b"{} {}",
    "a trailing comma": b'{"seats": 2,}',
    "single quotes": b"{'seats': 2}",
    "NaN": b'{"seats": NaN}',
    "Infinity": b'{"seats": -Infinity}',
    "a number beyond floats": b'{"seats": 1e999}',
    "a number of a thousand digits": b'{"seats": ' + b"9" * 1000 + b"}",
    "a number of ten thousand digits": b'{"seats": ' + b"9" * 10_000 + b"}",
    "a key twice": b'{"game": "threes", "game": "castle", "seats": 2}',
    "a hundred levels": b'{"options": ' + b"[" * 100 + b"]" * 100 + b"}",
    "thirty thousand levels": b"[" * 30_000,
    "thirty thousand levels, closed": b"[" * 30_000 + b"]" * 30_000,
    "broken UTF-8": b'{"game": "\xff"}',
    "UTF-16": '{"game": "threes"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "NUL in a text": b'{"game": "thr\\u0000ees", "seats": 2}',
    "NUL in a key": b'{"ga\\u0000me": "threes", "seats": 2}',
    "half a surrogate pair": b'{"game": "\\ud800", "seats": 2}',
    "NUL as it is": b'{"game": "\x00"}',
    "a list": b"[]",
    "a text": b'"threes"',
    "null": b"null",
    "a number": b"1",
}


@pytest.mark.parametrize("raw", BODIES.values(), ids=BODIES.keys())
def test_a_body_that_cannot_be_read_is_400(alice: Person, raw: bytes) -> None:
    answer = alice.call("POST", "games", raw=raw)
    assert answer.status == 400
    assert answer.code in ("malformed", "invalid")
    assert set(answer.body) >= {"type", "title", "status", "code", "detail"}
    assert alice.get("games").body["results"] == []


@pytest.mark.parametrize("raw", BODIES.values(), ids=BODIES.keys())
def test_a_move_that_cannot_be_read_leaves_the_log_as_it_was(alice: Person, game: dict[str, Any], raw: bytes) -> None:
    answer = alice.call("POST", f"games/{game['id']}/moves", raw=raw)
    assert (answer.status, answer.code) == (400, "malformed")
    assert len(log.read(f"game-{game['id']}")) == game["version"]


@pytest.mark.parametrize(
    ("raw", "field", "why"),
    [
        (b'{"game": "threes", "seats": 99999999999999999}', "seats", "digits"),
        (b'{"game": "threes", "seats": 1e999}', "seats", "large"),
        (b'{"game": "threes", "seats": 2, "options": {"decks": -99999999999999999}}', "options.decks", "digits"),
        (b'{"game": "threes", "seats": 2, "clock": {"per_turn": 99999999999999999}}', "clock.per_turn", "digits"),
        (b'{"game": "threes", "seats": 2, "clock": {"time_zone": "U\\u0000"}}', "clock.time_zone", "NUL"),
    ],
    ids=["digits", "beyond floats", "in options", "in the clock", "NUL"],
)
def test_bad_options_clock_or_seats_name_the_field_also_where_json_is_not_read(
    alice: Person, raw: bytes, field: str, why: str
) -> None:
    """CONTRACT, REST: "Bad options, clock or seats: 400 naming the field"."""
    answer = alice.call("POST", "games", raw=raw)
    assert (answer.status, answer.code) == (400, "malformed")
    assert [error["field"] for error in answer.body["errors"]] == [field]
    assert answer.body["detail"].startswith(f"{field}: ")
    assert why in answer.body["detail"]


def test_a_huge_body_is_413_and_says_how_much_may_come(alice: Person) -> None:
    answer = alice.call("POST", "games", raw=HUGE)
    assert (answer.status, answer.code) == (413, "too_large")
    assert "65536" in answer.body["detail"]


@pytest.mark.parametrize(
    "sent", [b'{"game": "threes", "seats": 2}', b"{}", b""], ids=["whole", "empty object", "nothing"]
)
def test_a_body_shorter_than_its_content_length_is_400_even_if_it_is_json(alice: Person, sent: bytes) -> None:
    answer = cut_off(alice, "/api/v1/games", sent)
    assert (answer.status, answer.code) == (400, "malformed")
    assert "Content-Length" in answer.body["detail"]
    assert alice.get("games").body["results"] == []


def test_a_call_that_takes_no_fields_is_not_made_by_a_body_cut_off(alice: Person, room: dict[str, Any]) -> None:
    answer = cut_off(alice, f"/api/v1/games/{room['id']}/cancel", b"{}")
    assert (answer.status, answer.code) == (400, "malformed")
    assert alice.sees(room)["status"] == "open"


def cut_off(who: Person, path: str, sent: bytes) -> Answer:
    """A request of which only `sent` arrives: its Content-Length says one byte more."""
    asked = who.client._base_environ(PATH_INFO=path, REQUEST_METHOD="POST", CONTENT_TYPE="application/json")
    asked |= {"CONTENT_LENGTH": str(len(sent) + 1), "wsgi.input": BytesIO(sent)}
    asked |= {"HTTP_AUTHORIZATION": f"Bearer {who.token}", "REMOTE_ADDR": "127.0.0.1"}
    return answer_of(who.client.handler(asked))


def test_a_body_in_chunks_is_411_and_not_taken_for_an_empty_one(alice: Person, room: dict[str, Any]) -> None:
    answer = alice.call("POST", f"games/{room['id']}/cancel", Transfer_Encoding="chunked")
    assert (answer.status, answer.code) == (411, "length_required")
    assert alice.sees(room)["status"] == "open"


def test_a_body_of_another_type_is_415_and_says_which_is_taken(alice: Person) -> None:
    for content_type in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"):
        answer = alice.call("POST", "games", raw=b"game=threes", Content_Type=content_type)
        assert (answer.status, answer.code) == (415, "unsupported_media_type")
        assert "application/json" in answer.body["detail"]


def test_json_in_another_charset_is_415(alice: Person) -> None:
    answer = alice.call("POST", "games", raw=b"{}", Content_Type="application/json; charset=utf-16")
    assert (answer.status, answer.code) == (415, "unsupported_media_type")


def test_json_that_names_its_charset_is_read(alice: Person) -> None:
    raw = json.dumps({"game": "threes", "seats": 2}).encode()
    assert alice.call("POST", "games", raw=raw, Content_Type="application/json; charset=UTF-8").status == 201


def test_an_answer_is_json_whatever_the_client_would_rather_have(alice: Person) -> None:
    assert alice.get("me", Accept="text/html").headers["content-type"] == "application/json"


def test_a_wrong_method_is_405_and_says_which_are_right(alice: Person) -> None:
    answer = alice.call("DELETE", "games")
    assert (answer.status, answer.code) == (405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/nothing",
        "/api/v2/games",
        "/api/",
        "/api",
        "/api/v1/nothing/",
        "/api/v1/games/17",
        "/api/v1/games/00000000-0000-0000-0000-00000000000g",
        "/api/v1/games/%00",
        "/api/v1/games/%ff%fe",
        "/api/v1/games/00000000-0000-0000-0000-000000000000/history/-1",
        "/api/v1/games/00000000-0000-0000-0000-000000000000/history/" + "9" * 5000,
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_address_that_is_none_is_a_problem_too(alice: Person, method: str, path: str) -> None:
    answer = alice.call(method, path)
    assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.parametrize("call", ["", "/moves", "/events", "/history/1", "/record"])
def test_a_game_that_is_none_is_404(alice: Person, call: str) -> None:
    answer = alice.get(f"games/00000000-0000-0000-0000-000000000000{call}")
    assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("games?status=closed", "status"),
        ("games?status=%00", "status"),
        ("games?cursor=%00", "cursor"),
        ("games?a%00b=1", "a\0b"),
        ("games?%ff=1", "\\udcff"),
        ("games?game=poker", "game"),
        ("games?mine=perhaps", "mine"),
        ("games?limit=0", "limit"),
        ("games?limit=101", "limit"),
        ("games?limit=ten", "limit"),
        ("games?limit=" + "9" * 5000, "limit"),
        ("games?limit=%D9%A3", "limit"),
        ("games/{id}?invitation=%00", "invitation"),
        ("games/{id}?invitation=" + "x" * 65, "invitation"),
        ("games/{id}/events?after=-1", "after"),
        ("games/{id}/events?after=1.5", "after"),
        ("games/{id}/events?after=99999999999999999999", "after"),
        ("games/{id}/events?limit=0", "limit"),
        ("schema?format=xml", "format"),
    ],
)
def test_a_query_that_makes_no_sense_is_400_and_names_the_parameter(
    alice: Person, room: dict[str, Any], path: str, field: str
) -> None:
    answer = alice.get(path.format(id=room["id"]))
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer.body["errors"][0]["field"] == field


def of_drf(text: str) -> str:
    """A cursor as DRF writes one: a query string in base64."""
    return quote(base64.b64encode(text.encode()).decode())


@pytest.mark.parametrize("sent", ["", "x", ":", "%C3%A9", of_drf("p=yesterday"), "WzAsZmFsc2UsbnVsbF0:x"])
@pytest.mark.parametrize("path", ["games", "me/turns"])
def test_a_cursor_that_is_none_of_ours_is_400(alice: Person, path: str, sent: str) -> None:
    answer = alice.get(f"{path}?cursor={sent}")
    assert (answer.status, answer.code) == (400, "bad_cursor")


def test_a_cursor_of_another_list_is_none_of_this_one(alice: Person) -> None:
    for _ in range(2):
        alice.opens()
    after = alice.get("games?limit=1").body["next"].partition("cursor=")[2].partition("&")[0]
    assert alice.get(f"games?cursor={after}").status == 200
    assert alice.get(f"me/turns?cursor={after}").code == "bad_cursor"


@pytest.mark.sampled
@pytest.mark.parametrize("path", ["games", "me/turns", "me/tokens"])
def test_on_the_way_through_a_list_and_back_each_row_comes_once(
    alice: Person, bob: Person, clock: Any, path: str
) -> None:
    for count in (2, 5, 1):
        clock.advance(seconds=1)
        for _ in range(count):  # all at the same moment, as the tables of a round
            game_in(room_of(alice, bob), alice)
            tokens.issue(Player.objects.get(username="alice"))
    whole = [row["id"] for row in alice.get(path).body["results"]]
    assert len(whole) >= 8
    for limit in range(1, len(whole) + 1):
        page = alice.get(f"{path}?limit={limit}").body
        for way in ("next", "previous", "next"):
            pages = [page["results"]]
            while page[way]:
                page = alice.get(page[way]).body
                pages.append(page["results"])
            if way == "previous":
                pages.reverse()
            assert [row["id"] for rows in pages for row in rows] == whole, (limit, way)


@pytest.mark.parametrize(
    ("method", "path", "keys"),
    [
        ("GET", "games?stauts=open&page=2", ["stauts", "page"]),
        ("GET", "me/turns?status=open", ["status"]),
        ("GET", "me?verbose=1", ["verbose"]),
        ("GET", "rulesets?game=threes", ["game"]),
        ("GET", "schema?version=1", ["version"]),
        ("GET", "games/{id}?invitation=A&as=bob", ["as"]),
        ("GET", "games/{id}/events?since=3", ["since"]),
        ("POST", "games/{id}/join?invitation=A", ["invitation"]),
        ("POST", "games?dry_run=1", ["dry_run"]),
    ],
)
def test_an_unknown_query_parameter_is_400_and_named(
    alice: Person, room: dict[str, Any], method: str, path: str, keys: list[str]
) -> None:
    answer = alice.call(method, path.format(id=room["id"]), {})
    assert (answer.status, answer.code) == (400, "invalid")
    assert [error["field"] for error in answer.body["errors"]] == keys


def test_a_query_parameter_that_occurs_twice_is_400(alice: Person) -> None:
    answer = alice.get("games?status=open&status=playing")
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "status")


@pytest.mark.parametrize("header", ["v3", '"v3', "17", '"a" "b"', "", ",", '"v1",,'])
def test_an_if_match_that_cannot_be_read_is_400(alice: Person, game: dict[str, Any], header: str) -> None:
    answer = alice.post(f"games/{game['id']}/moves", {"move": "resign"}, If_Match=header)
    assert (answer.status, answer.code) == (400, "bad_etag")


@pytest.mark.parametrize("key", ["", " ", "x" * 256, "a\tb", "é"])
def test_an_idempotency_key_that_is_none_is_400(alice: Person, game: dict[str, Any], key: str) -> None:
    answer = alice.post(f"games/{game['id']}/moves", {"move": "resign"}, Idempotency_Key=key)
    assert (answer.status, answer.code) == (400, "bad_key")


def test_a_host_that_is_not_ours_gets_a_problem_that_says_nothing_of_us(alice: Person) -> None:
    answer = alice.get("me", Host="evil.example")
    assert (answer.status, answer.code) == (400, "bad_request")


def test_what_nobody_foresaw_is_a_500_that_tells_nothing(alice: Person, monkeypatch: Any) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("the secret is 42")

    monkeypatch.setattr(selectors, "games_for", fails)
    alice.client.raise_request_exception = False
    answer = alice.get("games")
    assert (answer.status, answer.code) == (500, "internal_error")
    assert b"42" not in answer.raw
    assert b"Runtime" not in answer.raw


def test_a_database_that_is_away_is_a_503_to_try_again(alice: Person, monkeypatch: Any) -> None:
    def fails(*_: object) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(selectors, "games_for", fails)
    answer = alice.get("games")
    assert (answer.status, answer.code) == (503, "unavailable")
    assert answer.headers["retry-after"] == "2"
    assert b"closed" not in answer.raw


def test_an_answer_says_what_is_left_of_the_callers_own_limits(alice: Person, settings: Any) -> None:
    """As docs/build/api.md shows it."""
    window = 10**8
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "calendar": (2, window), "logins": (9, window)}
    for zone, status, left in (("UTC", 200, 1), ("Europe/Paris", 200, 0), ("UTC", 429, 0)):
        answer = alice.patch("me", {"calendar": {"time_zone": zone}})
        assert answer.status == status
        found = re.fullmatch(rf'"calendar";r={left};t=(\d+)', answer.headers["ratelimit"])
        assert found and 0 < int(found[1]) <= window
        assert answer.headers["ratelimit-policy"] == f'"calendar";q=2;w={window}'
    assert answer.headers["retry-after"] == found[1]
    # What others count for as well is nobody's to read, and what counts for nothing says nothing.
    logged_in = Person().post("auth/login", {"username": alice.username, "password": PASSWORD})
    assert logged_in.status == 200
    for one in (logged_in, alice.get("me")):
        assert not {"ratelimit", "ratelimit-policy"} & one.headers.keys()
