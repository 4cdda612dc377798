"""Events, effects and legal moves are typed in the OpenAPI document, and all that was ever stored fits."""

from typing import Any

import jsonschema_rs
import pytest

from core.http.documents import document
from games.rules.events import EFFECTS, EVENTS
from games.rules.shedding import decide as shedding
from games.rules.shedding.events import TYPES, Stopped
from games.rules.three_thirteen import decide as three_thirteen
from games.selectors import events_seen
from tests.stored.test_stored_events import SAMPLES, stream

RUMMY = {"dealt", "drew", "discarded", "went_out", "round_scored", "resigned"}


def kinds(component: str) -> set[str]:
    return set(document()["components"]["schemas"][component]["discriminator"]["mapping"])


def validator(component: str) -> Any:
    schemas = {"components": document()["components"]}
    return jsonschema_rs.Draft202012Validator({"$ref": f"#/components/schemas/{component}", **schemas})


def test_every_type_of_event_has_a_schema() -> None:
    own = {kind.name for kind in EVENTS.values() if kind.family == "game"}
    assert kinds("Event") == own | set(TYPES.values()) | {Stopped.name} | RUMMY


def test_every_effect_has_a_schema() -> None:
    assert kinds("Effect") == set(EFFECTS)


def test_every_move_has_a_schema_and_all_but_resigning_and_settling_are_listed() -> None:
    moves = set(shedding.SHAPES) | set(three_thirteen.SHAPES)
    assert kinds("Move") == moves
    assert kinds("LegalMove") == moves - {"resign", "settle"}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_every_event_ever_stored_fits_for_each_viewer(sample: Any) -> None:
    events, _ = stream(sample)
    fits = validator("Event")
    for viewer in (None, "public", 0):
        for event in events_seen(events, viewer):
            shown = event | {"recorded_at": event["recorded_at"].isoformat()}
            assert fits.is_valid(shown), [error.message for error in fits.iter_errors(shown)]


@pytest.mark.parametrize(
    "broken",
    [
        {"effect": "laid", "seat": 0, "cards": ["7H"], "hand": ["7H"], "face_up": []},
        {"effect": "laid", "seat": 0, "cards": ["7X"], "hand": ["7X"], "face_up": [], "position": None},
        {"effect": "vanished", "seat": 0},
    ],
)
def test_what_lacks_a_fact_or_holds_a_wrong_one_does_not_fit(broken: dict[str, Any]) -> None:
    assert not validator("Effect").is_valid(broken)
