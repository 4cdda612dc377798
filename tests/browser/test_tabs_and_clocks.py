"""What pages know of the world: others of the browser (LV6), the server's clock (LV7), and a script that is lost."""

import socket
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from core import clock as service_clock
from core.accounts.models import Player
from core.notifications.kinds import ACCOUNT, SECURITY, the_kind
from core.notifications.services import read, tell
from games.notifications.kinds import STARTED
from tests.browser.chromium import CHROMIUM, goes_back, launched, needs_chromium
from tests.browser.tables import TABLE, apart, session_of
from tests.games.api.client import Person
from tests.games.live.conftest import alice, bob, live, plays, serving

__all__ = ["alice", "bob", "live", "serving"]

pytestmark = [
    pytest.mark.sampled,
    pytest.mark.browser,
    needs_chromium,
]
TABS = 8
MOST = 4
# As a browser does with a tab that another one covers.
HIDE = """(hidden) => {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""
# A reader's clock that can be set.
CLOCK = """(() => {
  const Real = Date;
  window.wrong = WRONG;
  window.Date = class extends Real {
    constructor(...given) { super(...(given.length ? given : [Real.now() + window.wrong])); }
    static now() { return Real.now() + window.wrong; }
  };
})()"""
LEFT = """(moment) => {
  const time = document.createElement('time');
  Object.assign(time, { id: 'left', dateTime: moment });
  time.dataset.form = 'short';
  document.querySelector('main').append(time);
}"""
RENEWED = "async () => { (await import('/static/site/times.js')).renew(); }"
SHOWS = "(text) => document.getElementById('left').textContent === text"


@pytest.fixture
def browser() -> Iterator[Browser]:
    with launched() as opened:
        yield opened


@pytest.fixture
def reader(alice: Person, bob: Person, live: Any, live_server: Any, settings: Any, browser: Browser) -> BrowserContext:
    """Alice's browser; her streams are those of `live`."""
    settings.TREY_LIVE_URL = f"http://localhost:{live.port}"
    settings.TREY_SITE_URL = live_server.url
    return logged_in(browser, live_server.url)


def logged_in(browser: Browser, address: str) -> BrowserContext:
    context = browser.new_context(base_url=address)
    context.add_cookies([{"name": "sessionid", "value": apart(session_of, "alice"), "url": address}])
    return context


def dealt(alice: Person, bob: Person) -> dict[str, Any]:
    room = alice.opens()
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
    return dict(alice.post(f"games/{room['id']}/start").body)


def opened(context: BrowserContext, path: str) -> Page:
    page = context.new_page()
    page.goto(path)
    return page


def shows(page: Page, version: int) -> None:
    page.wait_for_function(f"(version) => {TABLE}?.page?.game.version >= version", arg=version)


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait for what the browser causes elsewhere."""
    for _ in range(2000):
        if holds():
            return
        page.wait_for_timeout(10)
    raise AssertionError("it does not come to that")


def test_lv6_pages_of_one_game_share_one_stream_and_a_hidden_one_has_none(reader, alice, bob, live) -> None:
    game = apart(dealt, alice, bob)
    pages = [opened(reader, f"/games/{game['id']}") for _ in range(TABS)]
    version = apart(plays, bob, game)["version"]
    for page in pages:
        shows(page, version)
    # The player's and the game's.
    until(pages[0], lambda: len(live.streams) == 2)
    # The one that read them is closed: the others go on.
    pages.pop().close()
    version = apart(plays, alice, game)["version"]
    for page in pages:
        shows(page, version)
    for page in pages:
        page.evaluate(HIDE, True)
    until(pages[0], lambda: len(live.streams) == 0)
    turn = apart(bob.sees, game)["to_act"][0]
    version = apart(plays, (alice, bob)[turn], game)["version"]
    pages[3].evaluate(HIDE, False)
    shows(pages[3], version)
    until(pages[3], lambda: len(live.streams) == 2)


def test_bt3_at_a_table_the_count_of_news_is_live_but_for_what_the_table_says_itself(reader, alice, bob, live) -> None:
    game = apart(dealt, alice, bob)
    page = opened(reader, f"/games/{game['id']}")
    until(page, lambda: len(live.streams) == 2)
    id_of = apart(lambda: Player.objects.get(username="alice").pk)
    # What is said there is no news either.
    apart(bob.post, f"games/{game['id']}/talk", {"sign": "hello"})
    expect(page.locator("#talk-count")).to_have_text("1")
    apart(lambda: tell([id_of], STARTED, f"game:{game['id']}:started", subject_id=game["id"]))
    apart(lambda: tell([id_of], the_kind(SECURITY, ACCOUNT), "security:test", data={"what": "test"}))
    expect(page.locator(".bell .badge")).to_have_text("1")


def test_bt3_what_is_said_at_a_table_is_not_counted_as_news(reader, alice, bob, live) -> None:
    game = apart(dealt, alice, bob)
    page = opened(reader, "/")
    until(page, lambda: len(live.streams) == 1)
    apart(bob.post, f"games/{game['id']}/talk", {"sign": "hello"})
    id_of = apart(lambda: Player.objects.get(username="alice").pk)
    apart(lambda: tell([id_of], the_kind(SECURITY, ACCOUNT), "security:test", data={"what": "test"}))
    expect(page.locator(".bell .badge")).to_have_text("1")


def test_lv6_pages_of_many_games_leave_connections_for_moves(reader, alice, bob, live) -> None:
    games = [apart(dealt, alice, bob) for _ in range(TABS)]
    pages = [opened(reader, f"/games/{game['id']}") for game in games]
    until(pages[0], lambda: len(live.streams) == MOST)
    for page, game in zip(pages, games, strict=True):
        version = apart(plays, bob, game)["version"]
        shows(page, version)
        assert len(live.streams) <= MOST


def test_lv6_on_silence_a_page_asks_the_first_page_and_not_for_itself(reader, settings) -> None:
    """It may be a form that is shown once, whose second answer would lead away from it."""
    with socket.create_server(("localhost", 0)) as closed:
        settings.TREY_LIVE_URL = f"http://localhost:{closed.getsockname()[1]}"
    page = reader.new_page()
    page.goto("/me/notifications")
    asked = list[str]()
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    until(page, lambda: "/" in asked)
    assert "/me/notifications" not in asked


def test_lv6_a_stream_that_does_not_begin_counts_as_silent(reader, alice, bob, settings) -> None:
    with socket.create_server(("localhost", 0)) as takes_and_says_nothing:
        settings.TREY_LIVE_URL = f"http://localhost:{takes_and_says_nothing.getsockname()[1]}"
        game = apart(dealt, alice, bob)
        page = opened(reader, f"/games/{game['id']}")
        shows(page, apart(plays, bob, game)["version"])


@pytest.mark.skipif(CHROMIUM is None, reason="the headless shell has no back-forward cache")
def test_lv6_from_the_back_forward_cache_everything_goes_on(alice, bob, live, live_server, settings) -> None:
    settings.TREY_LIVE_URL = f"http://localhost:{live.port}"
    settings.TREY_SITE_URL = live_server.url
    room, game = apart(alice.opens), apart(dealt, alice, bob)
    apart(plays, alice, game)
    with launched(CHROMIUM, ignore_default_args=["--disable-back-forward-cache"]) as whole:
        page = logged_in(whole, live_server.url).new_page()
        # A new service worker takes over what is kept, too, which ends that.
        page.goto("/")
        # A function: the page's policy lets no text be evaluated a second time.
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")

        def away_meanwhile(path: str, act: Callable[[], Any]) -> None:
            page.goto(path)
            page.evaluate("window.kept = true")
            until(page, lambda: len(live.streams) == (1 if path == "/" else 2))
            page.goto("/offline")
            until(page, lambda: len(live.streams) == 0)
            act()
            goes_back(page)

        away_meanwhile(f"/rooms/{room['id']}", lambda: apart(bob.post, f"games/{room['id']}/join"))
        page.locator("#seats", has_text="bob").wait_for()
        assert page.evaluate("window.kept")
        id_of = apart(lambda: Player.objects.get(username="alice").pk)
        apart(lambda: tell([id_of], the_kind(SECURITY, ACCOUNT), "security:test", data={"what": "test"}))
        away_meanwhile("/", lambda: apart(lambda: read(Player.objects.get(pk=id_of), 1)))
        expect(page.locator(".bell .badge")).to_be_hidden()
        assert page.evaluate("window.kept")
        away_meanwhile("/", lambda: apart(plays, bob, game))
        page.locator(f"#mine [data-game='{game['id']}'][data-status=playing]").wait_for()
        assert page.evaluate("window.kept")
        turn = apart(bob.sees, game)["to_act"][0]
        played = list[int]()
        away_meanwhile(f"/games/{game['id']}", lambda: played.append(apart(plays, (alice, bob)[turn], game)["version"]))
        shows(page, played[0])
        assert page.evaluate("window.kept")


def test_lv7_time_runs_by_the_servers_clock(reader) -> None:
    page = reader.new_page()
    page.add_init_script(CLOCK.replace("WRONG", f"{timedelta(hours=3) / timedelta(milliseconds=1)}"))
    page.goto("/")
    page.evaluate(LEFT, (service_clock.now() + timedelta(minutes=50, seconds=20)).isoformat())
    page.evaluate(RENEWED)
    page.wait_for_function(SHOWS, arg="50\u00a0min left")
    # Somebody sets the clock while the page is open.
    page.evaluate("(by) => { window.wrong = by; }", -timedelta(hours=5) / timedelta(milliseconds=1))
    page.evaluate(RENEWED)
    assert page.evaluate(SHOWS, "50\u00a0min left")


def test_lv7_a_server_that_could_not_be_asked_for_the_time_is_asked_again(reader) -> None:
    page = reader.new_page()
    page.clock.install(time=service_clock.now() + timedelta(hours=3))
    reader.route("**/healthz", lambda route: route.abort())
    page.goto("/")
    page.evaluate(LEFT, (service_clock.now() + timedelta(minutes=50, seconds=20)).isoformat())
    page.evaluate(RENEWED)
    page.wait_for_function(SHOWS, arg="time is up")
    reader.unroute("**/healthz")
    page.clock.run_for(31_000)
    page.wait_for_function(SHOWS, arg="50\u00a0min left", timeout=10_000)


@pytest.mark.parametrize("script", ["play/play.js", "table/motion.js", "play/history.js"])
def test_a_table_whose_script_does_not_come_says_so(reader, alice, bob, script: str) -> None:
    game = apart(dealt, alice, bob)
    reader.route(f"**/{script}", lambda route: route.abort())
    page = opened(reader, f"/games/{game['id']}")
    if "history" in script:
        shows(page, 1)
        page.locator("#history summary").click()
    page.locator("#trouble", has_text="Reload the page").wait_for()
