"""What fails at one table, or for one player, ends the streams there and no others."""

from typing import Any

import pytest

from games.live import tables
from games.live.presence import Presence
from games.talk.live import NEWS
from tests.games.api.client import Person
from tests.games.live.conftest import Server, plays
from tests.games.talk.live.test_live_talk import talks


@pytest.fixture
def rooms(alice: Person, bob: Person) -> list[dict[str, Any]]:
    """Two games of Alice and Bob; what is asked of the first one fails."""
    made = []
    for _ in range(2):
        room = alice.opens(talk="all")
        bob.post(f"games/{room['id']}/join")
        made.append(dict(alice.post(f"games/{room['id']}/start").body))
    return made


def failing(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, fails: Any) -> None:
    """Have it fail where `fails` says so of its arguments."""
    works = getattr(where, name)

    def broken(*arguments: Any) -> Any:
        if fails(*arguments):
            raise ValueError("it is damaged")
        return works(*arguments)

    monkeypatch.setattr(where, name, broken)


@pytest.mark.parametrize("what", ["its events", "its talk", "who is there", "who may look"])
def test_lv5_a_damaged_table_ends_its_own_streams_alone(
    live: Server, alice: Person, bob: Person, rooms: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    damaged, other = rooms
    streams = [live.opens(f"games/{game['id']}/live", bob.token) for game in rooms]
    for stream in streams:
        assert talks(stream) == {"last": 0, "unread": 0}
    own = live.opens("me/live", bob.token)
    assert [own.next()["event"] for _ in rooms] == ["game", "game"]
    if what == "its talk":
        failing(monkeypatch, NEWS, "at_table", lambda game_id, *_: str(game_id) == damaged["id"])
        alice.post(f"games/{damaged['id']}/talk", {"text": "Hello"})
    elif what == "its events":
        failing(monkeypatch, tables, "written", lambda game, *_: str(game.id) == damaged["id"])
        plays(alice, damaged)
    elif what == "who is there":
        failing(monkeypatch, Presence, "_tell", lambda _, game_id, *__: str(game_id) == damaged["id"])
    else:
        failing(monkeypatch, tables.WatchedTable, "recheck", lambda table: str(table._id) == damaged["id"])
    assert streams[0].next() is None
    alice.post(f"games/{other['id']}/talk", {"text": "Hello"})
    assert talks(streams[1])["text"] == "Hello"
    plays(alice, other)
    assert streams[1].next()["event"] == "moved"
    assert own.next() is not None


def test_lv5_what_cannot_be_read_for_one_player_ends_their_streams_alone(
    live: Server, alice: Person, bob: Person, rooms: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = [live.opens("me/live", who.token) for who in (alice, bob)]
    for stream in streams:
        assert [stream.next()["event"] for _ in rooms] == ["game", "game"]
    failing(monkeypatch, NEWS, "to_player", lambda player, *_: player.username == "alice")
    path = f"games/{rooms[0]['id']}/talk"
    bob.post(path, {"text": "Hello"})
    while streams[0].next(talk=True) is not None:
        pass
    alice.post(path, {"text": "Hello"})
    while talks(streams[1])["last"] != 2:
        pass
