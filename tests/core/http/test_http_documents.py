"""GET schema, GET docs, and the committed OpenAPI document."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from config import urls
from core.http.documents import document
from tests.games.api.client import Person

DOCS = Path(__file__).parents[3] / "docs"
COMMITTED = DOCS / "openapi.yaml"
ERRORS = DOCS / "build" / "errors.toml"
# What yaml.safe_load reads, ten times as fast.
read = partial(yaml.load, Loader=yaml.CSafeLoader)


def test_the_document_is_openapi_3_1_as_json_and_as_yaml(nobody: Person) -> None:
    as_json = nobody.get("schema")
    assert as_json.headers["content-type"] == "application/json"
    assert as_json.body["openapi"].startswith("3.1")
    for answer in (nobody.get("schema?format=yaml"), nobody.get("schema", Accept="application/yaml")):
        assert read(answer.raw) == as_json.body


def test_the_document_served_is_the_one_committed(nobody: Person) -> None:
    assert read(COMMITTED.read_text()) == nobody.get("schema").body


@pytest.mark.slow
def test_the_document_has_the_shortest_turn_of_this_server() -> None:
    told = """
import json, django
django.setup()
from core.http.documents import document
schemas = document()["components"]["schemas"]
print(json.dumps([schemas[name]["properties"]["per_turn"]["minimum"] for name in ("Clock", "ClockChange")]))
"""
    environment = {**os.environ, "TREY_LIMITS": "min_turn=3"}
    done = subprocess.run([sys.executable, "-c", told], env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [3, 3]


def test_every_reference_in_the_document_leads_somewhere() -> None:
    components = document()["components"]
    found = set(re.findall(r"#/components/(\w+)/([\w-]+)", str(document())))
    assert not {(kind, name) for kind, name in found if name not in components[kind]}


def test_every_address_of_the_api_is_in_the_document() -> None:
    patterns = [str(pattern.pattern) for app in urls.api for pattern in app.url_patterns]
    addresses = {re.sub(r"<\w+:(\w+)>", r"{\1}", pattern) for pattern in patterns} - {"schema", "docs"}
    assert {path.removeprefix("/api/v1").lstrip("/") for path in document()["paths"]} == addresses


def test_the_query_parameters_of_the_document_are_those_that_are_taken() -> None:
    for app in urls.api:
        for pattern in app.url_patterns:
            path = "/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
            for method, operation in document()["paths"].get(path, {}).items():
                view = pattern.callback.view_class()
                documented = {each["name"] for each in operation.get("parameters", []) if each["in"] == "query"}
                assert documented == (set(view.known_query_keys()) if method == "get" else set()), (method, path)


def test_what_needs_a_token_says_so() -> None:
    public = {
        operation["operationId"]
        for path in document()["paths"].values()
        for operation in path.values()
        if not operation["security"]
    }
    by_code = {"ask_for_login_code", "log_in_by_code", "ask_for_reset_code", "reset_my_password"}
    assert public == {"index", "sign_up", "log_in", "list_rulesets", "list_lessons", "get_lesson", *by_code}


def operations() -> Iterator[dict[str, Any]]:
    for path in document()["paths"].values():
        yield from path.values()


def test_every_operation_has_a_short_summary_and_its_description_is_sentences() -> None:
    for operation in operations():
        assert 0 < len(operation["summary"].split()) <= 10
        assert re.fullmatch(r"(?!The |A |An )[A-Z][^.:;]*", operation["summary"])
        assert operation.get("description", ".").rstrip().endswith(".")
    assert len({operation["operationId"] for operation in operations()}) == len(list(operations()))


def test_ap4_what_needs_a_scope_says_how_a_token_without_it_is_refused() -> None:
    for operation in operations():
        if any(scopes for demand in operation["security"] for scopes in demand.values()):
            assert operation["responses"]["403"] == {"$ref": "#/components/responses/NotAllowed"}, operation
    assert "WWW-Authenticate" in document()["components"]["responses"]["NotAllowed"]["headers"]


def test_how_operations_fail_is_written_once() -> None:
    failures = document()["components"]["responses"]
    for operation in operations():
        for status, response in operation["responses"].items():
            assert (set(response) == {"$ref"}) == (status >= "400")
        assert any(status.startswith("4") for status in operation["responses"])
    codes = document()["components"]["schemas"]["ProblemCode"]["enum"]
    for failure in failures.values():
        assert failure["description"]
        assert failure["content"]["application/problem+json"]["example"]["code"] in codes


def test_every_operation_has_one_tag_of_those_that_are_described() -> None:
    described = [tag["name"] for tag in document()["tags"]]
    assert {tag for operation in operations() for tag in operation["tags"]} == set(described)
    assert all(len(operation["tags"]) == 1 for operation in operations())


def test_nothing_fits_twice() -> None:
    def walk(part: Any) -> Iterator[list[Any]]:
        if isinstance(part, dict):
            yield from [part["oneOf"]] if "oneOf" in part else []
            part = list(part.values())
        for each in part if isinstance(part, list) else ():
            yield from walk(each)

    for choices in walk(document()):
        assert all(choices.count(each) == 1 for each in choices), choices


def test_examples_fit_what_they_are_examples_of() -> None:
    components = {"components": document()["components"]}
    bodies = [operation["requestBody"] for operation in operations() if "requestBody" in operation]
    contents = [content for body in bodies for content in body["content"].values()]
    for content in contents:
        fits = jsonschema_rs.Draft202012Validator({**content["schema"], **components})
        for example in content["examples"].values():
            assert fits.is_valid(example["value"]), example
    fits = jsonschema_rs.Draft202012Validator({"$ref": "#/components/schemas/Problem", **components})
    for failure in components["components"]["responses"].values():
        assert fits.is_valid(failure["content"]["application/problem+json"]["example"])


def test_nothing_in_the_document_is_unused_or_left_to_guess() -> None:
    text = str({key: value for key, value in document().items() if key != "components"})
    schemas = document()["components"]["schemas"]
    used: set[str] = set()
    waiting = set(re.findall(r"#/components/schemas/(\w+)", text + str(document()["components"]["responses"])))
    while waiting:
        used |= waiting
        waiting = {name for one in waiting for name in re.findall(r"schemas/(\w+)", str(schemas[one]))} - used
    assert set(schemas) == used
    assert document()["servers"]
    for path, methods in document()["paths"].items():
        assert not path.endswith("/")
        for operation in methods.values():
            parameters = {each["name"] for each in operation.get("parameters", []) if each["in"] == "path"}
            assert parameters == set(re.findall(r"{(\w+)}", path))


def test_the_codes_of_the_document_are_those_of_the_list() -> None:
    rows = [row for part in tomllib.loads(ERRORS.read_text()).values() for row in part.items()]
    listed = {code for code, (_, text) in rows if not text.startswith(("In the dashboard", "On a page only"))}
    assert set(document()["components"]["schemas"]["ProblemCode"]["enum"]) == listed


def test_the_docs_page_and_its_scripts_come_from_this_server(nobody: Person) -> None:
    page = nobody.get("docs")
    assert page.headers["content-type"].startswith("text/html")
    addresses: list[str] = re.findall(r'(?:src|href)="([^"]+)"', page.raw.decode())
    assert any(address.endswith(".js") for address in addresses)
    for address in addresses:
        assert address.startswith(("/static/", "/api/v1/docs?script=")), address
        assert nobody.get(address).status == 200


def test_the_docs_page_may_be_read_without_a_token_and_asks_for_one_to_try(nobody: Person) -> None:
    schemes: dict[str, Any] = document()["components"]["securitySchemes"]
    assert schemes["token"]["scheme"] == "bearer"


def test_the_docs_page_is_read_and_nothing_else(nobody: Person) -> None:
    assert nobody.call("OPTIONS", "docs").code == "method_not_allowed"
    assert nobody.call("POST", "docs").code == "method_not_allowed"


def test_the_document_is_valid() -> None:
    # It imports jsonschema, which makes 38 parsers: a second that only this test is to take.
    from drf_spectacular.validation import validate_schema

    validate_schema(document())  # type: ignore[no-untyped-call]


def test_nothing_that_a_request_may_leave_out_has_a_default_that_generators_would_demand() -> None:
    schemas = document()["components"]["schemas"]
    todo: list[Any] = [operation["requestBody"] for operation in operations() if "requestBody" in operation]
    seen: set[str] = set()
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            name = str(value.get("$ref", "")).rpartition("/")[2]
            if name and name not in seen:
                seen.add(name)
                todo.append(schemas[name])
            for field, schema in (value.get("properties") or {}).items():
                assert "default" not in schema, field
            todo += value.values()
        elif isinstance(value, list):
            todo += value
    assert {"OpenRoomRequest", "Clock"} <= seen
    assert schemas["OpenRoomRequest"]["required"] == ["game", "seats"]
    assert schemas["OpenRoomRequest"]["properties"]["rated"]["description"].startswith("Default: `true`")
