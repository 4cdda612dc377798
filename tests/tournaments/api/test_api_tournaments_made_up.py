"""Requests about a tournament, made up from the OpenAPI document: no 5xx, and answers are what the document says."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from schemathesis import GenerationMode

from tests.games.api.client import Person
from tests.games.api.test_api_schemathesis import OPERATIONS, made_up, send

Make = Callable[..., dict[str, Any]]
ABOUT_TOURNAMENTS = [label for label in OPERATIONS if "{tournament_id}" in label]
KNOCKOUT = {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}}


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


@pytest.mark.slow
@pytest.mark.parametrize("label", ABOUT_TOURNAMENTS)
def test_by_its_organiser(label: str, olga: Person, running: Make) -> None:
    made = running(pace="manual", deadline=86_400)

    @made_up
    @given(case=OPERATIONS[label].as_strategy())
    def every(case: Any) -> None:
        send(about(case, made), olga, None)

    every()


@pytest.mark.slow
@pytest.mark.parametrize("label", ABOUT_TOURNAMENTS)
def test_by_an_entrant_of_a_private_knockout(label: str, ada: Person, running: Make) -> None:
    made = running(visibility="private", **KNOCKOUT)

    @made_up
    @given(case=OPERATIONS[label].as_strategy())
    def every(case: Any) -> None:
        send(about(case, made), ada, None)

    every()


@pytest.mark.slow
@pytest.mark.parametrize("label", ABOUT_TOURNAMENTS)
def test_that_break_the_document_on_purpose(label: str, olga: Person, running: Make) -> None:
    made = running(**KNOCKOUT)

    @made_up
    @given(case=OPERATIONS[label].as_strategy(generation_mode=GenerationMode.NEGATIVE))
    def every(case: Any) -> None:
        send(about(case, made), olga, None)

    every()
