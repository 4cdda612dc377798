"""Whose page it is (AC6): after a log-out, another account's log-in, or the end of a right, it shows nothing more.

Each holds with a back-forward cache and without one, where Back shows what the browser keeps of the response.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from core.accounts.models import Player, Session
from tests.browser.chromium import CHROMIUM, goes_back, launched, needs_chromium
from tests.browser.tables import apart, session_of
from tests.browser.test_tabs_and_clocks import logged_in, opened, shows, until
from tests.games.api.client import Person
from tests.games.live.conftest import alice, bob, live, plays, serving

__all__ = ["alice", "bob", "live", "serving"]
pytestmark = [pytest.mark.sampled, pytest.mark.browser, needs_chromium]

# Whether it shows anything in the moment in which it is there again; "false" for a page that was kept.
WATCH = "addEventListener('pageshow', () => sessionStorage.setItem('shown', !document.documentElement.hidden))"
GONE = "meta[name=reader][content='']"


@pytest.fixture
def browser() -> Iterator[Browser]:
    with launched() as one:
        yield one


@pytest.fixture(params=["kept", "loaded"])
def either(request: Any) -> Iterator[Browser]:
    """A browser with a back-forward cache, and one without."""
    if request.param == "loaded":
        with launched() as one:
            yield one
    elif CHROMIUM is None:
        pytest.skip("the headless shell has no back-forward cache")
    else:
        with launched(CHROMIUM, ignore_default_args=["--disable-back-forward-cache"]) as one:
            yield one


@pytest.fixture
def site(live: Any, live_server: Any, settings: Any) -> str:
    settings.TREY_LIVE_URL = f"http://localhost:{live.port}"
    settings.TREY_SITE_URL = live_server.url
    return str(live_server.url)


def dealt(alice: Person, bob: Person) -> dict[str, Any]:
    room = alice.opens(visibility="private")
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
    return dict(alice.post(f"games/{room['id']}/start").body)


def worked(context: BrowserContext) -> Page:
    """A page under its service worker: a new one takes over what is kept, too, which ends that."""
    page = opened(context, "/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    return page


def log_in_as(context: BrowserContext, name: str, address: str) -> None:
    context.add_cookies([{"name": "sessionid", "value": apart(session_of, name), "url": address}])


def test_ac6_after_a_log_out_back_shows_nothing_of_the_account(alice, bob, site, either) -> None:
    game = apart(dealt, alice, bob)
    room = apart(lambda: alice.opens(visibility="private"))
    page = worked(logged_in(either, site))
    paths = ["/", "/me/settings", "/me/notifications", f"/rooms/{room['id']}", f"/games/{game['id']}"]
    for path in paths:
        page.goto(path)
        page.evaluate(WATCH)
    page.goto("/accounts/logout/")
    page.evaluate("sessionStorage.clear()")
    page.locator("main").get_by_role("button", name="Log out").click()
    # Until the page has noted that it is nobody's, the next one that Back shows is loaded twice.
    page.wait_for_function("localStorage.getItem('trey:reader') === ''")
    goes_back(page)  # to the question whether to log out, which leads away
    page.wait_for_url("**/accounts/login/**")
    for _ in paths:
        goes_back(page)
        expect(page.locator("body")).not_to_contain_text("alice")
        page.locator(GONE).wait_for(state="attached")
        assert page.evaluate("sessionStorage.shown") in (None, "false")


def test_ac6_after_another_accounts_log_in_back_and_other_tabs_show_nothing_of_the_one_before(
    alice, bob, site, either
) -> None:
    game = apart(dealt, alice, bob)
    context = logged_in(either, site)
    page, other = worked(context), opened(context, "/me/settings")
    for path in ("/me/settings", f"/games/{game['id']}"):
        page.goto(path)
        page.evaluate(WATCH)
    page.goto("/offline")
    log_in_as(context, "bob", site)
    opened(context, "/offline").goto("/")
    bobs = apart(lambda: str(Player.objects.get(username="bob").pk))
    expect(other.locator("meta[name=reader]")).to_have_attribute("content", bobs)
    for _ in range(2):
        goes_back(page)
        expect(page.locator("meta[name=reader]")).to_have_attribute("content", bobs)
        assert page.evaluate("sessionStorage.shown") in (None, "false")


@pytest.mark.parametrize("path", ["/", "/me/settings", "game", "room", "/accounts/"])
def test_ac6_a_page_left_open_empties_itself_once_its_session_was_ended_elsewhere(
    alice, bob, site, browser, live, path: str
) -> None:
    game = apart(dealt, alice, bob)
    room = apart(lambda: alice.opens(visibility="private"))
    at = {"game": f"/games/{game['id']}", "room": f"/rooms/{room['id']}"}
    page = opened(logged_in(browser, site), at.get(path, path))
    until(page, lambda: len(live.streams) == (2 if path in ("game", "room") else 1))
    apart(lambda: Session.objects.all().delete())
    page.locator(GONE).wait_for(state="attached")
    assert "alice" not in page.locator("body").inner_text()


def test_ac6_a_page_left_open_empties_itself_once_its_account_is_suspended(alice, bob, site, browser, live) -> None:
    page = opened(logged_in(browser, site), "/")
    until(page, lambda: len(live.streams) == 1)
    apart(lambda: Player.objects.filter(username="alice").update(is_active=False))
    page.locator(GONE).wait_for(state="attached")


def test_ac6_a_page_that_is_answered_as_another_account_empties_itself(alice, bob, site, browser, live) -> None:
    game = apart(dealt, alice, bob)
    context = logged_in(browser, site)
    page = opened(context, f"/games/{game['id']}")
    shows(page, 1)
    log_in_as(context, "bob", site)
    apart(plays, bob, game)
    bobs = apart(lambda: str(Player.objects.get(username="bob").pk))
    expect(page.locator("meta[name=reader]")).to_have_attribute("content", bobs)


@pytest.mark.parametrize("what", ["rooms", "games"])
def test_ac6_a_page_left_open_empties_itself_once_its_reader_is_sent_out(alice, bob, site, browser, live, what) -> None:
    room = apart(lambda: alice.opens(visibility="private", seats=3))
    apart(bob.post, f"games/{room['id']}/join", {"invitation": room["invitation"]})
    context = browser.new_context(base_url=site)
    log_in_as(context, "bob", site)
    page = opened(context, f"/{what}/{room['id']}")
    page.get_by_text("alice").first.wait_for()
    until(page, lambda: len(live.streams) == 2)
    apart(alice.post, f"games/{room['id']}/kick", {"seat": 1})
    expect(page.locator("body")).not_to_contain_text("alice")


def test_ac6_a_page_of_the_dashboard_empties_itself_after_a_log_out_in_another_tab(alice, site, browser) -> None:
    apart(lambda: Player.objects.filter(username="alice").update(is_staff=True, is_superuser=True))
    context = logged_in(browser, site)
    dashboard = opened(context, "/admin/accounts/player/")
    expect(dashboard.locator(".trey")).to_contain_text("alice")
    other = opened(context, "/accounts/logout/")
    other.locator("main").get_by_role("button", name="Log out").click()
    dashboard.wait_for_url("**/accounts/login/**")


def test_a_form_of_the_dashboard_goes_on_after_another_log_in(alice, site, browser) -> None:
    apart(lambda: Player.objects.filter(username="alice").update(is_staff=True, is_superuser=True))
    context = logged_in(browser, site)
    page = opened(context, "/admin/tournaments/tournament/add/?kind=rounds&game=castle")
    context.add_cookies([{"name": "csrftoken", "value": "n" * 32, "url": site}])
    page.get_by_label("Title").fill("An evening")
    page.get_by_role("button", name="Set it up").click()
    page.wait_for_url("**/change/")


def test_a_page_goes_on_after_its_own_account_has_logged_in_again(alice, bob, site, browser) -> None:
    """A log-in brings a new CSRF token: the page uses it, and shows nobody what the server says to programs."""
    game = apart(dealt, alice, bob)
    context = logged_in(browser, site)
    page = opened(context, f"/games/{game['id']}")
    form = opened(context, "/me/settings")
    shows(page, 1)
    log_in_as(context, "alice", site)
    context.add_cookies([{"name": "csrftoken", "value": "n" * 32, "url": site}])
    for at in range(3):
        page.locator("trey-table .hand button").nth(at).click()
    page.locator("#buttons button.act").click()
    page.locator("#happened").get_by_text("You laid").wait_for()
    form.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    form.get_by_role("button", name="Save the name", exact=True).click()
    expect(form.locator("h1").first).not_to_have_text("This form has expired")
    assert form.locator("meta[name=reader]").count() == 1


def test_ac6_the_answer_of_the_form_that_ends_the_log_in_is_shown(alice, site, browser) -> None:
    page = opened(logged_in(browser, site), "/accounts/logout/")
    # Before the answer comes, the last of the page is loaded, and something else of it hears that its reader is gone.
    page.evaluate(
        """addEventListener("submit", () => setTimeout(() => {
          dispatchEvent(new PageTransitionEvent("pageshow", { persisted: false }));
          reader.leave();
        }))"""
    )
    page.locator("main").get_by_role("button", name="Log out").click()
    page.wait_for_url(f"{site}/accounts/login/")
    assert page.locator(GONE).count() == 1


def test_the_page_of_nobody_is_not_loaded_again_by_an_answer_that_asks_for_a_log_in(site, browser) -> None:
    page = opened(browser.new_context(base_url=site), "/")
    assert page.evaluate("reader.doubt().then(() => document.documentElement.hidden)") is False


def test_a_page_whose_reader_only_the_api_does_not_know_is_loaded_anew_once(alice, site, browser) -> None:
    page = opened(logged_in(browser, site), "/me/settings")
    page.route("**/api/v1/me", lambda route: route.fulfill(status=401, body="{}"))
    with page.expect_navigation():
        page.evaluate("void reader.doubt()")
    page.locator("meta[name=reader]").wait_for(state="attached")
    assert page.evaluate("reader.doubt().then(() => document.documentElement.hidden)") is False
    page.unroute("**/api/v1/me")
    # It is known again.
    assert page.evaluate("reader.doubt().then(() => sessionStorage.getItem('trey:doubted'))") is None


def test_a_guest_plays_one_now_goes_back_and_plays_one_now_again(site, either) -> None:
    page = worked(either.new_context(base_url=site))
    games = set()
    for _ in range(4):
        page.locator("form[action='/rooms/now/castle'] button").first.click()
        page.wait_for_url("**/games/*")
        games.add(page.url)
        goes_back(page)
        page.wait_for_url(f"{site}/", wait_until="commit")
    assert len(games) == 4


def test_a_room_that_was_called_off_is_not_opened_again_by_back_and_the_same_button(
    alice, site, either, request
) -> None:
    page = worked(logged_in(either, site))
    rooms = []
    page.goto("/rooms/new/threes")
    for _ in range(2):
        page.evaluate("window.kept = true")
        page.locator("main form.rules button.act").click()
        page.wait_for_url("**/rooms/*-*")
        rooms.append(page.url.rsplit("/", 1)[1])
        goes_back(page)
        apart(alice.post, f"games/{rooms[-1]}/cancel")
        page.wait_for_url("**/rooms/new/threes", wait_until="commit")
        assert (page.evaluate("window.kept") is True) == ("kept" in request.node.name)
    assert len(set(rooms)) == 2
