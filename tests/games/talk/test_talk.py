"""TK12 in Chromium: talk at a table by two people, in a phone and on a desktop."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from core.accounts.models import Player
from games.talk import moderation
from games.talk import services as talk
from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import ABOVE, violations
from tests.browser.tables import apart, dealt_between, session_of
from tests.games.api.conftest import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), needs_chromium]

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.fixture
def browser() -> Iterator[Browser]:
    with launched() as opened:
        yield opened


def opened(browser: Browser, server: Any, who: str, game: str, size: Any, page_of: str = "games") -> Page:
    context = browser.new_context(viewport=size)
    context.add_cookies([{"name": "sessionid", "value": apart(session_of, who), "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}/{page_of}/{game}")
    return page


@pytest.mark.sampled
def test_tk12_two_people_talk_at_their_table(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(lambda: dealt_between(alice, bob))
    ada = opened(browser, live_server, "alice", game, PHONE)
    expect(ada.locator("#talk-last")).to_have_text("Nobody has written anything yet. Say hello!")
    ada.locator("#talk > summary").click()
    ada.get_by_label("Say something").fill(f"Look: {live_server.url}/rules/threes https://example.org/")
    ada.get_by_role("button", name="Send").click()
    expect(ada.locator("#talk-list li")).to_have_count(1)
    # Only addresses of this server become links.
    assert [one.get_attribute("href") for one in ada.locator("#talk-list li a").all()][:-1] == [
        f"{live_server.url}/rules/threes"
    ]
    assert not violations(ada)

    bobs = opened(browser, live_server, "bob", game, DESK)
    expect(bobs.locator("#talk-count")).to_have_text("1")
    expect(bobs.locator("#talk-last")).to_contain_text("alice: Look:")
    bobs.locator("#talk > summary").click()
    expect(bobs.locator("#talk-count")).to_be_hidden()
    bobs.get_by_role("button", name="good luck").click()
    expect(bobs.locator("#talk-list li").last).to_contain_text("You: 🍀 good luck")
    assert not violations(bobs)
    bobs.get_by_label("Say something").fill("Bring the cards!")
    bobs.keyboard.press("Enter")
    expect(bobs.locator("#talk-list li")).to_have_count(3)
    bobs.get_by_role("button", name="Take back").last.click()
    expect(bobs.locator("#talk-list li").last).to_contain_text("taken back")

    ada.reload()
    expect(ada.locator("#talk-last")).to_contain_text("bob: taken back")
    ada.locator("#talk > summary").click()
    ada.get_by_label("Mute: don't count new messages or notify me of them").check()
    apart(lambda: alice.patch("me", {"preferences": {"talk": "off"}}))
    bobs.reload()
    bobs.locator("#talk > summary").click()
    expect(bobs.locator("#talk-about")).to_have_text("alice has turned chat off.")
    ada.reload()
    ada.locator("#talk > summary").click()
    expect(ada.get_by_label("Say something")).to_be_hidden()
    expect(ada.locator("#talk-said")).to_contain_text("Chat is turned off")


def test_tk2_what_is_said_while_the_talk_still_loads_is_said_once(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    room = apart(lambda: alice.opens(visibility="private", seats=3))
    adas = opened(browser, live_server, "alice", room["id"], PHONE, "rooms")
    expect(adas.locator("#talk")).to_be_hidden()
    held: list[Route] = []
    adas.route("**/talk?*", lambda one: held.append(one) if len(held) < 2 else one.continue_())
    with adas.expect_request("**/talk?*"):
        adas.reload()
    with adas.expect_request("**/talk?*"):
        apart(lambda: bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]}))
    for one in held:
        one.continue_()
    adas.locator("#talk > summary").click()
    adas.get_by_label("Say something").fill("Once is enough.")
    adas.keyboard.press("Enter")
    expect(adas.locator("#talk-list li")).to_have_count(1)
    assert len(apart(lambda: bob.get(f"games/{room['id']}/talk").body["results"])) == 1


def test_tk12_a_second_press_says_nothing_twice_and_who_says_too_much_is_told(
    browser: Browser, live_server: Any, settings: Any
) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "talk_day": (1, 24 * 3600)}
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(dealt_between, alice, bob)
    page = opened(browser, live_server, "alice", game, PHONE)
    page.locator("#talk > summary").click()
    held: list[Route] = []
    page.route("**/talk", lambda one: one.continue_() if held else held.append(one))
    said: list[str] = []
    page.on("request", lambda one: said.append(one.url) if one.method == "POST" and one.url.endswith("/talk") else None)
    page.get_by_label("Say something").fill("Once is enough.")
    with page.expect_request("**/talk"):
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert len(said) == 1
    held[0].continue_()
    expect(page.locator("#talk-list li")).to_have_count(1)
    page.get_by_label("Say something").fill("One more.")
    page.keyboard.press("Enter")
    expect(page.locator("#talk-said")).to_contain_text("Too many attempts.")
    expect(page.get_by_label("Say something")).to_have_value("One more.")


def typing_at(page: Page) -> Locator:
    page.locator("#talk > summary").click()
    box = page.get_by_label("Say something")
    box.focus()
    return box


def test_tk12_what_is_said_meanwhile_waits_its_turn_in_sight(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(dealt_between, alice, bob)
    page = opened(browser, live_server, "alice", game, PHONE)
    box = typing_at(page)
    held: list[Route] = []
    page.route("**/talk", lambda one: one.continue_() if held else held.append(one))
    with page.expect_request("**/talk"):
        box.press_sequentially("hello bob")
        box.press("Enter")
    box.press_sequentially("are you in on friday?")
    box.press("Enter")
    page.get_by_role("button", name="hello").click()
    box.press_sequentially("and half a m")
    expect(page.locator("#talk-waiting li")).to_have_text([re.compile("You: .*on its way")] * 3)
    held[0].continue_()
    expect(page.locator("#talk-waiting li")).to_have_count(0)
    expect(box).to_have_value("and half a m")
    said = apart(lambda: bob.get(f"games/{game}/talk").body["results"])
    assert [one["text"] or one["sign"] for one in said] == ["hello bob", "are you in on friday?", "hello"]


def test_tk12_what_is_refused_is_in_the_box_again_before_what_is_typed(
    browser: Browser, live_server: Any, settings: Any
) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "talk_day": (1, 24 * 3600)}
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(dealt_between, alice, bob)
    page = opened(browser, live_server, "alice", game, PHONE)
    box = typing_at(page)
    held: list[Route] = []
    page.route("**/talk", lambda one: one.continue_() if held else held.append(one))
    with page.expect_request("**/talk"):
        box.press_sequentially("One.")
        box.press("Enter")
    for words in ("Two.", "Three."):
        box.press_sequentially(words)
        box.press("Enter")
    box.press_sequentially("Half")
    held[0].continue_()
    expect(page.locator("#talk-said")).to_contain_text("Too many attempts.")
    expect(box).to_have_value("Two. Three. Half")
    expect(page.locator("#talk-list li")).to_have_count(1)


@pytest.mark.sampled
def test_tk12_half_a_message_and_one_on_its_way_outlive_the_page(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    room = apart(lambda: alice.opens(visibility="private"))
    apart(lambda: bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]}))
    page = opened(browser, live_server, "bob", room["id"], DESK, "rooms")
    box = typing_at(page)
    # The message arrives, and no answer comes before the page goes on.
    page.route("**/talk", lambda one: one.fetch(), times=1)
    with page.expect_request("**/talk"):
        box.press_sequentially("hello alice")
        box.press("Enter")
    box.press_sequentially("are you in on fri")
    apart(lambda: alice.post(f"games/{room['id']}/start"))
    page.wait_for_url("**/games/*")
    expect(page.get_by_label("Say something")).to_have_value("are you in on fri")
    page.locator("#talk > summary").click()
    expect(page.locator("#talk-list li")).to_have_count(1)
    expect(page.locator("#talk-waiting li")).to_have_count(0)
    context = page.context
    page.close()
    # Neither another account of this browser reads it, nor is it gone with the page.
    context.add_cookies([{"name": "sessionid", "value": apart(session_of, "alice"), "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}/games/{room['id']}")
    page.locator("#talk > summary").click()
    expect(page.get_by_label("Say something")).to_have_value("")
    context.add_cookies([{"name": "sessionid", "value": apart(session_of, "bob"), "url": live_server.url}])
    page.reload()
    expect(page.get_by_label("Say something")).to_have_value("are you in on fri")
    said = apart(lambda: bob.get(f"games/{room['id']}/talk").body["results"])
    assert [one["text"] for one in said] == ["hello alice"]


@pytest.mark.sampled
def test_tk2_those_who_wait_for_the_others_talk_already(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    room = apart(lambda: alice.opens(visibility="private", seats=3))
    adas = opened(browser, live_server, "alice", room["id"], PHONE, "rooms")
    expect(adas.get_by_role("heading", name="Invite somebody")).to_be_visible()
    expect(adas.locator("#talk")).to_be_hidden()
    # With the first who comes there is somebody to talk to.
    apart(lambda: bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]}))
    expect(adas.locator("#talk-last")).to_have_text("Nobody has written anything yet. Say hello!")
    adas.locator("#talk > summary").click()
    adas.get_by_label("Say something").fill("Shall we wait for Cho?")
    adas.keyboard.press("Enter")
    expect(adas.locator("#talk-list li")).to_contain_text("You: Shall we wait for Cho?")

    bobs = opened(browser, live_server, "bob", room["id"], DESK, "rooms")
    expect(bobs.locator("#talk-last")).to_contain_text("alice: Shall we wait for Cho?")
    bobs.locator("#talk > summary").click()
    # There is no table yet to look back at.
    expect(bobs.get_by_title("The table as it was then")).to_have_count(0)
    bobs.get_by_role("button", name="Report").click()
    bobs.get_by_role("button", name="Report it").click()
    expect(bobs.get_by_role("dialog")).to_contain_text("Reported.")
    assert not violations(bobs)


@pytest.mark.sampled
def test_tk9_who_is_muted_sees_why_when_the_sheet_opens(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(lambda: dealt_between(alice, bob))

    def mute() -> None:
        him = Player.objects.get(username="bob")
        staff = Player.objects.create_user("stan", is_staff=True)
        for number in range(12):
            talk.say(UUID(game), him, text=f"Number {number}.")
        moderation.mute(UUID(game), him, staff, "hour", "Spam.", is_staff=True)

    apart(mute)
    bobs = opened(browser, live_server, "bob", game, PHONE)
    bobs.locator("#talk > summary").click()
    why = bobs.get_by_text(re.compile("You cannot write until .*: Spam."))
    expect(why).to_be_in_viewport()
    # In the reader's zone.
    expect(why).to_have_text(re.compile(r"^You cannot write until \d+ \w+ \d{4}, \d\d:\d\d: Spam\.$"))
    # Nor does the bar lie over it.
    bobs.wait_for_function(ABOVE, arg=["#talk-said", ".foot"])


def test_tk12_there_is_no_box_where_all_others_are_bots(browser: Browser, live_server: Any) -> None:
    alice = apart(lambda: person("alice"))
    room = apart(lambda: alice.opens(bots=1))
    apart(lambda: alice.post(f"games/{room['id']}/start"))
    ada = opened(browser, live_server, "alice", room["id"], PHONE)
    expect(ada.locator("#note")).to_be_visible()
    expect(ada.locator("#talk")).to_be_hidden()


@pytest.mark.sampled
def test_what_is_older_than_the_newest_hundred_messages_is_a_tap_away(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    game = apart(lambda: dealt_between(alice, bob))

    def much() -> None:
        bob_himself = Player.objects.get(username="bob")
        for number in range(1, 131):
            talk.say(UUID(game), bob_himself, text=f"Number {number}.")

    apart(much)
    ada = opened(browser, live_server, "alice", game, PHONE)
    ada.locator("#talk > summary").click()
    rows = ada.locator("#talk-list li")
    expect(rows.nth(1)).to_contain_text("Number 31.")
    ada.get_by_role("button", name="Earlier messages").click()
    expect(rows).to_have_count(130)
    expect(rows.first).to_contain_text("Number 1.")
    expect(ada.get_by_role("button", name="Earlier messages")).to_have_count(0)
    assert not violations(ada)
