"""Bots are served fairly by owner, with a real worker on the real broker."""

import json
from threading import Event
from time import monotonic

import pytest
from celery import current_app
from celery.contrib.testing.worker import start_worker
from service_scene import open_threes
from test_service_bots import with_bots

from core.log.models import StoredEvent
from games import services
from games.models import Game, Seat, stream_of
from games.services import bots, shares
from games.services.waking import wake

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def quick(monkeypatch):
    """A share is used up soon, and a task ends after one move."""
    monkeypatch.setattr(shares, "LIGHT", 0.02)
    monkeypatch.setattr(bots, "SLICE", 0.0)


def queued():
    """The games that wait for a worker, in the order in which one will take them."""
    found = []
    with current_app.connection_for_read() as broker:
        while message := broker.default_channel.basic_get("celery", no_ack=True):
            (game_id, _), *_ = json.loads(message.body)
            found.append(game_id)
    return found


def last_move(*games):
    """When a bot last moved in these games."""
    events = StoredEvent.objects.filter(stream_id__in=[stream_of(game.id) for game in games])
    return max(event.recorded_at for event in events if event.meta["actor"]["kind"] == "bot")


def until(holds, seconds=60):
    end = monotonic() + seconds
    while not holds():
        assert monotonic() < end
        Event().wait(0.02)


def test_who_has_many_bots_waits_and_others_do_not(alice, bob, quick):
    many = [with_bots(alice, 7) for _ in range(4)]
    few = with_bots(bob, 2)
    assert queued() == [str(game.id) for game in (*many, few)]
    for game in (*many, few):
        wake(game.id)

    def all_moved():
        return not Seat.objects.filter(bot__isnull=False, due_at__isnull=False).exists()

    with start_worker(current_app._get_current_object(), pool="solo", perform_ping_check=False, shutdown_timeout=60):
        until(all_moved)
    # Bob's came last and were served next, when Alice's first moves had used up her share.
    assert last_move(few) < last_move(*many)


def test_what_is_left_of_a_turn_queues_up_behind_others(alice, bob, quick):
    many, few = with_bots(alice, 7), with_bots(bob, 2)
    queued()
    shares.charge(shares.owner_of(many.id), 1.0)
    assert services.serve_bots(many.id) == 0
    wake(few.id)
    assert queued() == [str(few.id), str(many.id)]
    services.play_bots(few.id)
    # Once it has queued up, it is served, one move in this test, and queues up again.
    assert services.serve_bots(many.id, queued=True) == 1
    assert queued() == [str(many.id)]


def test_of_owners_that_queue_up_the_one_is_served_whose_bots_had_least(alice, bob, quick):
    """Both have used up their share. The tasks of Alice's games come first, and serve Bob's."""
    many, few = [with_bots(alice, 7) for _ in range(3)], with_bots(bob, 7)
    queued()
    shares.charge(shares.owner_of(many[0].id), 9.0)
    shares.charge(shares.owner_of(few.id), 6.0)
    for game in many:
        assert services.serve_bots(game.id, queued=True) == 1
    assert owing(few) == 4
    assert [owing(game) for game in many] == [7, 7, 7]
    assert queued() == [str(game.id) for game in many], "no task is lost, and Bob's has never been taken"
    # Once Bob's have had as much, a task serves its own game.
    shares.charge(shares.owner_of(few.id), 4.0)
    assert services.serve_bots(many[1].id, queued=True) == 1
    assert [owing(game) for game in many] == [7, 6, 7]
    assert queued() == [str(many[1].id)]


def owing(game):
    """How many bots of a game owe a move."""
    return Seat.objects.filter(game=game.id, bot__isnull=False, due_at__isnull=False).count()


def test_a_tournaments_table_has_a_share_of_its_own(alice):
    table, room = with_bots(alice, 2), open_threes(alice)
    assert shares.owner_of(table.id) == shares.owner_of(room.id) == str(alice.pk)
    Game.objects.filter(pk=table.id).update(opener=None)
    assert shares.owner_of(table.id) == str(table.id)


def test_shares_are_forgotten_after_two_windows(alice, monkeypatch):
    owner = str(alice.pk)
    monkeypatch.setattr(shares.time, "time", lambda: 1000.0)
    assert shares.priority(owner) == shares.FIRST
    shares.charge(owner, 1.5)
    assert shares.priority(owner) == shares.LATER
    assert shares.used([owner, "nobody"]) == {owner: 1.5, "nobody": 0.0}
    monkeypatch.setattr(shares.time, "time", lambda: 1000.0 + shares.WINDOW)
    assert shares.priority(owner) == shares.LATER
    monkeypatch.setattr(shares.time, "time", lambda: 1000.0 + 2 * shares.WINDOW)
    assert shares.priority(owner) == shares.FIRST


def test_a_sweep_takes_one_game_of_each_owner_and_then_a_second_one(alice, bob, charlie, monkeypatch):
    of_alice = [with_bots(alice) for _ in range(3)]
    of_bob, of_charlie = [with_bots(bob) for _ in range(2)], [with_bots(charlie)]
    served = []
    monkeypatch.setattr(bots, "_play", lambda game_id, *_: served.append(game_id) or 0)
    services.sweep_bots()
    assert served == [game.id for game in (of_alice[0], of_bob[0], of_charlie[0], of_alice[1], of_bob[1], of_alice[2])]
