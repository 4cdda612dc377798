"""TK6: what is said arrives in the streams of those who sit at the table, and in no others."""

from collections.abc import Collection
from threading import Event
from typing import Any
from uuid import UUID

import pytest

from core.accounts.models import Player
from games.talk import services as talk
from games.talk.live import NEWS
from games.talk.services import talks_of
from tests.games.api.client import Person
from tests.games.live.conftest import Stream, plays


def talks(stream: Stream) -> dict[str, Any]:
    """The next talk event of a stream."""
    while (event := stream.next(talk=True)) is not None:
        if event["event"] == "talk":
            assert event["id"] is None
            return dict(event["data"])
    raise AssertionError("the stream has ended")


@pytest.fixture
def table(alice: Person, bob: Person) -> dict[str, Any]:
    room = alice.opens(talk="all")
    bob.post(f"games/{room['id']}/join")
    return dict(alice.post(f"games/{room['id']}/start").body)


def test_tk6_a_message_arrives_at_the_table_again_when_it_is_gone(live, alice, bob, charlie, table) -> None:
    path = f"games/{table['id']}/talk"
    alice.post(path, {"text": "Hello"})
    streams = {who.username: live.opens(f"games/{table['id']}/live", who.token) for who in (alice, bob, charlie)}
    assert talks(streams["alice"]) == {"last": 1, "unread": 0}
    assert talks(streams["bob"]) == {"last": 1, "unread": 1}

    said = alice.post(path, {"sign": "good_luck"}).body

    assert talks(streams["alice"]) == talks(streams["bob"]) == said
    alice.call("DELETE", f"{path}/1")
    gone = talks(streams["bob"])
    assert (gone["number"], gone["text"], gone["gone"]) == (1, None, "author")
    # A spectator's stream does not change: the next thing in it is the move.
    plays(alice, table)
    assert streams["charlie"].next(talk=True)["event"] == "moved"


def test_tk6_a_players_stream_says_how_much_is_unread(live, alice, bob, table) -> None:
    path = f"games/{table['id']}/talk"
    stream = live.opens("me/live", bob.token)
    assert stream.next(talk=True)["event"] == "game"
    alice.post(path, {"text": "Hello"})
    assert talks(stream) == {"game": table["id"], "last": 1, "unread": 1}
    alice.post(path, {"text": "Bob?"})
    assert talks(stream) == {"game": table["id"], "last": 2, "unread": 2}
    bob.post(f"{path}/read", {"up_to": 2})
    assert talks(stream) == {"game": table["id"], "last": 2, "unread": 0}


def test_tk6_who_sits_down_hears_the_talk_in_the_stream_that_is_open(live, alice, bob) -> None:
    room = alice.opens(visibility="public", talk="all")
    stream = live.opens(f"games/{room['id']}/live", bob.token)
    bob.post(f"games/{room['id']}/join")
    assert talks(stream) == {"last": 0, "unread": 0}
    said = alice.post(f"games/{room['id']}/talk", {"text": "Hello"}).body
    assert talks(stream) == said


def test_tk6_a_players_stream_says_that_nothing_is_unread_in_a_talk_that_is_quiet(live, alice, bob, table) -> None:
    path = f"games/{table['id']}/talk"
    stream = live.opens("me/live", bob.token)
    assert stream.next(talk=True)["event"] == "game"
    alice.post(path, {"text": "Hello"})
    assert talks(stream) == {"game": table["id"], "last": 1, "unread": 1}
    bob.call("PUT", f"{path}/quiet", {"quiet": True})
    assert talks(stream) == {"game": table["id"], "last": 1, "unread": 0}
    bob.call("PUT", f"{path}/quiet", {"quiet": False})
    assert talks(stream) == {"game": table["id"], "last": 1, "unread": 1}


def test_tk6_messages_of_the_blocked_arrive_without_their_words(live, alice, bob, table) -> None:
    bob.call("PUT", "me/blocked/alice")
    stream = live.opens(f"games/{table['id']}/live", bob.token)
    assert talks(stream) == {"last": 0, "unread": 0}
    alice.post(f"games/{table['id']}/talk", {"text": "You cheat."})
    assert (said := talks(stream))["gone"] == "blocked"
    assert said["text"] is None


def test_tk3_what_a_player_switches_off_reaches_no_stream_that_is_open(live, alice, bob, table) -> None:
    path = f"games/{table['id']}/talk"
    streams = [live.opens(f"games/{table['id']}/live", bob.token), live.opens("me/live", bob.token)]
    assert talks(streams[0]) == {"last": 0, "unread": 0}
    assert streams[1].next(talk=True)["event"] == "game"
    bob.call("PATCH", "me", {"preferences": {"talk": "signs"}})
    alice.post(path, {"text": "Hello"})
    sign = alice.post(path, {"sign": "hello"}).body
    assert talks(streams[0]) == sign
    assert talks(streams[1]) == {"game": table["id"], "last": 2, "unread": 1}


def test_tk6_a_stream_may_begin_while_another_is_told(without_redis, live, alice, bob, table, monkeypatch) -> None:
    asking, may = Event(), Event()

    def held(player: Player, games: Collection[UUID]) -> list[dict[str, Any]]:
        asking.set()
        assert may.wait(60)
        return talks_of(player, games)

    monkeypatch.setattr(talk, "talks_of", held)
    # Without Redis everybody is asked about.
    first = live.opens("me/live", alice.token)
    assert first.next(talk=True)["event"] == "game"
    bob.post(f"games/{table['id']}/talk", {"text": "Hello"})
    assert asking.wait(60)
    second = live.opens("me/live", bob.token)
    assert second.next(talk=True)["event"] == "game"
    may.set()
    assert talks(first) == {"game": table["id"], "last": 1, "unread": 1}
    bob.post(f"games/{table['id']}/talk", {"text": "Alice?"})
    assert talks(first) == {"game": table["id"], "last": 2, "unread": 2}


def test_tk6_what_is_said_while_a_stream_begins_arrives_in_it(live, alice, bob, table, monkeypatch) -> None:
    first = live.opens(f"games/{table['id']}/live", alice.token)
    assert talks(first) == {"last": 0, "unread": 0}
    read, may = Event(), Event()

    def held(game_id: UUID, player: Player, since: int | None) -> tuple[int, list[dict[str, Any]]]:
        news = talk.news_for(game_id, player, since)
        if player.username == "bob" and not read.is_set():
            read.set()
            assert may.wait(60)
        return news

    monkeypatch.setattr(NEWS, "at_table", held)
    begins = live.opens(f"games/{table['id']}/live", bob.token)
    assert read.wait(60)
    said = alice.post(f"games/{table['id']}/talk", {"text": "Hello"}).body
    assert talks(first) == said
    may.set()
    while talks(begins)["last"] != 1:
        pass
