"""LV1 to LV3 and LV5 for the stream of a game."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from core.accounts.login import tokens
from core.accounts.models import Player
from core.live.database import Database
from core.notifications.models import Notification, Seen
from games.notifications.following import tell_players
from games.projections import statement
from tests.games.api.client import Person
from tests.games.live.conftest import Server, plays


def shown(who: Person, game: dict[str, Any], after: int = 0) -> list[dict[str, Any]]:
    """The events as the API lists them."""
    return list(who.get(f"games/{game['id']}/events?after={after}").body["results"])


def events_of(stream: Any, count: int) -> list[dict[str, Any]]:
    got = [stream.next() for _ in range(count)]
    assert all(each["event"] == "moved" and int(each["id"]) == each["data"]["version"] for each in got)
    return got


def test_lv1_a_move_arrives_as_the_events_of_the_api_with_what_holds_after_it(live, alice, bob, game) -> None:
    streams = [live.opens(f"games/{game['id']}/live", who.token) for who in (alice, bob)]

    played = plays(alice, game)

    for who, stream in zip((alice, bob), streams, strict=True):
        assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream")
        [event] = events_of(stream, 1)
        now = who.sees(game)
        held = {"to_act": now["to_act"], "deadlines": now["deadlines"]}
        assert event["data"] == {**shown(who, game, after=played["version"] - 1)[0], **held}


def test_lv1_events_of_one_append_come_together_with_what_holds_after_the_last(live, alice, bob, game) -> None:
    stream = live.opens(f"games/{game['id']}/live?after=0", bob.token)
    past = events_of(stream, game["version"])
    assert [event["data"]["version"] for event in past] == list(range(1, game["version"] + 1))

    plays(alice, game)
    bob.post(f"games/{game['id']}/moves", {"move": "resign"})

    now = alice.sees(game)
    assert now["status"] == "finished"
    events = events_of(stream, now["version"] - game["version"])
    assert events[-1]["data"]["type"] == "finished"
    assert {str(event["data"]["to_act"]) for event in events[1:]} == {"[]"}


def test_lv1_last_event_id_resumes_without_gap_and_goes_before_after(live, alice, game) -> None:
    plays(alice, game)
    path = f"games/{game['id']}/live?after=0"
    stream = live.opens(path, alice.token, Last_Event_ID="2")
    versions = [event["data"]["version"] for event in events_of(stream, alice.sees(game)["version"] - 2)]
    assert versions == list(range(3, alice.sees(game)["version"] + 1))


def test_lv1_a_stream_misses_nothing_over_a_restart(serving: Callable[..., Server], alice, bob, game) -> None:
    first = serving()
    stream = first.opens(f"games/{game['id']}/live", alice.token)
    plays(alice, game)
    last = events_of(stream, 1)[0]["id"]
    first.cut()
    assert stream.next() is None

    plays(bob, game)

    again = serving().opens(f"games/{game['id']}/live", alice.token, Last_Event_ID=last)
    version = alice.sees(game)["version"]
    assert [int(event["id"]) for event in events_of(again, version - int(last))] == list(
        range(int(last) + 1, version + 1)
    )


def test_lv1_without_a_place_to_go_on_from_the_stream_begins_now(live, alice, bob, game) -> None:
    stream = live.opens(f"games/{game['id']}/live", alice.token)
    plays(bob, game)
    assert events_of(stream, 1)[0]["data"]["version"] == game["version"] + 1


@pytest.mark.parametrize("place", ["after", "Last-Event-ID"])
@pytest.mark.parametrize("text", ["-1", "x", "99999999999", "9" * 5000, "٣"])
def test_lv1_a_place_that_is_no_version_is_refused(live, alice, game, place, text) -> None:
    if place == "after":
        stream = live.opens(f"games/{game['id']}/live?after={text}".encode().decode("latin-1"), alice.token)
    else:
        stream = live.opens(f"games/{game['id']}/live", alice.token, Last_Event_ID=text.encode().decode("latin-1"))
    assert stream.status == 400


def test_lv1_a_version_that_the_game_has_not_reached_is_refused(live, alice, game) -> None:
    stream = live.opens(f"games/{game['id']}/live?after=1000", alice.token)
    assert (stream.status, stream.body()["errors"]) == (
        400,
        [{"field": "after", "detail": f"The game is at version {game['version']}."}],
    )


def test_lv2_a_token_comes_in_the_header_and_never_in_the_address(live, alice, game) -> None:
    path = f"games/{game['id']}/live"
    assert live.opens(path).status == 401
    assert live.opens(path, "0" * 64).status == 401
    refused = live.opens(f"{path}?token={alice.token}", alice.token)
    assert refused.status == 400
    assert "Authorization header" in refused.body()["detail"]


def test_lv2_pages_of_allowed_origins_may_read_a_stream(live, alice, game, settings) -> None:
    path = f"games/{game['id']}/live"
    anybody = live.opens(path, alice.token, Origin="https://owl.example").headers
    assert anybody["access-control-allow-origin"] == "*" and "access-control-allow-credentials" not in anybody
    # What a page must see of a refusal: AP4, and when to come again.
    assert {"WWW-Authenticate", "Retry-After"} <= set(anybody["access-control-expose-headers"].split(", "))
    settings.CORS_ALLOW_ALL_ORIGINS, settings.CORS_ALLOWED_ORIGINS = False, ["https://table.example"]
    allowed = live.opens(path, alice.token, Origin="https://table.example")
    assert allowed.headers["access-control-allow-origin"] == "https://table.example"
    assert "access-control-allow-origin" not in live.opens(path, alice.token, Origin="https://evil.example").headers


def test_lv3_a_stream_ends_when_its_token_is_revoked_or_expires(live, alice, bob, game, clock) -> None:
    mine = live.opens(f"games/{game['id']}/live", alice.token)
    other = live.opens(f"games/{game['id']}/live", bob.token)
    alice.post("auth/logout")
    assert mine.next() is None
    clock.advance(days=100)
    assert other.next() is None


def test_ap33_a_stream_of_an_app_ends_with_what_it_was_granted(live, alice, game) -> None:
    owl, player = "https://owl.example/in", Player.objects.get(username="alice")
    secret, _ = tokens.issue(player, app=owl, scopes=["read"])
    Player.objects.filter(pk=player.pk).update(is_staff=True)
    stream, own = live.opens(f"games/{game['id']}/live", secret), live.opens(f"games/{game['id']}/live", alice.token)
    Client().post("/oauth/revoke", {"token": secret, "client_id": owl})
    assert stream.next() is None
    plays(alice, game)
    assert own.next() is not None
    assert live.opens(f"games/{game['id']}/live", secret).status == 401


def test_lv3_a_stream_ends_when_the_account_is_closed(live, alice, charlie, game) -> None:
    stream = live.opens(f"games/{game['id']}/live", charlie.token)
    Player.objects.filter(username="charlie").update(is_active=False)
    assert stream.next() is None


def test_lv3_a_stream_ends_when_its_player_is_no_longer_staff(live, alice, charlie, game) -> None:
    """Staff may watch games of private tournaments; the client comes back with the rights that are left."""
    Player.objects.filter(username="charlie").update(is_staff=True)
    streams = [live.opens(f"games/{game['id']}/live", who.token) for who in (charlie, alice)]
    Player.objects.filter(username="charlie").update(is_staff=False)
    assert streams[0].next() is None
    plays(alice, game)
    assert streams[1].next() is not None


def test_lv3_a_stream_ends_when_its_player_leaves_a_private_room(live, alice, bob) -> None:
    room = alice.opens(visibility="private", seats=3)
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
    stream = live.opens(f"games/{room['id']}/live", bob.token)
    bob.post(f"games/{room['id']}/leave")
    assert stream.next() is None


class Slow(Database):
    """A database that says how a game is only once it may."""

    def __init__(self, opened: Database) -> None:
        super().__init__(opened._pool)
        self.may = asyncio.Event()
        self.asked = 0

    async def fetch(self, sql: Any, values: Any = ()) -> Any:
        if sql == statement([uuid4()])[0]:
            self.asked += 1
            await self.may.wait()
        return await super().fetch(sql, values)


def test_lv3_whoever_leaves_while_the_stream_begins_sees_nothing_of_it(serving, alice, bob) -> None:
    made: list[Slow] = []

    def slow(opened: Database) -> Database:
        made.append(Slow(opened))
        return made[0]

    server = serving(reads=slow)
    room = alice.opens(visibility="private", seats=3)
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
    stream = server.opens(f"games/{room['id']}/live", bob.token)
    assert stream.status == 200
    bob.post(f"games/{room['id']}/leave")
    server.do(made[0].may.set)
    assert stream.next() is None


def test_lv3_a_game_without_spectators_is_for_its_players_from_the_deal_on(live, alice, bob, charlie) -> None:
    room = alice.opens(game="three_thirteen")
    stream = live.opens(f"games/{room['id']}/live", charlie.token)
    bob.post(f"games/{room['id']}/join")
    assert events_of(stream, 1)[0]["data"]["type"] == "joined"
    alice.post(f"games/{room['id']}/start")
    assert stream.next() is None
    assert live.opens(f"games/{room['id']}/live", charlie.token).status == 403


def test_a_private_room_is_found_with_its_invitation_only(live, alice, charlie) -> None:
    room = alice.opens(visibility="private")
    assert live.opens(f"games/{room['id']}/live", charlie.token).status == 404
    assert live.opens(f"games/{room['id']}/live?invitation={room['invitation']}", charlie.token).status == 200


def test_lv1_what_a_seat_cannot_see_is_not_in_its_stream(live, alice, bob, charlie, game) -> None:
    streams = {who.username: live.opens(f"games/{game['id']}/live?after=0", who.token) for who in (bob, charlie)}
    arranged = plays(alice, game)
    for who in (bob, charlie):
        events = events_of(streams[who.username], arranged["version"])
        plain = [{k: v for k, v in e["data"].items() if k not in ("to_act", "deadlines")} for e in events]
        assert plain == shown(who, game)


def test_tu2_an_open_stream_and_looking_do_not_say_seen(live, bob, game) -> None:
    events_of(live.opens(f"games/{game['id']}/live?after=0", bob.token), 1)
    for path in ("", "/events", "/moves"):
        assert bob.get(f"games/{game['id']}{path}").status == 200
    tell_players.catch_up()
    assert not Seen.objects.filter(player__username="bob").exists()
    assert list(Notification.objects.filter(player__username="bob", kind="turn").values_list("lost", flat=True)) == [
        None
    ]


def test_lv5_without_redis_events_come_by_the_poll(without_redis, live, alice, bob, game) -> None:
    stream = live.opens(f"games/{game['id']}/live", alice.token)
    plays(bob, game)
    assert events_of(stream, 1)[0]["data"]["version"] == game["version"] + 1


def test_lv5_streams_that_arrive_together_are_let_in_together_and_miss_nothing(serving, alice, bob, game) -> None:
    made: list[Slow] = []

    def slow(opened: Database) -> Database:
        made.append(Slow(opened))
        return made[0]

    server = serving(reads=slow)
    streams = [server.opens(f"games/{game['id']}/live?after=0", alice.token) for _ in range(15)]
    plays(bob, game)
    server.do(made[0].may.set)
    for stream in streams:
        got = [event["data"] for event in events_of(stream, game["version"] + 1)]
        assert [each["version"] for each in got] == list(range(1, game["version"] + 2))
    plays(alice, game)
    assert {events_of(stream, 1)[0]["data"]["version"] for stream in streams} == {game["version"] + 2}
    # Each for its past, and then whoever has the lock for all who wait for it; the move once.
    assert made[0].asked <= 2 * len(streams) + 2


def test_lv5_a_player_has_at_most_sixteen_streams(live, alice, bob, game) -> None:
    path = f"games/{game['id']}/live"
    streams = [live.opens(path, alice.token) for _ in range(16)]
    refused = live.opens(path, alice.token)
    assert (refused.status, refused.body()["code"]) == (429, "too_many_streams")
    assert live.opens(path, bob.token).status == 200
    streams[0].close()
    # The server notices within the time of a round trip.
    for _ in range(100):
        if (status := live.opens(path, alice.token).status) == 200:
            break
    assert status == 200


def test_lv1_a_comment_comes_when_nothing_happens_and_no_block_is_without_data(serving, alice, game, settings) -> None:
    settings.TREY_LIVE_HEARTBEAT = 1
    stream = serving().opens(f"games/{game['id']}/live", alice.token)
    assert stream.lines()[:2] == ["retry: 2000", "event: talk"]
    assert [stream.line(), stream.line()] == [":", ":"]


@pytest.mark.parametrize("path", ["games/live", "me/liv", "games/1/live", "../../etc"])
def test_other_addresses_are_not_found(live, alice, path) -> None:
    assert live.opens(path, alice.token).status == 404


def test_the_api_says_where_the_stream_is(alice, game, settings) -> None:
    assert game["live_url"] == f"/api/v1/games/{game['id']}/live"
    settings.TREY_LIVE_URL = "http://127.0.0.1:8001"
    assert alice.sees(game)["live_url"] == f"http://127.0.0.1:8001/api/v1/games/{game['id']}/live"
    elsewhere = alice.get(f"games/{game['id']}/live")
    assert (elsewhere.status, elsewhere.code) == (421, "misdirected")
    assert elsewhere.headers["content-location"] == f"http://127.0.0.1:8001/api/v1/games/{game['id']}/live"
