"""What was ever stored loads for ever: whole streams as once written, in their newest shape, folded."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from games import notation
from games.log.upcasts import newest
from games.projections import LOBBY, fold_all
from games.rules import GAMES
from games.rules.shedding.decide import EVENT_TYPES
from games.rules.shedding.effects import EFFECTS
from games.selectors import events_seen

SAMPLES = sorted(Path(__file__).parent.glob("*.jsonl"))
RUMMY = {"dealt", "drew", "discarded", "went_out", "round_scored", "resigned"}


@dataclass
class Stored:
    type: str
    seat: int | None
    data: dict[str, Any]
    meta: dict[str, Any]
    version: int
    recorded_at: datetime


def stream(path: Path) -> tuple[UUID, list[Stored], dict[str, Any]]:
    first, *lines, last = map(json.loads, path.read_text().splitlines())
    events = []
    for line in lines:
        _, data = newest(line["type"], line.pop("schema"), line["data"])
        events.append(Stored(**line | {"data": data, "recorded_at": datetime.fromisoformat(line["recorded_at"])}))
    return UUID(first["id"]), events, last


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_stored_stream_folds_to_what_it_was(path):
    game_id, events, expected = stream(path)
    picture = fold_all(game_id, events)
    found = {
        "status": picture.status,
        "players": [str(seat.player) for seat in picture.players],
        "shuffles": picture.shuffles,
        "result": picture.result,
    }
    assert found == expected
    rules = GAMES[picture.game]
    assert rules.dump(rules.load(json.loads(json.dumps(rules.dump(picture.state))))) == rules.dump(picture.state)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_stored_stream_can_be_shown_to_everybody(path):
    game_id, events, _ = stream(path)
    picture = fold_all(game_id, events)
    names = ["ada", "bob", "cyd"][: len(picture.players)]
    for viewer in (None, "public", 0, 1):
        for event in events_seen(picture.game, events, viewer):
            assert notation.event(event, names)
        assert notation.table(GAMES[picture.game].view(picture.state, viewer), names)


def test_every_event_there_is_has_a_sample():
    types, effects = {}, set()
    for path in SAMPLES:
        game_id, events, _ = stream(path)
        kind = "rummy" if fold_all(game_id, events).game == "three_thirteen" else "shedding"
        types.setdefault(kind, set()).update(event.type for event in events)
        effects.update(effect["effect"] for event in events for effect in event.data.get("effects", ()))
    assert types["shedding"] == {"opened", *LOBBY, "dealt", *EVENT_TYPES.values()}
    assert types["rummy"] - set(LOBBY) - {"opened"} == RUMMY
    assert effects == set(EFFECTS)


def test_a_lobby_event_is_no_event_of_the_rules():
    assert not {"opened", *LOBBY} & ({"dealt", *EVENT_TYPES.values()} | RUMMY)
