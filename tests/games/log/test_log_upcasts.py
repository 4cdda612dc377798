"""Old shapes of events: stored as they were, read in the newest shape."""

import pytest
from log_scene import NOW, append, new_stream

from games import log
from games.log import upcasts

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_upcasts(monkeypatch):
    monkeypatch.setattr(upcasts, "_upcasts", {})


@pytest.fixture
def stream():
    stream = new_stream()
    append(stream, 0, 1)
    return stream


def register():
    @log.upcast("counted", 1)
    def v1_to_v2(data):
        return {"numbers": [data["number"]]}

    @log.upcast("counted", 2)
    def v2_to_v3(data):
        return {**data, "sum": sum(data["numbers"])}


def test_an_old_event_is_read_in_the_newest_shape(stream):
    register()
    [event] = log.read(stream)
    assert (event.schema, event.data) == (3, {"numbers": [1], "sum": 1})
    assert log.tail(event.bucket, event.position - 1) == [event]


def test_the_digest_is_of_what_was_stored(stream):
    register()
    assert log.verify(stream) == []


def test_events_of_the_newest_shape_are_left_as_they_are(stream):
    register()
    newest = log.NewEvent("counted", {"numbers": [2, 3], "sum": 6}, schema=3)
    log.append(stream, 1, [newest], recorded_at=NOW)
    assert log.read(stream, after=1)[0].data == {"numbers": [2, 3], "sum": 6}


def test_an_event_of_an_old_shape_is_no_longer_written(stream):
    register()
    with pytest.raises(log.Misuse, match="schema 2 of 'counted' is not the newest"):
        log.append(stream, 1, [log.NewEvent("counted", {}, schema=2)], recorded_at=NOW)


def test_a_step_has_one_function():
    register()
    with pytest.raises(ValueError, match="already"):
        register()
