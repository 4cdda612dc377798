"""Appending: versions, conflicts, what a failed append leaves behind, and what an append costs."""

from datetime import UTC, datetime, timedelta, timezone
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from log_scene import NOW, append, head_of, new_stream, sibling, stranger

from core import log
from core.log.models import StreamHead

pytestmark = pytest.mark.django_db


def test_what_was_appended_is_what_is_read():
    stream, command = new_stream(), uuid4()
    opened = log.NewEvent("test.opened", {"title": "Größe €", "seats": (1, 2)})
    joined = log.NewEvent("test.joined", {"deep": {"b": [None, True], "a": {}}}, seat=1)
    with transaction.atomic():
        log.append(
            stream,
            0,
            [opened, joined],
            recorded_at=NOW,
            actor=log.Actor("player", "ada"),
            reason="just so",
            command_id=command,
        )
    first, second = log.read(stream)
    assert (first.stream, first.version, first.type, first.seat, first.schema) == (stream, 1, "test.opened", None, 1)
    assert first.data == {"title": "Größe €", "seats": [1, 2]}
    assert first.meta == second.meta == {"actor": {"kind": "player", "id": "ada"}, "reason": "just so"}
    assert (first.actor, first.reason) == (log.Actor("player", "ada"), "just so")
    assert (first.command_id, first.recorded_at, first.bucket) == (command, NOW, log.bucket_of(stream))
    assert (second.version, second.seat, second.position) == (2, 1, first.position + 1)


def test_versions_and_positions_go_on_where_they_were():
    stream = new_stream()
    first = append(stream, 0, 1, 2)
    other = append(sibling(stream), 0, 1)
    last = append(stream, 2, 3, 4, 5)
    assert [event.version for event in log.read(stream)] == [1, 2, 3, 4, 5]
    start = first[0].position
    assert [event.position for event in first + other + last] == list(range(start, start + 6))
    bucket = log.bucket_of(stream)
    assert log.tails({bucket: start - 1}) == (first + other + last, {bucket: start + 5})


@pytest.mark.parametrize("version", [2**15 - 2, 2**15 - 1, 2**15])
def test_a_stream_goes_on_however_long_it_is(version):
    """Numbers come to the database in the smallest type that holds them: a sum of two must not overflow it."""
    stream = new_stream()
    append(stream, 0, 1)
    StreamHead.objects.filter(bucket=log.bucket_of(stream), stream_id=stream).update(version=version)
    assert [event.version for event in append(stream, version, 2, 3)] == [version + 1, version + 2]


def test_a_part_of_a_stream_is_read_by_versions():
    stream = new_stream()
    append(stream, 0, *range(10))
    assert [event.version for event in log.read(stream, after=3, upto=6)] == [4, 5, 6]
    assert [event.version for event in log.read(stream, after=8)] == [9, 10]
    assert log.read(stream, after=10) == log.read(stream, after=99) == log.read(new_stream()) == []


def test_several_appends_of_one_transaction_follow_each_other():
    stream = new_stream()
    with transaction.atomic():
        append(stream, 0, 1)
        append(stream, 1, 2)
    assert [event.data["number"] for event in log.read(stream)] == [1, 2]


@pytest.mark.parametrize("expected", [0, 1, 2, 4, 400])
def test_another_version_than_expected_is_a_conflict_that_says_where_the_stream_is(expected):
    stream = new_stream()
    append(stream, 0, 1, 2, 3)
    head = head_of(log.bucket_of(stream))
    with pytest.raises(log.VersionConflict) as conflict:
        append(stream, expected)
    assert (conflict.value.stream, conflict.value.expected, conflict.value.found) == (stream, expected, 3)
    assert len(log.read(stream)) == 3
    assert head_of(log.bucket_of(stream)) == head


def test_a_stream_that_does_not_exist_is_at_version_0():
    with pytest.raises(log.VersionConflict) as conflict:
        append(new_stream(), 1)
    assert conflict.value.found == 0


class RolledBack(Exception):  # noqa: N818  named after what happened
    pass


def append_and_fail(stream, expected, appended):
    with transaction.atomic():
        appended += append(stream, expected)
        raise RolledBack


def append_to_both(*streams):
    with transaction.atomic():
        for stream in streams:
            append(stream, 0)


def test_a_rollback_leaves_the_counter_and_the_stream_as_they_were():
    stream = new_stream()
    append(stream, 0, 1)
    head = head_of(log.bucket_of(stream))
    appended = []
    with pytest.raises(RolledBack):
        append_and_fail(stream, 1, appended)
    assert appended[0].position == head + 1
    assert head_of(log.bucket_of(stream)) == head
    assert append(stream, 1, 2)[0].position == head + 1


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize(("expected", "queries"), [(0, 2), (3, 1)])
def test_an_append_makes_one_query_whatever_the_number_of_events_and_one_more_for_a_new_stream(
    expected, queries, count
):
    stream = new_stream()
    if expected:
        append(stream, 0, *range(expected))
    events = [log.NewEvent("test.counted", {"number": number}) for number in range(count)]
    with transaction.atomic(), CaptureQueriesContext(connection) as made:
        log.append(stream, expected, events, recorded_at=NOW)
    assert len(made) == queries


def test_data_without_canonical_text_is_refused_before_anything_is_touched():
    stream = new_stream()
    with CaptureQueriesContext(connection) as queries, pytest.raises(log.NotCanonical, match="float has no"):
        log.append(stream, 0, [log.NewEvent("test.scored", {"score": 1.5})], recorded_at=NOW)
    assert len(queries) == 0
    with pytest.raises(log.NotCanonical, match="surrogate"):
        log.append(stream, 0, [log.NewEvent("test.scored", {})], recorded_at=NOW, reason="\ud800")


def test_a_time_in_another_zone_is_the_same_moment():
    stream = new_stream()
    there = NOW.astimezone(timezone(timedelta(hours=5, minutes=45)))
    with transaction.atomic():
        log.append(stream, 0, [log.NewEvent("test.counted", {})], recorded_at=there)
    assert log.read(stream)[0].recorded_at == NOW
    assert log.verify(stream) == []


EVENT = log.NewEvent("test.counted", {})


@pytest.mark.parametrize(
    ("stream", "expected", "events", "at", "said"),
    [
        ("", 0, [EVENT], NOW, "cannot name a stream"),
        ("Game-1", 0, [EVENT], NOW, "cannot name a stream"),
        ("game 1", 0, [EVENT], NOW, "cannot name a stream"),
        ("game-1\n", 0, [EVENT], NOW, "cannot name a stream"),
        ("g-" + "1" * 127, 0, [EVENT], NOW, "cannot name a stream"),
        ("game-1", 0, [log.NewEvent("games.Played", {})], NOW, "cannot name a type"),
        ("game-1", 0, [log.NewEvent("played", {})], NOW, "cannot name a type"),
        ("game", 0, [EVENT], NOW, "cannot name a stream"),
        ("game-", 0, [EVENT], NOW, "cannot name a stream"),
        ("game-1", 0, [EVENT], datetime(2026, 11, 21), "time zone"),  # noqa: DTZ001
    ],
)
def test_a_call_that_breaks_the_rules_is_refused(stream, expected, events, at, said):
    with pytest.raises(log.Misuse, match=said):
        log.append(stream, expected, events, recorded_at=at)


@pytest.mark.django_db(transaction=True)
def test_an_append_outside_a_transaction_is_refused():
    with pytest.raises(log.Misuse, match="transaction"):
        log.append(new_stream(), 0, [EVENT], recorded_at=NOW)


@pytest.mark.parametrize(
    "in_a_test", [pytest.param(True), pytest.param(False, marks=pytest.mark.django_db(transaction=True))]
)
def test_a_transaction_that_appends_to_two_streams_is_refused_as_a_whole(in_a_test):
    stream = new_stream()
    assert in_a_test == connection.in_atomic_block
    with pytest.raises(log.Misuse, match="one transaction writes to one stream"):
        append_to_both(stream, stranger(stream))
    assert log.read(stream) == []
    append(stream, 0)
    append(stranger(stream), 0)


@pytest.mark.django_db(transaction=True)
def test_a_savepoint_that_was_rolled_back_does_not_bind_the_transaction():
    stream, other = new_stream(), new_stream()
    with transaction.atomic():
        with pytest.raises(RolledBack):
            append_and_fail(stream, 0, [])
        append(other, 0)
    assert log.read(stream) == []
    assert len(log.read(other)) == 1


def test_the_bucket_is_the_first_two_bytes_of_the_digest_of_the_name():
    # SHA-256 of "game-1" begins with e7 b4.
    assert log.bucket_of("game-1") == 0xE7B4 % 256
    assert {log.bucket_of(f"game-{number}") for number in range(5000)} == set(range(256))


def test_times_are_kept_to_the_microsecond():
    at = datetime(2026, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    stream = new_stream()
    with transaction.atomic():
        log.append(stream, 0, [EVENT], recorded_at=at)
    assert log.read(stream)[0].recorded_at == at
