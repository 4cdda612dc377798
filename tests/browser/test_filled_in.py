"""What a reader has filled in stays when a page is drawn anew, or when an answer comes late (TK12, NT10, PG4)."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.chromium import launched, needs_chromium
from tests.browser.tables import apart, session_of
from tests.browser.test_page_of_a_tournament import NOW
from tests.games.api.conftest import person
from tests.tournaments.services.tournament_scene import Club
from tournaments import services
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), needs_chromium]


@pytest.fixture
def browser() -> Iterator[Browser]:
    with launched() as opened:
        yield opened


def seated(browser: Browser, server: Any, who: str, **settings: Any) -> Page:
    context = browser.new_context(**settings)
    context.add_cookies([{"name": "sessionid", "value": apart(session_of, who), "url": server.url}])
    return context.new_page()


def test_a_name_that_is_typed_stays_when_somebody_sits_down(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    room = apart(lambda: alice.opens(visibility="private", seats=4))
    page = seated(browser, live_server, "alice")
    page.goto(f"{live_server.url}/rooms/{room['id']}")
    page.get_by_text("Somebody with an account").click()
    page.get_by_label("Name").fill("charl")
    page.get_by_role("heading", name="At the table").click()
    apart(lambda: bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]}))
    expect(page.locator("#seats")).to_contain_text("bob")
    # The parts are taken one after the other: the talk comes last.
    expect(page.locator("#talk")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("charl")


def test_a_bot_that_is_chosen_stays_and_hides_nobody_who_sits_down(browser: Browser, live_server: Any) -> None:
    alice, bob = apart(lambda: (person("alice"), person("bob")))
    room = apart(lambda: alice.opens(visibility="private", seats=4))
    page = seated(browser, live_server, "alice")
    page.goto(f"{live_server.url}/rooms/{room['id']}")
    page.locator("#id_level").select_option("random")
    page.evaluate("document.activeElement.blur()")
    apart(lambda: bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]}))
    expect(page.locator("#seats")).to_contain_text("bob")
    expect(page.locator("#id_level")).to_have_value("random")


def test_a_box_that_is_ticked_stays_when_a_tournament_goes_on(browser: Browser, live_server: Any) -> None:
    def made() -> tuple[Club, str]:
        club = Club(NOW, people=4)
        club.open(*club.people[:1], settings={"rounds": 1, "tables": {"size": 2}})
        return club, f"{live_server.url}/t/{Tournament.objects.get(pk=club.id).slug}"

    club, address = apart(made)
    page = seated(browser, live_server, club.people[0].username)
    page.goto(address)
    page.get_by_text("Withdraw", exact=True).first.click()
    page.get_by_label("I want to leave this tournament").check()
    page.get_by_text("Withdraw", exact=True).first.click()
    page.evaluate("document.activeElement.blur()")
    apart(lambda: services.enter(club.id, club.people[1]))
    page.evaluate("import('/static/tournaments/refresh.js').then(({ look }) => look())")
    expect(page.get_by_label("I want to leave this tournament")).to_be_checked()


def test_nt10_a_zone_that_is_typed_stays_when_the_browsers_own_is_kept(browser: Browser, live_server: Any) -> None:
    apart(get_user_model().objects.create_user, "ada")
    page, held = seated(browser, live_server, "ada", timezone_id="Asia/Tokyo"), list[Route]()
    page.route("**/api/v1/me", lambda one: held.append(one) if one.request.method == "PATCH" else one.continue_())
    with page.expect_request(lambda one: one.method == "PATCH"):
        page.goto(f"{live_server.url}/me/settings#calendar")
    page.locator("#id_zone").evaluate("(field) => (field.value = 'Europe/Berlin')")
    with page.expect_response(lambda one: one.request.method == "PATCH") as kept:
        held[0].continue_()
    kept.value.finished()
    page.evaluate("() => new Promise((drawn) => setTimeout(drawn))")
    expect(page.locator("#id_zone")).to_have_value("Europe/Berlin")


def test_nt10_the_browsers_own_zone_does_not_refuse_the_first_calendar(browser: Browser, live_server: Any) -> None:
    apart(get_user_model().objects.create_user, "ada")
    page = seated(browser, live_server, "ada", timezone_id="Asia/Tokyo")
    page.goto(f"{live_server.url}/me/settings#calendar")
    expect(page.locator("#id_zone")).to_have_value("Asia/Tokyo")
    page.get_by_label("From").fill("22:00")
    page.get_by_label("To", exact=True).fill("07:00")
    page.get_by_role("button", name="Save the calendar").click()
    expect(page.locator(".messages")).to_have_text("Saved.")
