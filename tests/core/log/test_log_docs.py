"""What docs/contribute/log.md says of the digest and of partitions holds. tests/drill divides a log that is in use."""

import hashlib
import re
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction
from log_scene import append, new_stream

DOCS = (Path(__file__).parents[3] / "docs" / "contribute" / "log.md").read_text(encoding="utf-8")

EXAMPLE = re.search(r"```json\n(.*?)\n```", DOCS, re.DOTALL)[1]
PARTITIONED = """
CREATE TABLE log_event_new (LIKE log_event INCLUDING ALL) PARTITION BY RANGE (bucket);
CREATE TABLE log_event_p0 PARTITION OF log_event_new FOR VALUES FROM (0) TO (64);
CREATE TABLE log_event_p1 PARTITION OF log_event_new FOR VALUES FROM (64) TO (256);
"""


def test_the_example_has_the_digest_that_is_given():
    digest = hashlib.sha256(b"trey-log/1\n" + bytes(range(32)) + bytes(range(16)) + EXAMPLE.encode())
    assert digest.hexdigest() in DOCS


@pytest.mark.django_db
def test_the_log_can_be_partitioned_by_bucket_as_described():
    stream = new_stream()
    append(stream, 0, 1, 2)
    with connection.cursor() as cursor:
        cursor.execute(PARTITIONED)
        cursor.execute("INSERT INTO log_event_new SELECT * FROM log_event")
        cursor.execute("ALTER TABLE log_event RENAME TO log_event_old; ALTER TABLE log_event_new RENAME TO log_event")
    append(stream, 2, 3)
    with pytest.raises(IntegrityError, match="unique"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("INSERT INTO log_event SELECT * FROM log_event")
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN SELECT * FROM log_event WHERE bucket = 7 AND position > 1")
        assert "log_event_p1" not in str(cursor.fetchall())
