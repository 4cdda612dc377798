"""TK7: what of a talk is told, on which channel and when, whatever becomes of a message."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from core.accounts.models import Player
from core.accounts.services import close
from core.jobs import services as work
from core.notifications.models import Notification, Seen, Watching
from games.projections import load
from games.talk import services as talk
from games.talk.models import TalkMessage
from tests import notifications
from tests.core.notifications.browsers import Browser
from tests.core.notifications.receivers import Receiver
from tests.games.api.client import Person

GRACE, DAY = timedelta(minutes=2), timedelta(days=1)


class Table:
    """Alice's game with Bob and Charlie, and the channels on which she is told."""

    def __init__(self, alice: Person, bob: Person, charlie: Person, receiver: Receiver, clock: Any) -> None:
        self.alice, self.clock, self.receiver = alice, clock, receiver
        room = alice.opens(seats=3, visibility="private")
        for one in (bob, charlie):
            one.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
        self.game = alice.post(f"games/{room['id']}/start").body["id"]
        self.path = f"games/{self.game}/talk"
        self.player = Player.objects.get(username="alice")
        self.browser = Browser(f"{receiver.url}/push")
        assert alice.post("me/push", self.browser.subscription()).status == 201
        self.passes(timedelta())

    def passes(self, span: timedelta) -> list[str]:
        """Time passes; what is pushed at its end."""
        self.clock.at += span
        work.do_all(kinds=[talk.LATER])
        work.Deliverer().do_all()
        got, self.receiver.got = self.receiver.got, []
        pushes = [self.browser.read(body) for path, _, body in got if path.endswith("/push")]
        self.posted = [path for path, *_ in got if not path.endswith("/push")]
        return [one["notification"]["title"].partition(" at ")[0] for one in pushes]

    def told(self) -> list[dict[str, Any]]:
        rows = Notification.objects.filter(player=self.player, kind="talk").order_by("number")
        return notifications.bodies(self.player, list(rows))

    def causes(self) -> list[int]:
        return [int(one["cause"].rpartition(":")[2]) for one in self.told()]


@pytest.fixture
def table(alice: Person, bob: Person, charlie: Person, clock: Any, settings: Any) -> Any:
    settings.TREY_HOOKS_LOCAL = True
    with Receiver(status=201) as receiver:
        yield Table(alice, bob, charlie, receiver, clock)


def take_back(table: Table, bob: Person) -> None:
    assert bob.call("DELETE", f"{table.path}/1").status == 204


def hide(table: Table, bob: Person) -> None:
    game = load(UUID(table.game))
    assert game is not None
    talk.take_out(game, [1], TalkMessage.Gone.STAFF)


def close_account(table: Table, bob: Person) -> None:
    close(Player.objects.get(username=bob.username))


def block(table: Table, bob: Person) -> None:
    table.alice.call("PUT", f"me/blocked/{bob.username}")


@pytest.mark.sampled
@pytest.mark.parametrize("goes", [take_back, hide, close_account, block])
@pytest.mark.parametrize("early", [True, False])
def test_tk7_who_is_told_of_nothing_is_told_of_the_next(
    table: Table, bob: Person, charlie: Person, goes: Any, early: bool
) -> None:
    bob.post(table.path, {"text": "Oops"})
    goes(table, bob)
    [lost] = table.told()
    assert lost["read"] is True
    if not early:
        assert table.passes(GRACE) == []
        [lost] = table.told()
        assert lost["channels"]["push"]["reason"] == "gone", "nobody has seen it"
    charlie.post(table.path, {"text": "Are you in on Friday?"})
    assert table.causes() == [1, 2]
    assert table.passes(GRACE - timedelta(seconds=1)) == []
    assert table.passes(timedelta(seconds=1)) == ["charlie wrote"]
    assert [one["read"] for one in table.told()] == [True, False]


def switch_off(table: Table, *, off: bool) -> None:
    table.alice.patch("me", {"preferences": {"talk": "signs" if off else "all"}})


def be_quiet(table: Table, *, off: bool) -> None:
    table.alice.call("PUT", f"{table.path}/quiet", {"quiet": off})


def block_bob(table: Table, *, off: bool) -> None:
    table.alice.call("PUT" if off else "DELETE", "me/blocked/bob")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("switched", "why"), [(switch_off, "switched off"), (be_quiet, "switched off"), (block_bob, "gone")]
)
@pytest.mark.parametrize("early", [True, False])
def test_tk7_what_was_left_out_for_a_while_is_told_with_the_next(
    table: Table, bob: Person, charlie: Person, switched: Any, why: str, early: bool
) -> None:
    bob.post(table.path, {"text": "Hello"})
    switched(table, off=True)
    if early:
        switched(table, off=False)
        assert table.passes(GRACE) == ["bob wrote"]
        return
    assert table.passes(GRACE) == []
    assert table.told()[0]["channels"]["push"]["reason"] == why
    switched(table, off=False)
    charlie.post(table.path, {"text": "Hello"})
    assert table.passes(GRACE) == ["bob and charlie wrote"]
    assert len(table.told()) == 1, "it is still unread"


@pytest.mark.sampled
def test_tk7_it_is_pushed_unless_it_is_read_to_its_end(table: Table, bob: Person, charlie: Person) -> None:
    bob.post(table.path, {"text": "One"})
    charlie.post(table.path, {"text": "Two"})
    table.alice.post(f"{table.path}/read", {"up_to": 1})
    [news] = table.told()
    assert (news["read"], news["text"].partition(" at ")[0]) == (False, "charlie wrote")
    assert table.passes(GRACE) == ["charlie wrote"]
    table.alice.post(f"{table.path}/read", {"up_to": 2})
    assert table.told()[0]["read"] is True


@pytest.mark.sampled
def test_tk7_what_went_says_neither_its_author_nor_its_count(table: Table, bob: Person, charlie: Person) -> None:
    bob.post(table.path, {"text": "One"})
    charlie.post(table.path, {"text": "Two"})
    take_back(table, bob)
    assert table.told()[0]["text"].startswith("charlie wrote at") and "1 message." in table.told()[0]["text"]
    assert table.passes(GRACE) == ["charlie wrote"]


@pytest.mark.sampled
def test_tk7_what_was_read_before_it_was_pushed_keeps_nothing_from_being_pushed(table: Table, bob: Person) -> None:
    bob.post(table.path, {"text": "One"})
    table.alice.post(table.path, {"text": "I see"})
    assert table.told()[0]["read"] is True, "whoever answers has read it"
    assert table.passes(GRACE) == []
    assert table.told()[0]["channels"]["push"]["reason"] == "seen"
    bob.post(table.path, {"text": "In hospital till Friday, sorry"})
    assert table.passes(GRACE) == ["bob wrote"]


@pytest.mark.sampled
def test_tk7_the_next_is_told_a_day_after_the_last_that_was_told(table: Table, bob: Person) -> None:
    bob.post(table.path, {"text": "One"})
    assert table.passes(GRACE) == ["bob wrote"]
    table.alice.post(f"{table.path}/read", {"up_to": 1})
    table.passes(timedelta(hours=1))
    bob.post(table.path, {"text": "Two"})
    assert table.passes(GRACE) == [] and len(table.told()) == 1
    assert table.passes(DAY - timedelta(hours=1) - GRACE) == []
    assert table.causes() == [1, 2]
    assert table.passes(GRACE) == ["bob wrote"]


@pytest.mark.sampled
def test_tk7_who_read_what_waited_is_not_told_the_next_day(table: Table, bob: Person) -> None:
    bob.post(table.path, {"text": "One"})
    assert table.passes(GRACE) == ["bob wrote"]
    table.alice.post(f"{table.path}/read", {"up_to": 1})
    bob.post(table.path, {"text": "Two"})
    table.alice.post(f"{table.path}/read", {"up_to": 2})
    assert table.passes(DAY) == [] and len(table.told()) == 1


@pytest.mark.sampled
def test_tk7_what_goes_after_it_was_told_lets_the_next_wait_a_day(table: Table, bob: Person) -> None:
    bob.post(table.path, {"text": "Oops"})
    assert table.passes(GRACE) == ["bob wrote"]
    take_back(table, bob)
    bob.post(table.path, {"text": "What I meant to say"})
    assert table.causes() == [1, 2]
    assert table.passes(DAY - timedelta(seconds=1)) == []
    assert table.passes(timedelta(seconds=1)) == ["bob wrote"]


@pytest.mark.sampled
def test_tk7_who_takes_back_what_he_writes_is_told_by_webhook_and_chat_once_a_day(table: Table, bob: Person) -> None:
    for what in ({"types": ["game.talk"]}, {"service": "slack"}):
        where = "me/chat" if "service" in what else "me/webhooks"
        assert table.alice.post(where, {"url": f"{table.receiver.url}/{where}", **what}).status == 201
    table.alice.patch("me/notifications/settings", {"matrix": {"talk": {"chat": True}}})
    table.passes(timedelta())
    for number in range(1, 4):
        assert bob.post(table.path, {"text": "Oops"}).status == 201
        table.passes(timedelta(seconds=1))
        assert len(table.posted) == (2 if number == 1 else 0)
        bob.call("DELETE", f"{table.path}/{number}")
    bob.post(table.path, {"text": "What I meant to say"})
    assert table.passes(GRACE) == ["bob wrote"]
    table.passes(DAY)
    assert len(table.posted) == 2


@pytest.mark.sampled
def test_tk7_who_was_at_the_table_is_pushed_the_next_when_they_have_left(table: Table, bob: Person, clock: Any) -> None:
    away = clock.at + GRACE + timedelta(minutes=1)
    game = UUID(table.game)
    Watching.objects.create(player=table.player, subject_id=game, process=UUID(int=1), until=away)
    Seen.objects.update_or_create(player=table.player, subject_id=game, defaults={"version": 1, "at": away})
    bob.post(table.path, {"text": "One"})
    assert table.passes(GRACE) == []
    assert table.told()[0]["channels"]["push"]["reason"] == "present"
    assert table.passes(timedelta(minutes=10)) == []
    bob.post(table.path, {"text": "Two"})
    assert table.passes(GRACE) == ["bob wrote"]
    assert table.causes() == [1], "one until it is read"
