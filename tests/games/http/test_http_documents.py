"""GET schema, GET docs, and the committed OpenAPI document."""

import re
from pathlib import Path
from typing import Any

import yaml
from drf_spectacular.validation import validate_schema

from config import urls
from games.http.documents import document
from tests.games.api.client import Person

COMMITTED = Path(__file__).parents[3] / "docs" / "openapi.yaml"


def test_the_document_is_openapi_3_1_as_json_and_as_yaml(nobody: Person) -> None:
    as_json = nobody.get("schema")
    assert as_json.headers["content-type"] == "application/json"
    assert as_json.body["openapi"].startswith("3.1")
    for answer in (nobody.get("schema?format=yaml"), nobody.get("schema", Accept="application/yaml")):
        assert yaml.safe_load(answer.raw) == as_json.body


def test_the_document_served_is_the_one_committed(nobody: Person) -> None:
    assert yaml.safe_load(COMMITTED.read_text()) == nobody.get("schema").body


def test_every_reference_in_the_document_leads_somewhere() -> None:
    schemas = document()["components"]["schemas"]
    missing = set(re.findall(r"#/components/schemas/(\w+)", str(document()))) - set(schemas)
    assert not missing


def test_every_address_of_the_api_is_in_the_document() -> None:
    patterns = [str(pattern.pattern) for app in urls.api for pattern in app.url_patterns]
    addresses = {re.sub(r"<\w+:(\w+)>", r"{\1}", pattern) for pattern in patterns} - {"schema", "docs"}
    assert {path.removeprefix("/api/v1/") for path in document()["paths"]} == addresses


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
        if "security" not in operation
    }
    assert public == {"index", "sign_up", "log_in", "list_rulesets"}


def test_every_operation_says_what_it_does_and_how_it_fails() -> None:
    for path in document()["paths"].values():
        for operation in path.values():
            assert operation["description"].rstrip().endswith(".")
            failures = {status for status in operation["responses"] if status >= "400"}
            for status in failures:
                assert set(operation["responses"][status]["content"]) == {"application/problem+json"}


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


def test_the_document_is_valid() -> None:
    validate_schema(document())  # type: ignore[no-untyped-call]
