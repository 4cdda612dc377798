"""The public page of a tournament in a real browser: rows open in place, work without script, and print."""

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Browser, sync_playwright

from games.platform import clock as service_clock
from tests.browser.looking import serious_in
from tests.browser.test_dashboard import CHROMIUM, QUIET
from tests.tournaments.services.tournament_scene import Club
from tournaments import services
from tournaments.models import Tournament

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
PHONE = {"width": 390, "height": 844}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(CHROMIUM is None and "CI" not in os.environ, reason="needs Chromium"),
]


@pytest.fixture
def address(transactional_db: None, clock: service_clock.FrozenClock, live_server: Any) -> str:
    """A tournament of 13 entrants whose first round is over and whose second one is being played."""

    def make() -> str:
        club = Club(NOW, people=12)
        club.open(settings={"rounds": 5, "tables": {"size": 4}})
        services.add_bot(club.id, club.olga, "steady", now=club.now)
        services.start(club.id, club.olga, now=club.now)
        club.run()
        for table in range(1, club.t.rounds[1].tables + 1):
            entrants = club.t.tables[1, table].entrants
            if "e13" not in entrants:
                club.finish(table, round=1)
            else:
                players = [{"entrant": key, "place": place} for place, key in enumerate(entrants, 1)]
                asked = {"ruling": "rule_table", "round": 1, "table": table, "players": players, "reason": "a bot"}
                services.rule(club.id, club.olga, asked, now=club.now)
        club.run()
        slug = Tournament.objects.get(pk=club.id).slug
        connection.close()
        return f"{live_server.url}/t/{slug}"

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(make).result()


@pytest.fixture
def browser(address: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield opened
        opened.close()


def test_a_row_opens_in_place_and_closes_again(address: str, browser: Browser) -> None:
    wrong: list[str] = []
    page = browser.new_page(viewport=PHONE)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda line: wrong.append(line.text) if "Content Security" in line.text else None)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/entrants/" in request.url else None)
    page.goto(address)
    link = page.locator("#e1 a")
    assert link.get_attribute("aria-expanded") == "false"
    assert asked == [], "nothing is loaded before it is opened"
    link.click()
    page.get_by_text("Sums and tie-breaks").wait_for()
    assert page.url == address
    assert link.get_attribute("aria-expanded") == "true"
    assert serious_in(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "no scrolling to the side"
    link.focus()
    page.keyboard.press("Enter")
    page.get_by_text("Sums and tie-breaks").wait_for(state="hidden")
    link.click()
    page.get_by_text("Sums and tie-breaks").wait_for()
    assert len(asked) == 1, "loaded once"
    assert not wrong
    page.close()


def test_without_script_a_row_leads_to_a_page_of_its_own(address: str, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(address)
    page.locator("#e1 a").click()
    page.get_by_text("Sums and tie-breaks").wait_for()
    assert page.url == f"{address}/entrants/e1"
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
    page.get_by_text("Sums and tie-breaks").wait_for()
    page.close()


def test_13_entrants_print_on_two_pages(address: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(address)
    assert pages_of(page.pdf(format="A4")) <= 2
    page.close()


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page[^s]", pdf))
