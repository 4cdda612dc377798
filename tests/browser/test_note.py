"""NO2 in Chromium: a note under the hand, kept as one types, from two windows, and while there is no connection."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import ABOVE, violations
from tests.browser.tables import apart, session_of
from tests.browser.test_talk import dealt_between
from tests.games.api.conftest import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), needs_chromium]


@pytest.fixture
def browser() -> Iterator[Browser]:
    with launched() as opened:
        yield opened


def opened(page: Page) -> Page:
    page.locator("#note-title").click()
    return page


def test_no2_a_note_is_kept_as_one_types(browser: Browser, live_server: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(live_server.url)
    page.get_by_role("button", name="Play one now of Threes").click()
    opened(page).get_by_label("A note to yourself").fill("Why did I keep the 2?\nAda bluffs.")
    expect(page.locator("#note-title")).to_have_text("Note: Why did I keep the 2?")
    expect(page.locator("#note-said")).to_have_text("Kept. Nobody else sees it.")
    assert not violations(page)

    other = context.new_page()
    other.goto(page.url)
    expect(other.locator("#note-title")).to_have_text("Note: Why did I keep the 2?")
    opened(other).locator("#note-text").fill("From the other window.")
    expect(other.locator("#note-said")).to_have_text("Kept. Nobody else sees it.")
    page.locator("#note-text").fill("From this one.")
    expect(page.locator("#note-text")).to_have_value("From the other window.\n\nFrom this one.")
    expect(page.locator("#note-said")).to_have_text("Kept. Nobody else sees it.")

    other.close()
    context.set_offline(True)
    page.locator("#note-text").fill("Written in a tunnel.")
    expect(page.locator("#note-said")).to_have_text("Kept in this browser until the connection is back.")
    context.set_offline(False)
    expect(page.locator("#note-said")).to_have_text("Kept. Nobody else sees it.")
    page.reload()
    expect(page.locator("#note-title")).to_have_text("Note: Written in a tunnel.")


def test_no2_what_is_typed_while_two_texts_are_put_together_stays(browser: Browser, live_server: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(live_server.url)
    page.get_by_role("button", name="Play one now of Threes").click()
    opened(page)
    other = context.new_page()
    other.goto(page.url)
    opened(other).locator("#note-text").fill("From the other window.")
    expect(other.locator("#note-said")).to_have_text("Kept. Nobody else sees it.")
    other.close()
    held: list[Route] = []
    page.route("**/note", lambda one: held.append(one) if one.request.method == "GET" and not held else one.continue_())
    with page.expect_request(lambda one: one.url.endswith("/note") and one.method == "GET"):
        page.locator("#note-text").fill("From this")
    page.locator("#note-text").press_sequentially(" one.")
    held[0].continue_()
    expect(page.locator("#note-text")).to_have_value("From the other window.\n\nFrom this one.")


def test_no2_what_could_not_be_sent_is_kept_for_its_author_alone(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(dealt_between, alice, bob)
    context = browser.new_context()

    def opens(who: str) -> Page:
        context.add_cookies([{"name": "sessionid", "value": apart(session_of, who), "url": live_server.url}])
        page = context.new_page()
        page.goto(f"{live_server.url}/games/{game}")
        return opened(page)

    page = opens("alice")
    context.set_offline(True)
    page.locator("#note-text").fill("Bob bluffs.")
    expect(page.locator("#note-said")).to_have_text("Kept in this browser until the connection is back.")
    page.close()
    context.set_offline(False)
    expect(opens("bob").locator("#note-text")).to_have_value("")
    expect(opens("alice").locator("#note-text")).to_have_value("Bob bluffs.")


def test_no2_the_bar_covers_no_note_with_letters_of_twice_the_size(browser: Browser, live_server: Any) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(live_server.url)
    page.get_by_role("button", name="Play one now of Threes").click()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.get_by_role("button", name="Keep the three that lie there")).to_be_visible()
    page.wait_for_function("document.querySelector('#bar').offsetHeight < 844 / 3")
    opened(page).locator("#note-text").focus()
    # What the keyboard of a phone leaves of the screen.
    page.set_viewport_size({"width": 390, "height": 440})
    page.locator("#note-text").press("a")
    page.wait_for_function(ABOVE, arg=["#note-text", "#bar"])
