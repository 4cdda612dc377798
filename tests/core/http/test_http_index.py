"""GET /api/v1/, and calls from pages of other origins (CORS)."""

import pytest

from config import urls
from core.http.documents import document
from tests.config.rights.test_rights import calls_of_the_api
from tests.games.api.client import Person


def test_the_index_names_every_address_of_the_api(nobody: Person) -> None:
    links = nobody.get("/api/v1/").body
    names = {pattern.name for app in urls.api for pattern in app.url_patterns}
    assert set(links) == names - {"index"}
    assert links["games"] == "http://testserver/api/v1/games"
    assert links["game"] == "http://testserver/api/v1/games/{game_id}"
    assert nobody.get(links["rulesets"]).status == 200


def preflight(who: Person, origin: str, path: str = "games", method: str = "POST") -> dict[str, str]:
    asked = {"Access_Control_Request_Method": method, "Access_Control_Request_Headers": "authorization,idempotency-key"}
    return who.call("OPTIONS", path, Origin=origin, **asked).headers


def test_ap15_a_page_of_any_origin_may_but_never_with_cookies(alice: Person, nobody: Person) -> None:
    headers = preflight(alice, "https://owl.example")
    assert headers["access-control-allow-origin"] == "*" and "access-control-allow-credentials" not in headers
    for path in ("/.well-known/openid-configuration", "/oauth/jwks", "/oauth/userinfo"):
        headers = nobody.get(path, Origin="https://owl.example").headers
        assert headers["access-control-allow-origin"] == "*" and "access-control-allow-credentials" not in headers
    for path in ("token", "revoke", "device/code"):
        assert nobody.post(f"/oauth/{path}", Origin="null").headers["access-control-allow-origin"] == "*"
    for path in ("/oauth/authorize", "/oauth/device", "/", "/accounts/login/"):
        assert "access-control-allow-origin" not in nobody.get(path, Origin="https://owl.example").headers, path


def test_an_origin_that_is_named_may_call_the_api(alice: Person, settings: object) -> None:
    settings.CORS_ALLOW_ALL_ORIGINS = False  # type: ignore[attr-defined]
    settings.CORS_ALLOWED_ORIGINS = [origin := "https://play.example.org"]  # type: ignore[attr-defined]
    headers = preflight(alice, origin)
    assert headers["access-control-allow-origin"] == origin
    assert {"authorization", "idempotency-key", "if-match"} <= set(headers["access-control-allow-headers"].split(", "))
    assert "access-control-allow-credentials" not in headers
    answer = alice.get("me", Origin=origin)
    assert answer.headers["access-control-allow-origin"] == origin
    assert "ETag" in answer.headers["access-control-expose-headers"]
    assert {"origin", "authorization"} <= {each.strip().lower() for each in answer.headers["vary"].split(",")}


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost:5173", "null"])
def test_a_page_of_another_origin_may_not(alice: Person, settings: object, origin: str) -> None:
    settings.CORS_ALLOW_ALL_ORIGINS = False  # type: ignore[attr-defined]
    assert "access-control-allow-origin" not in preflight(alice, origin)
    assert "access-control-allow-origin" not in alice.get("me", Origin=origin).headers


def test_a_page_may_call_by_every_method_of_the_api(alice: Person) -> None:
    allowed = preflight(alice, "http://localhost:5173")["access-control-allow-methods"].split(", ")
    assert {method.upper() for path in document()["paths"].values() for method in path} <= set(allowed)


def test_a_page_may_use_every_method_and_every_header_of_the_api_but_no_cookies(alice: Person) -> None:
    headers = preflight(alice, "http://localhost:5173")
    methods = set(headers["access-control-allow-methods"].split(", "))
    assert methods >= {call.split()[0] for call in calls_of_the_api()}
    sent = {
        parameter["name"].lower()
        for path in document()["paths"].values()
        for operation in path.values()
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "header"
    }
    assert {"if-match", "idempotency-key"} <= sent
    assert sent | {"authorization", "content-type"} <= set(headers["access-control-allow-headers"].split(", "))
    assert "access-control-allow-credentials" not in headers
    exposed = alice.get("me", Origin="http://localhost:5173").headers["access-control-expose-headers"]
    limits = {"RateLimit", "RateLimit-Policy", "Retry-After"}
    assert set(exposed.split(", ")) == {"ETag", "Location", "WWW-Authenticate", "X-Request-ID", *limits}


def test_pages_outside_the_api_are_for_their_own_origin(nobody: Person) -> None:
    answer = nobody.get("/admin/login/", Origin="http://localhost:5173")
    assert "access-control-allow-origin" not in answer.headers


def test_an_error_can_be_read_by_the_page_that_caused_it(alice: Person) -> None:
    answer = alice.get("nothing", Origin="http://localhost:5173")
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (404, "*")
