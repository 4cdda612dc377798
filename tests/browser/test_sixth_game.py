"""A sixth game in the browser: its pages open, it is played by touch and checked, and a cup of it is set up."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from core.accounts.models import Player
from games import services
from tests.browser.chromium import launched, needs_chromium
from tests.browser.tables import PHONE, TABLE, Window, apart
from tests.games.api.client import Person
from tests.games.api.test_api_sixth_game import played_to_the_end, sixes
from tests.games.live.conftest import alice
from tournaments.models import Tournament

__all__ = ["alice", "sixes"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    needs_chromium,
]
BY_TOUCH = 8
LOOK = f"{TABLE}.page.queue(() => {TABLE}.page.look())"


@pytest.fixture
def browser(alice: Person) -> Iterator[Browser]:
    with launched() as opened:
        yield opened


def played(window: Window, game: str, alice: Person) -> None:
    """Bots move at once, the reader some turns by touch; the end comes over the API, and the page shows it."""
    touched = 0
    for _ in range(100):
        apart(services.play_bots, game)
        window.page.evaluate(LOOK)
        seen = window.now()
        if seen["mine"] and seen["may"]:
            window.tap_a_turn()
            touched += 1
        if touched == BY_TOUCH:
            break
    else:
        raise AssertionError("the reader does not get to play")
    ended = apart(played_to_the_end, alice, {"id": game})
    window.page.evaluate(LOOK)
    assert window.waits_for(ended["version"])["status"] == "finished"


def test_a_sixth_game_is_played_checked_and_made_a_tournament(
    sixes: str, alice: Person, live_server: Any, browser: Browser
) -> None:
    wrong = list[str]()
    window = Window(browser.new_context(**PHONE), live_server.url, "alice")
    page = window.page
    page.on("response", lambda got: wrong.append(f"{got.status} {got.url}") if got.status in (404, 500) else None)
    paths = ("", "rooms", "rooms/new", f"rules/{sixes}", f"leaderboards/{sixes}", f"tournaments?game={sixes}")
    for path in (f"/{one}" for one in paths):
        page.goto(live_server.url + path)
    page.goto(f"{live_server.url}/rooms/new/{sixes}")
    page.locator("main form button.act").last.tap()
    page.wait_for_url("**/rooms/*")
    room = page.url.rpartition("/")[2].partition("?")[0]
    for level in ("steady", "random"):
        apart(alice.post, f"games/{room}/bots", {"level": level})
    apart(alice.post, f"games/{room}/start")
    page.goto(f"{live_server.url}/games/{room}")
    page.locator("trey-table .player").first.wait_for()
    page.evaluate(f"{TABLE}.page.planning.open(true)")
    page.get_by_role("button", name="The usual plan").wait_for()
    page.evaluate(f"{TABLE}.page.planning.open(false)")
    played(window, room, alice)
    page.locator("#history").evaluate("(part) => { part.open = true; }")
    page.get_by_role("button", name="Was the shuffle fair?").tap()
    page.get_by_text("Yes: nobody could choose the cards").wait_for()
    apart(lambda: Player.objects.filter(username="alice").update(is_staff=True, is_superuser=True))
    page.goto(f"{live_server.url}/admin/tournaments/tournament/add/?kind=rounds&game={sixes}")
    page.locator("[name=title]").fill("Cup of sixes")
    page.get_by_role("button", name="Set it up").tap()
    page.get_by_role("heading", name="How will it run?").wait_for()
    slug = apart(lambda: Tournament.objects.get(title="Cup of sixes", game=sixes).slug)
    page.get_by_role("button", name="Open for entries").tap()
    page.get_by_text("The tournament is open for entries.").first.wait_for()
    page.goto(f"{live_server.url}/t/{slug}")
    page.locator("main h1", has_text="Cup of sixes").wait_for()
    assert wrong == []
    assert window.errors == []
