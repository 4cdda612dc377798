"""NO2 in Chromium: a note under the hand, kept as one types, from two windows, and while there is no connection."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import ABOVE, violations
from tests.browser.tables import apart, dealt_between, session_of
from tests.games.api.conftest import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), needs_chromium]


@pytest.fixture
def browser() -> Iterator[Browser]:
    with launched() as opened:
        yield opened


def opened(page: Page) -> Page:
    page.locator("#note-title").click()
    return page


@pytest.mark.sampled
def test_no2_a_note_is_kept_as_one_types(browser: Browser, live_server: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(live_server.url)
    page.get_by_role("button", name="Play one now of Threes").click()
    opened(page).get_by_label("A note to yourself").fill("Why did I keep the 2?\nAda bluffs.")
    expect(page.locator("#note-title")).to_have_text("Note: Why did I keep the 2?")
    expect(page.locator("#note-said")).to_have_text("Saved. Nobody else sees it.")
    assert not violations(page)

    other = context.new_page()
    other.goto(page.url)
    expect(other.locator("#note-title")).to_have_text("Note: Why did I keep the 2?")
    opened(other).locator("#note-text").fill("From the other window.")
    expect(other.locator("#note-said")).to_have_text("Saved. Nobody else sees it.")
    page.locator("#note-text").fill("From this one.")
    expect(page.locator("#note-text")).to_have_value("From the other window.\n\nFrom this one.")
    expect(page.locator("#note-said")).to_have_text("Saved. Nobody else sees it.")

    other.close()
    context.set_offline(True)
    page.locator("#note-text").fill("Written in a tunnel.")
    expect(page.locator("#note-said")).to_have_text("Kept in this browser until the connection is back.")
    context.set_offline(False)
    expect(page.locator("#note-said")).to_have_text("Saved. Nobody else sees it.")
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
    expect(other.locator("#note-said")).to_have_text("Saved. Nobody else sees it.")
    other.close()
    held: list[Route] = []
    page.route("**/note", lambda one: held.append(one) if one.request.method == "GET" and not held else one.continue_())
    with page.expect_request(lambda one: one.url.endswith("/note") and one.method == "GET"):
        page.locator("#note-text").fill("From this")
    page.locator("#note-text").press_sequentially(" one.")
    held[0].continue_()
    expect(page.locator("#note-text")).to_have_value("From the other window.\n\nFrom this one.")


def seated(browser: Browser, server: Any, who: str) -> BrowserContext:
    """A device of somebody's own."""
    context = browser.new_context()
    context.add_cookies([{"name": "sessionid", "value": apart(session_of, who), "url": server.url}])
    return context


def note_at(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    page.goto(url)
    return opened(page)


def kept(page: Page) -> None:
    expect(page.locator("#note-said")).to_have_text("Saved. Nobody else sees it.")


def test_no1_a_draft_that_meets_a_newer_text_is_refused_and_both_are_shown(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(dealt_between, alice, bob)
    url = f"{live_server.url}/games/{game}"
    apart(lambda: alice.call("PUT", f"games/{game}/note", {"text": "Keep the 2"}))
    laptop, phone = seated(browser, live_server, "alice"), seated(browser, live_server, "alice")
    page = note_at(laptop, url)
    laptop.set_offline(True)
    page.locator("#note-text").press_sequentially(" ?")
    page.close()
    laptop.set_offline(False)
    newer = note_at(phone, url)
    newer.locator("#note-text").fill("Bob has both jokers.")
    kept(newer)

    newest = apart(lambda: alice.get(f"games/{game}/note").headers["etag"])
    page = laptop.new_page()
    with page.expect_request(lambda one: one.method == "PUT") as put:
        page.goto(url)
    assert put.value.headers["if-match"] != newest, "a draft is sent under the tag of the text that it was begun with"
    expect(page.locator("#note-text")).to_have_value("Bob has both jokers.\n\nKeep the 2 ?")
    kept(page)
    assert apart(lambda: alice.get(f"games/{game}/note").body["text"]) == "Bob has both jokers.\n\nKeep the 2 ?"


@pytest.mark.sampled
def test_no1_two_pages_keep_what_they_have_in_common_once(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(dealt_between, alice, bob)
    text = "Ada never plays a joker early, and keeps twos. " * 6 + "Bob is a riddle."
    apart(lambda: alice.call("PUT", f"games/{game}/note", {"text": text}))
    context = seated(browser, live_server, "alice")
    pages = [note_at(context, f"{live_server.url}/games/{game}") for _ in range(2)]
    added: list[str] = []
    for word in (" one", " two", " three", " four"):
        page = pages[len(added) % 2]
        page.locator("#note-text").press("Control+End")
        page.locator("#note-text").press_sequentially(word)
        added.append(word)
        expect(page.locator("#note-text")).to_have_value(re.compile(f"^{re.escape(text)}( \\w+){{{len(added)}}}$"))
        kept(page)
    both = apart(lambda: alice.get(f"games/{game}/note").body["text"])
    assert both.startswith(text)
    assert sorted(both.removeprefix(text).split()) == ["four", "one", "three", "two"]


def test_no1_what_two_pages_could_not_send_is_put_together_too(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(dealt_between, alice, bob)
    url = f"{live_server.url}/games/{game}"
    apart(lambda: alice.call("PUT", f"games/{game}/note", {"text": "Keep the 2."}))
    context = seated(browser, live_server, "alice")
    pages = [note_at(context, url) for _ in range(2)]
    context.set_offline(True)
    for page, word in zip(pages, ("Ada bluffs. ", "Bob waits. "), strict=True):
        page.locator("#note-text").press("Control+Home")
        page.locator("#note-text").press_sequentially(word)
    for page in pages:
        page.close()
    context.set_offline(False)
    page = note_at(context, url)
    kept(page)
    text = apart(lambda: alice.get(f"games/{game}/note").body["text"])
    assert sorted(text.split(". ")) == ["Ada bluffs", "Bob waits", "Keep the 2."]


def test_no1_two_texts_that_are_too_long_together_are_both_shown(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(dealt_between, alice, bob)
    page = note_at(seated(browser, live_server, "alice"), f"{live_server.url}/games/{game}")
    apart(lambda: alice.call("PUT", f"games/{game}/note", {"text": "a" * 1500}))
    page.locator("#note-text").fill("b" * 1500)
    expect(page.locator("#note-said")).to_contain_text("What you wrote is kept in this browser.")
    expect(page.locator("#note-text")).to_have_value("a" * 1500 + "\n\n" + "b" * 1500)
    page.reload()
    expect(page.locator("#note-text")).to_have_value("a" * 1500 + "\n\n" + "b" * 1500)
    opened(page).locator("#note-text").fill("b" * 1500)
    kept(page)
    assert apart(lambda: alice.get(f"games/{game}/note").body["text"]) == "b" * 1500


def test_no2_an_answer_that_got_lost_doubles_nothing(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(dealt_between, alice, bob)
    page = note_at(seated(browser, live_server, "alice"), f"{live_server.url}/games/{game}")

    def swallow(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/note", swallow, times=1)
    page.locator("#note-text").fill("Ada bluffs.")
    expect(page.locator("#note-said")).to_have_text("Kept in this browser until the connection is back.")
    page.locator("#note-text").fill("Ada never bluffs.")
    kept(page)
    assert apart(lambda: alice.get(f"games/{game}/note").body["text"]) == "Ada never bluffs."


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
    other = opens("bob")
    expect(other.locator("#note-text")).to_have_value("")
    # Left open it would be loaded again as Alice's, and might take over what she had typed first.
    other.close()
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
