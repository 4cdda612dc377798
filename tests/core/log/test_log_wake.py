"""Wake-up signals over Redis: prompt when it is there, and nothing is lost when it is not."""

import socket
import threading

import pytest
from log_scene import PATIENCE, append, new_stream

from core import log
from core.redis_client import client
from core.wakeups import Breaker, Channel, Listener

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fresh_signals(monkeypatch):
    monkeypatch.setattr("core.log.appending.signals", Channel("log", lost="they poll meanwhile"))


@pytest.fixture
def no_redis(settings):
    # A port that was just free: nobody listens there.
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        settings.REDIS_URL = f"redis://127.0.0.1:{probe.getsockname()[1]}/0"
        client.cache_clear()
        yield
    client.cache_clear()


class Follower:
    """A subscriber that follows the log in a thread, and says when it has seen a stream."""

    def __init__(self, crew, poll_seconds, failures=0):
        self.failures = failures
        self.stop = threading.Event()
        self.seen = {}
        self.running = crew.start(
            log.Follower([log.Projection("test", handler=self.handle)], first_rest=0.05).follow, self.stop, poll_seconds
        )

    def handle(self, events):
        if self.failures:
            self.failures -= 1
            raise ZeroDivisionError
        for event in events:
            self.of(event.stream).set()

    def of(self, stream):
        return self.seen.setdefault(stream, threading.Event())


@pytest.fixture
def follow(crew):
    followers = []

    def start(**how):
        followers.append(Follower(crew, **how))
        return followers[-1]

    yield start
    for follower in followers:
        follower.stop.set()
        follower.running.result(PATIENCE)


def test_an_append_wakes_whoever_follows_long_before_the_poll(follow):
    follower = follow(poll_seconds=1000)
    first, second = new_stream(), new_stream()
    append(first, 0)
    assert follower.of(first).wait(PATIENCE)
    append(second, 0)
    assert follower.of(second).wait(PATIENCE)


def test_without_redis_appends_succeed_and_followers_poll(no_redis, follow):
    follower = follow(poll_seconds=0.05)
    stream = new_stream()
    append(stream, 0)
    append(stream, 1)
    assert follower.of(stream).wait(PATIENCE)
    assert [event.version for event in log.read(stream)] == [1, 2]


def test_a_redis_that_is_away_is_asked_once_and_then_left_alone_for_a_while(no_redis, caplog):
    for _ in range(3):
        append(new_stream(), 0)
    assert len([record for record in caplog.records if "they poll meanwhile" in record.message]) == 1


def test_whoever_listens_again_and_again_leaves_it_alone_too(no_redis, caplog):
    """While outbound jobs are under way, their ends are waited for fifty times a second."""
    listener = Listener(Channel("log", lost=""), threading.Event())
    assert [listener.hear(0.01) for _ in range(10)] == 10 * [[]]
    assert not listener.listens
    assert len([record for record in caplog.records if "no wake-up signals" in record.message]) == 1


def test_whoever_listens_polls_rarely_and_finds_what_nobody_signalled(follow, monkeypatch):
    monkeypatch.setattr("core.log.subscriber.RARELY", 0.2)
    follower = follow(poll_seconds=0.01)
    monkeypatch.setattr("core.log.appending.signals.publish", lambda *_: None)
    stream = new_stream()
    append(stream, 0)
    assert follower.of(stream).wait(PATIENCE)


def test_a_rollback_signals_nothing(monkeypatch):
    sent = []
    monkeypatch.setattr("core.log.appending.signals.publish", sent.append)
    with pytest.raises(log.VersionConflict):
        append(new_stream(), 5)
    assert sent == []
    stream = new_stream()
    append(stream, 0)
    assert sent == [log.bucket_of(stream)]


def test_a_handler_that_fails_is_logged_and_tried_again(follow, caplog):
    stream = new_stream()
    append(stream, 0)
    follower = follow(poll_seconds=1000, failures=2)
    assert follower.of(stream).wait(PATIENCE)
    told = [record for record in caplog.records if "is stuck in bucket" in record.message]
    assert len(told) == 2 and all(record.exc_info for record in told)


def test_threads_that_wait_for_a_silent_redis_at_one_time_say_so_once(no_redis, settings, caplog):
    breaker = Breaker("no signal")

    def publish():
        client(settings.REDIS_URL).publish("log", "1")

    def publish_while_another_thread_does():
        breaker.send(publish)
        publish()

    breaker.send(publish_while_another_thread_does)
    assert [record.message.partition(":")[0] for record in caplog.records] == ["no signal"]
