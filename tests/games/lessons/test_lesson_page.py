"""LE3, LE4 in Chromium: each lesson at a phone, step by step by touch and by keyboard alone, and where it leads."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.lessons import NAMES, lesson
from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import violations, watched

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), needs_chromium]

FOCUSED = "(document.activeElement?.shadowRoot?.activeElement ?? document.activeElement)"


@pytest.fixture
def phone() -> Iterator[Page]:
    """A phone whose reader wants no motion: the others' moves are there at once."""
    with launched() as browser:
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
        yield watched(context.new_page())


def taps_of(move: dict[str, Any], *, interrupts: bool) -> list[str]:
    """What one taps for a move; Castle's interruption lifts all its cards at once."""
    cards = move.get("cards") or move.get("face_up") or ([move["card"]] if "card" in move else [])
    if cards:
        return [f"[data-code='{card}']" for card in (cards[:1] if interrupts else cards)]
    if move["move"] == "flip":
        return [f"[data-zone='down'][data-position='{move['position']}']"]
    return {"draw": [f"[data-zone='{move.get('from', 'stock')}']"], "pick_up": ["[data-zone='pile']"]}.get(
        move["move"], []
    )


def walk_to(page: Page, selector: str) -> None:
    """Lead the focus there by Tab, and within a row of cards by arrows."""
    there = f"{FOCUSED}.matches({selector!r})"
    for _ in range(40):
        page.keyboard.press("Home")
        for _ in range(12):
            if page.evaluate(there):
                return
            if not page.evaluate(f"{FOCUSED}.closest('.hand, .places') != null"):
                break
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {selector}")


def make(page: Page, selector: str, *, by_keyboard: bool) -> None:
    if by_keyboard:
        walk_to(page, selector)
        page.keyboard.press("Enter")
    else:
        page.locator(selector).first.tap()


def test_le4_what_plays_by_itself_is_skipped_by_a_second_press(live_server: Any) -> None:
    with launched() as browser:
        page = watched(browser.new_context(viewport={"width": 390, "height": 844}).new_page())
        # The first of the others' moves would be the last that is seen.
        page.add_init_script(
            "{ const wait = setTimeout; window.setTimeout = (act, time) => wait(act, time && 3_600_000); }"
        )
        page.goto(f"{live_server.url}/learn/tripp_jokes")
        page.get_by_role("button", name="Do it for me").click()
        page.get_by_role("button", name="Do it for me").click()
        expect(page.locator("#count")).to_have_text("Step 2 of 12")


@pytest.mark.sampled
@pytest.mark.parametrize("game", NAMES)
def test_le4_a_lesson_is_played_by_touch_and_by_keyboard(game: str, phone: Page, live_server: Any) -> None:
    steps = lesson(game).document()["steps"]
    phone.goto(f"{live_server.url}/learn/{game}")
    for number, step in enumerate(steps):
        expect(phone.locator("#count")).to_have_text(f"Step {number + 1} of {len(steps)}")
        expect(phone.locator("#said")).to_contain_text(step["say"])
        answers = phone.locator("#answer")
        for card in (card for card in step["taps"] if len(card) == 2 and number < 4):
            phone.locator(f"trey-table [data-code='{card}']").first.tap()
            expect(answers).to_have_text(step["taps"][card]["detail"] or "")
        interrupts = lesson(game).seat not in step["view"]["to_act"]
        for tap in taps_of(step["move"], interrupts=interrupts):
            make(phone, tap, by_keyboard=number % 2 == 1)
        # What needs no card takes one tap.
        if step["move"]["move"] not in ("draw", "pick_up"):
            make(phone, "#buttons button.act", by_keyboard=number % 2 == 1)
    expect(phone.get_by_role("button", name="Play one now, against two bots")).to_be_focused()
    expect(phone.get_by_role("button", name="Do it for me")).to_be_hidden()
    assert not violations(phone)


@pytest.mark.sampled
def test_le1_a_lesson_is_offered_to_strangers_and_ends_at_a_table(phone: Page, live_server: Any) -> None:
    phone.goto(live_server.url)
    phone.get_by_role("link", name=re.compile("Learn it .* Castle")).tap()
    steps = len(lesson("castle").steps)
    phone.get_by_role("button", name="Do it for me").tap()
    expect(phone.locator("#count")).to_have_text(f"Step 2 of {steps}")
    phone.get_by_role("button", name="Back").tap()
    assert not violations(phone)
    for number in range(steps):
        expect(phone.locator("#count")).to_have_text(f"Step {number + 1} of {steps}")
        # The bar lies over no card of the hand.
        hand, bar = phone.locator("trey-table .hand").bounding_box(), phone.locator("#foot").bounding_box()
        assert hand and bar
        assert hand["y"] + hand["height"] <= bar["y"], number
        phone.get_by_role("button", name="Do it for me").tap()
    phone.get_by_role("button", name="Play one now, against two bots").tap()
    phone.wait_for_url("**/games/*")
    phone.goto(live_server.url)
    expect(phone.get_by_role("link", name=re.compile("Learn it .* Castle ✓"))).to_be_visible()


def test_le4_with_letters_of_twice_the_size_a_sentence_begins_in_sight(phone: Page, live_server: Any) -> None:
    phone.goto(f"{live_server.url}/learn/castle")
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    steps = len(lesson("castle").steps)
    phone.get_by_role("button", name="Do it for me").tap()
    for number in range(1, steps):
        expect(phone.locator("#count")).to_have_text(f"Step {number + 1} of {steps}")
        said, teacher = phone.locator("#said > p").last.bounding_box(), phone.locator(".teacher").bounding_box()
        assert said and teacher
        assert teacher["y"] - 1 <= said["y"], number
        end = teacher["y"] + teacher["height"]
        assert said["y"] < teacher["y"] + 40 or said["y"] + said["height"] <= end, (
            "at the top, or all of it is in sight"
        )
        # By the button's own event: it may be scrolled out of sight.
        phone.get_by_role("button", name="Do it for me").dispatch_event("click")


def test_le4_on_a_small_phone_held_sideways_names_are_whole_and_no_card_lies_on_a_badge(
    phone: Page, live_server: Any
) -> None:
    phone.set_viewport_size({"width": 667, "height": 375})
    phone.goto(f"{live_server.url}/learn/tripp_jokes")
    name = phone.locator(".others .name").first
    expect(name).to_have_text("Maud")
    assert name.evaluate("one => one.getClientRects().length") == 1
    badge, places = (phone.locator(f".own {part}").bounding_box() for part in (".badge.act", ".places"))
    assert badge and places
    assert badge["x"] + badge["width"] <= places["x"]


def test_le4_without_script_a_lesson_is_read_whole_and_no_page_of_play_has_dead_buttons(live_server: Any) -> None:
    with launched() as browser:
        page = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False).new_page()
        page.goto(f"{live_server.url}/learn/castle")
        said = page.locator(".teacher li")
        expect(said).to_have_count(len(lesson("castle").steps))
        teacher, last = page.locator(".teacher").bounding_box(), said.last.bounding_box()
        assert teacher and last and last["y"] + last["height"] <= teacher["y"] + teacher["height"]
        expect(page.locator("main button:visible")).to_have_count(0)
        page.goto(live_server.url)
        page.get_by_role("button", name="Play one now of Castle").click()
        expect(page.locator("trey-table noscript p")).to_be_visible()
        expect(page.locator("main :is(button, summary):visible")).to_have_count(0)
