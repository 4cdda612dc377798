"""PLAY AC2 in Chromium: a guest's phone from the link to the table, taken to a second device, and kept."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import CONTRAST, violations
from tests.browser.tables import apart
from tests.games.api.client import concrete
from tests.games.live.conftest import alice, bob, game, live, serving

__all__ = ["alice", "bob", "game", "live", "serving"]
PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 700}
# Titles that have less than half of a narrow screen, and break within their words.
CRAMPED = """[...document.querySelectorAll('h1, .pictured > :is(h2, h3)')].map((title) => title.clientWidth)
  .filter((width) => width && width < innerWidth / 2)"""
TEXT = "(size) => { document.documentElement.style.fontSize = size; }"
DESK = {"width": 1200, "height": 800}
#: A folder for pictures of every page and state, to look at.
PICTURES = os.environ.get("TREY_PICTURES")
HALF_A_MINUTE = 30

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    needs_chromium,
]


@pytest.fixture
def browser() -> Iterator[Browser]:
    with launched() as opened:
        yield opened


def found_in(page: Page, options: dict[str, Any] | None = None) -> list[Any]:
    """What axe-core finds, however small."""
    return [(one["id"], node["target"]) for one in violations(page, options) for node in one["nodes"]]


class Device:
    """A phone or a desktop with its own session; `wrong` is what no page may do."""

    def __init__(self, browser: Browser, root: str, **options: Any) -> None:
        self.root, self.wrong, self.hurt = root, [], {}  # type: ignore[var-annotated]
        self.context: BrowserContext = browser.new_context(viewport=PHONE, **options)
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda line: self.wrong.append(line.text) if "Content Security" in line.text else None)
        self.page.on("response", lambda one: self.wrong.append(one.url) if one.status >= 500 else None)

    def goes(self, path: str) -> Page:
        self.page.goto(path if path.startswith("http") else self.root + path)
        return self.page

    def looks(self, name: str) -> None:
        """Hold the page against axe-core in light and dark, and against a small phone whose text is twice as large."""
        self.page.wait_for_load_state()
        self.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for theme in ("light", "dark"):
            self.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            # All that a theme can change is the contrast.
            if found := found_in(self.page, None if theme == "light" else CONTRAST):
                self.hurt[name, theme] = found
            if PICTURES:
                self.page.screenshot(path=Path(PICTURES) / f"{name}-{theme}.png", full_page=True)
        for size in (NARROW, DESK):
            self.page.set_viewport_size(size)  # type: ignore[arg-type]
            self.page.evaluate(TEXT, "200%" if size is NARROW else "")
            if self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                self.hurt[name, size["width"]] = "too wide"
            if size is NARROW and self.page.evaluate(CRAMPED):
                self.hurt[name, "cramped"] = self.page.evaluate(CRAMPED)
            if PICTURES and size is DESK:
                self.page.screenshot(path=Path(PICTURES) / f"{name}-desk.png", full_page=True)
        self.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        self.page.emulate_media(color_scheme="light")


def until_bob_is_awaited_and_invited(alice: Any, room: dict[str, Any]) -> None:
    while alice.sees(room)["to_act"] != [1]:
        legal = alice.get(f"games/{room['id']}/moves").body["moves"]
        assert alice.post(f"games/{room['id']}/moves", concrete(legal[0])).status == 201
    another = alice.opens(game="castle", visibility="private")
    assert alice.post(f"games/{another['id']}/invite", {"username": "Bob"}).status == 204


def test_ac2_a_guest_is_at_the_table_in_half_a_minute_goes_on_elsewhere_and_keeps_the_account(
    alice: Any, live: Any, live_server: Any, browser: Browser, settings: Any
) -> None:
    settings.TREY_LIVE_URL = f"http://localhost:{live.port}"
    settings.TREY_SITE_URL = live_server.url
    room = apart(lambda: alice.opens(game="threes", seats=3, visibility="private"))
    phone = Device(browser, live_server.url, has_touch=True, is_mobile=True)
    page = phone.page

    began = time.monotonic()
    phone.goes(f"/join/{room['invitation']}")
    page.get_by_label("Your name").fill("alice")
    page.get_by_role("button", name="Sit down").tap()
    page.get_by_text("This name is taken.").wait_for()
    phone.looks("door-taken")
    page.get_by_label("Your name").fill("Bob")
    page.get_by_role("button", name="Sit down").tap()
    page.get_by_text("Waiting for alice to start").wait_for()
    phone.looks("room-of-a-guest")
    started = apart(alice.post, f"games/{room['id']}/start")
    assert started.status == 200
    page.wait_for_url(f"**/games/{room['id']}")
    for at in range(3):
        page.locator("trey-table .hand button").nth(at).tap()
    page.locator("#buttons button.act").tap()
    page.locator("#happened").get_by_text("You laid").wait_for()
    assert time.monotonic() - began < HALF_A_MINUTE, "from the link to the first move"

    apart(until_bob_is_awaited_and_invited, alice, room)
    phone.goes("/")
    page.get_by_role("heading", name="Your turn").wait_for()
    page.get_by_role("heading", name="You are invited").wait_for()
    phone.looks("my-turns")
    page.get_by_role("link", name="Open a table").tap()
    page.wait_for_url("**/rooms/new")
    phone.looks("choose")
    page.get_by_role("link", name="Choose Castle").tap()
    page.wait_for_url("**/rooms/new/castle")
    phone.looks("open")
    page.get_by_role("button", name="Open the table").tap()
    page.get_by_role("button", name="Add").tap()
    page.get_by_role("button", name="Start with 2").wait_for()
    phone.looks("room-of-an-opener")
    opened = page.url.rpartition("/")[2]
    phone.goes(f"/rooms/{opened}/channels")
    phone.looks("channels")
    others = "/me/settings /me/notifications /rooms /me/keep /accounts/blocked/ /nowhere /join/AAAAAAAAAAAA"
    for path in others.split():
        phone.goes(path)
        phone.looks(path.strip("/").replace("/", "-"))

    phone.goes("/me/device")
    page.get_by_role("button", name="Make the link").tap()
    link = page.locator("#link").input_value()
    phone.looks("device")
    second = Device(browser, live_server.url)
    second.goes(link)
    second.looks("use-link")
    second.page.get_by_role("button", name="Continue here").click()
    second.page.get_by_text("You are now playing here as Bob.").wait_for()

    phone.goes("/me/keep")
    page.get_by_label("Password").fill("a quiet evening")
    page.get_by_role("button", name="Keep it with this password").tap()
    page.get_by_text("Your account is saved").wait_for()
    expect(page.get_by_text("You are here as a guest")).to_have_count(0)
    for device in (phone, second):
        device.page.goto("about:blank")
        device.context.close()
        assert (phone.wrong, second.wrong) == ([], [])
    assert {**phone.hurt, **second.hurt} == {}


def test_the_first_page_is_of_use_without_script(live_server: Any, browser: Browser, transactional_db: None) -> None:
    plain = Device(browser, live_server.url, java_script_enabled=False)
    page = plain.goes("/")
    page.get_by_role("link", name="Open a table").click()
    page.get_by_role("link", name="Choose Threes").click()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Add").click()
    page.get_by_role("button", name="Start with 2").wait_for()
    plain.context.close()
