"""Requests about a tournament, made up from the OpenAPI document: no 5xx, and answers are what the document says."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given

from core import clock as service_clock
from tests.games.api.client import Person
from tests.games.api.test_api_schemathesis import made_up, send
from tests.openapi import OPERATIONS
from tests.tournaments.api.conftest import everybody, running_by

pytestmark = [pytest.mark.sampled, pytest.mark.django_db]
ABOUT_TOURNAMENTS = [label for label in OPERATIONS if "{tournament_id}" in label]
KNOCKOUT = {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}}


@pytest.fixture(scope="module")
def cast(module_rows: Any) -> dict[str, Person]:
    """The people of all tests of this module, who find the tournaments each time as they were set up."""
    with module_rows():
        return everybody()


@pytest.fixture(scope="module")
def rounds(module_rows: Any, cast: dict[str, Person]) -> dict[str, Any]:
    with module_rows(), at_noon():
        return running_by(cast, pace="manual", deadline=86_400)


@pytest.fixture(scope="module")
def private_knockout(module_rows: Any, cast: dict[str, Person]) -> dict[str, Any]:
    with module_rows(), at_noon():
        return running_by(cast, visibility="private", **KNOCKOUT)


def at_noon() -> Any:
    """When the fixture `clock` stands still, too."""
    return service_clock.frozen(datetime(2026, 11, 21, 12, tzinfo=UTC))


def about(case: Any, made: dict[str, Any]) -> Any:
    """The request, about this tournament and what there is in it."""
    known = {"tournament_id": made["id"], "entrant": "e1", "number": 1}
    for name, value in known.items():
        if name in (case.path_parameters or {}):
            case.path_parameters[name] = value
    if isinstance(case.body, dict) and case.operation.label.endswith("/rulings"):
        case.body.update(
            {key: value for key, value in {"entrant": "e1", "round": 1, "table": 1}.items() if key in case.body}
        )
    return case


@pytest.mark.parametrize("label", ABOUT_TOURNAMENTS)
def test_by_its_organiser(label: str, cast: dict[str, Person], rounds: dict[str, Any], clock: Any) -> None:
    @made_up
    @given(case=OPERATIONS[label].as_strategy())
    def every(case: Any) -> None:
        send(about(case, rounds), cast["olga"], None)

    every()


@pytest.mark.parametrize("label", ABOUT_TOURNAMENTS)
def test_by_an_entrant_of_a_private_knockout(
    label: str, cast: dict[str, Person], private_knockout: dict[str, Any], clock: Any
) -> None:
    @made_up
    @given(case=OPERATIONS[label].as_strategy())
    def every(case: Any) -> None:
        send(about(case, private_knockout), cast["ada"], None)

    every()
