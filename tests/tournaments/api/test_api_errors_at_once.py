"""Whatever is wrong with a request is said at once: each field, each unknown key, each value of the query."""

from typing import Any

import pytest

from core import clock as service_clock
from tests.openapi import DOCUMENT
from tests.tournaments.api.test_api_prefilled import OPERATIONS, Stage, filled_in, scene_of

SCHEMAS = DOCUMENT["components"]["schemas"]
#: A move is malformed or it is not: it has no fields that could be reported one by one. Of a plan its first fault is
#: told (PL11).
WHOLE = {"play_move", "keep_plan", "try_plan"}
WITH_FIELDS = [
    name
    for name, (_, _, operation) in OPERATIONS.items()
    if "requestBody" in operation and name not in WHOLE and "json" in str(operation["requestBody"]["content"])
]
WITH_QUERY = [
    name
    for name, (_, _, operation) in OPERATIONS.items()
    if any(each["in"] == "query" and each["name"] != "cursor" for each in operation.get("parameters", []))
]

pytestmark = pytest.mark.django_db


def fields_of(operation: dict[str, Any]) -> dict[str, Any]:
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    named = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    # Of several shapes of a body the first is the usual one.
    [shape, *_] = [SCHEMAS[each["$ref"].rpartition("/")[2]] for each in named.get("oneOf", ())] or [named]
    return dict(shape["properties"])


def called(name: str, body: Any, query: str = "") -> Any:
    method, path, operation = OPERATIONS[name]
    caller, ids = scene_of(name, path, Stage())
    filled = {each["name"]: filled_in(each) for each in operation.get("parameters", []) if each["in"] == "path"}
    answer = caller.call(method.upper(), path.format(**{**filled, **ids}) + query, body)
    assert (answer.status, answer.code) == (400, "invalid"), answer.body
    return answer.body


@pytest.mark.sampled
@pytest.mark.parametrize("name", WITH_FIELDS)
def test_every_field_at_fault_is_named_at_once(name: str, clock: service_clock.FrozenClock) -> None:
    # A number that is none for any field, and no name, moment or list either.
    wrong = dict.fromkeys(fields_of(OPERATIONS[name][2]), -0.5)
    problem = called(name, {**wrong, "colour": "green"})
    assert {error["field"].partition(".")[0] for error in problem["errors"]} == {*wrong, "colour"}


@pytest.mark.parametrize("name", WITH_QUERY)
def test_every_query_parameter_at_fault_is_named_at_once(name: str, clock: service_clock.FrozenClock) -> None:
    operation = OPERATIONS[name][2]
    asked = {each["name"] for each in operation["parameters"] if each["in"] == "query"} - {"cursor"}
    query = "&".join(f"{each}=%01" for each in sorted(asked))
    problem = called(name, None, f"?{query}&colour=green")
    assert {error["field"] for error in problem["errors"]} == {*asked, "colour"}


def test_settings_and_options_are_read_to_their_end(clock: service_clock.FrozenClock) -> None:
    wrong = {"settings": {"rounds": -1, "seating": "round the fire"}, "options": {"decks": 99, "colour": "green"}}
    problem = called("set_up_tournament", {"title": "T", "game": "threes", "kind": "rounds", **wrong})
    fields = {error["field"] for error in problem["errors"]}
    assert fields == {"settings.rounds", "settings.seating", "options.decks", "options.colour"}


def test_a_room_says_what_is_wrong_with_its_options_and_its_clock() -> None:
    wrong = {"seats": 99, "options": {"decks": 99, "colour": "green"}, "clock": {"per_turn": 1, "strikes": "three"}}
    problem = called("open_room", {"game": "threes", **wrong})
    fields = {error["field"] for error in problem["errors"]}
    assert fields == {"seats", "options.decks", "options.colour", "clock.per_turn", "clock.strikes"}
