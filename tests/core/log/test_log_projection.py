"""Subscribers: each event once, in order, across crashes and side by side; projections rebuilt while all goes on."""

import threading

import pytest
from django.db import connection, transaction
from log_scene import PATIENCE, append, new_stream, sibling, stranger

from core import log

pytestmark = pytest.mark.django_db(transaction=True)


class Seen:
    """A table of what was seen. It has no key, so that what is handled twice shows."""

    def __init__(self, table="seen"):
        self.table = table

    def create(self):
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {self.table}")
            cursor.execute(f"CREATE TABLE {self.table} (n serial, stream text, version int, number int)")

    def drop(self):
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {self.table}")

    def handle(self, events):
        with connection.cursor() as cursor:
            cursor.executemany(
                f"INSERT INTO {self.table} (stream, version, number) VALUES (%s, %s, %s)",
                [(event.stream, event.version, event.data["number"]) for event in events],
            )

    def rows(self):
        """What was seen, in the order in which it was seen."""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT stream, version, number FROM {self.table} ORDER BY n")
            return cursor.fetchall()


@pytest.fixture
def seen():
    projection = Seen()
    projection.create()
    yield projection
    projection.drop()


def projection_of(name, handler, *, kind=log.Projection, **more):
    return kind(name, handler=handler, **more)


def written(*streams):
    return sorted((event.stream, event.version, event.data["number"]) for name in streams for event in log.read(name))


@pytest.mark.parametrize("kind", [log.Projection, log.BatchReactor])
def test_a_subscriber_sees_every_event_once_in_order(seen, kind):
    streams = [new_stream() for _ in range(5)]
    for version in range(4):
        for stream in streams:
            append(stream, version)
    subscriber = projection_of("test", seen.handle, batch=3, kind=kind)
    assert log.lags([subscriber.name])[0].events == 20
    assert subscriber.catch_up() == 20
    assert log.lags([subscriber.name])[0].events == 0
    for stream in streams:
        assert [version for name, version, _ in seen.rows() if name == stream] == [1, 2, 3, 4]


def test_feeding_a_subscriber_twice_changes_nothing(seen):
    stream = new_stream()
    append(stream, 0, 1, 2, 3)
    subscriber = projection_of("test", seen.handle)
    assert subscriber.catch_up() == 3
    assert subscriber.catch_up() == 0
    # The same name in another process, after a restart.
    assert projection_of("test", seen.handle).catch_up() == 0
    assert sorted(seen.rows()) == written(stream)
    append(stream, 3, 4)
    assert subscriber.catch_up() == 1
    assert sorted(seen.rows()) == written(stream)


def test_a_batch_reactor_gets_the_next_events_of_several_buckets(seen):
    streams = [new_stream() for _ in range(5)]
    for version in range(4):
        for stream in streams:
            append(stream, version)
    batches = []
    assert (
        projection_of("test", lambda events: batches.append(len(events)), batch=8, kind=log.BatchReactor).catch_up()
        == 20
    )
    assert batches == [8, 8, 4]


def test_subscribers_do_not_know_of_each_other(seen):
    append(new_stream(), 0, 1, 2)
    assert projection_of("one", seen.handle).catch_up() == 2
    assert projection_of("other", seen.handle).catch_up() == 2


def test_without_news_a_subscriber_makes_one_query(seen, django_assert_num_queries):
    append(new_stream(), 0)
    subscriber = projection_of("test", seen.handle)
    subscriber.catch_up()
    with django_assert_num_queries(1):
        subscriber.catch_up()


@pytest.mark.parametrize("kind", [log.Projection, log.BatchReactor])
def test_a_handler_that_fails_keeps_nothing_and_gets_the_events_again(seen, kind):
    stream = new_stream()
    append(stream, 0, 1, 2, 3)
    broken = True

    def handle(events):
        seen.handle(events)
        if broken and events[-1].version == 3:
            raise ZeroDivisionError

    subscriber = projection_of("test", handle, kind=kind)
    with pytest.raises(ExceptionGroup) as group:
        subscriber.catch_up()
    assert group.group_contains(ZeroDivisionError)
    assert seen.rows() == []
    broken = False
    assert subscriber.catch_up() == 3
    assert sorted(seen.rows()) == written(stream)


@pytest.mark.parametrize("kind", [log.Projection, log.BatchReactor])
def test_a_bucket_that_fails_does_not_hold_up_the_others(seen, kind):
    bad = new_stream()
    others = [stranger(bad), stranger(bad)]
    for stream in [bad, *others]:
        append(stream, 0)

    def handle(events):
        if bad in [event.stream for event in events]:
            raise ZeroDivisionError
        seen.handle(events)

    subscriber = projection_of("test", handle, kind=kind)
    for _ in range(2):
        with pytest.raises(ExceptionGroup):
            subscriber.catch_up()
    assert sorted(seen.rows()) == written(*others)
    assert log.lags([subscriber.name])[0].events == 1


def test_two_workers_share_the_buckets(crew, seen):
    held = new_stream()
    free = stranger(held)
    append(held, 0, 1, 2)
    append(free, 0, 1, 2)
    holding, go_on = threading.Event(), threading.Event()

    def slow(events):
        seen.handle(events)
        if events[0].stream == held:
            holding.set()
            assert go_on.wait(PATIENCE)

    slow_worker = crew.start(projection_of("test", slow).catch_up)
    assert holding.wait(PATIENCE)
    quick_worker = projection_of("test", seen.handle)
    quick = quick_worker.catch_up()
    assert [row for row in seen.rows() if row[0] == held] == []
    assert sorted(row for row in seen.rows() if row[0] == free) == written(free)
    go_on.set()
    assert slow_worker.result() + quick == 4
    assert sorted(seen.rows()) == written(held, free)


def test_workers_beside_writers_handle_each_event_once(crew, seen):
    first = new_stream()
    streams = [first, sibling(first), stranger(first)]
    done = threading.Event()

    def write(stream):
        for version in range(40):
            append(stream, version)

    def work():
        subscriber = projection_of("test", seen.handle, batch=7)
        while not done.is_set():
            subscriber.catch_up()

    workers = [crew.start(work) for _ in range(2)]
    try:
        for writer in [crew.start(write, stream) for stream in streams]:
            writer.result()
    finally:
        done.set()
    for worker in workers:
        worker.result()
    projection_of("test", seen.handle).catch_up()
    rows = seen.rows()
    assert sorted(rows) == written(*streams)
    for stream in streams:
        # Numbers of the table are drawn while the checkpoint is held, so they show the order of handling.
        assert [version for name, version, _ in rows if name == stream] == list(range(1, 41))


def test_a_checkpoint_that_was_moved_meanwhile_is_an_error_and_nothing_is_kept(seen):
    append(new_stream(), 0, 1, 2)

    def meddle(events):
        seen.handle(events)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE log_checkpoint SET position = 2 WHERE subscriber = 'test'")

    with pytest.raises(ExceptionGroup) as group:
        projection_of("test", meddle).catch_up()
    assert group.group_contains(log.CheckpointMoved)
    assert seen.rows() == []


@pytest.mark.parametrize("kind", [log.Projection, log.BatchReactor])
def test_a_position_that_is_missing_stops_the_reader_loudly(seen, kind):
    stream = new_stream()
    append(stream, 0, 1, 2, 3)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE log_event DISABLE TRIGGER log_event_no_delete")
        cursor.execute("DELETE FROM log_event WHERE version = 2")
        cursor.execute("ALTER TABLE log_event ENABLE TRIGGER log_event_no_delete")
    with pytest.raises(ExceptionGroup) as group:
        projection_of("test", seen.handle, kind=kind).catch_up()
    assert group.group_contains(log.Gap)
    assert seen.rows() == []


def test_a_subscriber_in_a_transaction_of_the_caller_is_refused(seen):
    append(new_stream(), 0)
    with transaction.atomic(), pytest.raises(ExceptionGroup) as group:
        projection_of("test", seen.handle).catch_up()
    assert group.group_contains(RuntimeError, match="durable")
