"""The public page of a tournament in a real browser: rows open in place, work without script, and print."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, expect

from core import clock as service_clock
from core.accounts.models import Player
from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import serious_in
from tests.browser.tables import apart, session_of
from tests.browser.test_dashboard import PICTURES
from tests.scenes import committed
from tests.tournaments.moment import services
from tests.tournaments.services.season_scene import room_of
from tests.tournaments.services.tournament_scene import Club, end_game
from tournaments.models import Tournament
from tournaments.pages import kept

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
PHONE = {"width": 390, "height": 844}

pytestmark = [
    pytest.mark.sampled,
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    needs_chromium,
]


def thirteen(club: Club, **asked: Any) -> None:
    """A tournament of 13 entrants, one of them a bot, is started."""
    club.open(**asked)
    services.add_bot(club.id, club.olga, "steady", now=club.now)
    services.start(club.id, club.olga, now=club.now)
    club.run()


def first_round(club: Club) -> None:
    """The first round is played; the bot's table is ruled."""
    for table in range(1, club.t.rounds[1].tables + 1):
        entrants = club.t.tables[1, table].entrants
        if "e13" not in entrants:
            club.finish(table, round=1)
        else:
            players = [{"entrant": key, "place": place} for place, key in enumerate(entrants, 1)]
            asked = {"ruling": "rule_table", "round": 1, "table": table, "players": players, "reason": "a bot"}
            services.rule(club.id, club.olga, asked, now=club.now)
    club.run()


def rounds(club: Club) -> None:
    """The second round is being played."""
    thirteen(club, settings={"rounds": 5, "tables": {"size": 4}})
    first_round(club)


def cup(club: Club) -> None:
    """The second round of a knockout is being played, with its bracket drawn."""
    thirteen(club, kind="knockout", settings={"tables": {"size": 4}, "advance": 2})
    first_round(club)


def winter(club: Club) -> None:
    """A season: twelve games are over, one runs, and one can be joined."""
    closes = club.now + timedelta(days=60)
    thirteen(club, kind="season", closes_at=closes.isoformat())
    people = club.people
    for at in range(12):
        room = room_of(club, *(people[(at + step) % 12] for step in (0, 1, 3, 7)))
        end_game(room, [0, 1, 2, 3], club.now)
        club.run(hours=9)
    room_of(club, *people[:3])
    room_of(club, people[4], seats=4)
    club.run()


def address_of(make: Callable[[Club], None], live_server: Any) -> str:
    """The address of the page of a tournament that is made in a thread: the browser's has an event loop."""

    def made() -> str:
        club = Club(NOW, people=12)
        make(club)
        return f"{live_server.url}/t/{Tournament.objects.get(pk=club.id).slug}"

    return apart(committed, make.__name__, made)


@pytest.fixture
def address(
    request: pytest.FixtureRequest, transactional_db: None, clock: service_clock.FrozenClock, live_server: Any
) -> Iterator[str]:
    yield address_of(getattr(request, "param", rounds), live_server)
    # The clock of the next test stands at the same moment, and a test may have renamed people.
    kept.draw.cache_clear()


@pytest.fixture
def browser(address: str) -> Iterator[Browser]:
    with launched() as opened:
        yield opened


def test_a_row_opens_in_place_and_closes_again(address: str, browser: Browser) -> None:
    wrong: list[str] = []
    page = browser.new_page(viewport=PHONE)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda line: wrong.append(line.text) if "Content Security" in line.text else None)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/entrants/" in request.url else None)
    page.goto(address)
    link = page.locator("#e1 a")
    expect(link).to_have_attribute("aria-expanded", "false")
    assert asked == [], "nothing is loaded before it is opened"
    link.click()
    page.get_by_text("Sums and tie-breaks", exact=True).wait_for()
    expect(page).to_have_url(address)
    expect(link).to_have_attribute("aria-expanded", "true")
    assert serious_in(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "no scrolling to the side"
    link.focus()
    page.keyboard.press("Enter")
    page.get_by_text("Sums and tie-breaks", exact=True).wait_for(state="hidden")
    link.click()
    page.get_by_text("Sums and tie-breaks", exact=True).wait_for()
    assert len(asked) == 1, "loaded once"
    assert not wrong
    page.close()


def test_the_focus_stays_where_it_was_on_a_page_that_is_newer(address: str, browser: Browser) -> None:
    """WCAG 2.4.3: of links as of all else."""
    page = browser.new_page(viewport=PHONE)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.route(address, lambda one: one.continue_(headers={**one.request.headers, "if-none-match": '"old"'}))
    for control in (page.locator("#e1 a"), page.locator("main summary").first):
        control.focus()
        control.evaluate("(node) => { node.marked = true; }")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_function("(node) => !node.isConnected", arg=control.element_handle())
        expect(control).to_be_focused()
        assert not control.evaluate("(node) => Boolean(node.marked)")
    page.close()


def test_with_text_of_twice_the_size_a_phone_scrolls_the_standings_and_not_the_page(
    address: str, browser: Browser
) -> None:
    # In text of that size a phone is half as wide.
    page = browser.new_page(viewport={"width": 195, "height": 422})
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize("address", [winter], indirect=True)
def test_long_names_do_not_widen_a_phone(address: str, browser: Browser) -> None:
    def renamed() -> str:
        for player in Player.objects.exclude(username="ada"):
            Player.objects.filter(pk=player.pk).update(username=f"{'W' * 30}-{player.username}")
        Tournament.objects.update(title=f"Threes {'W' * 60}")
        return session_of("ada")

    context = browser.new_context(viewport=PHONE)
    site = address.partition("/t/")[0]
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": apart(renamed), "url": site}])
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".mine")).to_contain_text("WWW")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
    page.get_by_role("link", name="My turns").click()
    expect(page.get_by_role("heading", name="Recently played")).to_be_visible()
    assert page.evaluate(wide) == 0
    context.close()


def test_without_script_a_row_leads_to_a_page_of_its_own(address: str, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(address)
    page.locator("#e1 a").click()
    page.get_by_text("Sums and tie-breaks", exact=True).wait_for()
    expect(page).to_have_url(f"{address}/entrants/e1")
    page.get_by_role("link", name="Threes 2026").click()
    page.get_by_role("heading", name="Standings").wait_for()
    context.close()


def test_what_cannot_be_loaded_is_gone_to(address: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(address)
    failing = {"once": True}

    def fail(route: Any) -> None:
        if failing.pop("once", False):
            route.fulfill(status=503)
        else:
            route.continue_()

    page.route("**/entrants/e1", fail)
    page.locator("#e1 a").click()
    page.wait_for_url(f"{address}/entrants/e1")
    page.get_by_text("Sums and tie-breaks", exact=True).wait_for()
    page.close()


@pytest.mark.parametrize("address", [rounds, cup, winter], indirect=True)
def test_13_entrants_print_on_two_pages(address: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(address)
    printed = page.pdf(format="A4")
    if PICTURES:
        Path(PICTURES, f"{address.rpartition('/')[2]}.pdf").write_bytes(printed)
    assert pages_of(printed) <= 2
    page.close()


@pytest.mark.parametrize("address", [winter], indirect=True)
def test_on_paper_times_are_exact_and_nothing_asks_to_be_pressed(address: str, browser: Browser) -> None:
    page = browser.new_page(timezone_id="Europe/Berlin")
    page.clock.set_fixed_time(NOW + timedelta(days=5))
    page.goto(address)
    first = page.locator("section:has(#over) time").first
    expect(first).not_to_contain_text("2026")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(first).to_have_text(re.compile(r"^\d+ Nov 2026, \d\d:\d\d$"))
    page.emulate_media(media="print")
    for text in ("Log in to enter", "Open a row for its games", "Crosstable", "Replay"):
        expect(page.get_by_text(text).first, text).to_be_hidden()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(first).not_to_contain_text("2026")
    page.close()


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page[^s]", pdf))
