"""Many writers at once: one wins at a version, and a reader that follows the log misses nothing."""

import os
import signal
import subprocess
import sys
import threading

import pytest
from django.db import connection, transaction
from django.db.utils import OperationalError
from log_scene import (
    NOW,
    PATIENCE,
    append,
    assert_whole,
    head_of,
    new_stream,
    sibling,
    stranger,
    until,
    waiting_for_locks,
)

from core import log

pytestmark = pytest.mark.django_db(transaction=True)


def counter_is_held(bucket):
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM log_counter WHERE bucket = %s FOR UPDATE NOWAIT", [bucket])
    except OperationalError:
        return True
    return False


@pytest.mark.sampled
def test_a_reader_that_follows_four_writers_misses_nothing(crew, reader):
    # Two buckets only, so that the writers meet at the counters; and streams that several of them write.
    first = new_stream()
    other = stranger(first)
    streams = [first, sibling(first), other, sibling(other)]

    def write(seed):
        written = 0
        for turn in range(60):
            stream = streams[(seed + turn) % 4] if turn % 3 else streams[seed]
            version = len(log.read(stream))
            try:
                append(stream, version, *range(1 + turn % 3))
            except log.VersionConflict:
                continue
            written += 1
        return written

    reading = crew.start(reader.run)
    writers = [crew.start(write, seed) for seed in range(4)]
    assert sum(writer.result() for writer in writers) > 100
    reader.finish()
    assert_whole(reading.result())


@pytest.fixture
def open_transaction(crew):
    """Start a transaction that appends to a stream and then stays open; the function it gives ends it."""
    ends = []

    def begin(stream, expected=0, fail=False):
        appended, end = threading.Event(), threading.Event()

        def run():
            with transaction.atomic():
                append(stream, expected)
                appended.set()
                assert end.wait(PATIENCE)
                if fail:
                    raise ZeroDivisionError

        running = crew.start(run)
        ends.append(end)
        assert appended.wait(PATIENCE)

        def finish():
            end.set()
            if fail:
                with pytest.raises(ZeroDivisionError):
                    running.result()
            else:
                running.result()

        return finish

    yield begin
    for end in ends:
        end.set()


def test_a_slow_transaction_is_never_overtaken_within_its_bucket(crew, reader, open_transaction):
    slow = new_stream()
    quick = sibling(slow)
    finish_slow = open_transaction(slow)
    writing = crew.start(append, quick, 0)
    until(waiting_for_locks)
    reader.look()
    assert reader.events == []
    finish_slow()
    writing.result()
    reader.look()
    assert [(event.stream, event.position) for event in reader.events] == [(slow, 1), (quick, 2)]


def test_a_slow_transaction_that_fails_leaves_no_hole(crew, reader, open_transaction):
    slow = new_stream()
    finish_slow = open_transaction(slow, fail=True)
    writing = crew.start(append, sibling(slow), 0)
    until(waiting_for_locks)
    finish_slow()
    assert writing.result()[0].position == 1
    reader.look()
    assert_whole(reader.events)


def test_a_slow_transaction_does_not_hold_up_other_buckets(reader, open_transaction):
    slow = new_stream()
    quick = stranger(slow)
    finish_slow = open_transaction(slow)
    append(quick, 0)
    reader.look()
    assert [event.stream for event in reader.events] == [quick]
    finish_slow()
    reader.look()
    assert [event.stream for event in reader.events] == [quick, slow]


@pytest.mark.parametrize("expected", [0, 2])
def test_of_many_appends_at_one_version_one_wins(crew, expected):
    stream = new_stream()
    if expected:
        append(stream, 0, *range(expected))
    barrier = threading.Barrier(8)

    def attempt(number):
        barrier.wait(PATIENCE)
        try:
            return append(stream, expected, number)
        except log.VersionConflict as conflict:
            return conflict

    results = [attempt.result() for attempt in [crew.start(attempt, number) for number in range(8)]]
    [winner] = [result for result in results if isinstance(result, list)]
    losers = [result for result in results if isinstance(result, log.VersionConflict)]
    assert {(loser.expected, loser.found) for loser in losers} == {(expected, expected + 1)}
    assert len(losers) == 7
    assert log.read(stream)[expected:] == winner
    assert head_of(log.bucket_of(stream)) == expected + 1


@pytest.mark.parametrize("expected", [0, 1])
def test_the_loser_stops_before_the_counter(crew, open_transaction, expected):
    stream = new_stream()
    bucket = log.bucket_of(stream)
    if expected:
        append(stream, 0)
    lost, end = threading.Event(), threading.Event()

    def lose():
        with transaction.atomic():
            with pytest.raises(log.VersionConflict):
                log.append(stream, expected, [log.NewEvent("test.counted", {})], recorded_at=NOW)
            lost.set()
            assert end.wait(PATIENCE)

    finish_winner = open_transaction(stream, expected)
    assert counter_is_held(bucket)
    losing = crew.start(lose)
    until(waiting_for_locks)
    finish_winner()
    assert lost.wait(PATIENCE)
    # The loser's transaction is still open, and another stream of the bucket is written all the same.
    assert not counter_is_held(bucket)
    append(sibling(stream), 0)
    end.set()
    losing.result()
    assert head_of(bucket) == expected + 2


WRITER = """
import sys, django
django.setup()
from django.conf import settings
from django.db import connection
connection.settings_dict["NAME"] = sys.argv[1]
from log_scene import append
from core import log
streams = sys.argv[2:]
version = dict.fromkeys(streams, 0)
while True:
    for stream in streams:
        version[stream] = append(stream, version[stream], 1, 2)[-1].version
        print(stream, version[stream], flush=True)
"""


@pytest.mark.sampled
def test_killing_writers_leaves_no_hole_and_loses_nothing_acknowledged(crew, reader):
    name = connection.settings_dict["NAME"]
    first = new_stream()
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, name, f"{first}-a{number}", sibling(f"{first}-b{number}")],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for number in range(2)
    ]
    reading = crew.start(reader.run)
    acknowledged = {}
    try:
        for writer in writers:
            lines = [writer.stdout.readline() for _ in range(40)]
            assert writer.poll() is None, "it ended by itself"
            # Killed wherever it is by now: nothing here waits for a good moment.
            writer.send_signal(signal.SIGKILL)
            lines += writer.stdout.readlines()
            for line in lines:
                stream, _, version = line.rstrip("\n").partition(" ")
                acknowledged[stream] = int(version)
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
            writer.stdout.close()
    assert len(acknowledged) == 4
    for stream, version in acknowledged.items():
        # This waits for a commit of the dead writer that is still under way. One may have gone unacknowledged.
        append(sibling(stream), 0)
        assert len(log.read(stream)) in (version, version + 2)
    reader.finish()
    assert_whole(reading.result())
