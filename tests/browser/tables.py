"""Two people in two windows at one table: a touch screen, and a keyboard alone."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count, cycle
from typing import Any

from django.conf import settings as django_settings
from django.contrib.auth import get_user_model
from django.db import connections
from django.test import Client
from playwright.sync_api import BrowserContext, Page

from tests.browser.looking import violations
from tests.games.api.client import Person

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 860}}
TABLE = "document.querySelector('trey-table')"
# Waits for what is under way, then says how things are.
NOW = f"""async () => {{
  const page = {TABLE}.page;
  await page.work;
  const game = page.game;
  const act = document.querySelector('#buttons button.act');
  const held = [...{TABLE}.shadowRoot.querySelectorAll('.hand button')];
  return {{ version: game.version, status: game.status, mine: page.mine, may: page.selecting.legal.length > 0,
            spare: page.selecting.legal.some((one) => one.move === 'discard') ? held.at(-1).dataset.code : null,
            out: page.selecting.legal.find(({{ move }}) => move === 'go_out')?.discard ?? null,
            interrupts: document.querySelector('#interrupt button') != null,
            act: act?.textContent ?? null, bar: document.querySelector('#bar').textContent }};
}}"""

# What sticks out to the right.
WIDE = """() => [...document.querySelectorAll('body *')]
  .filter((node) => node.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((node) => node.outerHTML.slice(0, 100)).slice(0, 6)"""


def apart(work: Callable[..., Any], *arguments: Any) -> Any:
    """Do the work in a thread of its own: Playwright has an event loop in this one, where Django reads nothing."""

    def run() -> Any:
        try:
            return work(*arguments)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def dealt_between(alice: Person, bob: Person) -> str:
    room = alice.opens(visibility="private")
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
    return str(alice.post(f"games/{room['id']}/start").body["id"])


def session_of(username: str) -> str:
    """A session's key, as logging in makes one."""
    browser = Client()
    browser.force_login(get_user_model().objects.get(username=username))
    return browser.cookies[django_settings.SESSION_COOKIE_NAME].value


class Window:
    """Somebody's window on a game."""

    def __init__(self, context: BrowserContext, url: str, username: str | None) -> None:
        self.errors: list[str] = []
        self.bytes = 0
        if username is not None:
            key = apart(session_of, username)
            context.add_cookies([{"name": django_settings.SESSION_COOKIE_NAME, "value": key, "url": url}])
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if "Refused" in said.text else None)

    def now(self) -> dict[str, Any]:
        return dict(self.page.evaluate(NOW))

    def waits_for(self, version: int) -> dict[str, Any]:
        """Wait until the page shows this version, or a newer one."""
        self.page.wait_for_function(f"(version) => {TABLE}.page.game.version >= version", arg=version)
        return self.now()

    def tap_a_turn(self) -> None:
        """One move by touch: a card that is lit, or a pile, then the button."""
        seen = self.now()
        if seen["interrupts"]:
            self.page.locator("#interrupt button").tap()
            self.waits_for(seen["version"] + 1)
            return
        if seen["status"] == "setup":
            for at in range(3):
                self.page.locator("trey-table .hand button").nth(at).tap()
        elif seen["out"] is not None:
            self.page.locator(f"trey-table .hand button[data-code='{seen['out']}']").first.tap()
            # It is laid out before it is sent, in cards that can be seen.
            laid = self.page.locator(".laid-out .meld .card").first
            laid.wait_for()
            assert laid.bounding_box()["width"] > 20  # type: ignore[index]
        elif seen["act"] is None and seen["spare"]:
            self.page.locator("trey-table .hand button.legal").last.tap()
        elif seen["act"] is None:
            self.page.locator("trey-table button.legal").first.tap()
        self.page.locator("#buttons button.act").tap()
        self.waits_for(seen["version"] + 1)

    def type_a_turn(self) -> None:
        """One move by keyboard: the first of the list, or the discard, typed."""
        seen = self.now()
        self.page.keyboard.press("/")
        self.page.keyboard.type(f"out {seen['out']}" if seen["out"] else seen["spare"] or "1")
        self.page.keyboard.press("Enter")
        self.waits_for(seen["version"] + 1)
        self.page.keyboard.press("Tab")

    def walk_a_turn(self) -> None:
        """One move by keyboard: Tab to the cards, an arrow, Enter, Tab to the button, Enter."""
        seen = self.now()
        if seen["out"] is not None:
            self.type_a_turn()
            return
        if seen["interrupts"]:
            self._tab_to("n => n?.matches('#interrupt button')")
            self.page.keyboard.press("Enter")
            self.waits_for(seen["version"] + 1)
            return
        self.page.evaluate("document.activeElement?.blur()")
        self._tab_to("n => n?.shadowRoot?.activeElement?.closest('.hand, .places, .target') != null")
        if seen["spare"]:
            self.page.keyboard.press("End")
        chosen = f"{TABLE}.page.selecting.moves().length > 0 && document.querySelector('#buttons button.act') != null"
        for _ in range(12):
            self.page.keyboard.press("Enter")
            if self.page.evaluate(chosen):
                break
            self.page.keyboard.press("ArrowRight")
        self._tab_to("n => n?.matches('#buttons button.act')")
        self.page.keyboard.press("Enter")
        self.waits_for(seen["version"] + 1)

    def _tab_to(self, there: str) -> None:
        for _ in range(40):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(f"({there})(document.activeElement)"):
                return
        raise AssertionError("Tab does not lead there")

    def is_accessible(self) -> None:
        """Nothing that axe-core minds, and nothing that is wider than the screen."""
        hurt = [f"{one['id']}: {one['nodes'][0]['html'][:160]}" for one in violations(self.page)]
        assert not hurt, "\n".join(hurt)
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert self.page.evaluate(wide) <= 0, self.page.evaluate(WIDE)


WAYS: dict[str, tuple[Callable[[Window], None], ...]] = {
    "touch": (Window.tap_a_turn,),
    "keyboard": (Window.type_a_turn, Window.walk_a_turn),
}


def play_by_hand(hands: dict[Window, str], most: int | None = None) -> int:
    """Play until the game is over, or as many moves; each window by its hand, in all its ways. Returns the moves."""
    ways = {window: cycle(WAYS[hand]) for window, hand in hands.items()}
    for played in count():
        newest = max(window.now()["version"] for window in hands)
        states = {window: window.waits_for(newest) for window in hands}
        may = [window for window, seen in states.items() if (seen["mine"] and seen["may"]) or seen["interrupts"]]
        if played == most or not may:
            return played
        # Whoever may interrupt does so before the other plays on.
        acting = next((window for window in may if states[window]["interrupts"]), may[0])
        next(ways[acting])(acting)
    raise AssertionError
