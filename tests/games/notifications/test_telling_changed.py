"""NT1: who sits in a room is told when its rules change, and nobody else."""

import pytest

from games import services
from tests.games.notifications.telling_scene import news_of, told

pytestmark = pytest.mark.django_db


def test_nt1_a_changed_room_is_told_to_all_who_sit_there_but_not_to_who_changed_it(clock, alice, bob, charlie, dora):
    room = services.open_room(alice, game="threes", seats=4)
    for player in (bob, charlie):
        services.join(room.id, player)
    services.change_room(room.id, alice, {"seats": 3, "clock": {"per_turn": 60}})
    for player in (bob, charlie):
        [changed] = news_of(player, "changed")
        assert changed["cause"] == f"game:{room.id}:changed:{room.version + 3}"
    assert told(alice, "changed") == told(dora, "changed") == []


def test_nt1_each_change_is_told_and_one_that_changes_nothing_is_not(clock, alice, bob):
    room = services.open_room(alice, game="threes", seats=4)
    services.join(room.id, bob)
    for seats in (3, 3, 4):
        services.change_room(room.id, alice, {"seats": seats})
    assert told(bob, "changed") == ["changed", "changed"]
