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
VIEWS = {"pile": "SheddingView", "wild": "ThreeThirteenView"}


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


def test_every_type_of_event_has_an_example() -> None:
    assert {event["type"] for event in EXAMPLES["events"]} == kinds("Event")


@pytest.mark.parametrize("event", EXAMPLES["events"], ids=lambda event: event["type"])
def test_the_example_of_an_event_fits(event: dict[str, Any]) -> None:
    assert fits("Event", event)


def test_every_effect_has_an_example_that_fits() -> None:
    assert {effect["effect"] for effect in EXAMPLES["effects"]} == kinds("Effect")
    assert all(fits("Effect", effect) for effect in EXAMPLES["effects"])


def test_what_may_be_sent_beside_send_is_listed_for_every_legal_move_with_a_choice() -> None:
    listed = set()
    for legal, sent in rows("listed"):
        [entry] = objects(legal)
        [move] = objects(sent)[:1] if sent.startswith("`") else [entry]
        assert fits("LegalMove", {**entry, "send": move}), legal
        assert fits("Move", move), sent
        listed.add(entry["move"])
    assert listed == {"arrange", "play", "flip", "go_out"} < kinds("LegalMove")
    assert kinds("Move") == kinds("LegalMove") | {"resign", "settle"}


def test_every_call_on_the_page_is_in_the_document() -> None:
    paths = {path.replace("{game_id}", "{id}"): methods for path, methods in document()["paths"].items()}
    calls = re.findall(r"`(GET|POST|PUT|DELETE) ([a-z][^` ?]*)[^`]*`", PAGE)
    assert len(calls) > 10
    assert not [path for method, path in calls if method.lower() not in paths.get(f"/api/v1/{path}", ())]


def test_the_table_that_the_page_opens_fits() -> None:
    asked, *_ = objects(PAGE.partition("`POST games` takes")[2])
    assert fits("OpenRoomRequest", asked)


def test_the_responses_shown_fit() -> None:
    """Views are shortened: what is shown of them has its keys and shapes."""
    schemas = document()["components"]["schemas"]
    seen = []
    for shown in SHOWN:
        if view := next((VIEWS[key] for key in VIEWS if key in shown), None):
            for component, part in ((view, shown), (view.replace("View", "Player"), shown["players"][0])):
                known = schemas[component]["properties"]
                assert all(shapely(known[key], value) for key, value in part.items() if key != "players"), part
            seen.append(view)
        elif "ended_by" in shown:
            assert fits("Result", shown)
    assert seen == list(VIEWS.values())


def shapely(schema: Any, value: Any) -> bool:
    whole = {**schema, "components": document()["components"]}
    return bool(jsonschema_rs.Draft202012Validator(whole).is_valid(value))


def test_the_game_shown_has_keys_of_a_game() -> None:
    [game] = [shown for shown in SHOWN if "your_seat" in shown]
    schema = document()["components"]["schemas"]["Game"]["properties"]
    assert set(game) <= set(schema)


def test_the_games_are_those_of_the_server() -> None:
    for name in document()["components"]["schemas"]["GameName"]["enum"]:
        assert f"`{name}`" in PAGE
