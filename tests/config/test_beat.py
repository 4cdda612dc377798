"""Beat sends a task that only looks for what is due when there is something due."""

from datetime import timedelta

import pytest
from celery import current_app
from django.db import OperationalError, connection

from config.beat import Scheduler
from core import clock as service_clock
from core.accounts.models import Player
from core.jobs import queue
from core.jobs.models import Work
from games.models import Seat
from games.plans.models import Plan
from tests.games.services.service_scene import started

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch):
    """The names of the tasks that beat would send now."""
    current_app.loader.import_default_modules()
    scheduler, found = Scheduler(current_app, lazy=True), []
    monkeypatch.setattr(Scheduler, "apply_async", lambda _, entry, **options: found.append(entry.task))
    scheduler.setup_schedule()

    def sent():
        found.clear()
        for entry in scheduler.schedule.values():
            scheduler.apply_entry(entry)
        return found

    return sent


@pytest.fixture
def game(db):
    return started(*(Player.objects.create_user(name) for name in ("alice", "bob")))


LOOKING = {"games.tasks.sweep_bots", "plans.sweep", "jobs.do_chores", "tournaments.tasks.run"}


def test_where_nothing_is_due_nothing_is_sent_that_only_looks(game, sent):
    assert LOOKING.isdisjoint(sent())
    # It also leaves the sweeper's heartbeat.
    assert "games.tasks.sweep" in sent()


def test_a_bot_to_move(game, sent):
    Seat.objects.filter(game_id=game.id, index=0).update(bot={"level": "easy"}, due_at=service_clock.now())
    assert LOOKING.intersection(sent()) == {"games.tasks.sweep_bots"}


def test_a_plan_of_a_game_that_went_on(game, sent):
    alice, now = Player.objects.get(username="alice"), service_clock.now()
    Plan.objects.create(game_id=game.id, seat=0, player=alice, plan={}, kept_at=now, version=1, in_turn=False)
    assert LOOKING.intersection(sent()) == {"plans.sweep"}


@pytest.mark.parametrize("kind", ["tournament.open", "note"])
def test_a_job(sent, kind, monkeypatch):
    monkeypatch.setitem(queue.LOCAL, "note", lambda *_: None)
    now = service_clock.now()
    Work.objects.create(kind=kind, key="one", lane=kind, data={}, due_at=now, queued_at=now)
    assert LOOKING.intersection(sent()) == {"jobs.do_chores"}


def test_a_database_that_does_not_answer_is_no_reason_to_send_nothing(sent, monkeypatch):
    def away(*_):
        raise OperationalError("the connection is lost")

    closed = []
    monkeypatch.setattr(connection, "cursor", away)
    monkeypatch.setattr(connection, "close", lambda: closed.append(True))
    assert LOOKING.issubset(sent())
    assert closed


def test_beat_sends_or_waits_whenever_it_wakes(monkeypatch):
    now, tried = [service_clock.now()], []
    monkeypatch.setattr(type(current_app._get_current_object()), "now", lambda _: now[0])
    monkeypatch.setattr(Scheduler, "apply_entry", lambda _, entry, **options: tried.append(entry.task))
    scheduler = Scheduler(current_app, lazy=True)
    scheduler.setup_schedule()
    for _ in range(500):
        before = len(tried)
        wait = scheduler.tick()
        assert wait > 0 or len(tried) > before
        # A little longer than it asked for, as sleeping takes.
        now[0] += timedelta(seconds=wait and wait + 0.001)
    assert "games.tasks.sweep" in tried
