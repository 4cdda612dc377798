"""NT1: who sits in a room is told when its rules change, and nobody else."""

import pytest

from core.notifications.channels import no_points
from core.notifications.models import Notification
from games import services
from games.notifications import services as notifications
from tests.games.notifications.telling_scene import news_of, told
from tests.games.services.service_scene import started

pytestmark = pytest.mark.django_db


def test_nt1_a_changed_room_is_told_to_all_who_sit_there_but_not_to_who_changed_it(clock, alice, bob, charlie, dora):
    room = services.open_room(alice, services.Terms("threes", 4))
    for player in (bob, charlie):
        services.join(room.id, player)
    services.change_room(room.id, alice, {"seats": 3, "clock": {"per_turn": 60}})
    for player in (bob, charlie):
        [changed] = news_of(player, "changed")
        assert changed["cause"] == f"game:{room.id}:changed:{room.version + 3}"
    assert told(alice, "changed") == told(dora, "changed") == []


def test_ac6_who_leaves_before_it_goes_out_is_not_told_of_a_changed_room(clock, alice, bob, charlie):
    room = services.open_room(alice, services.Terms("threes", 4))
    for player in (bob, charlie):
        services.join(room.id, player)
    services.change_room(room.id, alice, {"seats": 3})
    told(bob, "changed")
    services.leave(room.id, bob)
    of = {one.player_id: one for one in Notification.objects.filter(kind="changed")}
    assert set(no_points(list(of.values()), clock.at)) == {of[bob.pk].pk}


def test_nt4_what_was_changed_or_asked_has_no_point_once_the_game_is_over(clock, alice, bob):
    game = started(alice, bob)
    services.cancel(game.id, alice)
    assert [one["read"] for one in news_of(bob, "changed")] == [False]
    services.cancel(game.id, bob)
    assert [one["read"] for one in news_of(bob, "changed")] == [True]


def test_bt1_the_opener_is_told_once_each_time_somebody_else_fills_the_table(clock, alice, bob, charlie):
    room = services.open_room(alice, services.Terms("threes", 3))
    services.join(room.id, bob)
    assert told(alice, "full") == []
    services.join(room.id, charlie)
    [full] = news_of(alice, "full")
    assert full["text"] == "Your table is full and waiting for you to start: Threes with Bob and charlie."
    assert full["link"] == f"/rooms/{room.id}"
    services.leave(room.id, charlie)
    services.join(room.id, charlie)
    assert told(alice, "full") == ["full"] * 2
    assert told(bob, "full") == told(charlie, "full") == []
    services.start(room.id, alice)
    assert all(one["read"] for one in news_of(alice, "full")), "nothing waits any more"


def test_nt4_a_table_that_was_full_for_a_moment_is_told_once(clock, alice, bob, charlie):
    room = services.open_room(alice, services.Terms("threes", 2))
    services.join(room.id, bob)
    services.leave(room.id, bob)
    services.join(room.id, charlie)
    told(alice, "full")
    assert [one["read"] for one in news_of(alice, "full")].count(False) == 1


def test_bt2_practice_tells_nothing(clock, alice):
    terms = services.Terms("threes", 2, start="full")
    game = services.open_room(alice, terms, bots=["random"])
    services.play_bots(game.id)
    services.play(game.id, alice, {"move": "resign"})
    assert news_of(alice) == []


def test_bt3_sitting_down_reads_the_invitation(clock, alice, bob, charlie):
    room = services.open_room(alice, services.Terms("threes", 3))
    for guest in (bob, charlie):
        notifications.invite(room.id, alice, guest.username)
    services.join(room.id, bob)
    assert [one["read"] for one in news_of(bob, "invited")] == [True]
    assert [one["read"] for one in news_of(charlie, "invited")] == [False]


def test_bt1_what_the_opener_fills_and_what_starts_by_itself_is_not_told_as_full(clock, alice, bob):
    room = services.open_room(alice, services.Terms("threes", 3))
    services.join(room.id, bob)
    services.add_bot(room.id, alice)
    services.join(services.open_room(alice, services.Terms("threes", 2, start="full")).id, bob)
    assert told(alice, "full") == []
    assert told(alice, "started") == ["started"]


def test_nt17_what_follows_a_change_within_a_minute_is_told_together_at_its_end(clock, alice, bob):
    room = services.open_room(alice, services.Terms("threes", 4))
    services.join(room.id, bob)
    services.change_room(room.id, alice, {"seats": 3})
    assert told(bob, "changed") == ["changed"]
    for seats in (3, 4, 2, 3):
        services.change_room(room.id, alice, {"seats": seats})
    clock.advance(seconds=59)
    assert told(bob, "changed") == ["changed"]
    clock.advance(seconds=1)
    assert told(bob, "changed") == ["changed"] * 2
    services.change_room(room.id, alice, {"seats": 3})
    clock.advance(minutes=2)
    assert told(bob, "changed") == ["changed"] * 2, "nothing has changed"


def test_nt17_so_many_an_hour_go_out_and_the_others_are_listed(clock, settings, alice, bob, charlie, dora):
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "tells": 2}
    room = services.open_room(alice, services.Terms("threes", 5))
    for guest in (bob, charlie, dora):
        notifications.invite(room.id, alice, guest.username)
    assert told(bob, "invited") == told(charlie, "invited") == ["invited"]
    [listed] = news_of(dora, "invited")
    assert {(one["state"], one["reason"]) for one in listed["channels"].values()} == {("skipped", "too many")}
    assert not listed["read"]
    # Others are not held up by it, and after an hour she may again.
    services.join(room.id, bob)
    notifications.invite(room.id, bob, dora.username)
    assert told(dora, "invited") == ["invited"]
    clock.advance(hours=1)
    services.change_room(room.id, alice, {"seats": 4})
    assert told(bob, "changed") == ["changed"]
