"""PLAY BT5 over HTTP: a season of those who played a game, and its rooms."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from core import clock as service_clock
from core.accounts.models import Player
from games.notifications.following import tell_players
from tests.games.api.client import Person
from tournaments.notifications.following import tell_entrants

pytestmark = pytest.mark.django_db

UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def game(cast: dict[str, Person]) -> dict[str, Any]:
    """A game of Ada's with Bob and Cleo that Ada has lost; Dan has blocked nobody yet."""
    asked = {"options": {"decks": 2}, "clock": {"per_turn": 3600}, "visibility": "private", "seats": 3}
    room = cast["ada"].opens(**asked, start="full")
    for name in ("bob", "cleo"):
        joined = cast[name].post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
        assert joined.status == 200, joined.body
    for name in ("ada", "bob"):
        assert cast[name].post(f"games/{room['id']}/moves", {"move": "resign"}).status == 201
    return room


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def season(who: Person, game: dict[str, Any], **asked: Any) -> dict[str, Any]:
    answer = who.post("tournaments", {"from_game": game["id"], **asked})
    assert answer.status == 201, answer.body
    return dict(answer.body)


def test_bt5_it_is_private_open_for_a_year_and_of_the_games_rules(
    cast: dict[str, Person], game: dict[str, Any]
) -> None:
    made = season(cast["ada"], game)
    assert (made["kind"], made["status"], made["visibility"], made["guests"]) == ("season", "running", "private", True)
    assert (made["game"], made["ruleset"], made["options"]["decks"]) == ("threes", "2023", 2)
    assert made["clock"]["per_turn"] == 3600
    assert made["title"].startswith("Threes 20")
    assert moment(made["closes_at"]) - moment(made["set_up_at"]) == timedelta(days=365)


def test_bt5_its_people_are_invited_and_whoever_sets_it_up_is_in(cast: dict[str, Person], game: dict[str, Any]) -> None:
    made = season(cast["ada"], game)
    entries = cast["ada"].get(f"tournaments/{made['id']}/entries").body["results"]
    assert {one["player"]["username"]: one["status"] for one in entries} == {
        "ada": "in", "bob": "invited", "cleo": "invited",
    }  # fmt: skip
    assert cast["bob"].post(f"tournaments/{made['id']}/entries/e2/accept", {"accept": True}).status == 200


def test_bt5_who_has_blocked_whoever_asks_is_not_asked(cast: dict[str, Person], game: dict[str, Any]) -> None:
    assert cast["cleo"].call("PUT", "me/blocked/ada").status == 204
    made = season(cast["ada"], game)
    entries = cast["ada"].get(f"tournaments/{made['id']}/entries").body["results"]
    assert [one["player"]["username"] for one in entries] == ["ada", "bob"]


def test_bt5_other_keys_come_first(cast: dict[str, Person], game: dict[str, Any]) -> None:
    made = season(cast["ada"], game, title="Our year", visibility="public", options={"decks": 1}, guests=False)
    assert (made["title"], made["visibility"], made["guests"]) == ("Our year", "public", False)
    assert made["options"]["decks"] == 1


def invitation(who: Person, room: dict[str, Any]) -> dict[str, Any]:
    """What somebody was told of a room: their only invitation to it."""
    told = who.get("me/notifications").body["results"]
    [found] = [one for one in told if one["kind"] == "invited" and room["id"] in one["cause"]]
    return dict(found)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"from_game": UNKNOWN}, 404),
        ({"from_game": "threes"}, 400),
        ({"kind": "rounds"}, 400),
        ({"after": UNKNOWN}, 400),
    ],
)
def test_bt5_what_is_no_game_to_go_on_from_is_refused(
    cast: dict[str, Person], game: dict[str, Any], body: dict[str, Any], status: int
) -> None:
    answer = cast["ada"].post("tournaments", {"from_game": game["id"], **body})
    assert answer.status == status, answer.body
    assert cast["ada"].get("tournaments?mine=true").body["results"] == []


def test_bt5_only_who_sat_there_and_only_after_its_end(cast: dict[str, Person], game: dict[str, Any]) -> None:
    assert cast["dan"].post("tournaments", {"from_game": game["id"]}).status == 404
    running = cast["ada"].opens(seats=2, start="full")
    assert cast["dan"].post("tournaments", {"from_game": running["id"]}).status == 404
    assert cast["dan"].post(f"games/{running['id']}/join").status == 200
    assert cast["ada"].post("tournaments", {"from_game": running["id"]}).code == "not_finished"


def test_bt5_a_guest_keeps_the_account_first(cast: dict[str, Person], game: dict[str, Any]) -> None:
    Player.objects.filter(username="bob").update(guest_seen_at="2026-01-02T00:00:00Z", password="!")
    assert cast["bob"].post("tournaments", {"from_game": game["id"]}).code == "guest_account"


@pytest.mark.sampled
def test_bt5_a_room_of_a_private_season_invites_its_entrants_and_starts_when_it_is_full(
    cast: dict[str, Person], game: dict[str, Any]
) -> None:
    made = season(cast["ada"], game)
    for name, entrant in (("bob", "e2"), ("cleo", "e3")):
        assert cast[name].post(f"tournaments/{made['id']}/entries/{entrant}/accept", {"accept": True}).status == 200
    room = cast["ada"].post(f"tournaments/{made['id']}/games", {"seats": 2}).body
    for name in ("bob", "cleo"):
        told = invitation(cast[name], room)
        assert (told["link"], told["read"]) == (f"/join/{room['invitation']}", False)
    browser = Client()
    browser.force_login(Player.objects.get(username="ada"))
    assert "bob and cleo have been told." in browser.get(f"/rooms/{room['id']}").content.decode()
    assert cast["bob"].post(f"games/{room['id']}/join", {"invitation": room["invitation"]}).status == 200
    assert cast["ada"].sees(room)["status"] == "setup"
    tell_players.catch_up()
    assert invitation(cast["cleo"], room)["read"], "nobody sits down any more"


def test_bt5_its_pages_say_who_is_asked_and_how_others_come(cast: dict[str, Person], game: dict[str, Any]) -> None:
    made = season(cast["ada"], game)
    browser = Client()
    browser.force_login(Player.objects.get(username="ada"))
    page = browser.get(made["share_url"]).content.decode()
    assert "Invited, no answer yet: bob, cleo." in page
    room = cast["ada"].post(f"tournaments/{made['id']}/games", {"seats": 2}).body
    page = browser.get(f"/rooms/{room['id']}").content.decode()
    assert "told" not in page and made["title"] in page, "nobody but the opener is in"
    assert "Send out" not in page and 'name="level"' not in page, "nobody else is let in or sent out"


def test_bt5_who_did_not_play_that_game_is_asked_to_play_not_to_play_on(
    cast: dict[str, Person], game: dict[str, Any], clock: service_clock.FrozenClock
) -> None:
    made = season(cast["ada"], game)
    clock.advance(hours=1)
    assert cast["ada"].post(f"tournaments/{made['id']}/entries", {"player": "dan"}).status == 201
    tell_entrants.catch_up()
    [told] = [one for one in cast["dan"].get("me/notifications").body["results"] if made["id"] in one["cause"]]
    asks = f"ada invites you, bob and cleo to play in {made['title']}: Threes, for a year, whenever you like,"
    assert told["text"].startswith(asks)


def test_bt5_it_keeps_the_size_and_says_who_asks_whom_to_what(cast: dict[str, Person], game: dict[str, Any]) -> None:
    made = season(cast["ada"], game)
    assert made["settings"]["tables"]["size"] == 3
    tell_entrants.catch_up()
    [told] = [one for one in cast["bob"].get("me/notifications").body["results"] if made["id"] in one["cause"]]
    said = "ada invites you and cleo to play on: Threes, for a year, whenever you like, with standings."
    assert told["text"] == said
    browser = Client()
    browser.force_login(Player.objects.get(username="bob"))
    assert said in browser.get("/").content.decode()
    assert said in browser.get(made["share_url"]).content.decode()
    browser.force_login(Player.objects.get(username="ada"))
    page = browser.get(made["share_url"]).content.decode()
    assert "Everyone starts with six average games, so one lucky evening is not enough to lead." in page
    assert f"/join/{made['invitation']}" in page, "a season of one says how others come"
    assert "Nobody else is in yet." in page
    opened = browser.post(f"/t/{made['slug']}/open-game", {"seats": 2})
    room = opened.headers["Location"]
    assert room.startswith("/rooms/")
    page = browser.get(room).content.decode()
    assert f"/join/{made['invitation']}" in page and "Leave the table" in page
    assert cast["bob"].post(f"tournaments/{made['id']}/entries/e2/accept", {"accept": True}).status == 200
    assert "Nobody else is in yet." not in browser.get(made["share_url"]).content.decode()


def test_bt5_one_tap_accepts_and_sits_down_where_a_room_waits(cast: dict[str, Person], game: dict[str, Any]) -> None:
    made = season(cast["ada"], game)
    page = made["share_url"].partition("/t/")[1] + made["slug"]
    browsers = {}
    for name in ("ada", "bob", "cleo"):
        browsers[name] = Client()
        browsers[name].force_login(Player.objects.get(username=name))
    sits = "Accept and sit down"
    assert sits not in browsers["bob"].get(page).content.decode(), "no room waits yet"
    room = browsers["ada"].post(f"{page}/open-game", {"seats": 3}).headers["Location"]
    waits = {"room": room.removeprefix("/rooms/")}
    assert sits not in browsers["ada"].get(page).content.decode(), "ada sits there"
    for name in ("bob", "bob", "cleo"):
        # The second tap of the same form changes nothing.
        assert sits in browsers["cleo"].get(page).content.decode()
        assert browsers[name].post(f"{page}/sit-down", waits).headers["Location"] == room
    assert cast["ada"].sees({"id": waits["room"]})["status"] == "setup"
    assert browsers["bob"].post(f"{page}/sit-down", {"room": "x"}).status_code == 404
