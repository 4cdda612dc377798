"""Errors outside the API's views: HTML for pages, problem documents under /api/, by path alone."""

import json
import re

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import HttpResponseNotAllowed
from django.test import Client

from config import pages
from tests.openapi import DOCUMENT

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser():
    """A browser: it prefers HTML, and a failing view gives it a page."""
    return Client(raise_request_exception=False, headers={"accept": "text/html"})


def is_page(answer, status):
    html = answer.content.decode()
    assert (answer.status_code, answer["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert f"Error {status}" in html
    assert " \N{EN DASH} Trey</title>" in html
    assert "None" not in html
    # A wrong address is nothing to look up in the log.
    assert (answer["X-Request-ID"] in html) == (status != 404)
    assert "http" not in html.replace("https://", "http").split("<body>")[0].replace("http-equiv", "")
    return True


def is_problem(answer, status, code):
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert answer.json()["code"] == code
    return True


def test_the_icon_that_browsers_ask_for_by_themselves_is_there(browser):
    """A document of the API names none, and a browser that opens it looks here."""
    answer = browser.get("/favicon.ico")
    assert (answer.status_code, answer["Location"]) == (302, "/static/site/icon.svg")


@pytest.mark.parametrize("path", ["/nothing", "/t/spring-cup/nothing", "/players/ada", "/apis", "/static/nothing.css"])
def test_a_page_that_does_not_exist_is_an_html_page(browser, path):
    assert is_page(browser.get(path), 404)
    assert is_page(browser.get(path, headers={"accept": "application/json"}), 404)


def test_the_admin_has_html_errors_too(browser, admin_client):
    admin_client.raise_request_exception = False
    assert is_page(admin_client.get("/admin/nothing/"), 404)


def test_a_form_without_its_token_is_told_so_in_html():
    browser = Client(enforce_csrf_checks=True)
    answer = browser.post("/accounts/login/", {"login": "ada", "password": "secret"})
    assert is_page(answer, 403)
    html = answer.content.decode()
    assert "<h1>This form has expired</h1>" in html
    # It leads back to the page with the form, if that is one of ours.
    assert ">Open the page again</a>" not in html
    places = [("http://testserver/rooms/new", True), ("http://evil.example/rooms/new", False), ("http://[", False)]
    for came_from, leads in places:
        sent = browser.post("/accounts/login/", headers={"referer": came_from, "host": "testserver"})
        assert ('href="/rooms/new">Open the page again' in sent.content.decode()) is leads


def test_under_api_a_missing_csrf_token_does_not_matter():
    assert is_problem(Client(enforce_csrf_checks=True).post("/api/v1/nothing"), 404, "not_found")


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v2", "/api/v1/nothing"])
def test_under_api_it_is_a_problem_whatever_the_client_accepts(browser, path):
    assert is_problem(browser.get(path), 404, "not_found")


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (RuntimeError("the secret is hidden"), 500, "internal_error"),
        (SuspiciousOperation("the secret is hidden"), 400, "bad_request"),
        (PermissionDenied("the secret is hidden"), 403, "forbidden"),
        (OperationalError("the secret is hidden"), 503, "unavailable"),
        (InterfaceError("the secret is hidden"), 503, "unavailable"),
    ],
)
def test_what_a_view_raises_is_shown_by_path_and_says_nothing_of_its_cause(browser, monkeypatch, fault, status, code):
    def fails(request, *_, **__):
        raise fault

    # It comes before any view.
    monkeypatch.setattr("django.middleware.common.CommonMiddleware.process_request", fails)
    page, problem = browser.get("/admin/"), browser.get("/api/v1/rulesets")
    assert is_page(page, status)
    assert is_problem(problem, status, code)
    assert b"secret" not in page.content + problem.content
    assert {page.get("Retry-After"), problem.get("Retry-After")} == {"2" if status == 503 else None}
    # What may pass can be tried again from the page.
    assert ('href="">Try again</a>' in page.content.decode()) is (status in (500, 503))


def test_an_unknown_host_name_is_400_by_path(browser):
    assert is_page(browser.get("/admin/", headers={"host": "evil.example"}), 400)
    assert is_page(browser.post("/admin/", headers={"host": "evil.example"}), 400)
    assert is_problem(browser.get("/api/v1/me", headers={"host": "evil.example"}), 400, "bad_request")


def test_a_form_that_is_too_long_is_413_and_says_so(browser):
    answer = browser.post("/accounts/login/", {"login": "a" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE})
    assert is_page(answer, 413)
    assert "<h1>This is too long</h1>" in answer.content.decode()


def test_an_error_without_a_body_is_filled(rf):
    refuses = pages.error_pages(lambda _: HttpResponseNotAllowed(["GET", "HEAD"]))
    page, problem = refuses(rf.post("/t/spring-cup")), refuses(rf.post("/api/v1/schema"))
    assert (page.status_code, page["Allow"]) == (problem.status_code, problem["Allow"]) == (405, "GET, HEAD")
    assert "This does not work from here" in page.content.decode()
    assert json.loads(problem.content)["code"] == "method_not_allowed"


@pytest.mark.parametrize("method", ["get", "post", "patch", "delete"])
def test_a_trailing_slash_redirects_with_method_body_and_query(client, method):
    answer = getattr(client, method)("/api/v1/games/?status=open")
    assert (answer.status_code, answer["Location"]) == (308, "/api/v1/games?status=open")


def test_the_index_may_be_asked_for_without_its_slash(client):
    assert client.get("/api/v1").json() == client.get("/api/v1/").json()


def test_a_redirect_leads_nowhere_else(client):
    assert client.get("/api/v1/games//").status_code == 308
    assert client.get("/api/v1/games//")["Location"] == "/api/v1/games"
    for path in ("/api//evil.example/", "/api/v1//evil.example/"):
        assert client.get(path).status_code == 404, path


def test_ap31_the_type_of_a_problem_leads_to_a_page_with_its_sentence(client: Client) -> None:
    problem = client.get("/api/v1/games").json()
    assert problem["type"] == "/problems/not_authenticated"
    page = client.get(problem["type"])
    assert page.status_code == 200
    assert "<h1>Not authenticated</h1>" in page.content.decode()
    codes = DOCUMENT["components"]["schemas"]["ProblemCode"]["enum"]
    for code in codes:
        shown = client.get(f"/problems/{code}")
        assert shown.status_code == 200, code
        assert f"<code>{code}</code>" in shown.content.decode()
    every = client.get("/problems").content.decode()
    assert set(re.findall(r'href="/problems/(\w+)"', every)) == set(codes)
    for code in ("nonsense", "link_used", "not_suspendable"):  # the latter two are of pages, not of the API
        assert client.get(f"/problems/{code}").status_code == 404
