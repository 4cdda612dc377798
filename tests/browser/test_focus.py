"""WCAG 2.4.3: the keyboard stays where it was while others act, on every page that draws parts anew."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import launched, needs_chromium
from tests.browser.tables import apart
from tests.browser.test_tabs_and_clocks import dealt, logged_in, opened, until
from tests.games.api.client import Person
from tests.games.live.conftest import alice, bob, charlie, live, plays, serving

__all__ = ["alice", "bob", "charlie", "live", "serving"]
pytestmark = [pytest.mark.browser, needs_chromium]


@pytest.fixture
def browser() -> Iterator[Browser]:
    with launched() as one:
        yield one


@pytest.fixture
def page(
    alice: Person, bob: Person, charlie: Person, live: Any, live_server: Any, settings: Any, browser: Browser
) -> Page:
    settings.TREY_LIVE_URL = f"http://localhost:{live.port}"
    settings.TREY_SITE_URL = live_server.url
    return opened(logged_in(browser, live_server.url), "/rooms")


def marked(page: Page, selector: str) -> Any:
    """Focus what is found, and mark it: a node in its place has no mark."""
    found = page.locator(selector).first
    found.focus()
    found.evaluate("(node) => { node.marked = true; }")
    return found


def is_anew(found: Any) -> None:
    """Wait until it has been drawn anew, and see that it has the focus."""
    page = found.page
    until(page, lambda: not found.evaluate("(node) => Boolean(node.marked)"))
    expect(found).to_be_focused()


def test_the_focus_stays_on_a_games_link_on_the_first_page(page, alice, bob, live) -> None:
    games = [apart(dealt, alice, bob) for _ in range(2)]
    apart(plays, alice, games[0])
    page.goto("/")
    until(page, lambda: len(live.streams) == 1)
    link = marked(page, f"#mine a[href='/games/{games[0]['id']}']")
    apart(plays, bob, games[0])
    is_anew(link)


def test_the_focus_stays_in_a_room(page, alice, bob, charlie, live) -> None:
    room = apart(lambda: alice.opens(seats=4))
    apart(bob.post, f"games/{room['id']}/join")
    page.goto(f"/rooms/{room['id']}")
    until(page, lambda: len(live.streams) == 2)
    sends_out = marked(page, "#seats button:has-text('bob')")
    apart(charlie.post, f"games/{room['id']}/join")
    is_anew(sends_out)
    # What one was about to press is gone: not the next best button, which does something else.
    apart(bob.post, f"games/{room['id']}/leave")
    page.locator("#seats", has_text="bob").wait_for(state="detached")
    expect(page.locator("#seats")).to_be_focused()


def test_the_focus_stays_in_the_talk(page, alice, bob, live) -> None:
    game = apart(dealt, alice, bob)
    for sign in ("hello", "thanks"):
        apart(bob.post, f"games/{game['id']}/talk", {"sign": sign})
    page.goto(f"/games/{game['id']}")
    until(page, lambda: len(live.streams) == 2)
    page.locator("#talk summary").first.click()
    report = marked(page, "#talk-list li:has-text('thanks') button")
    apart(bob.post, f"games/{game['id']}/talk", {"sign": "laugh"})
    is_anew(report)


def test_the_focus_stays_at_the_table(page, alice, bob, live) -> None:
    game = apart(dealt, alice, bob)
    page.goto(f"/games/{game['id']}")
    until(page, lambda: len(live.streams) == 2)
    due = marked(page, "trey-table section:not(.own) button.due")
    apart(bob.post, f"games/{game['id']}/cancel")
    is_anew(due)


def test_the_focus_costs_no_look_at_each_link_of_a_long_page(page) -> None:
    page.goto("/")
    looks = page.evaluate("""() => {
      const link = (at) => Object.assign(document.createElement('a'), { href: `/p/${at}`, textContent: 'a player' });
      const links = Array.from({ length: 3000 }, (_, at) => link(at));
      document.querySelector('main').append(...links);
      const { getAttribute } = Element.prototype;
      let looks = 0;
      Element.prototype.getAttribute = function (name) { looks++; return getAttribute.call(this, name); };
      links[7].focus();
      return looks;
    }""")
    assert 0 < looks < 30
