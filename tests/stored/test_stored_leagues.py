"""What was ever stored of leagues loads for ever: whole streams as once written, in their newest shape."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.log.event import newest
from tests.stored.collect_leagues import found
from tournaments.leaderboards.stream import TYPES

SAMPLES = sorted(Path(__file__).parent.glob("*/leagues/*.jsonl"))


def stream(path):
    *lines, last = map(json.loads, path.read_text().splitlines())
    for line in lines:
        line["schema"], line["data"] = newest(line["type"], line["schema"], line["data"])
    return [SimpleNamespace(**line) for line in lines], last


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_stored_stream_counts_what_it_did(path):
    events, expected = stream(path)
    assert expected
    assert found(events) == expected


def test_every_event_there_is_has_a_sample():
    assert {event.type for path in SAMPLES for event in stream(path)[0]} == set(TYPES)
