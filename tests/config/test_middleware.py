"""Which middleware the API's path has."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client, RequestFactory

from config import middleware
from core.accounts.login import tokens
from core.accounts.models import Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Player:
    return Player.objects.create(username="ann", is_staff=True, is_superuser=True)


def test_a_call_with_a_token_never_looks_at_the_session(ann: Player, django_assert_num_queries: Any) -> None:
    browser = Client()
    browser.force_login(ann)
    token, _ = tokens.issue(ann)
    with django_assert_num_queries(1) as seen:
        answer = browser.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    assert "django_session" not in seen.captured_queries[0]["sql"]
    assert not hasattr(answer.wsgi_request, "session")
    assert not answer.cookies


@pytest.mark.parametrize(
    ("path", "authorization", "expected"),
    [
        ("/admin/", False, True),
        ("/t/spring", True, True),
        ("/api/v1/games", False, True),
        ("/api/v1/games", True, False),
    ],
)
def test_who_has_a_session(path: str, authorization: bool, expected: bool) -> None:
    request = RequestFactory().get(path, headers={"Authorization": "Bearer x"} if authorization else {})
    assert middleware.has_session(request) is expected


def sits_down(form_key: str) -> Client:
    """A browser that sends the form of the first page, as another one did."""
    browser = Client()
    assert browser.post("/rooms/now/castle", {"once": form_key}).status_code == 302
    return browser


def who(browser: Client) -> str | None:
    return browser.get("/api/v1/me").json().get("username")


def test_ac2_a_double_click_of_a_stranger_makes_one_guest_whom_either_answer_lets_in() -> None:
    first, second = sits_down("click"), sits_down("click")
    assert who(first) == who(second) is not None


def test_ac6_a_form_that_made_a_guest_lets_nobody_in_later(clock: Any) -> None:
    sits_down("click")
    clock.advance(minutes=2)
    assert who(sits_down("click")) is None


@pytest.mark.parametrize("now", [{"guest_seen_at": None}, {"is_active": False}])
def test_ac6_nor_into_an_account_that_was_kept_or_suspended(now: dict[str, Any]) -> None:
    sits_down("click")
    Player.objects.update(**now)
    assert who(sits_down("click")) is None


def test_a_form_is_kept_whatever_was_said_before_it(ann: Player) -> None:
    browser = Client()
    browser.force_login(ann)
    # Said with a link in it, and as a warning: neither is about the form that follows.
    assert browser.post("/admin/auth/group/add/", {"name": "Moderators"}).status_code == 302
    assert browser.post("/admin/reports/unmute/", {"mute": "0"}).status_code == 302
    games = {browser.post("/rooms/now/castle", {"once": "click"}).headers["Location"] for _ in range(2)}
    assert len(games) == 1
    told = browser.get("/admin/reports/").content.decode()
    assert "Moderators" in told and "This muting is over" in told


def test_a_form_without_its_token_is_refused_and_a_call_needs_none(ann: Player) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ann)
    assert browser.post("/admin/logout/").status_code == 403
    token, _ = tokens.issue(ann)
    assert browser.delete("/api/v1/me/tokens", headers={"Authorization": f"Bearer {token}"}).status_code == 204


def test_files_are_served() -> None:
    file = Client().get(f"{settings.STATIC_URL}dashboard/dashboard.css")
    assert file.status_code == 200
    file.close()
