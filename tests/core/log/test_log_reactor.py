"""Reactors: one event a transaction, one append, once; filters; killed anywhere; several at once; what is stuck."""

import os
import signal
import threading
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from log_scene import NOW, PATIENCE, append, new_stream, sibling, stranger

from core import log
from core.jobs import services as work
from core.log import checkpoints, registry

pytestmark = pytest.mark.django_db(transaction=True)


class Tally:
    """A kind of stream that has no rows: its state is folded from the log."""

    name = "tally"

    def load(self, stream_id, lock):
        counted = None
        for event in log.read(f"tally-{stream_id}"):
            counted = self.evolve(counted, event)
        return counted

    def evolve(self, counted, event):
        return Counted(event.version, (counted.numbers if counted else ()) + (event.data["number"],))

    def save(self, before, after):
        pass

    def rebuild(self, stream_id):
        pass


class Counted:
    def __init__(self, version, numbers):
        self.version, self.numbers = version, numbers


TALLY = Tally()


def count_into(tally="all", before=None):
    """A handler that writes each event's number into a tally, and first lets `before` look at the delivery."""

    def handle(delivery):
        if before is not None:
            before(delivery)
        number = delivery.event.data["number"]

        def decide(_):
            return log.Decided([log.NewEvent("tally.counted", {"number": number})], number)

        delivery.execute(TALLY, tally, decide, now=NOW)

    return handle


def reactor(handler, name="test", **more):
    return log.Reactor(name, **{"kinds": ["game"], "types": ["test.counted"], **more}, handler=handler)


def tallied(tally="all"):
    return [event.data["number"] for event in log.read(f"tally-{tally}")]


def append_other(stream, expected, count=1):
    with transaction.atomic():
        log.append(stream, expected, [log.NewEvent("test.other", {})] * count, recorded_at=NOW)


def test_a_reactor_appends_once_for_each_event_it_wants():
    one = new_stream()
    two = stranger(one)
    append(one, 0, 1)
    append_other(one, 1, 3)
    append(one, 4, 2)
    append(two, 0, 3)
    append("tournament-1", 0, 99)
    counting = reactor(count_into())
    assert counting.catch_up() == 3
    assert counting.catch_up() == 0
    assert sorted(tallied()) == [1, 2, 3]
    # It has passed what it does not want, its own appends included.
    counting.catch_up()
    assert log.lags([counting.name])[0].events == 0


def test_a_batch_of_events_for_different_streams_is_no_trouble():
    one = new_stream()
    append(one, 0, 1, 2, 3)
    counted = reactor(lambda delivery: count_into(delivery.event.version)(delivery)).catch_up()
    assert counted == 3
    assert [tallied(tally) for tally in (1, 2, 3)] == [[1], [2], [3]]


def test_who_is_behind_what_a_reactor_writes_is_in_the_log():
    stream = new_stream()
    append(stream, 0, 1)
    seen = []
    reactor(count_into(before=seen.append)).catch_up()
    [event] = log.read("tally-all")
    assert event.actor == log.Actor("reactor", "test")
    assert event.command_id == seen[0].command_id
    assert log.Delivery(log.read(stream)[0], "another").command_id != event.command_id


def test_an_event_that_is_delivered_twice_is_done_once():
    stream = new_stream()
    append(stream, 0, 1, 2)
    counting = reactor(count_into())
    counting.catch_up()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE log_checkpoint SET position = 0 WHERE subscriber = 'test'")
    assert counting.catch_up() == 2
    assert tallied() == [1, 2]


def test_what_is_not_wanted_is_not_decoded(monkeypatch):
    stream = new_stream()
    append(stream, 0, 1)
    append_other(stream, 1, 4)
    append("tournament-1", 0, 2)
    decoded = []
    monkeypatch.setattr("core.log.event.newest", lambda *event: decoded.append(event[0]) or event[1:])
    seen = []
    log.Projection("test", types=["test.counted"], kinds=["game"], handler=seen.extend).catch_up()
    assert [event.data["number"] for event in seen] == [1]
    assert decoded == ["test.counted"]


def test_passing_what_is_not_wanted_costs_two_queries_for_all_buckets():
    for _ in range(20):
        append_other(new_stream(), 0, 10)
    following = reactor(count_into())
    following.catch_up()
    for _ in range(20):
        append_other(new_stream(), 0, 10)
    with CaptureQueriesContext(connection) as queries:
        assert following.catch_up() == 0
    assert len(queries) == 2
    assert log.lags([following.name])[0].events == 0


def test_a_missing_event_is_a_gap_even_where_nobody_wants_it():
    stream = new_stream()
    append_other(stream, 0, 5)
    append(stream, 5, 1)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE log_event DISABLE TRIGGER log_event_no_delete")
        cursor.execute("DELETE FROM log_event WHERE version = 2")
        cursor.execute("ALTER TABLE log_event ENABLE TRIGGER log_event_no_delete")
    with pytest.raises(ExceptionGroup) as group:
        reactor(count_into()).catch_up()
    assert group.group_contains(log.Gap)
    assert tallied() == []


def test_a_missing_last_event_is_a_gap_too():
    stream = new_stream()
    append(stream, 0, 1, 2)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE log_event DISABLE TRIGGER log_event_no_delete")
        cursor.execute("DELETE FROM log_event WHERE version = 2")
        cursor.execute("ALTER TABLE log_event ENABLE TRIGGER log_event_no_delete")
    with pytest.raises(ExceptionGroup) as group:
        reactor(count_into()).catch_up()
    assert group.group_contains(log.Gap)
    assert tallied() == [1]


class Killed(BaseException):
    """The process is gone: nothing catches it."""


@pytest.mark.parametrize("when", ["before the append", "after the append"])
def test_a_reactor_that_is_killed_has_done_nothing_of_its_event_and_all_of_those_before(when):
    stream = new_stream()
    append(stream, 0, 1, 2, 3)

    def dying(delivery):
        if when == "before the append" and delivery.event.version == 2:
            raise Killed
        count_into()(delivery)
        if delivery.event.version == 2:
            raise Killed

    with pytest.raises(Killed):
        reactor(dying).catch_up()
    assert tallied() == [1]
    assert reactor(count_into()).catch_up() == 2
    assert tallied() == [1, 2, 3]


def test_a_reactor_whose_connection_is_cut_off_is_done_once_by_the_next(crew):
    stream = new_stream()
    append(stream, 0, 1, 2)
    reached, go_on = threading.Event(), threading.Event()
    backend = []

    def cut_off(delivery):
        count_into()(delivery)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            backend.append(cursor.fetchone()[0])
        reached.set()
        assert go_on.wait(PATIENCE)

    running = crew.start(lambda: reactor(cut_off).catch_up())
    assert reached.wait(PATIENCE)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", backend)
    go_on.set()
    assert running.exception(PATIENCE) is not None
    assert tallied() == []
    assert reactor(count_into()).catch_up() == 2
    assert tallied() == [1, 2]


def test_two_workers_beside_writers_do_everything_once(crew):
    first = new_stream()
    streams = [first, sibling(first), stranger(first)]
    done = threading.Event()

    def write(number, stream):
        for version in range(0, 40, 2):
            append(stream, version, 100 * number + version)
            append_other(stream, version + 1)

    def work():
        while not done.is_set():
            # Who loses the race for the tally three times in a row leaves the event for the next look.
            failures = reactor(count_into()).look().failures.values()
            assert all(isinstance(error, log.VersionConflict) for error in failures)

    workers = [crew.start(work) for _ in range(2)]
    try:
        for writer in [crew.start(write, number, stream) for number, stream in enumerate(streams)]:
            writer.result()
    finally:
        done.set()
    for worker in workers:
        worker.result()
    reactor(count_into()).catch_up()
    numbers = tallied()
    assert sorted(numbers) == [100 * number + version for number in range(3) for version in range(0, 40, 2)]
    for number in range(3):
        assert [each for each in numbers if each // 100 == number] == sorted(
            each for each in numbers if each // 100 == number
        )
    assert log.verify("tally-all") == []


def test_a_projection_never_appends():
    append(new_stream(), 0, 1)

    def handle(events):
        log.append("tally-all", 0, [log.NewEvent("tally.counted", {"number": 1})], recorded_at=NOW)

    with pytest.raises(ExceptionGroup) as group:
        log.Projection("test", kinds=["game"], handler=handle).catch_up()
    assert group.group_contains(log.Misuse, match="'test' is a projection: it never appends")
    assert tallied() == []


def test_a_reactor_never_appends_to_two_streams():
    append(new_stream(), 0, 1)

    def handle(delivery):
        count_into("one")(delivery)
        count_into("two")(delivery)

    with pytest.raises(ExceptionGroup) as group:
        reactor(handle).catch_up()
    assert group.group_contains(log.Misuse, match="one transaction writes to one stream")
    assert tallied("one") == []


# What is stuck


def test_a_poison_event_stops_its_bucket_and_nothing_else_and_shows_in_the_lag():
    bad = new_stream()
    good = stranger(bad)
    append(bad, 0, 13)
    append(sibling(bad), 0, 1)
    append(good, 0, 2)
    poisonous = True

    def poison(delivery):
        if poisonous and delivery.event.data["number"] == 13:
            raise ZeroDivisionError("thirteen")

    counting = reactor(count_into(before=poison))
    for _ in range(2):
        look = counting.look()
        assert list(look.failures) == [log.bucket_of(bad)]
    assert tallied() == [2]
    # The reactor has still to pass its own event, too.
    [lag] = log.lags(["test"])
    assert (lag.stuck, lag.waiting_since) == (1, NOW)
    with connection.cursor() as cursor:
        cursor.execute("SELECT bucket, error FROM log_checkpoint WHERE failing_since IS NOT NULL")
        assert cursor.fetchall() == [(log.bucket_of(bad), "ZeroDivisionError: thirteen")]
    poisonous = False
    counting.catch_up()
    counting.catch_up()
    assert sorted(tallied()) == [1, 2, 13]
    assert log.lags(["test", "unknown"])[0] == log.Lag("test", 0, None, 0)
    assert log.lags(["unknown"])[0].events == 6


def test_a_bucket_that_another_worker_has_moved_meanwhile_is_not_stuck(crew, monkeypatch):
    append(new_stream(), 0, 1)
    note = checkpoints.write_down_failure

    def loses_a_race(delivery):
        raise log.LostRace("three times in a row")

    def late(*what):
        # The other worker takes the bucket as soon as this one has let go of it.
        crew.start(reactor(count_into()).catch_up).result(PATIENCE)
        note(*what)

    monkeypatch.setattr(checkpoints, "write_down_failure", late)
    assert reactor(loses_a_race).look().failures
    assert tallied() == [1]
    assert log.lags(["test"])[0].stuck == 0


def test_a_look_has_its_time_and_says_that_there_is_more():
    for number in range(5):
        append(new_stream(), 0, number)
    counting = reactor(count_into())
    look = counting.look(seconds=-1)
    assert (look.handled, look.unfinished) == (0, True)
    assert counting.catch_up() == 5


# The registry and the command


@pytest.fixture
def own_registry(monkeypatch):
    monkeypatch.setattr(registry, "_subscribers", {})


def test_subscribers_are_registered_by_decorators_under_one_name_each(own_registry):
    @log.projection("seen", kinds=["game"], batch=7)
    def seen(events):
        pass

    @log.reactor("counted", types=["test.counted"])
    def counted(delivery):
        count_into()(delivery)

    assert [each.name for each in log.subscribers()] == ["counted", "seen"]
    assert (seen.batch, seen.kinds, counted.types) == (7, ["game"], ["test.counted"])
    append(new_stream(), 0, 5)
    counted.catch_up()
    assert tallied() == [5]
    with pytest.raises(ValueError, match="'seen' already"):
        log.projection("seen")(print)


def check():
    out = StringIO()
    call_command("follow", "--check", "60", stdout=out)
    return out.getvalue()


def test_the_health_check_fails_while_somebody_is_behind_but_not_for_a_stuck_bucket(own_registry, clock):
    broken = True

    @log.reactor("counted", types=["test.counted"])
    def counted(delivery):
        if broken:
            raise ZeroDivisionError

    clock.set(NOW)
    append(new_stream(), 0, 5)
    assert check() == "All subscribers keep up with the log.\n"
    clock.advance(seconds=61)
    with pytest.raises(CommandError, match="counted is 1 events behind, 0:01:01"):
        check()
    counted.look()
    assert check()
    broken = False
    counted.catch_up()
    assert check()


@pytest.fixture
def own_signals():
    """The command's handlers of signals are gone after the test."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_deliverer_that_fails_ends_the_command_which_is_then_started_again(own_registry, own_signals, monkeypatch):
    def fails(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(work.Deliverer, "run", fails)
    in_vain = threading.Timer(PATIENCE, os.kill, [os.getpid(), signal.SIGTERM])
    in_vain.start()
    call_command("follow", "--poll", "0.05")
    assert in_vain.is_alive()
    in_vain.cancel()


def test_the_command_follows_until_it_is_told_to_stop(own_registry, own_signals, crew, capsys):
    handled = threading.Event()

    @log.reactor("counted", types=["test.counted"])
    def counted(delivery):
        count_into()(delivery)
        handled.set()

    def write_and_stop():
        try:
            append(new_stream(), 0, 7)
            assert handled.wait(PATIENCE)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    writing = crew.start(write_and_stop)
    call_command("follow", "--poll", "0.05")
    writing.result(PATIENCE)
    assert tallied() == [7]
    assert "following the log: counted" in capsys.readouterr().out
