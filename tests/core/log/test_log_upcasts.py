"""Old shapes of events: stored as they were, read in the newest shape."""

import pytest
from log_scene import NOW, append, new_stream

from core import log
from core.log import event as upcasts

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
    @log.upcast("test.counted", 1)
    def v1_to_v2(data):
        return {"numbers": [data["number"]]}

    @log.upcast("test.counted", 2)
    def v2_to_v3(data):
        return {**data, "sum": sum(data["numbers"])}


def test_an_old_event_is_read_in_the_newest_shape(stream):
    register()
    [event] = log.read(stream)
    assert (event.schema, event.data) == (3, {"numbers": [1], "sum": 1})
    assert log.tails({event.bucket: event.position - 1}) == ([event], {event.bucket: event.position})


def test_the_digest_is_of_what_was_stored(stream):
    register()
    assert log.verify(stream) == []


def test_events_of_the_newest_shape_are_left_as_they_are(stream):
    register()
    newest = log.NewEvent("test.counted", {"numbers": [2, 3], "sum": 6})
    log.append(stream, 1, [newest], recorded_at=NOW)
    [event] = log.read(stream, after=1)
    assert (event.schema, event.data) == (3, {"numbers": [2, 3], "sum": 6})


def test_the_log_stamps_the_newest_schema_itself(stream):
    assert [log.newest_schema("test.counted"), log.newest_schema("test.other")] == [1, 1]
    register()
    assert [log.newest_schema("test.counted"), log.newest_schema("test.other")] == [3, 1]


def test_a_step_has_one_function():
    register()
    with pytest.raises(ValueError, match="already"):
        register()
