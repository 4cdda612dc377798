"""Bots are served fairly by owner, with a real worker on the real broker."""

import json
from threading import Event
from time import monotonic

import pytest
from celery import current_app
from celery.contrib.testing.worker import start_worker
from test_service_bots import with_bots

from core import clock as service_clock
from core.log.models import StoredEvent
from games import services
from games.models import Game, Seat, stream_of
from games.services import bots
from games.services.commands import wake

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def quick(monkeypatch):
    """A task ends after one move."""
    monkeypatch.setattr(bots, "SLICE", 0.0)


def queued():
    """The games that wait for a worker, in the order in which one will take them."""
    found = []
    with current_app.connection_for_read() as broker:
        while message := broker.default_channel.basic_get("celery", no_ack=True):
            (game_id,), *_ = json.loads(message.body)
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
    # Bob's came last, and were served as often.
    assert last_move(few) < last_move(*many)


def test_what_is_left_of_a_turn_queues_up_behind_others(alice, bob, quick):
    many, few = with_bots(alice, 7), with_bots(bob, 2)
    queued()
    assert services.play_bots(many.id, seconds=0) == 1
    wake(few.id)
    assert queued() == [str(few.id), str(many.id)]
    services.play_bots(few.id)
    # Once it has queued up, it is served, one move in this test, and queues up again.
    assert services.play_bots(many.id, seconds=0) == 1
    assert queued() == [str(many.id)]


def test_a_tournaments_table_is_its_own_owner(alice):
    first, second, table = (with_bots(alice, 2) for _ in range(3))
    assert bots.games_due(service_clock.now(), 9) == [first.id, second.id, table.id]
    Game.objects.filter(pk=table.id).update(opener=None)
    assert bots.games_due(service_clock.now(), 9) == [first.id, table.id, second.id]


def test_a_sweep_takes_one_game_of_each_owner_and_then_a_second_one(alice, bob, charlie, monkeypatch):
    of_alice = [with_bots(alice) for _ in range(3)]
    of_bob, of_charlie = [with_bots(bob) for _ in range(2)], [with_bots(charlie)]
    served = []
    monkeypatch.setattr(bots, "play_some", lambda game_id, *_: served.append(game_id) or 0)
    services.sweep_bots()
    assert served == [game.id for game in (of_alice[0], of_bob[0], of_charlie[0], of_alice[1], of_bob[1], of_alice[2])]
