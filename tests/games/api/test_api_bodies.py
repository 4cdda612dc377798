"""The bodies that plain functions build are those that the OpenAPI document promises, key by key."""

from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from core.http.bodies import Body, name_of
from games.api.bodies import EventBody, GameBody, LegalMovesBody, PlayedBody
from tests.games.api.client import Person, concrete
from tests.openapi import DOCUMENT


def check(body: Any, kind: type[Body]) -> None:
    schema = {"$ref": f"#/components/schemas/{name_of(kind)}", "components": DOCUMENT["components"]}
    Draft202012Validator(schema, validate_formats=True).validate(body)
    assert list(body) == list(kind.__struct_fields__)


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["threes", "castle", "tripp_jokes", "three_card", "three_thirteen"])
def test_each_body_is_as_documented_from_the_lobby_to_the_end(alice: Person, bob: Person, name: str) -> None:
    path = f"games/{alice.opens(game=name, bots=0)['id']}"
    for body in (alice.get(path).body, bob.post(f"{path}/join").body, alice.post(f"{path}/start").body):
        check(body, GameBody)
    check(bob.get(path).body, GameBody)
    for _ in range(6):
        for who in (alice, bob):
            legal = who.get(f"{path}/moves").body
            check(legal, LegalMovesBody)
            if legal["moves"]:
                check_played(who.post(f"{path}/moves", concrete(legal["moves"][0])).body)
    for listed in (alice.get("games").body, alice.get("me/turns").body, bob.get("me/turns").body):
        for body in listed["results"]:
            check(body, GameBody)
    check_played(bob.post(f"{path}/moves", {"move": "resign"}).body)
    over = alice.get(path).body
    assert over["status"] == "finished"
    check(over, GameBody)
    check(alice.get(f"{path}/history/4").body, GameBody)
    for event in alice.get(f"{path}/events").body["results"]:
        check(event, EventBody)


def check_played(body: dict[str, Any]) -> None:
    check(body, PlayedBody)
    check(body["game"], GameBody)
    for event in body["events"]:
        check(event, EventBody)
