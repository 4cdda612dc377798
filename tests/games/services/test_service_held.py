"""A lock that another session holds is no outage, and what it holds keeps nobody else waiting."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import psycopg
import pytest
from django.db import OperationalError, connection
from service_scene import game_now, started

from core import log
from core.accounts.models import Player
from core.log import executing
from games import services
from games.models import Heartbeat, Outage, Seat
from games.services import bots, outages, timeouts
from games.services.outages import SWEEPER, WEB, beat

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def held(statement: str, *values: object) -> Iterator[None]:
    """Another session has done this, and has not committed it."""
    parameters = connection.get_connection_params()
    names = ("dbname", "user", "password", "host", "port")
    with psycopg.connect(**{name: parameters[name] for name in names if parameters.get(name)}) as other:
        other.execute(statement, values)
        yield


@contextmanager
def held_bucket(game_id: object) -> Iterator[None]:
    with held("SELECT head FROM log_counter WHERE bucket = %s FOR UPDATE", log.bucket_of(f"game-{game_id}")):
        yield


@pytest.fixture(autouse=True)
def _nothing_rests(monkeypatch):
    monkeypatch.setattr(executing, "_resting", {})


@pytest.fixture
def games(clock):
    """Two games in two buckets: the first to be due, and another."""
    alice, bob = (Player.objects.create_user(name) for name in ("alice", "bob"))
    first = started(alice, bob)
    while True:
        clock.advance(minutes=1)
        other = started(alice, bob)
        if log.bucket_of(first.stream) != log.bucket_of(other.stream):
            return first, other


@pytest.fixture
def overdue(games, clock):
    """The same, when all their turns have been over for long."""
    clock.advance(days=30)
    beat(WEB)
    beat(SWEEPER)
    Outage.objects.all().delete()
    return games


def test_turns_of_other_buckets_are_timed_out_while_one_is_held(overdue):
    first, other = overdue
    began = monotonic()
    with held_bucket(first.id):
        assert services.sweep().handled == 2
        assert services.sweep().handled == 0
    assert monotonic() - began < 10
    assert [seat.misses for seat in game_now(other.id).players] == [1, 1]
    assert game_now(first.id).version == first.version
    executing._resting.clear()
    assert services.sweep().handled == 2


def test_bots_of_other_buckets_move_while_one_is_held(games, clock):
    for game in games:
        services.hand_to_bot(game.id, 0, actor=log.Actor("clock"), reason="timeout", now=clock.at)
    clock.advance(minutes=1)
    due = bots.games_due(clock.at, 2)
    before = [game_now(game_id).version for game_id in due]
    with held_bucket(due[0]):
        for _ in range(2):
            services.sweep_bots()
    after = [game_now(game_id).version for game_id in due]
    assert after[0] == before[0] and after[1] > before[1]


def test_a_game_that_fails_keeps_no_other_from_being_timed_out(overdue, monkeypatch):
    first, other = overdue
    judge = timeouts._judge

    def fails(snapshot, *rest):
        if snapshot.id == first.id:
            raise RuntimeError("the turn does not end")
        return judge(snapshot, *rest)

    monkeypatch.setattr(timeouts, "_judge", fails)
    assert services.sweep().handled == 2
    assert game_now(other.id).version > other.version


def test_a_seat_whose_deadline_cannot_be_read_keeps_no_other_from_being_timed_out(overdue, monkeypatch):
    damaged = Seat.objects.filter(game=overdue[0].id).values_list("pk", flat=True)
    moved_by = timeouts._moved_by

    def fails(outages, seat):
        if seat.pk in damaged:
            raise ValueError("no such zone")
        return moved_by(outages, seat)

    monkeypatch.setattr(timeouts, "_moved_by", fails)
    assert services.sweep().handled == 2


@pytest.mark.parametrize("parts", [(WEB, SWEEPER), (SWEEPER, WEB)])
def test_a_held_heartbeat_is_no_outage(clock, monkeypatch, parts):
    monkeypatch.setattr(outages, "LOCK_TIMEOUT", 0.05)
    for part in parts:
        beat(part)
    with held("SELECT part FROM games_heartbeat FOR UPDATE"):
        for _ in range(20):
            clock.advance(seconds=10)
            for part in parts:
                with pytest.raises(OperationalError):
                    beat(part)
    clock.advance(seconds=10)
    for part in parts:
        assert beat(part) is None
    assert not Outage.objects.exists()
    assert {one.at for one in Heartbeat.objects.all()} == {clock.at}


def test_what_was_out_before_a_lock_or_was_stopped_behind_it_is_an_outage(clock, monkeypatch):
    monkeypatch.setattr(outages, "LOCK_TIMEOUT", 0.05)
    beat(WEB)
    for before, after in (((2, 0), (0, 10)), ((0, 10), (2, 0))):
        began = clock.at
        with held("SELECT part FROM games_heartbeat FOR UPDATE"):
            clock.advance(minutes=before[0], seconds=before[1])
            with pytest.raises(OperationalError):
                beat(WEB)
        clock.advance(minutes=after[0], seconds=after[1])
        outage = beat(WEB)
        assert outage is not None
        assert (outage.began_at, outage.ended_at) == (began, clock.at)
