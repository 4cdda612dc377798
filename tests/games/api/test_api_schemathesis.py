"""Requests made up from the OpenAPI document: none is answered by a 5xx, and every answer is what the document says."""

from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from core.accounts.login import tokens
from core.accounts.models import Player
from games import bots
from games.rules import GAMES
from tests.games.api.client import Answer, Person
from tests.games.api.conftest import behind_setup, game_in, person, room_of
from tests.openapi import OPERATIONS

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


# These end tokens, so that each call needs another one.
REVOKING = {"POST /api/v1/auth/logout", "DELETE /api/v1/me/tokens"}
ABOUT_GAMES = [label for label in OPERATIONS if "{game_id}" in label]
ORIGIN = "http://testserver"
pytestmark = pytest.mark.django_db

made_up = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    database=None,
    # The fixtures' game is the same for all examples on purpose: each finds it as the one before left it.
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def people(module_rows: Any) -> dict[str, Person]:
    """Alice and Bob play, and Charlie is somebody else, in all tests of this module."""
    with module_rows():
        return {name: person(name) for name in ("alice", "bob", "charlie")}


@pytest.fixture(scope="module")
def alice(people: dict[str, Person]) -> Person:
    return people["alice"]


@pytest.fixture(scope="module")
def bob(people: dict[str, Person]) -> Person:
    return people["bob"]


@pytest.fixture(scope="module")
def charlie(people: dict[str, Person]) -> Person:
    return people["charlie"]


@pytest.fixture(scope="module")
def room(module_rows: Any, alice: Person, bob: Person) -> dict[str, Any]:
    with module_rows():
        return room_of(alice, bob)


@pytest.fixture(scope="module")
def running(module_rows: Any, alice: Person, bob: Person) -> dict[str, Any]:
    with module_rows():
        return behind_setup(game_in(room_of(alice, bob), alice), alice, bob)


def send(case: Any, who: Person, game: dict[str, Any] | None) -> Answer:
    if game is not None and "game_id" in (case.path_parameters or {}):
        case.path_parameters["game_id"] = game["id"]
    kwargs = case.as_transport_kwargs(base_url=ORIGIN)
    kwargs.pop("cookies", None)
    asked = requests.Request(**kwargs).prepare()
    headers = {str(name): _text(value) for name, value in asked.headers.items()}
    headers = {name: value for name, value in headers.items() if name not in ("Authorization", "Content-Length")}
    revokes = case.operation.label in REVOKING
    token = tokens.issue(Player.objects.get(username=who.username))[0] if revokes else who.token
    headers["Authorization"] = f"Bearer {token}"
    body = asked.body.encode() if isinstance(asked.body, str) else asked.body
    assert body is None or isinstance(body, bytes)
    nameless = Person(client=who.client)
    answer = nameless.call(asked.method or "GET", str(asked.url).removeprefix(ORIGIN), None, body, **headers)
    case.validate_response(_response(answer, asked), checks=CHECKS)
    return answer


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


@pytest.mark.sampled
@pytest.mark.parametrize("label", OPERATIONS)
def test_requests_made_up_about_a_game_that_runs(label: str, alice: Person, running: dict[str, Any]) -> None:
    @made_up
    @given(case=OPERATIONS[label].as_strategy())
    def every(case: Any) -> None:
        send(case, alice, running)

    every()


@pytest.mark.sampled
@pytest.mark.parametrize("label", ABOUT_GAMES)
def test_requests_made_up_about_a_room_of_others(label: str, charlie: Person, room: dict[str, Any]) -> None:
    @made_up
    @given(case=OPERATIONS[label].as_strategy())
    def every(case: Any) -> None:
        send(case, charlie, room)

    every()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three_card", "tripp_jokes", "threes", "castle", "three_thirteen"])
def test_every_response_of_a_whole_game_is_what_the_document_says(alice: Person, bob: Person, name: str) -> None:
    def fits(operation: str, answer: Answer) -> Any:
        OPERATIONS[operation.replace(" ", " /api/v1/", 1)].validate_response(_response(answer))
        return answer.body

    options = {"rounds": 2} if name == "three_thirteen" else {}
    game = fits("POST games", alice.post("games", {"game": name, "seats": 2, "options": options}))
    path, people = f"games/{game['id']}", (alice, bob)
    fits("POST games/{game_id}/join", bob.post(f"{path}/join"))
    game = fits("POST games/{game_id}/start", alice.post(f"{path}/start"))
    while game["status"] != "finished":
        who = people[game["to_act"][0]]
        legal = fits("GET games/{game_id}/moves", who.get(f"{path}/moves"))["moves"]
        listed = [{key: value for key, value in entry.items() if key != "send"} for entry in legal]
        move = bots.choose("steady", GAMES[name], who.sees(game)["view"], listed, str(game["version"]))
        game = fits("POST games/{game_id}/moves", who.post(f"{path}/moves", move))["game"]
        fits("GET games/{game_id}", people[game["version"] % 2].get(path))
    fits("GET games/{game_id}/moves", bob.get(f"{path}/moves"))
    events = fits("GET games/{game_id}/events", bob.get(f"{path}/events"))["results"]
    assert len(events) == game["version"]
    for version in (1, 4, 5, game["version"]):
        fits("GET games/{game_id}/history/{version}", bob.get(f"{path}/history/{version}"))
    for call in ("record", "fairness", "clock"):
        fits(f"GET games/{{game_id}}/{call}", bob.get(f"{path}/{call}"))


def _response(answer: Answer, asked: requests.PreparedRequest | None = None) -> schemathesis.Response:
    """An answer as schemathesis takes it."""
    return schemathesis.Response(
        status_code=answer.status,
        headers={name: [value] for name, value in answer.headers.items()},
        content=answer.raw,
        request=asked or requests.Request("GET", f"{ORIGIN}/").prepare(),
        elapsed=0.0,
        verify=False,
        encoding="utf-8",
    )
