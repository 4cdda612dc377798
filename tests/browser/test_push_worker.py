"""NT12: the service worker shows what is pushed, sets the badge, and a tap opens the game.

Chromium's own push service is Google's, so the message is handed to the worker over the DevTools protocol, decrypted
as the browser does it. tests/core/notifications/test_telling_push.py decrypts what is sent (RFC 8291).
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from core import clock as service_clock
from core.accounts.models import Player
from core.notifications import push, selectors
from core.notifications.models import Notification, Subscription
from games.notifications.following import tell_players
from tests.browser.chromium import CHROMIUM, launched, needs_chromium
from tests.browser.tables import apart, session_of
from tests.core.notifications.browsers import Browser as PushBrowser
from tests.games.api.client import Person, concrete
from tests.games.live.conftest import alice, bob, game

__all__ = ["alice", "bob", "game"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    needs_chromium,
]

SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
  .map(({ title, body, tag, data }) => ({ title, body, tag, data }))"""
# What a system would do of it: Chromium without a screen has neither a badge nor anybody who taps.
WATCHED = """() => {
  self.shown = 0;
  self.badges = [];
  self.opened = [];
  const show = self.registration.showNotification.bind(self.registration);
  self.registration.showNotification = async (...given) => {
    await show(...given);
    self.shown += 1;
    self.dispatchEvent(new Event("shown"));
  };
  navigator.setAppBadge = async (count) => self.badges.push(count);
  self.clients.openWindow = async (url) => self.opened.push(url);
}"""
HANDLED = """async (count) => {
  while (self.shown < count) await new Promise((set) => self.addEventListener("shown", set, { once: true }));
}"""
TAPPED = """async () => {
  const [notification] = await self.registration.getNotifications();
  const event = new NotificationEvent('notificationclick', { notification });
  const done = new Promise((settle) => { event.waitUntil = settle; });
  self.dispatchEvent(event);
  await done;
  return { opened: self.opened, badges: self.badges };
}"""
COUNT = "async (count) => (await (await navigator.serviceWorker.ready).getNotifications()).length === count"


@pytest.fixture
def browser() -> Iterator[Browser]:
    """The whole of Chromium: the one without windows shows no notifications."""
    with launched(CHROMIUM) as opened:
        yield opened


def newest_push() -> str | None:
    """What a push about the newest turn says; None before there is one."""
    tell_players.catch_up()
    told = Notification.objects.filter(kind="turn").select_related("player").order_by("pk").last()
    if told is None:
        return None
    whose = [(told.player, told)]
    return push.message(told, selectors.messages(whose, service_clock.now())[told.pk]).decode()


def registration(page: Page) -> tuple[CDPSession, str]:
    """The DevTools' name of the page's service worker."""
    devtools, found = page.context.new_cdp_session(page), []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    while not found:
        page.evaluate("() => new Promise(requestAnimationFrame)")  # events come while a call waits
    return devtools, found[-1]["registrationId"]


def test_nt12_a_push_is_shown_once_a_game_sets_the_badge_and_opens_the_game(
    alice: Person, bob: Person, game: dict[str, Any], browser: Browser, live_server: Any, settings: Any
) -> None:
    settings.TREY_SITE_URL = live_server.url

    def plays_a_turn() -> str:
        """Arrange and play until it is somebody's turn, as a push tells."""
        while not (text := newest_push()):
            who = (alice, bob)[alice.sees(game)["to_act"][0]]
            legal = who.get(f"games/{game['id']}/moves").body["moves"]
            assert who.post(f"games/{game['id']}/moves", concrete(legal[0])).status == 201
        return text

    text = apart(plays_a_turn)
    context = browser.new_context()
    context.grant_permissions(["notifications"], origin=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/rooms")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    # Playwright may hear of the worker after the page does.
    worker = next(iter(context.service_workers), None) or context.wait_for_event("serviceworker")
    worker.evaluate(WATCHED)
    devtools, name = registration(page)
    for handled in (1, 2):  # a push that comes twice, or a newer one of the same game, takes the place of the first
        message = {"origin": live_server.url, "registrationId": name, "data": text}
        devtools.send("ServiceWorker.deliverPushMessage", message)
        worker.evaluate(HANDLED, handled)
    page.wait_for_function(COUNT, arg=1)
    [shown] = page.evaluate(SHOWN)
    meant = json.loads(text)["notification"]
    assert [shown[key] for key in ("title", "body", "tag")] == [meant[key] for key in ("title", "body", "tag")]
    assert shown["data"]["navigate"] == f"{live_server.url}/games/{game['id']}"
    after = worker.evaluate(TAPPED)
    assert after == {"opened": [f"{live_server.url}/games/{game['id']}"], "badges": [1, 1]}
    page.wait_for_function(COUNT, arg=0)
    # The app that is opened without a connection says so, and goes on where it was asked to.
    context.set_offline(True)
    page.goto(f"{live_server.url}/games/{game['id']}")
    page.get_by_role("heading", name="No connection").wait_for()
    context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    page.wait_for_url(f"{live_server.url}/games/{game['id']}")
    page.get_by_role("heading", name="No connection").wait_for(state="hidden")
    context.close()


# A push service that Chromium has not: it gives the subscription that it is told, and forgets it when asked.
PUSHING = """(given) => {
  const KEY = "test:subscription";
  const subscription = {
    endpoint: given.endpoint,
    toJSON: () => given,
    unsubscribe: async () => localStorage.removeItem(KEY),
  };
  Object.defineProperty(ServiceWorkerRegistration.prototype, "pushManager", { get: () => ({
    getSubscription: async () => (localStorage.getItem(KEY) ? subscription : null),
    subscribe: async () => { localStorage.setItem(KEY, "1"); return subscription; },
  }) });
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
}"""


def log_in(page: Page, live_server: Any, username: str) -> None:
    """As if the player had logged in on this browser, where nobody else is logged in any more."""
    page.context.add_cookies([{"name": "sessionid", "value": apart(session_of, username), "url": live_server.url}])


def told() -> list[str]:
    """Whose browsers are told."""
    return list(Subscription.objects.values_list("player__username", flat=True))


def ended_elsewhere() -> None:
    """Ada ends the only subscription there is."""
    one = Subscription.objects.get()
    push.unsubscribe(one.player, one.pk)


def test_nt12_a_page_says_whose_device_is_told_and_makes_a_lost_subscription_anew(
    transactional_db: None, browser: Browser, live_server: Any, settings: Any
) -> None:
    settings.TREY_SITE_URL = live_server.url
    for name in ("ada", "bob"):
        apart(Player.objects.create_user, name)
    context = browser.new_context()
    given = PushBrowser("https://push.example.org/one").subscription()
    context.add_init_script(f"({PUSHING})({json.dumps(given)})")
    page = context.new_page()
    log_in(page, live_server, "ada")

    def shown() -> Any:
        page.goto(f"{live_server.url}/me/settings")
        page.locator("#told").evaluate("(part) => { part.parentElement.open = true; }")
        return page.locator("#push")

    yes, no = "Notify me on this device", "Stop notifying me on this device"
    shown().get_by_role("button", name=yes).click()
    said = page.locator("#push [role=status]")
    expect(said).to_have_text("This device notifies ada, even when no page of Trey is open.")
    assert apart(told) == ["ada"]
    # She logs out, and Bob is next: it is not his device yet.
    page.goto(f"{live_server.url}/accounts/")
    with page.expect_navigation():
        page.get_by_role("button", name="Log out").click()
    assert apart(told) == []
    log_in(page, live_server, "bob")
    expect(shown().get_by_role("button", name=yes)).to_be_visible()
    expect(said).to_have_text("")
    assert apart(told) == []
    log_in(page, live_server, "ada")
    expect(shown().get_by_role("button", name=no)).to_be_visible()
    assert apart(told) == ["ada"]
    # She ends it from elsewhere: no page brings it back, only the button does.
    apart(ended_elsewhere)
    expect(shown().get_by_role("button", name=yes)).to_be_visible()
    expect(shown().get_by_role("button", name=yes)).to_be_visible()
    assert apart(told) == []
    page.get_by_role("button", name=yes).click()
    expect(said).to_have_text("This device notifies ada, even when no page of Trey is open.")
    page.evaluate("() => localStorage.removeItem('test:subscription')")
    apart(lambda: Subscription.objects.all().delete())
    page.goto(f"{live_server.url}/rooms")  # any page will do
    page.wait_for_function("() => localStorage.getItem('test:subscription')")
    shown().get_by_role("button", name=no).click()
    expect(page.get_by_role("button", name=yes)).to_be_visible()
    expect(said).to_have_text("")
    assert apart(told) == []
    context.close()


def test_nt12_what_a_browser_refuses_is_said_in_words(
    transactional_db: None, browser: Browser, live_server: Any
) -> None:
    apart(Player.objects.create_user, "ada")
    # Chromium gives no subscription to a private window, which this one is.
    context = browser.new_context(permissions=["notifications"])
    page = context.new_page()
    log_in(page, live_server, "ada")
    page.goto(f"{live_server.url}/me/settings")
    page.locator("#told").evaluate("(part) => { part.parentElement.open = true; }")
    page.get_by_role("button", name="Notify me on this device").click()
    said = page.locator("#push [role=status]")
    expect(said).to_have_text("This browser's push service refused. Private windows can't get notifications.")
    context.set_offline(True)
    page.get_by_role("button", name="Notify me on this device").click()
    expect(said).to_have_text("There is no connection. Try again.")
    context.close()
