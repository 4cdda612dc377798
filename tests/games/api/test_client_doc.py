"""docs/client.md names every event and effect that a client can meet."""

import json
import re
from pathlib import Path

import pytest

from games.projections import vocabulary
from games.rules.shedding.decide import EVENT_TYPES
from games.rules.shedding.effects import EFFECTS
from games.selectors.events import SEEN_BY_ALL

PAGE = (Path(__file__).parents[3] / "docs" / "client.md").read_text()
RUMMY = ["dealt", "drew", "discarded", "went_out", "round_scored", "resigned"]


@pytest.mark.parametrize("name", sorted({*SEEN_BY_ALL, *EVENT_TYPES.values(), *EFFECTS, *RUMMY}))
def test_every_event_and_effect_is_explained(name: str) -> None:
    assert f"`{name}`" in PAGE


def test_what_the_service_stores_is_what_the_page_explains() -> None:
    stored = {value for value in vars(vocabulary).values() if isinstance(value, str) and value.startswith("game.")}
    assert {value.removeprefix("game.") for value in stored} == set(SEEN_BY_ALL)


def test_its_examples_are_json() -> None:
    blocks = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        json.loads(block)
