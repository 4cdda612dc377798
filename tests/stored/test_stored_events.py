"""What was ever stored loads for ever: whole streams as once written, in their newest shape, folded."""

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from core.log.event import newest
from games.events import numbered
from games.projections import evolve_all
from games.projections.vocabulary import is_of_rules
from games.rules import PLAYED, notation
from games.rules.events import EFFECTS, EVENTS
from games.selectors import events_seen

SAMPLES = sorted(Path(__file__).parent.glob("*/games/*.jsonl"))


def named(path: Path) -> str:
    return f"{path.parents[1].name} {path.stem}"


class Stored(Struct):
    stream: str
    type: str
    seat: int | None
    data: dict[str, Any]
    version: int
    recorded_at: datetime


def stream(path: Path) -> tuple[list[Stored], dict[str, Any]]:
    first, *lines, last = map(json.loads, path.read_text().splitlines())
    events = []
    for line in lines:
        _, data = newest(line["type"], line.pop("schema"), line["data"])
        line["stream"] = f"game-{first['id']}"
        events.append(Stored(**line | {"data": data, "recorded_at": datetime.fromisoformat(line["recorded_at"])}))
    return events, last


@pytest.mark.parametrize("path", SAMPLES, ids=named)
def test_a_stored_stream_folds_to_what_it_was(path):
    events, expected = stream(path)
    snapshot = evolve_all(events)
    found = {
        "status": snapshot.status,
        "players": [str(seat.player) for seat in snapshot.players],
        "shuffles": snapshot.shuffles,
        "result": snapshot.result,
    }
    assert found == expected
    rules = snapshot.rules
    assert rules.dump(rules.load(json.loads(json.dumps(rules.dump(snapshot.state))))) == rules.dump(snapshot.state)


@pytest.mark.parametrize("path", SAMPLES, ids=named)
def test_a_stored_stream_can_be_shown_to_everybody(path):
    events, _ = stream(path)
    snapshot = evolve_all(events)
    names = ["ada", "bob", "cyd"][: len(snapshot.players)]
    for viewer in (None, "public", 0, 1):
        for event in events_seen(events, viewer):
            assert numbered(event, names)
        assert notation.table(snapshot.rules.view(snapshot.state, viewer), names)


def every_event():
    return [event for path in SAMPLES for event in stream(path)[0]]


def test_every_event_there_is_has_a_sample():
    events = every_event()
    # A game of bots that was stopped has 5,000 moves.
    assert {event.type for event in events} == set(EVENTS) - {"shedding.stopped"}
    assert {effect["effect"] for event in events for effect in event.data.get("effects", ())} == set(EFFECTS)


def test_what_is_stored_of_a_game_says_whose_it_is():
    families = {rules.family for rules in PLAYED.values()}
    for event in every_event():
        owner, _, name = event.type.partition(".")
        assert name and owner in ({"game"} if not is_of_rules(event) else families)


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts(item)


def test_times_are_spelled_one_way_in_the_whole_log():
    found = [text for event in every_event() for text in texts(event.data) if re.match(r"\d{4}-\d\d-\d\dT", text)]
    assert found
    assert [text for text in found if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", text)] == []
