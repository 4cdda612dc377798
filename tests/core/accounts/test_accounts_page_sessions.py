"""AC1: pages use a session cookie and CSRF; the API takes that session from its own origin only."""

import json

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core.accounts.login import sessions, tokens
from core.accounts.models import Player, Session
from tests.games.api.client import PASSWORD, Person, answer_of

OWN = "http://testserver"
FOREIGN = "http://evil.example"
NEW = {"password": PASSWORD, "new_password": "a quieter evening"}


class Page:
    """A page of ours in the browser of somebody who is logged in."""

    def __init__(self, player: Player) -> None:
        self.browser = Client(enforce_csrf_checks=True)
        self.browser.force_login(player)
        self.browser.cookies[settings.CSRF_COOKIE_NAME] = "c" * 32

    def call(self, method: str, path: str, body=None, **headers: str):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        data = b"" if body is None else json.dumps(body).encode()
        return answer_of(
            self.browser.generic(method, f"/api/v1/{path}", data, content_type="application/json", headers=sent)
        )

    def post(self, path: str, body=None, **headers: str):
        return self.call("POST", path, body, **{"X_CSRFToken": "c" * 32, **(headers or {"Origin": OWN})})

    @property
    def key(self) -> str:
        return self.browser.cookies[settings.SESSION_COOKIE_NAME].value


@pytest.fixture
def player(alice: Person) -> Player:
    return Player.objects.get(username="alice")


@pytest.fixture
def page(player: Player) -> Page:
    return Page(player)


@pytest.mark.parametrize(
    "headers", [{}, {"Sec_Fetch_Site": "same-origin"}, {"Sec_Fetch_Site": "none"}, {"Origin": OWN}]
)
def test_ac1_the_api_takes_the_session_of_our_own_pages(page: Page, headers) -> None:
    answer = page.call("GET", "me", **headers)
    assert (answer.status, answer.body["username"]) == (200, "alice")
    assert {"Authorization", "Cookie"} <= set(answer.headers["vary"].split(", "))


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Origin": FOREIGN},
        {"Origin": "null"},
        {"Origin": "https://testserver"},
        {"Origin": "http://testserver:8001"},
    ],
)
def test_ac1_a_session_from_another_origin_counts_as_none(page: Page, headers) -> None:
    assert page.call("GET", "me", **headers).code == "not_authenticated"
    assert page.post("games", {"game": "threes", "seats": 2}, **headers).code == "not_authenticated"


def test_ac1_what_changes_something_needs_the_csrf_token(page: Page) -> None:
    room = {"game": "threes", "seats": 2}
    for headers in ({"X_CSRFToken": ""}, {"X_CSRFToken": "d" * 32}):
        answer = page.post("games", room, Origin=OWN, **headers)
        assert (answer.status, answer.code) == (403, "csrf_failed")
        assert answer.body["detail"] == "This page is out of date. Reload it, then try again."
    assert page.call("GET", "games?mine=true").body["results"] == []
    assert page.post("games", room).status == 201


def test_ac6_a_page_of_another_account_is_logged_out(page: Page, player: Player, bob: Person) -> None:
    other = str(Player.objects.get(username="bob").pk)
    for answer in (page.call("GET", "me", Trey_Reader=other), page.post("games", {}, Origin=OWN, Trey_Reader=other)):
        assert (answer.status, answer.body["detail"]) == (401, "You are logged out. Log in again.")
    assert page.call("GET", "me", Trey_Reader=str(player.pk)).status == 200


def test_ac6_a_log_out_clears_what_the_browser_keeps_of_pages_and_nothing_else(page: Page) -> None:
    page.browser.handler.enforce_csrf_checks = False
    assert "Clear-Site-Data" not in page.browser.get("/")
    assert page.browser.post("/accounts/logout/")["Clear-Site-Data"] == '"cache"'
    for answer in (page.browser.get("/accounts/login/"), page.browser.post("/accounts/login/", {"login": "alice"})):
        assert "Clear-Site-Data" not in answer


def test_ac1_a_request_with_authorization_never_touches_the_session(page: Page, bob: Person) -> None:
    bearer = f"Bearer {bob.token}"
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = page.call("GET", "me", Authorization=bearer)
    assert answer.body["username"] == "bob"
    assert not any("accounts_session" in query["sql"] for query in queries)
    # Nor does one that proves nothing fall back on it.
    for header in ("Bearer " + "0" * 64, "Bearer", "Basic YWxpY2U6eA==", ""):
        assert page.call("GET", "me", Authorization=header).status == 401
    # A token needs no CSRF token, wherever it comes from.
    assert (
        page.call("POST", "games", {"game": "threes", "seats": 2}, Authorization=bearer, Origin=FOREIGN).status == 201
    )


@pytest.mark.parametrize("path", ["", "email/", "2fa/", "2fa/recovery-codes/", "2fa/webauthn/", "tokens/"])
def test_ac3_no_cache_keeps_what_an_account_page_shows(player: Player, path: str) -> None:
    authenticator = TOTP.activate(player, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(authenticator.instance.user)
    browser = Client()
    browser.force_login(player)
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    answer = browser.get(f"/accounts/{path}")
    assert answer.status_code == 200
    assert {"no-store", "private"} <= set(answer["Cache-Control"].split(", "))


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "localhost:99999"])
def test_the_pages_of_accounts_open_whatever_port_the_host_names(db: None, host: str) -> None:
    assert Client().get("/accounts/login/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["login", "signup", "password/reset", "login/code"])
def test_a_way_on_that_is_no_address_is_not_taken(player: Player, path: str) -> None:
    browser, asked = Client(), {"next": "https://[::1"}
    assert browser.get(f"/accounts/{path}/", asked).status_code == 200
    done = browser.post("/accounts/login/", {"login": player.username, "password": PASSWORD, **asked})
    assert (done.status_code, done["Location"]) == (302, "/")


def test_ac1_public_calls_do_without_a_session_of_another_origin(page: Page) -> None:
    assert page.call("GET", "tournaments", Origin=FOREIGN).status == 200


def test_logging_out_ends_the_session_of_the_page_and_no_other(page: Page, player: Player) -> None:
    other = Page(player)
    assert page.post("auth/logout").status == 204
    assert page.key == ""
    assert page.call("GET", "me").status == 401
    assert other.call("GET", "me").status == 200
    assert tokens.valid(player).count() == 1


def test_ac1_a_password_change_ends_other_sessions_and_tokens(page: Page, alice: Person, player: Player) -> None:
    other = Page(player)
    assert page.post("me/password", NEW).status == 204
    assert page.call("GET", "me").status == 200
    assert other.call("GET", "me").status == 401
    assert alice.get("me").status == 401
    assert sessions.valid(player).count() == 1


@pytest.mark.parametrize("path", ["/api/v1/me", "/accounts/", "/learn/threes"])
def test_a_request_of_an_ended_session_leaves_the_cookie_to_the_session_that_replaced_it(page: Page, path) -> None:
    """A page's own request may be answered just after the password was changed: by then the cookie is the new one."""
    before = page.key
    assert page.post("me/password", NEW).status == 204
    late = Client()
    late.cookies[settings.SESSION_COOKIE_NAME] = before
    assert settings.SESSION_COOKIE_NAME not in late.get(path).cookies


def test_a_password_change_by_a_client_ends_all_sessions(page: Page, alice: Person, player: Player) -> None:
    assert alice.post("me/password", NEW).status == 204
    assert alice.get("me").status == 200
    assert page.call("GET", "me").status == 401
    assert not sessions.valid(player).exists()


def test_a_session_ends_by_the_clock_of_the_service_and_is_purged(page: Page, player: Player, clock) -> None:
    page = Page(player)
    clock.advance(days=89)
    assert page.call("GET", "me").status == 200
    clock.advance(days=2)
    assert page.call("GET", "me").status == 401
    sessions.purge()
    assert not Session.objects.filter(pk=page.key).exists()


def test_closing_an_account_from_a_page_ends_its_sessions(page: Page, player: Player) -> None:
    assert page.post("me/close", {"password": PASSWORD}).status == 204
    assert page.call("GET", "me").status == 401
    assert not Session.objects.filter(pk=page.key).exists()


def test_a_suspended_player_has_no_session(page: Page, player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(is_active=False)
    assert page.call("GET", "me").status == 401
