"""A ruling is one class, which says everything of it; what it lacks is found here."""

import re
from pathlib import Path
from typing import Any

import pytest

from core.values import schema
from tournaments.stream.events import rulings
from tournaments.stream.ruling import RULINGS, Ruling

API = Path(__file__).parents[3] / "docs" / "build" / "tournaments-api.md"
MADE_ELSEWHERE = {"absent", "cancel", "exchange", "reopen"}
BY_NAME = pytest.mark.parametrize("made", RULINGS.values(), ids=list(RULINGS))


@BY_NAME
def test_it_has_words_for_its_form_and_a_decision(made: type[Ruling]) -> None:
    assert made.title and made.occasion and made.explained().endswith(".")
    assert made.decide is not Ruling.decide
    assert made.counter in ("", *RULINGS)
    assert bool(made.nothing) == bool(made.games or made.standings), "what is said where there is nothing to choose"


@BY_NAME
def test_it_has_its_keys_in_the_documents(made: type[Ruling]) -> None:
    rows = [row for row in API.read_text(encoding="utf-8").splitlines() if row.startswith("| `")]
    [(_, keys, counter)] = [row.strip("|").split("|") for row in rows if f"`{made.name}`" in row.split("|")[1]]
    assert set(re.findall(r"`(\w+)`", keys)) == set(made.values()) - set(Ruling.values())
    assert made.counter in counter


def test_its_event_has_a_sentence() -> None:
    sources = {one.name for one in RULINGS.values() if one.source}
    # A correction is a `voided` and a `result`.
    assert {one.name for one in rulings().values()} - MADE_ELSEWHERE | sources | {"correct"} == set(RULINGS)


def test_a_key_of_several_rulings_is_declared_alike() -> None:
    shapes: dict[str, Any] = {}
    for made in RULINGS.values():
        for name, one in made.values().items():
            shape = schema(one, lambda kind: {"$ref": kind.__name__})
            shape = {**shape, "type": [shape["type"]]} if isinstance(shape.get("type"), str) else shape
            known = shapes.setdefault(name, shape)
            assert {**shape, "type": None} == {**known, "type": None}, (made.name, name)
