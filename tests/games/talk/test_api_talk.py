"""Talk at a table (TK1 to TK11)."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.accounts.models import Player, Token
from core.accounts.services import close
from core.log import Actor
from core.notifications import push
from core.notifications.channels import no_points
from core.notifications.models import Delivery, Notification
from games import services
from games.talk import services as talk
from games.talk.models import Talk, TalkMessage, TalkReader
from tests.core.notifications.browsers import Browser
from tests.games.api.client import Answer, Person


def say(person: Person, game: dict[str, Any], text: Any = None, **more: Any) -> Answer:
    return person.post(f"games/{game['id']}/talk", ({} if text is None else {"text": text}) | more)


def sign(person: Person, game: dict[str, Any], which: Any = "ouch") -> Answer:
    return person.post(f"games/{game['id']}/talk", {"sign": which})


def heard(person: Person, game: dict[str, Any], query: str = "") -> dict[str, Any]:
    answer = person.get(f"games/{game['id']}/talk{query}")
    assert answer.status == 200, answer.body
    return dict(answer.body)


@pytest.fixture
def table(alice: Person, bob: Person) -> dict[str, Any]:
    """A private game of Alice's and Bob's."""
    room = alice.opens(visibility="private")
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
    return dict(alice.post(f"games/{room['id']}/start").body)


def prefers(person: Person, level: str) -> None:
    assert person.patch("me", {"preferences": {"talk": level}}).body["preferences"]["talk"] == level


def test_tk1_messages_are_numbered_and_nothing_else_of_the_game_changes(
    alice: Person, bob: Person, table: dict[str, Any]
) -> None:
    before = [alice.sees(table), alice.get(f"games/{table['id']}/events").body, bob.get("me/turns").body]
    said = say(alice, table, "In hospital till Friday, sorry.")
    assert said.status == 201
    assert sign(bob, table).body["number"] == 2
    me = alice.get("me").body
    first = {
        "number": 1,
        "at": said.body["at"],
        "by": {"id": me["id"], "username": "alice"},
        "seat": 0,
        "text": "In hospital till Friday, sorry.",
        "sign": None,
        "version": table["version"],
        "gone": None,
    }
    assert said.body == first
    found = heard(bob, table)
    assert found["results"][0] == first
    assert (found["results"][1]["text"], found["results"][1]["sign"]) == (None, "ouch")
    assert (found["last"], found["read"], found["unread"]) == (2, 2, 0), "who writes has read up to there"
    assert heard(alice, table)["unread"] == 1
    assert [alice.sees(table), alice.get(f"games/{table['id']}/events").body, bob.get("me/turns").body] == before


def test_tk2_the_people_at_the_table_and_nobody_else(
    alice: Person, bob: Person, charlie: Person, nobody: Person, table: dict[str, Any], game: dict[str, Any]
) -> None:
    assert nobody.get(f"games/{table['id']}/talk").status == 401
    assert charlie.get(f"games/{table['id']}/talk").status == say(charlie, table, "Hi").status == 404
    assert charlie.get(f"games/{game['id']}/talk").code == "not_a_player"
    assert sign(charlie, game).code == "not_a_player"
    alice.post(f"games/{table['id']}/moves", {"move": "resign"})
    assert say(alice, table, "Well played!").status == 201
    services.hand_to_bot(UUID(game["id"]), 1, actor=Actor("staff"), reason="away")
    assert sign(bob, game).status == 201, "with a bot playing for him, too"


@pytest.mark.sampled
def test_tk2_who_is_invited_hears_nothing_until_they_sit_down_and_who_leaves_is_out_of_it(
    alice: Person, bob: Person, charlie: Person
) -> None:
    room = alice.opens(seats=3, visibility="private")
    alice.post(f"games/{room['id']}/invite", {"username": "bob"})
    path = f"games/{room['id']}/talk"
    assert bob.get(path).status == bob.post(path, {"sign": "hello"}).status == 404
    for who in (bob, charlie):
        who.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
        assert say(who, room, "Here I am").status == 201
    alice.post(f"games/{room['id']}/kick", {"seat": 1})
    charlie.post(f"games/{room['id']}/leave")
    for who in (bob, charlie):
        assert who.get(path).status == who.post(path, {"sign": "hello"}).status == 404
        assert who.get("me/talk").body["results"] == []
    assert bob.call("DELETE", f"games/{room['id']}/talk/1").status == 204, "one's own words, also when out of it"


def test_tk2_who_is_replaced_is_out_of_it_and_the_successor_reads_all(
    alice: Person, bob: Person, charlie: Person, table: dict[str, Any]
) -> None:
    say(bob, table, "Somebody take my seat, please")
    staff, successor = Actor("staff"), Player.objects.get(username="charlie")
    services.replace_player(UUID(table["id"]), 1, player=successor, actor=staff, reason="in hospital")
    assert bob.get(f"games/{table['id']}/talk").status == say(bob, table, "Thanks").status == 404
    assert [one["text"] for one in heard(charlie, table)["results"]] == ["Somebody take my seat, please"]
    assert say(charlie, table, "With pleasure").status == 201
    assert heard(alice, table)["people"] == [{"username": "charlie", "talk": "all"}]


def test_tk2_where_no_other_person_sits_there_is_nobody_to_hear_it(alice: Person) -> None:
    room = alice.opens(bots=1)
    refused = sign(alice, room)
    assert (refused.status, refused.code) == (409, "nobody_there")
    found = heard(alice, room)
    assert (found["may"], found["reason"]["code"], found["people"]) == (None, "nobody_there", [])


def test_tk3_the_setting_follows_the_visibility_unless_it_is_named(alice: Person, bob: Person) -> None:
    assert alice.opens()["talk"] == "signs"
    assert alice.opens(visibility="private")["talk"] == "all"
    room = alice.opens(talk="off")
    assert room["talk"] == "off"
    bob.post(f"games/{room['id']}/join")
    assert (sign(bob, room).status, sign(bob, room).code) == (409, "talk_off")
    assert alice.patch(f"games/{room['id']}", {"talk": "signs"}).body["talk"] == "signs"
    events = bob.get(f"games/{room['id']}/events").body["results"]
    assert [one["data"]["talk"] for one in events if "talk" in one["data"]] == ["off", "signs"]
    assert (say(bob, room, "Hi").status, say(bob, room, "Hi").code) == (409, "signs_only")
    assert sign(bob, room, "hello").status == 201
    assert heard(bob, room)["may"] == "sign"
    assert alice.patch(f"games/{room['id']}", {"visibility": "private", "talk": "all"}).status == 200
    assert say(bob, room, "Hi").status == 201
    refused = alice.post("games", {"game": "threes", "seats": 2, "talk": "loud"})
    assert [error["field"] for error in refused.body["errors"]] == ["talk"]


def test_tk3_what_a_player_leaves_out_is_nowhere_shown_or_counted_and_the_others_are_told_so(
    alice: Person, bob: Person, table: dict[str, Any]
) -> None:
    prefers(bob, "signs")
    say(alice, table, "Are you there?")
    sign(alice, table, "hello")
    found = heard(bob, table)
    assert [one["number"] for one in found["results"]] == [2]
    assert (found["last"], found["unread"], found["may"]) == (2, 1, "sign")
    assert say(bob, table, "Yes").code == "signs_only"
    assert heard(alice, table)["people"] == [{"username": "bob", "talk": "signs"}]
    prefers(bob, "off")
    found = heard(bob, table)
    assert (found["results"], found["last"], found["unread"]) == ([], 0, 0)
    assert found["reason"]["code"] == "talk_off"
    assert bob.get("me/talk").body["results"] == []
    assert not Notification.objects.filter(kind="talk").exists()


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 501, "a\u0007b", "a\u202eb", "a" + "\u0301" * 9, 7, None, ["a"]])
def test_tk4_other_texts_are_refused_and_nothing_is_said(alice: Person, table: dict[str, Any], text: object) -> None:
    refused = alice.post(f"games/{table['id']}/talk", {"text": text})
    assert (refused.status, refused.code) == (400, "invalid")
    assert [error["field"] for error in refused.body["errors"]] == ["text"]
    assert not TalkMessage.objects.exists()


@pytest.mark.sampled
def test_tk4_a_text_is_one_line_in_nfc_and_a_sign_one_of_twelve(
    alice: Person, bob: Person, table: dict[str, Any]
) -> None:
    assert say(alice, table, " e\u0301\nb \U0001f469\u200d\U0001f680 ").body["text"] == "é b \U0001f469\u200d\U0001f680"
    for which in talk.SIGNS:
        assert sign(alice, table, which).status == 201
        say(bob, table, "!")
    assert [error["field"] for error in sign(alice, table, "shrug").body["errors"]] == ["sign"]
    for body in ({}, {"text": "a", "sign": "ouch"}):
        refused = alice.post(f"games/{table['id']}/talk", body)
        assert [error["field"] for error in refused.body["errors"]] == ["body"]


def test_tk4_its_author_takes_it_back_and_number_author_and_moment_stay(
    alice: Person, bob: Person, table: dict[str, Any]
) -> None:
    said = say(alice, table, "Bob has the joker.").body
    path = f"games/{table['id']}/talk/1"
    assert (bob.call("DELETE", path).status, bob.call("DELETE", path).code) == (403, "not_yours")
    assert alice.call("DELETE", path).status == alice.call("DELETE", path).status == 204
    assert heard(bob, table)["results"] == [said | {"text": None, "gone": "author"}]
    assert heard(bob, table)["unread"] == 0
    assert TalkMessage.objects.get().text is None
    missing = alice.call("DELETE", f"games/{table['id']}/talk/2")
    assert (missing.status, missing.code) == (404, "no_such_message")


@pytest.mark.sampled
def test_tk5_pages_ascend(alice: Person, bob: Person, table: dict[str, Any]) -> None:
    for number in range(1, 8):
        say(alice, table, f"{number}")

    def numbers(query: str) -> list[int]:
        return [one["number"] for one in heard(bob, table, query)["results"]]

    assert numbers("") == [1, 2, 3, 4, 5, 6, 7]
    assert numbers("?limit=2") == [6, 7]
    assert numbers("?after=2&limit=3") == [3, 4, 5]
    assert numbers("?before=6&limit=2") == [4, 5]
    assert numbers("?after=7") == []
    assert bob.get(f"games/{table['id']}/talk?limit=101").status == 400
    assert numbers("?after=2&before=5") == [3, 4]


def test_a_talk_is_called_as_its_table_is_in_lists(alice: Person, bob: Person) -> None:
    room = alice.opens(visibility="private", seats=3)
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
    alice.post(f"games/{room['id']}/bots", {"level": "random"})
    table = alice.post(f"games/{room['id']}/start").body
    assert say(alice, table, "Hello").status == 201
    assert [one["title"] for one in bob.get("me/talk").body["results"]] == ["Threes with alice and a bot"]


@pytest.mark.sampled
def test_tk5_reading_is_said_and_a_quiet_talk_is_not_counted(alice: Person, bob: Person, table: dict[str, Any]) -> None:
    say(alice, table, "One")
    say(alice, table, "Two")
    path = f"games/{table['id']}/talk"
    assert bob.get("me/talk").body["results"] == [
        {"game": table["id"], "title": "Threes with alice", "last": 2, "read": 0, "unread": 2}
    ]
    assert bob.post(f"{path}/read", {"up_to": 1}).status == 204
    assert heard(bob, table)["unread"] == 1
    assert bob.post(f"{path}/read", {"up_to": 0}).status == 204
    assert heard(bob, table)["read"] == 1
    ahead = bob.post(f"{path}/read", {"up_to": 3})
    assert (ahead.status, ahead.code) == (422, "unknown_message")
    assert bob.call("PUT", f"{path}/quiet", {"quiet": True}).status == 204
    found = heard(bob, table)
    assert (found["unread"], found["quiet"], found["last"]) == (0, True, 2)
    bob.call("PUT", f"{path}/quiet", {"quiet": False})
    assert heard(bob, table)["unread"] == 1


@pytest.mark.sampled
def test_tk5_ones_talks_are_read_at_one_price(alice: Person, bob: Person, table: dict[str, Any]) -> None:
    say(alice, table, "One")
    with CaptureQueriesContext(connection) as one:
        bob.get("me/talk")
    for _ in range(3):
        room = alice.opens(visibility="private")
        bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
        say(alice, room, "Two")
    with CaptureQueriesContext(connection) as four:
        found = bob.get("me/talk").body["results"]
    assert [row["unread"] for row in found] == [1, 1, 1, 1]
    assert len(four) == len(one)


@pytest.mark.sampled
def test_tk7_settings_are_changed_at_one_price_however_many_talks_were_read(
    alice: Person, bob: Person, table: dict[str, Any]
) -> None:
    with CaptureQueriesContext(connection) as without:
        prefers(bob, "all")
    for game in (table, alice.opens(visibility="private")):
        bob.post(f"games/{game['id']}/join", {"invitation": game["invitation"]})
        number = say(alice, game, "One").body["number"]
        assert bob.post(f"games/{game['id']}/talk/read", {"up_to": number}).status == 204
    assert len(told("bob")) == 2
    with CaptureQueriesContext(connection) as with_two:
        prefers(bob, "all")
    assert len(with_two) == len(without)


def told(name: str) -> list[Notification]:
    rows = Notification.objects.filter(kind="talk", player__username=name)
    return list(rows.order_by("number"))


@pytest.mark.sampled
def test_tk7_it_is_told_once_until_it_is_read_and_once_a_day(
    alice: Person, bob: Person, table: dict[str, Any], clock: Any
) -> None:
    sign(alice, table)
    assert told("bob") == [], "signs are not told"
    say(alice, table, "One")
    say(alice, table, "Two")
    assert [one.cause for one in told("bob")] == [f"talk:game:{table['id']}:2"]
    news = bob.get("me/notifications").body["results"]
    assert [one["text"] for one in news if one["kind"] == "talk"] == ["alice wrote at Threes with alice: 2 messages."]
    assert told("alice") == []
    clock.advance(days=2)
    say(alice, table, "Three")
    assert len(told("bob")) == 1, "until it is read"
    bob.post(f"games/{table['id']}/talk/read", {"up_to": 4})
    assert told("bob")[0].lost == "seen"
    say(alice, table, "Four")
    assert [one.cause for one in told("bob")][1:] == [f"talk:game:{table['id']}:5"]
    bob.post(f"games/{table['id']}/talk/read", {"up_to": 5})
    say(alice, table, "Five")
    assert len(told("bob")) == 2, "another at the earliest a day after the last"
    clock.advance(days=1, seconds=1)
    say(alice, table, "Six")
    assert len(told("bob")) == 3


def test_tk7_quiet_talks_and_blocked_people_are_not_told(alice: Person, bob: Person, table: dict[str, Any]) -> None:
    bob.call("PUT", f"games/{table['id']}/talk/quiet", {"quiet": True})
    say(alice, table, "One")
    bob.call("PUT", f"games/{table['id']}/talk/quiet", {"quiet": False})
    bob.call("PUT", "me/blocked/alice")
    say(alice, table, "Two")
    assert told("bob") == []


def has_no_point(told: Notification, clock: Any) -> bool:
    return told.pk in no_points([told], clock.at)


@pytest.mark.parametrize("how", ["taken back", "quiet", "blocked", "left out", "read"])
def test_tk7_what_is_not_to_be_told_any_more_is_not_pushed(
    alice: Person, bob: Person, table: dict[str, Any], clock: Any, how: str
) -> None:
    path = f"games/{table['id']}/talk"
    said = say(alice, table, "Oops").body["number"]
    [news] = told("bob")
    assert not has_no_point(news, clock)
    if how == "taken back":
        alice.call("DELETE", f"{path}/{said}")
    elif how == "quiet":
        bob.call("PUT", f"{path}/quiet", {"quiet": True})
        assert bob.get("me/notifications?unread=true").body["results"] == []
    elif how == "blocked":
        bob.call("PUT", "me/blocked/alice")
    elif how == "left out":
        prefers(bob, "signs")
    else:
        bob.patch("me/notifications/settings", {"always": True})
        bob.post(f"{path}/read", {"up_to": said})
    assert has_no_point(told("bob")[0], clock)


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_ac6_what_was_said_is_not_pushed_to_who_left_the_room(
    alice: Person, bob: Person, clock: Any, visibility: str
) -> None:
    room = alice.opens(seats=3, talk="all", visibility=visibility)
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]} if room["invitation"] else {})
    say(alice, room, "Oops")
    assert not has_no_point(told("bob")[0], clock)
    assert bob.post(f"games/{room['id']}/leave").status == 200
    assert has_no_point(told("bob")[0], clock)


def test_tk7_it_is_pushed_as_long_as_one_of_several_is_there(
    alice: Person, bob: Person, table: dict[str, Any], clock: Any
) -> None:
    said = say(alice, table, "Oops").body["number"]
    say(alice, table, "What I meant to say")
    alice.call("DELETE", f"games/{table['id']}/talk/{said}")
    assert not has_no_point(told("bob")[0], clock)


def test_tk8_messages_of_the_blocked_are_shown_by_a_tap_and_the_blocked_one_notices_nothing(
    alice: Person, bob: Person, table: dict[str, Any]
) -> None:
    said = say(alice, table, "You cheat.").body
    bob.call("PUT", "me/blocked/alice")
    found = heard(bob, table)
    assert found["results"] == [said | {"text": None, "gone": "blocked"}]
    assert found["unread"] == 0
    assert heard(bob, table, "?blocked=show")["results"] == [said]
    assert say(bob, table, "I do not.").status == 201
    assert [one["text"] for one in heard(alice, table)["results"]] == ["You cheat.", "I do not."]


def test_tk10_messages_are_counted_and_signs_in_a_row_end(
    alice: Person, bob: Person, table: dict[str, Any], settings: Any
) -> None:
    for _ in range(3):
        assert sign(alice, table).status == 201
    refused = sign(alice, table)
    assert (refused.status, refused.code) == (409, "signs_in_a_row")
    sign(bob, table, "laugh")
    assert sign(alice, table).status == 201
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "talk_day_new": (2, 24 * 3600)}
    assert say(bob, table, "One").status == 201
    limited = say(bob, table, "Two")
    assert (limited.status, limited.code) == (429, "too_many_requests")


def test_tk10_what_was_said_on_an_accounts_first_day_counts_on(
    alice: Person, bob: Person, table: dict[str, Any], settings: Any, clock: Any
) -> None:
    Player.objects.update(date_joined=clock.at)
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "talk_day": (2, 24 * 3600)}
    assert [say(bob, table, "One").status, say(bob, table, "Two").status] == [201, 201]
    clock.advance(days=1)
    assert say(bob, table, "Three").status == 429


def test_tk11_open_for_14_days_then_to_be_read_for_30_then_deleted(
    alice: Person, bob: Person, table: dict[str, Any], clock: Any
) -> None:
    say(alice, table, "Good game")
    bob.post(f"games/{table['id']}/moves", {"move": "resign"})
    clock.advance(days=13, hours=23)
    assert say(bob, table, "Again?").status == 201
    clock.advance(hours=2)
    over = say(alice, table, "Yes")
    assert (over.status, over.code) == (409, "talk_over")
    assert heard(alice, table)["last"] == 2
    clock.advance(days=29, hours=20)
    assert talk.sweep_talks() == 0
    clock.advance(hours=4)
    assert talk.sweep_talks() == 1
    assert not any(model.objects.exists() for model in (Talk, TalkMessage, TalkReader))
    assert heard(alice, table)["last"] == 0


def test_tk11_what_is_old_enough_goes_whatever_else_is_closed(
    alice: Person, bob: Person, table: dict[str, Any], game: dict[str, Any], clock: Any
) -> None:
    say(alice, table, "Good game")
    bob.call("PUT", f"games/{game['id']}/talk/quiet", {"quiet": True})
    bob.post(f"games/{table['id']}/moves", {"move": "resign"})
    clock.advance(days=10)
    bob.post(f"games/{game['id']}/moves", {"move": "resign"})
    clock.advance(days=34)
    assert [talk.sweep_talks(limit=1), talk.sweep_talks(limit=1)] == [1, 0]
    assert heard(alice, table)["last"] == 0
    clock.advance(days=10)
    assert talk.sweep_talks(limit=1) == 1, "one in which nothing was said, too"
    assert not TalkReader.objects.exists()


def test_tk11_a_room_called_off_closes_at_once(alice: Person, bob: Person) -> None:
    room = alice.opens(visibility="private")
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
    say(bob, room, "Hello")
    alice.post(f"games/{room['id']}/cancel")
    assert say(alice, room, "Sorry").code == "talk_over"


@pytest.mark.django_db(transaction=True)
def test_tk11_a_closed_account_leaves_no_text_and_the_export_has_ones_own(
    alice: Person, bob: Person, table: dict[str, Any]
) -> None:
    say(alice, table, "Mine")
    say(bob, table, "His")
    ada = Player.objects.get(username="alice")
    rows = list(talk.said_by(ada))
    assert [(str(one["game"]), one["number"], one["text"]) for one in rows] == [(table["id"], 1, "Mine")]
    close(ada)
    mine, his = heard(bob, table)["results"]
    assert (mine["text"], mine["gone"], mine["by"]["username"]) == (None, "author", None)
    assert his["text"] == "His"


def test_a_retry_with_a_key_says_it_once(alice: Person, table: dict[str, Any]) -> None:
    for _ in range(2):
        answer = alice.call("POST", f"games/{table['id']}/talk", {"text": "Once"}, Idempotency_Key="a-key")
        assert (answer.status, answer.body["number"]) == (201, 1)
    assert TalkMessage.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_tk1_twenty_writers_leave_no_gap_and_no_double(alice: Person, bob: Person, table: dict[str, Any]) -> None:
    people = {name: Player.objects.get(username=name) for name in ("alice", "bob")}

    def write(number: int) -> int:
        try:
            return talk.say(UUID(table["id"]), people["alice" if number % 2 else "bob"], text=f"{number}").number
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        numbers = list(threads.map(write, range(20)))
    assert sorted(numbers) == list(range(1, 21))
    assert [one["number"] for one in heard(alice, table)["results"]] == list(range(1, 21))
    assert Talk.objects.get().last == 20


def test_tk7_it_is_pushed_after_two_minutes_unless_it_was_read(
    alice: Person, bob: Person, table: dict[str, Any], clock: Any
) -> None:
    one = Browser("https://push.example.org/bob").subscription()
    player = Player.objects.get(username="bob")
    push.subscribe(
        player, one["endpoint"], one["keys"]["p256dh"], one["keys"]["auth"], token=Token.objects.get(user=player)
    )
    say(alice, table, "Hello")
    [held] = Delivery.objects.filter(channel="push", notification__kind="talk")
    assert held.until == clock.at + timedelta(minutes=2)
    bob.post(f"games/{table['id']}/talk/read", {"up_to": 1})
    assert no_points([held.notification], clock.at) == {held.notification_id: "seen"}


WRITER = """
import sys, django
django.setup()
from django.db import connection
connection.settings_dict["NAME"] = sys.argv[1]
from core.accounts.models import Player
from games.talk import services as talk
game, player = sys.argv[2], Player.objects.get(username=sys.argv[3])
while True:
    print(talk.say(game, player, text="And another thing").number, flush=True)
"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_tk1_writers_that_are_killed_leave_no_gap_and_no_double(
    alice: Person, bob: Person, table: dict[str, Any]
) -> None:
    name = connection.settings_dict["NAME"]
    run = [sys.executable, "-c", WRITER, name, table["id"]]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    writers = [subprocess.Popen([*run, who], stdout=subprocess.PIPE, text=True, env=env) for who in ("alice", "bob")]
    said: list[int] = []
    for writer in writers:
        assert writer.stdout is not None
        said += [int(writer.stdout.readline()) for _ in range(20)]
        # Killed wherever it is by now.
        writer.kill()
        said += map(int, writer.stdout.readlines())
        writer.wait()
        writer.stdout.close()
    # This waits for a commit of a dead writer that is still under way.
    last = say(alice, table, "Enough").body["number"]
    kept = list(TalkMessage.objects.order_by("number").values_list("number", flat=True))
    assert kept == list(range(1, last + 1))
    assert set(said) <= set(kept)
    assert len(said) == len(set(said))
    assert len(kept) - len(said) <= len(writers) + 1, "one of each may have gone unacknowledged"
