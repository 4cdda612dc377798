"""What docs/contribute/log.md says of the digest and of partitions holds."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction
from log_scene import append, new_stream

DOCS = (Path(__file__).parents[3] / "docs" / "contribute" / "log.md").read_text(encoding="utf-8")


def block(language):
    return re.search(rf"```{language}\n(.*?)\n```", DOCS, re.DOTALL)[1]


def test_the_example_has_the_digest_that_is_given():
    digest = hashlib.sha256(b"trey-log/1\n" + bytes(range(32)) + bytes(range(16)) + block("json").encode())
    assert digest.hexdigest() in DOCS


@pytest.mark.django_db
def test_the_log_can_be_partitioned_by_bucket_as_described():
    stream = new_stream()
    append(stream, 0, 1, 2)
    with connection.cursor() as cursor:
        cursor.execute(block("sql"))
        cursor.execute("INSERT INTO log_event_new SELECT * FROM log_event")
        cursor.execute("ALTER TABLE log_event RENAME TO log_event_old; ALTER TABLE log_event_new RENAME TO log_event")
    append(stream, 2, 3)
    with pytest.raises(IntegrityError, match="unique"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("INSERT INTO log_event SELECT * FROM log_event")
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN SELECT * FROM log_event WHERE bucket = 7 AND position > 1")
        assert "log_event_p1" not in str(cursor.fetchall())


def test_the_table_of_owners_names_every_type_that_is_stored_of_a_game():
    rows = re.findall(r"^\| `(game|shedding|three_thirteen)` \| (.*) \|$", DOCS, re.MULTILINE)
    listed = {f"{owner}.{name}" for owner, cells in rows for name in re.findall(r"`(\w+)`", cells)}
    samples = (Path(__file__).parents[2] / "stored").glob("*/games/*.jsonl")
    stored = {
        line["type"] for path in samples for line in map(json.loads, path.read_text().splitlines()) if "type" in line
    }
    assert listed == stored
