"""docs/build/client.md explains all that a client can send and meet, and its examples fit the OpenAPI document."""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from core.http.documents import document
from tests.docs.pages import ROOT, blocks

PAGE = (ROOT / "docs" / "build" / "client.md").read_text()
EXAMPLES = json.loads((ROOT / "docs" / "build" / "events.json").read_text())
SHOWN = [json.loads(block.text) for block in blocks("docs/build/client.md") if block.language == "json"]
BODIES = {
    "players": "SignUpRequest",
    "auth/login": "LoginRequest",
    "games": "OpenRoomRequest",
    "games/{id}/note": "NoteRequest",
}


def fits(component: str, value: Any) -> bool:
    schema = {"$ref": f"#/components/schemas/{component}", "components": document()["components"]}
    return bool(jsonschema_rs.Draft202012Validator(schema).is_valid(value))


def kinds(component: str) -> set[str]:
    return set(document()["components"]["schemas"][component]["discriminator"]["mapping"])


def rows(head: str) -> Iterator[list[str]]:
    """The rows of all tables whose first column has this head."""
    for table in re.findall(rf"^\| {head} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE):
        for row in table.splitlines():
            yield [cell.strip() for cell in row.strip("|").split("|")]


def objects(cell: str) -> list[Any]:
    """The JSON objects in a cell."""
    return [json.loads(code) for code in re.findall(r"`(\{.*?\})`", cell)]


def test_every_type_of_event_is_on_the_page_and_has_an_example() -> None:
    assert {event["type"] for event in EXAMPLES["events"]} == kinds("Event")
    named = set(re.findall(r"`(\w+)`", PAGE.partition("## Events")[2]))
    assert kinds("Event") | kinds("Effect") <= named


@pytest.mark.parametrize("event", EXAMPLES["events"], ids=lambda event: event["type"])
def test_the_example_of_an_event_fits(event: dict[str, Any]) -> None:
    assert fits("Event", event)


def test_every_effect_has_an_example_that_fits() -> None:
    assert {effect["effect"] for effect in EXAMPLES["effects"]} == kinds("Effect")
    assert all(fits("Effect", effect) for effect in EXAMPLES["effects"])


def test_every_legal_move_is_listed_with_what_may_be_sent() -> None:
    listed = set()
    for legal, sent in rows("listed"):
        [entry] = objects(legal)
        [move] = objects(sent)[:1] if sent.startswith("`") else [entry]
        assert fits("LegalMove", {**entry, "send": move}), legal
        assert fits("Move", move), sent
        listed.add(entry["move"])
    assert listed == kinds("LegalMove")
    assert kinds("Move") == listed | {"resign", "settle"}


def test_every_call_is_in_the_document_and_its_body_fits() -> None:
    paths = {path.replace("{game_id}", "{id}"): methods for path, methods in document()["paths"].items()}
    for call, body, _ in rows("call"):
        for each in call.split(", "):
            method, path = each.strip("`").split("?")[0].split()
            assert method.lower() in paths[f"/api/v1/{path}"], call
        for value in objects(body):
            component = BODIES.get(path, "JoinRequest")
            assert fits(component, value), call


def test_the_responses_shown_fit() -> None:
    for shown in SHOWN:
        if "pile" in shown or "wild" in shown:
            assert fits("View", shown)
        elif "ended_by" in shown:
            assert fits("Result", shown)
        elif "moves" in shown:
            assert fits("LegalMoves", shown)
        elif "title" in shown:
            assert fits("Problem", shown)
    assert sum("pile" in shown or "wild" in shown for shown in SHOWN) == 2


def test_the_game_shown_has_keys_of_a_game() -> None:
    [game] = [shown for shown in SHOWN if "your_seat" in shown]
    schema = document()["components"]["schemas"]["Game"]["properties"]
    assert set(game) <= set(schema)
    assert {key.strip("`") for key, _ in rows("key")} <= set(schema)


def test_the_games_are_those_of_the_server() -> None:
    for name in document()["components"]["schemas"]["GameName"]["enum"]:
        assert f"`{name}`" in PAGE
