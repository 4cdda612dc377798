"""What the tests of the log share: streams of a moment, threads with connections of their own, waiting on a lock."""

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from django.db import connection, connections, transaction

from core import log

NOW = datetime(2026, 11, 21, 12, 30, 0, 123456, tzinfo=UTC)
PATIENCE = 60.0


def new_stream() -> str:
    return f"game-{uuid4()}"


def sibling(stream: str) -> str:
    """A stream in the same bucket."""
    return next(
        name
        for name in (f"{stream}-{number}" for number in itertools.count())
        if log.bucket_of(name) == log.bucket_of(stream)
    )


def stranger(stream: str) -> str:
    """A stream in another bucket."""
    return next(
        name for name in (new_stream() for _ in itertools.count()) if log.bucket_of(name) != log.bucket_of(stream)
    )


def append(stream: str, expected: int, *numbers: int, **more: Any) -> list[log.Event]:
    """Append events that hold numbers, in a transaction of their own."""
    with transaction.atomic():
        events = [log.NewEvent("test.counted", {"number": number}, seat=0) for number in numbers or (expected + 1,)]
        log.append(stream, expected, events, recorded_at=NOW, **more)
    return log.read(stream, expected)


def head_of(bucket: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT head FROM log_counter WHERE bucket = %s", [bucket])
        return cursor.fetchone()[0]


def waiting_for_locks() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # a transaction sees what it saw first
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return cursor.fetchone()[0]


def until(condition: Callable[[], Any]) -> None:
    """Wait for a condition that must come true."""
    deadline = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < deadline, "it never came true"
        sleep(0.005)


class Crew:
    """Threads with database connections of their own; their errors come back with `result()`."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool

    def start(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        def with_own_connection() -> Any:
            try:
                return function(*arguments)
            finally:
                connections.close_all()

        return self._pool.submit(with_own_connection)


class TailingReader:
    """Reads the whole log while it grows, bucket by bucket, from checkpoints of its own."""

    def __init__(self) -> None:
        self.events: list[log.Event] = []
        self._last = dict.fromkeys(range(log.BUCKETS), 0)
        self._writers_done = threading.Event()

    def finish(self) -> None:
        self._writers_done.set()

    def run(self) -> list[log.Event]:
        while True:
            last_look = self._writers_done.is_set()
            self.look()
            if last_look:
                return self.events

    def look(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT bucket, head FROM log_counter")
            heads = cursor.fetchall()
        for bucket, head in heads:
            while self._last[bucket] < head:
                events, _ = log.tails({bucket: self._last[bucket]}, 50)
                self.events += events
                self._last[bucket] = events[-1].position


def assert_whole(events: list[log.Event]) -> None:
    """Every event of the log was read once, in order within its bucket and its stream, and nothing has a hole."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT stream_id, version FROM log_event")
        assert sorted((event.stream, event.version) for event in events) == sorted(cursor.fetchall())
    for key, number in (("bucket", "position"), ("stream", "version")):
        by_key: dict[Any, list[int]] = {}
        for event in events:
            by_key.setdefault(getattr(event, key), []).append(getattr(event, number))
        for numbers in by_key.values():
            assert numbers == list(range(1, len(numbers) + 1))
    assert list(log.verify_all()) == []
