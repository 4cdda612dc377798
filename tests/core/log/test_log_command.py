"""`manage.py log` as an operator uses it."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from log_scene import append, new_stream

pytestmark = pytest.mark.django_db


@pytest.fixture
def stream():
    stream = new_stream()
    append(stream, 0, 1, "a\u2028b\x85c")
    return stream


def run(*arguments):
    out = StringIO()
    call_command("log", *arguments, stdout=out)
    return out.getvalue()


def test_heads_and_export_made_today_verify_tomorrow(stream, tmp_path):
    heads, export = tmp_path / "heads", tmp_path / "export"
    heads.write_text(run("heads"))
    export.write_text(run("export"))
    append(stream, 2, 3)
    assert run("verify", "--heads", str(heads)) == "The log is intact.\n"
    assert run("verify", stream, "--heads", str(heads)) == "The log is intact.\n"
    assert run("verify", "--export", str(export), "--heads", str(heads)) == "The log is intact.\n"
    assert run("export", stream).count("\n") == 4
    with pytest.raises(CommandError, match="There is no stream game-2"):
        run("export", "game-2")


def test_a_log_that_was_changed_is_said_to_be(stream):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE log_event DISABLE TRIGGER USER")
        cursor.execute("UPDATE log_event SET seat = 5 WHERE version = 2")
    with pytest.raises(CommandError, match="differs from what was recorded"):
        run("verify")


def test_files_that_are_something_else_are_said_to_be(stream, tmp_path):
    other = tmp_path / "other"
    with pytest.raises(CommandError, match=r"other cannot be read: No such file or directory\.$"):
        run("verify", "--heads", str(other))
    other.write_text("game-1 one two\n")
    with pytest.raises(CommandError, match="line 1: not a head"):
        run("verify", "--heads", str(other))
    for text in ("not json\n", "[]\n", "{}\n"):
        other.write_text(text)
        with pytest.raises(CommandError, match="is not an export of the log"):
            run("verify", "--export", str(other))
    with pytest.raises(CommandError, match="not both"):
        run("verify", stream, "--export", str(other))
