"""The heads of the log in a file that grows by a day's news."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection

from config.ops import tasks
from config.ops.models import Upkeep
from core import log
from tests.core.log.log_scene import append, new_stream

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path, settings):
    settings.TREY_HEADS_FILE = str(tmp_path / "heads")
    return tmp_path / "heads"


def heads_in(file):
    return [tuple(line.split()[:2]) for line in file.read_text().splitlines() if not line.startswith("#")]


def test_each_day_only_the_streams_that_moved_on_are_appended(file, clock):
    one, other = new_stream(), new_stream()
    append(one, 0, 1)
    append(other, 0, 1)
    assert tasks.publish_heads() == 2
    clock.advance(days=1)
    append(one, 1, 2, 3)
    assert tasks.publish_heads() == 1
    assert heads_in(file)[-1] == (one, "3")
    assert sorted(heads_in(file)[:2]) == sorted([(one, "1"), (other, "1")])
    call_command("log", "verify", heads=file)
    clock.advance(days=1)
    assert tasks.publish_heads() == 0
    assert log.last_published(file).at == clock.at


def test_once_a_day_however_often_it_is_asked(file, clock):
    assert tasks.publish_heads() == 0
    clock.advance(hours=23)
    assert tasks.publish_heads() is None
    clock.advance(hours=1)
    assert tasks.publish_heads() == 0
    assert file.read_text().count("\n") == 2


def test_without_a_file_there_are_none(settings):
    settings.TREY_HEADS_FILE = ""
    assert tasks.publish_heads() is None
    assert not Upkeep.objects.exists()


def test_what_was_interrupted_is_written_again(file, clock):
    one = new_stream()
    append(one, 0, 1)
    tasks.publish_heads()
    whole = file.read_bytes()
    append(one, 1, 2)
    for rest in (f"{one} 2 ", f"{one} 2 {'0' * 64}\n# 2026-11-22T12"):
        file.write_bytes(whole + rest.encode())
        clock.advance(days=1)
        assert log.publish_heads(file, clock.at).heads == 1
        assert heads_in(file) == [(one, "1"), (one, "2")]
        call_command("log", "verify", heads=file)


def test_a_file_that_vanished_is_begun_again_with_all_heads(file, clock):
    append(new_stream(), 0, 1)
    tasks.publish_heads()
    file.unlink()
    clock.advance(days=1)
    assert tasks.publish_heads() == 1


def test_a_failure_is_told_and_tried_again_in_an_hour(file, clock, caplog):
    tasks.publish_heads()
    first = clock.at
    file.unlink()
    file.mkdir()
    clock.advance(days=1)
    assert tasks.publish_heads() is None
    assert [record.levelname for record in caplog.records if record.name == "trey.upkeep"] == ["ERROR"]
    row = Upkeep.objects.get(pk="heads")
    assert (row.done_at, row.failed_at) == (first, clock.at)
    assert "Is a directory" in row.error
    file.rmdir()
    clock.advance(hours=1)
    assert tasks.publish_heads() == 0
    assert Upkeep.objects.get(pk="heads").failed_at is None


def test_a_log_that_is_shorter_than_what_was_published_is_an_error(file, clock):
    append(stream := new_stream(), 0, 1, 2)
    tasks.publish_heads()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE log_counter SET head = 1 WHERE bucket = %s", [log.bucket_of(stream)])
    with pytest.raises(log.CannotPublish, match="The log is shorter than it was"):
        log.publish_heads(file, clock.at + timedelta(days=1))


def test_another_file_is_not_written_to(file, clock):
    for text in ("notes\n", "# my heads\n"):
        file.write_text(text)
        with pytest.raises(log.CannotPublish, match="is not a file of heads"):
            log.publish_heads(file, clock.at)
        assert file.read_text() == text
