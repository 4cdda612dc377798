"""LV1 for the stream of a player."""

import asyncio
import signal
import subprocess
from collections.abc import Iterable
from threading import Event
from time import monotonic, sleep
from typing import Any

from django.db import DatabaseError
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from config.running.embedded.redis import _binary
from core import clock
from core.accounts.models import Player
from core.live.database import Database
from core.live.feed import SWEEP
from core.notifications import services as telling
from core.notifications.kinds import ACCOUNT, SECURITY, the_kind
from games.live import live as live_streams
from games.live import tables
from games.live.admission import Access, still_valid
from games.live.players import _OF_PLAYER
from games.notifications.following import tell_players
from tests.games.api.client import Person
from tests.games.live.conftest import Stream, plays

# A Redis that was just started.
STARTING = Retry(ConstantBackoff(0.05), 200)


def game_events(stream: Stream, count: int) -> list[dict[str, Any]]:
    got = [stream.next() for _ in range(count)]
    assert all(each is not None and each["event"] == "game" and each["id"] is None for each in got)
    return [each["data"] for each in got if each is not None]


def test_lv1_a_connection_says_once_where_each_game_is(live, alice, bob, game) -> None:
    room = alice.opens()
    stream = live.opens("me/live", alice.token)
    assert sorted(game_events(stream, 2), key=lambda each: each["version"]) == [
        {"id": room["id"], "version": room["version"], "status": "open", "your_turn": False},
        {"id": game["id"], "version": game["version"], "status": "setup", "your_turn": True},
    ]


def test_lv1_then_each_change_of_a_game_says_whether_it_is_your_turn(live, alice, bob, charlie, game) -> None:
    streams = {who.username: live.opens("me/live", who.token) for who in (alice, bob, charlie)}
    for who in (alice, bob):
        game_events(streams[who.username], 1)

    version = plays(alice, game)["version"]

    for who, turn in ((alice, False), (bob, True)):
        [changed] = game_events(streams[who.username], 1)
        assert changed == {"id": game["id"], "version": version, "status": "setup", "your_turn": turn}
    room = charlie.opens()
    [own] = game_events(streams["charlie"], 1)
    assert own["id"] == room["id"], "a stranger's stream tells of nobody else's games"


def test_lv1_a_game_that_ends_is_told_and_not_listed_again(live, alice, bob, game) -> None:
    stream = live.opens("me/live", bob.token)
    game_events(stream, 1)
    alice.post(f"games/{game['id']}/moves", {"move": "resign"})
    [ended] = game_events(stream, 1)
    assert ended["status"] == "finished" and not ended["your_turn"]
    room = bob.opens()
    [only] = game_events(live.opens("me/live", bob.token), 1)
    assert only["id"] == room["id"]


def test_lv2_the_stream_of_a_player_takes_no_key_but_after(live, alice) -> None:
    assert live.opens("me/live?after=0", alice.token).status == 200
    assert live.opens("me/live?player=bob", alice.token).status == 400


def next_notification(stream: Stream) -> dict[str, Any]:
    """The next notification, without the games in between."""
    while (event := stream.next()) is not None:
        if event["event"] == "notification":
            assert int(event["id"]) == event["data"]["number"]
            return dict(event["data"])
    raise AssertionError("the stream has ended")


def listed(who: Person) -> list[dict[str, Any]]:
    """What the API lists, oldest first."""
    return list(reversed(who.get("me/notifications").body["results"]))


def test_lv1_a_notification_comes_as_the_list_shows_it(live, alice, bob, game) -> None:
    tell_players.catch_up()
    stream = live.opens("me/live", bob.token)
    plays(alice, game)
    plays(bob, game)
    alice.post(f"games/{game['id']}/moves", {"move": "resign"})
    tell_players.catch_up()
    assert next_notification(stream) in listed(bob)


def test_a_notification_that_cannot_be_read_ends_the_streams_of_its_player_only(live, alice, bob, game) -> None:
    """There may be no sentence for what it tells."""
    tell_players.catch_up()
    streams = {who.username: live.opens("me/live", who.token) for who in (alice, bob)}
    for who in (alice, bob):
        game_events(streams[who.username], 1)

    def told(who: Person, what: str) -> None:
        player = Player.objects.get(username=who.username)
        telling.tell([player.pk], the_kind(SECURITY, ACCOUNT), f"security:{what}", data={"what": what})

    told(bob, "of something unheard of")
    while streams["bob"].next() is not None:
        pass
    told(alice, "test")
    while next_notification(streams["alice"])["cause"] != "security:test":
        pass


def test_lv5_a_client_that_does_not_read_what_it_missed_is_cut_off(serving, alice, monkeypatch) -> None:
    monkeypatch.setattr(tables, "PATIENCE", 0.2)
    player = Player.objects.get(username=alice.username)
    news = [
        telling.news(player.pk, the_kind(SECURITY, ACCOUNT), f"security:{n}", data={"what": "test"})
        for n in range(2000)
    ]
    telling.tell_all(news, clock.now())
    server = serving()
    assert server.opens("me/live?after=0", alice.token).status == 200
    begun = monotonic()
    while len(server.streams):
        assert monotonic() - begun < 20
        sleep(0.05)


def test_lv1_the_number_of_a_notification_resumes(live, alice, bob, game) -> None:
    alice.post(f"games/{game['id']}/moves", {"move": "resign"})
    tell_players.catch_up()
    told = [each for each in listed(bob) if each["channels"]["live"]["state"] == "sent"]
    assert len(told) > 1
    again = live.opens("me/live", bob.token, Last_Event_ID=str(told[0]["number"]))
    assert [next_notification(again)["number"] for _ in told[1:]] == [each["number"] for each in told[1:]]
    assert live.opens(f"me/live?after={told[-1]['number'] + 1}", bob.token).status == 400


def test_lv5_without_redis_notifications_come_by_the_poll(without_redis, live, alice, bob, game) -> None:
    tell_players.catch_up()
    stream = live.opens("me/live", bob.token)
    alice.post(f"games/{game['id']}/moves", {"move": "resign"})
    tell_players.catch_up()
    assert next_notification(stream) in listed(bob)


def test_lv5_a_redis_that_hangs_is_given_up_before_the_sweep(serving, alice, bob, game, settings, tmp_path) -> None:
    tell_players.catch_up()
    path = tmp_path / "redis"
    command = [str(_binary(settings.PLACE)), "--port", "0", "--save", "", "--unixsocket", str(path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=tmp_path) as hanging:
        try:
            settings.REDIS_URL = f"unix://{path}"
            stream = serving().opens("me/live", bob.token)
            with Redis(unix_socket_path=str(path), socket_timeout=10, retry=STARTING).monitor() as heard:
                assert any(each["command"] == "PING" for each in heard.listen())
            hanging.send_signal(signal.SIGSTOP)
            alice.post(f"games/{game['id']}/moves", {"move": "resign"})
            tell_players.catch_up()
            begun = monotonic()
            assert next_notification(stream) in listed(bob)
            assert monotonic() - begun < SWEEP / 2
        finally:
            hanging.kill()


class Slow(Database):
    """A database that says where a player's games are only once it may."""

    def __init__(self, opened: Database, player: str) -> None:
        super().__init__(opened._pool)
        self.player, self.may = player, asyncio.Event()

    async def fetch(self, sql: Any, values: Any = ()) -> Any:
        if sql is _OF_PLAYER and str(values[0]) == self.player:
            await self.may.wait()
        return await super().fetch(sql, values)


def test_lv5_a_stream_that_begins_holds_up_no_other_and_is_sent_nothing_older(serving, alice, bob, game) -> None:
    made: list[Slow] = []
    player = bob.get("me").body["id"]

    def slow(opened: Database) -> Database:
        made.append(Slow(opened, player))
        return made[0]

    server = serving(reads=slow)
    first = server.opens("me/live", alice.token)
    game_events(first, 1)
    second = server.opens("me/live", bob.token)
    assert second.status == 200
    for who in (alice, bob):
        version = plays(who, game)["version"]
        assert game_events(first, 1)[0]["version"] == version, "while the other stream has not been told anything"
    server.do(made[0].may.set)
    # How things are, which is also what happened meanwhile.
    assert game_events(second, 1)[0]["version"] == version
    mover = next(who for who in (alice, bob) if who.get(f"games/{game['id']}/moves").body["moves"])
    version = plays(mover, game)["version"]
    assert [game_events(stream, 1)[0]["version"] for stream in (first, second)] == [version, version]


def test_lv5_a_stream_that_opens_while_rights_are_checked_stays_open(serving, alice, bob, game, monkeypatch) -> None:
    asking, may, again = Event(), Event(), Event()

    def held(accesses: Iterable[Access]) -> set[Access]:
        if may.is_set():
            again.set()
        valid = still_valid(accesses)
        asking.set()
        assert may.wait(60)
        return valid

    monkeypatch.setattr(live_streams, "still_valid", held)
    server = serving()
    first = server.opens("me/live", alice.token)
    assert asking.wait(60)
    second = server.opens("me/live", bob.token)
    game_events(second, 1)
    may.set()
    assert again.wait(60)
    version = plays(alice, game)["version"]
    assert [each["version"] for each in game_events(second, 1)] == [version]
    assert [each["version"] for each in game_events(first, 2)] == [game["version"], version]


class Away(Database):
    """A database that is away when a player's games are read."""

    def __init__(self, opened: Database) -> None:
        super().__init__(opened._pool)

    async def fetch(self, sql: Any, values: Any = ()) -> Any:
        if sql is _OF_PLAYER:
            raise DatabaseError("away")
        return await super().fetch(sql, values)


def test_a_stream_that_cannot_go_on_just_ends(serving, alice) -> None:
    stream = serving(reads=Away).opens("me/live", alice.token)
    assert (stream.status, stream.lines(), stream.lines()) == (200, ["retry: 2000"], [])
