"""What was ever stored of tournaments loads for ever: whole streams as once written, in their newest shape, folded."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from core.log.event import newest
from tests.stored.collect_tournaments import SAMPLES as MADE
from tests.stored.collect_tournaments import found
from tournaments.rules import read_record
from tournaments.stream import EVENTS, fold_all, lines_of, record_of

SAMPLES = sorted(Path(__file__).parent.glob("*/tournaments/*.jsonl"))


@dataclass
class Stored:
    type: str
    data: dict[str, Any]
    version: int
    recorded_at: datetime


def stream(path: Path) -> tuple[UUID, list[Stored], dict[str, Any]]:
    first, *lines, last = map(json.loads, path.read_text().splitlines())
    events = []
    for line in lines:
        _, data = newest(line["type"], line["schema"], line["data"])
        kind, _, name = line["type"].partition(".")
        assert kind == "tournament"
        events.append(Stored(name, data, line["version"], datetime.fromisoformat(line["recorded_at"])))
    return UUID(first["id"]), events, last


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_stored_stream_folds_to_what_it_was(path: Path) -> None:
    tournament_id, events, expected = stream(path)
    t = fold_all(tournament_id, events)
    assert t is not None
    assert found(t, events) == expected
    read_record(record_of(t.plan, t.seed, list(lines_of(events, lambda who, _: who or "bot"))))


# Events that came after the last release; its successor keeps samples of them.
SINCE: set[str] = set()


def test_every_event_there_is_has_a_sample() -> None:
    assert {event.type for path in SAMPLES for event in stream(path)[1]} == set(EVENTS) - SINCE
    assert {event.type for make in MADE.values() for event in make().events} == set(EVENTS)
