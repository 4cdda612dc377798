"""The database itself refuses to change or drop what is in the log."""

import pytest
from django.db import IntegrityError, connection, transaction
from log_scene import append, new_stream

from core import log
from core.log.models import StoredEvent

pytestmark = pytest.mark.django_db


@pytest.fixture
def stream():
    stream = new_stream()
    append(stream, 0, 1, 2)
    return stream


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log_event SET seat = 1",
        "UPDATE log_event SET seat = 1 WHERE false",
        "DELETE FROM log_event",
        "DELETE FROM log_event WHERE false",
        "TRUNCATE log_event",
        "TRUNCATE log_event CASCADE",
        "INSERT INTO log_event SELECT * FROM log_event ON CONFLICT (bucket, stream_id, version) DO UPDATE SET seat = 1",
    ],
)
def test_change_is_refused_with_a_reason(stream, statement):
    before = log.read(stream)
    with connection.cursor() as cursor:
        # Off in test databases alone, for their clean-up; as everything here, this is rolled back.
        cursor.execute("ALTER TABLE log_event ENABLE TRIGGER log_event_no_truncate")
        said = r"the event log is append-only: [A-Z]+ on log_event is refused"
        with pytest.raises(IntegrityError, match=said), transaction.atomic():
            cursor.execute(statement)
    assert log.read(stream) == before


def test_the_orm_is_refused_too(stream):
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        StoredEvent.objects.filter(stream_id=stream).update(seat=1)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        StoredEvent.objects.filter(stream_id=stream).delete()
    assert [row.data for row in StoredEvent.objects.filter(stream_id=stream).order_by("version")] == [
        {"number": 1},
        {"number": 2},
    ]


def test_a_second_event_at_a_version_or_position_is_refused(stream):
    for column in ("version", "position"):
        with pytest.raises(IntegrityError, match="unique"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO log_event SELECT bucket, stream_id, version + %s, position + %s, type, seat, schema, data,"
                " meta, command_id, recorded_at, nonce, digest FROM log_event WHERE stream_id = %s AND version = 2",
                [*((0, 100) if column == "version" else (100, 0)), stream],
            )


def test_a_counter_that_is_missing_is_said_and_restored_by_migrate(stream):
    from django.core.management import call_command

    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM log_counter WHERE bucket = %s", [log.bucket_of(stream)])
    with pytest.raises(log.LogError, match=r"counter of bucket .* is missing"):
        append(stream, 2)
    call_command("migrate", verbosity=0)
    assert append(stream, 2)[0].position == log.read(stream)[1].position + 1
