"""House games in Chromium (HG23): an own variant of Castle from the first page to a table, in a few taps."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from core.accounts.models import Player
from core.jobs import services as work
from games.house.models import HouseGame
from games.house.services import built_in, change, save
from games.models import Game
from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import at_rest, serious_in, watched
from tests.browser.tables import apart

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), needs_chromium]

MOST_TAPS = 8


@pytest.fixture
def phone() -> Iterator[Page]:
    """A stranger's phone."""
    with launched() as browser:
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
        yield watched(context.new_page())


def test_hg23_eights_skip_in_eight_taps_and_a_word(phone: Page, live_server: Any) -> None:
    taps: list[str] = []

    def tap(what: Any) -> None:
        taps.append(str(what))
        what.tap()

    phone.goto(live_server.url)
    tap(phone.get_by_role("link", name="Write your own rules"))
    tap(phone.get_by_role("link", name="Castle", exact=True))
    tap(phone.locator("#powers-8 summary"))
    tap(phone.locator("#powers-8").get_by_text("Skips", exact=True))
    # What it means is said at once, and the word has its own place.
    expect(phone.locator("#now")).to_contain_text("Each 8 skips one player.")
    tap(phone.get_by_label("Name of the game"))
    phone.get_by_label("Name of the game").press("Control+A")
    phone.keyboard.type("Fridays")
    assert serious_in(phone) == []
    tap(phone.get_by_role("button", name="Try it"))
    phone.locator("trey-table .hand").first.wait_for()
    expect(phone).to_have_title(re.compile("Fridays"))
    assert len(taps) <= MOST_TAPS
    (game,) = apart(list, Game.objects.values_list("game", "title", "players__index"))[-1:]
    assert game == ("house", "Fridays", 2)
    # Nothing is stored but the table; what was typed is there again, also for the guest who came of it.
    assert apart(HouseGame.objects.count) == 0
    phone.goto(f"{live_server.url}/house-games/new?from=castle")
    expect(phone.get_by_label("Name of the game")).to_have_value("Fridays")
    expect(phone.locator("#powers-8 .does")).to_have_text("skips")


def test_hg23_by_keyboard_alone(phone: Page, live_server: Any) -> None:
    phone.goto(f"{live_server.url}/house-games/new?from=castle")
    at_rest(phone)

    def until(selector: str) -> None:
        for _ in range(60):
            if phone.evaluate("(one) => document.activeElement.matches(one)", selector):
                return
            phone.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not reached")

    until("#title")
    phone.keyboard.press("Control+A")
    phone.keyboard.type("Keys")
    phone.keyboard.press("Enter")
    # The return key says what the rules are, and neither tries nor saves.
    until("#powers-8 summary")
    phone.keyboard.press("Enter")
    until("#powers-8 [value=skips]")
    phone.keyboard.press("Space")
    expect(phone.locator("#sentences .new").first).to_have_text("Each 8 skips one player.")
    until("[name=act][value=save]")
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("heading", name="Keys", level=1)).to_be_visible()
    # What is saved is no draft any more.
    phone.goto(f"{live_server.url}/house-games/new?from=castle")
    at_rest(phone)
    expect(phone.get_by_label("Name of the game")).to_have_value("My Castle")


def test_hg23_faults_are_beside_their_fields_and_an_older_answer_never_replaces_a_newer_one(
    phone: Page, live_server: Any
) -> None:
    phone.goto(f"{live_server.url}/house-games/new?from=castle")
    at_rest(phone)
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    phone.route("**/house-games/new?from=castle", hold)
    cards = phone.get_by_label("Cards in hand")
    cards.fill("9")
    while len(held) < 1:
        phone.wait_for_timeout(20)
    cards.fill("4")
    while len(held) < 2:
        phone.wait_for_timeout(20)
    held[1].continue_()
    expect(phone.locator("#sentences")).to_contain_text("fill it to four cards")
    held[0].continue_()
    at_rest(phone)
    expect(phone.locator("[data-path='deal.hand']")).to_be_empty()
    phone.unroute_all()
    cards.fill("9")
    expect(phone.locator("[data-path='deal.hand']")).to_have_text("Must be a whole number from 1 to 6.")
    expect(cards).to_have_attribute("aria-invalid", "true")


def test_hg23_what_is_typed_stays_and_an_older_tab_overwrites_nothing(phone: Page, live_server: Any) -> None:
    phone.goto(f"{live_server.url}/house-games/new?from=castle")
    phone.get_by_role("button", name="Save").tap()
    phone.get_by_role("link", name="Change the rules").tap()
    phone.get_by_label("Name of the game").fill("Typed here")
    at_rest(phone)

    def saved_elsewhere() -> None:
        row = HouseGame.objects.get()
        change(row.author, row.pk, {**built_in("castle"), "title": "Saved elsewhere"})

    apart(saved_elsewhere)
    # The page of the newer version shows that one, and offers the other.
    phone.reload()
    expect(phone.get_by_label("Name of the game")).to_have_value("Saved elsewhere")
    phone.get_by_role("button", name="Show them").tap()
    expect(phone.get_by_label("Name of the game")).to_have_value("Typed here")
    phone.get_by_role("button", name="Save as").tap()
    expect(phone.get_by_role("alert").first).to_contain_text("newer version")
    assert apart(HouseGame.objects.get).version == 2


def test_hg22_200_games_are_played_while_the_page_waits(phone: Page, live_server: Any) -> None:
    saved = apart(lambda: save(Player.objects.create_user("ada"), built_in("castle"), "public"))
    phone.goto(f"{live_server.url}/house-games/{saved.row.pk}")
    phone.get_by_role("button", name="Have 200 games played").tap()
    expect(phone.get_by_role("progressbar")).to_be_visible()
    apart(lambda: work.do_all(kinds=["house.figures"], seconds=600))
    expect(phone.locator("#drawn")).to_contain_text("In 200 simulated games among four simple players")
    expect(phone.locator("#drawn svg")).to_be_visible()
    assert serious_in(phone) == []
