"""The record is typed line by line: an outsider can read it by the OpenAPI document alone."""

import json
import re
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from config.processes import CHECKOUT
from core import clock as service_clock
from core.http.documents import document
from tests.docs.pages import blocks
from tests.tournaments.api.test_api_prefilled import Stage
from tournaments.rules import lines

PAGE = (CHECKOUT / "docs/organise/tournaments.md").read_text()
[EXAMPLES] = [json.loads(block.text) for block in blocks("docs/organise/tournaments.md") if block.language == "json"]


def validator(component: str) -> Draft202012Validator:
    """What checks a value against a component of the document."""
    return Draft202012Validator({**document(), "$ref": f"#/components/schemas/{component}"})


def test_every_type_of_line_is_typed_described_and_named_on_the_page_that_leads_there() -> None:
    schemas = document()["components"]["schemas"]
    kinds = schemas["RecordLine"]["discriminator"]["mapping"]
    assert set(kinds) == set(lines.LINES)
    assert all(schemas[kind.rpartition("/")[2]]["description"] for kind in kinds.values())
    named = PAGE.partition("Each line of the log has `n`, `at` and `type`: ")[2].partition(". `RecordLine`")[0]
    assert set(re.findall(r"`(\w+)`", named)) == set(kinds)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["type"])
def test_the_examples_fit_their_types_and_can_be_read(example: dict[str, Any]) -> None:
    assert not list(validator("RecordLine").iter_errors(example))
    assert lines.read_line(example["n"], example).n == example["n"]


@pytest.mark.parametrize(
    "line",
    [
        {"type": "seated", "round": 1},
        {"type": "result", "id": "g1", "players": [{"entrant": "ada", "place": 1}]},
        {"type": "adjusted", "entrant": "e1", "points": 0.5},
        {"type": "promoted", "entrant": "e1"},
    ],
    ids=lambda line: line["type"],
)
def test_what_cannot_be_read_does_not_fit_either(line: dict[str, Any]) -> None:
    assert list(validator("RecordLine").iter_errors({"n": 1, "at": "2026-01-02T18:00:00Z", **line}))


@pytest.mark.django_db
def test_a_record_of_the_service_fits(clock: service_clock.FrozenClock) -> None:
    stage = Stage()
    path = f"tournaments/{stage.tournament('start')['tournament_id']}"
    ruling = {"ruling": "adjust", "entrant": "e1", "points": "-1/2", "reason": "late"}
    assert stage.olga.post(f"{path}/rulings", ruling).status == 201
    record = stage.olga.get(f"{path}/record").body
    assert not [error.message for error in validator("TournamentRecord").iter_errors(record)]
    assert {line["type"] for line in record["log"]} == {"entered", "seated", "adjusted"}
