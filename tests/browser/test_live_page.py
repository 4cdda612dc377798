"""The function of docs/live.md that watches a game, in a browser."""

import re

import pytest

from config.processes import CHECKOUT
from tests.browser.chromium import needs_chromium
from tests.browser.tables import apart
from tests.browser.test_pages import page
from tests.games.live.conftest import alice, bob, game, live, plays, serving

__all__ = ["alice", "bob", "game", "live", "page", "serving"]

PAGE = (CHECKOUT / "docs/live.md").read_text()
[WATCH] = re.findall(r"```js\n(.*?)```", PAGE, re.DOTALL)
ARRIVED = "(version) => window.seen.some((event) => event.version === version)"

pytestmark = [
    pytest.mark.browser,
    needs_chromium,
]


def test_the_function_for_a_browser_gets_every_event_and_comes_back_after_a_break(
    alice, bob, game, live, live_server, page, settings
) -> None:
    settings.TREY_LIVE_URL = f"http://127.0.0.1:{live.port}"
    page.goto(f"{live_server.url}/healthz")
    # Who is there comes as an event, too (LV4), and has no version.
    apart(alice.patch, "me", {"preferences": {"presence": "always"}})
    shown = apart(alice.sees, game)
    page.evaluate(
        f"([game, token]) => {{ {WATCH} window.seen = []; watch(game, token, (event) => window.seen.push(event)); }}",
        [shown, alice.token],
    )
    page.wait_for_function(ARRIVED, arg=apart(plays, alice, game)["version"])
    live.cut()
    page.wait_for_function(ARRIVED, arg=apart(plays, bob, game)["version"])
    versions = page.evaluate("() => window.seen.map((event) => event.version)")
    assert versions == list(range(shown["version"] + 1, apart(alice.sees, game)["version"] + 1))
