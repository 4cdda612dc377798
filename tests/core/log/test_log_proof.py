"""The chain of digests: its form, and that nothing stored can be changed without it showing."""

import hashlib
import json
from datetime import UTC, datetime
from uuid import UUID

import pytest
from django.db import connection, transaction
from log_scene import NOW, append, new_stream, sibling

from core import log
from core.log.sealed import Sealed

pytestmark = pytest.mark.django_db


@pytest.fixture
def stream():
    stream = new_stream()
    append(stream, 0, 1, 2)
    append(stream, 2, 3, command_id=UUID(int=7))
    return stream


@pytest.fixture
def tamper():
    """Change the log as only its owner can: past the triggers."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE log_event DISABLE TRIGGER USER")

        def execute(statement, *values):
            cursor.execute(statement, values)
            assert cursor.rowcount

        yield execute


def test_the_digest_is_that_of_the_form_in_the_docs(stream):
    previous = bytes(32)
    for event in log.read(stream):
        document = {
            "at": "2026-11-21T12:30:00.123456Z",
            "command": "00000000-0000-0000-0000-000000000007" if event.version == 3 else None,
            "data": {"number": event.version},
            "meta": {},
            "schema": 1,
            "seat": 0,
            "stream": stream,
            "type": "test.counted",
            "version": event.version,
        }
        text = json.dumps(document, sort_keys=True, separators=(",", ":"))
        previous = hashlib.sha256(b"trey-log/1\n" + previous + event.nonce + text.encode()).digest()
        assert event.digest == previous
        assert len(event.nonce) == 16


def test_the_form_never_changes():
    event = Sealed(
        stream="game-1",
        version=2,
        type="played",
        seat=None,
        schema=1,
        data='{"cards":["7H"],"é":"€"}',
        meta="{}",
        command_id=UUID("01234567-89ab-cdef-0123-456789abcdef"),
        recorded_at=datetime(2026, 1, 2, 3, 4, 5, 60, tzinfo=UTC),
        nonce=bytes(range(16)),
    )
    digest = event.digest_after(bytes(range(32)))
    assert digest.hex() == "c07615f99c3f7c9adce7478ebef8c2070b7c72eff7f4f337ab67aff2fc340749"


def test_equal_events_have_different_digests():
    one, other = (append(new_stream(), 0, 1)[0] for _ in range(2))
    assert one.nonce != other.nonce
    assert one.digest != other.digest


def test_the_nonce_is_not_shown_by_accident(stream):
    event = log.read(stream)[0]
    assert repr(event.nonce) not in repr(event)
    assert "nonce" not in repr(event)


def test_a_log_that_was_left_alone_is_sound(stream):
    assert log.verify(stream) == []
    assert list(log.verify_all(log.heads())) == []
    assert log.verify(new_stream()) == []


@pytest.mark.parametrize(
    "change",
    [
        "data = '{\"number\":9}'",
        "data = '{\"number\": 2}'",
        'meta = \'{"actor":"me"}\'',
        "type = 'guessed'",
        "seat = 1",
        "seat = NULL",
        "schema = 2",
        "command_id = gen_random_uuid()",
        "recorded_at = recorded_at + interval '1 microsecond'",
        "nonce = sha256('guess')",
        "digest = sha256('guess')",
    ],
)
def test_a_changed_event_shows(stream, tamper, change):
    tamper(f"UPDATE log_event SET {change} WHERE stream_id = %s AND version = 2", stream)
    assert log.verify(stream) == [f"{stream}: version 2 is not what was recorded, or an event before it is not"]
    assert list(log.verify_all()) == log.verify(stream)


def test_an_event_taken_out_shows(stream, tamper):
    tamper("DELETE FROM log_event WHERE stream_id = %s AND version = 2", stream)
    assert log.verify(stream) == [f"{stream}: version 2 is missing, 3 is in its place"]
    with pytest.raises(log.Gap, match="no version 2"):
        log.read(stream)
    with pytest.raises(log.Gap, match="no position"):
        log.tails({log.bucket_of(stream): 0})
    assert any("the counter says 3, there are 2 events" in problem for problem in log.verify_all())


def test_an_end_cut_off_shows(stream, tamper):
    tamper("DELETE FROM log_event WHERE stream_id = %s AND version = 3", stream)
    assert log.verify(stream) == [f"{stream}: the last event stored is version 2, which is not the stream's head"]
    tamper("DELETE FROM log_event WHERE stream_id = %s", stream)
    assert log.verify(stream) == [f"{stream}: the last event stored is version 0, which is not the stream's head"]


def test_an_event_moved_to_another_stream_shows(stream, tamper):
    other = sibling(stream)
    tamper("UPDATE log_event SET stream_id = %s WHERE stream_id = %s AND version = 1", other, stream)
    assert f"{other}: version 1 is not what was recorded, or an event before it is not" in list(log.verify_all())


def test_a_bucket_that_is_not_the_streams_shows(stream, tamper):
    wrong = (log.bucket_of(stream) + 1) % 256
    tamper("UPDATE log_event SET bucket = %s WHERE stream_id = %s", wrong, stream)
    assert f"{stream}: lies in bucket {wrong} and belongs in {log.bucket_of(stream)}" in list(log.verify_all())


def test_a_history_written_anew_shows_against_a_head_published_before(stream, tamper):
    published = list(log.heads())
    append(stream, 3, 4)
    assert list(log.verify_all(published)) == []
    # The owner of the database writes a stream that is sound in itself, at the same versions.
    tamper("DELETE FROM log_event WHERE stream_id = %s", stream)
    tamper("DELETE FROM log_stream WHERE stream_id = %s", stream)
    tamper("UPDATE log_counter SET head = 0 WHERE bucket = %s", log.bucket_of(stream))
    append(stream, 0, 1, 2, 3, 4)
    assert log.verify(stream) == []
    lie = f"{stream}: version 3 is not the one whose head was published"
    assert log.verify(stream, published) == list(log.verify_all(published)) == [lie]
    # Even if a head of the new history is published later.
    both = [*published, log.Head(stream, 3, log.digest_at(stream, 3))]
    assert log.verify(stream, both) == list(log.verify_export(map(str.encode, log.export()), both)) == [lie]


def test_a_stream_that_vanished_shows_against_a_head_published_before(stream, tamper):
    published = list(log.heads())
    tamper("DELETE FROM log_event WHERE stream_id = %s", stream)
    tamper("DELETE FROM log_stream WHERE stream_id = %s", stream)
    tamper("UPDATE log_counter SET head = 0 WHERE bucket = %s", log.bucket_of(stream))
    assert list(log.verify_all(published)) == [f"{stream}: its head was published, and it is not in the log"]


def test_heads_are_the_last_events(stream):
    last = log.read(stream)[-1]
    assert list(log.heads()) == [log.Head(stream, 3, last.digest.hex())]


def check_export(lines, published=()):
    return list(log.verify_export([f"{line}\n".encode() for line in lines], published))


def test_the_export_is_verified_without_a_database(stream):
    other = new_stream()
    with transaction.atomic():
        log.append(other, 0, [log.NewEvent("test.said", {"text": "ß€😀"})], recorded_at=NOW, actor=log.Actor("x"))
    lines, published = list(log.export()), list(log.heads())
    header, *events = map(json.loads, lines)
    assert len(events) == header["events"] == 4
    assert [json.loads(line)["version"] for line in list(log.export(stream))[1:]] == [1, 2, 3]
    assert set(list(log.export(stream))[1:]) < set(lines)
    assert check_export(lines, published) == []
    assert check_export(log.export(stream)) == []
    changed = [line.replace('"number":2', '"number":5') for line in log.export(stream)]
    lie = f"{stream}: version 2 is not what was recorded, or an event before it is not"
    assert check_export(changed) == [f"line 3: {lie}"]
    head = next(head for head in published if head.stream == stream)
    other_head = log.Head(stream, 3, "0" * 64)
    lost = f"{stream}: version 3 is not the one whose head was published"
    assert check_export(log.export(stream), [head]) == []
    assert check_export(log.export(stream), [other_head]) == [lost]


def test_an_export_that_was_cut_off_is_said_to_be(stream):
    with pytest.raises(log.BadExport, match="line 3: the file ends after 2 of 3 events; it was cut off"):
        check_export(list(log.export(stream))[:-1])


@pytest.mark.sampled
def test_the_export_of_a_long_bucket_is_complete():
    stream = new_stream()
    for start in range(0, 2500, 500):
        append(stream, start, *range(500))
    for lines in (list(log.export()), list(log.export(stream))):
        assert [json.loads(line)["version"] for line in lines[1:]] == list(range(1, 2501))
        assert check_export(lines) == []
