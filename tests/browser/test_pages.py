"""The pages people open, in a real browser: Chromium, as the system has it."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page, Response, expect

from tests.browser.chromium import launched, needs_chromium

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    needs_chromium,
]


@pytest.fixture
def page() -> Iterator[Page]:
    """A page of a fresh browser; it fails the test when a script breaks or a request is refused."""
    errors: list[str] = []
    with launched() as browser:
        opened = browser.new_page()
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.on("response", lambda answer: errors.append(answer.url) if failed(answer) else None)
        yield opened
        opened.goto("about:blank")
    assert not errors


def failed(answer: Response) -> bool:
    return answer.status >= 400


def test_the_docs_page_lists_the_calls_asks_no_other_host_and_keeps_the_token(page: Page, live_server: Any) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{live_server.url}/api/v1/docs")
    authorize, call = page.get_by_role("button", name="Authorize"), page.get_by_text("/api/v1/games/{game_id}/moves")
    authorize.hover()
    # Of a hundred paths and more the page draws those in view.
    for _ in range(100):
        if call.count():
            break
        page.mouse.wheel(0, 300)
        page.wait_for_timeout(50)
    expect(call.first).to_be_visible()
    authorize.click()
    page.get_by_label("auth-bearer-value").fill("0123")
    page.locator("form", has_text="token (http, Bearer)").get_by_role("button", name="Apply credentials").click()
    page.locator(".authorize.locked").first.wait_for()
    page.reload()
    page.locator(".authorize.locked").first.wait_for()
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if not url.startswith((live_server.url, "data:", "blob:"))] == []


@pytest.fixture
def organiser(transactional_db: None) -> Any:
    """An account that may enter the admin."""
    return get_user_model().objects.create_superuser("organiser", password="a quiet evening")


# The account comes before the page: within Playwright's loop Django would open a connection that nobody closes.
def test_an_organiser_logs_in_and_finds_the_games(organiser: Any, page: Page, live_server: Any) -> None:
    page.goto(f"{live_server.url}/admin/")
    page.fill("input[name=login]", organiser.username)
    page.fill("input[name=password]", "a quiet evening")
    page.get_by_role("button", name="Log in", exact=True).click()
    page.get_by_role("link", name="Games").first.wait_for()
    page.wait_for_load_state("networkidle")
    expect(page).to_have_url(f"{live_server.url}/admin/")
