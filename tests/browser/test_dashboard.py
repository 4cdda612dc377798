"""The dashboard in a real browser, on a desktop and on a phone: scripts, keys, policy, accessibility."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from core import clock as service_clock
from core.accounts.models import Player
from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import at_rest, serious_in, watched
from tests.scenes import committed
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import TournamentGame

SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
# Where to leave a picture of each page, for looking at.
PICTURES = os.environ.get("TREY_PICTURES")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    needs_chromium,
]


@pytest.fixture
def pages(transactional_db: None, clock: service_clock.FrozenClock) -> dict[str, str]:
    return committed("the pages of the dashboard", addresses)


def addresses() -> dict[str, str]:
    """The addresses of the dashboard's pages, in a tournament with a round played, a void game and a round open."""
    club = Club(service_clock.now())
    club.start(settings={"rounds": 3, "tables": {"size": 3}}, deadline=86_400).finish_round()
    Player.objects.filter(pk=club.olga.pk).update(is_staff=True, is_superuser=True)
    rounds, season = club.id, f"/admin/tournaments/tournament/{club.start(kind='season', title='A season').id}"
    to_come = f"/admin/tournaments/tournament/{club.open(title='Open cup', settings={'rounds': 5}).id}"
    club.id = rounds
    at = f"/admin/tournaments/tournament/{club.id}"
    game = TournamentGame.objects.filter(tournament=club.id, outcome="open").first()
    over = TournamentGame.objects.filter(tournament=club.id, outcome="result").first()
    assert game is not None and over is not None
    return {
        "home": "/admin/",
        "tournament": f"{at}/change/",
        "standings": f"{at}/standings/",
        "entrants": f"{at}/entrants/",
        "rulings": f"{at}/rulings/",
        "void": f"{at}/rulings/void/",
        "correct": f"{at}/rulings/correct/?game={over.game}",
        "replace": f"{at}/rulings/replace/?entrant=e1",
        "messages": f"{at}/messages/",
        "result": f"{season}/rulings/enter_result/",
        "result_places": f"{season}/rulings/enter_result/?who=e1&who=e2",
        "settings": f"{at}/settings/",
        "settings_to_come": f"{to_come}/settings/",
        "set_up": "/admin/tournaments/tournament/add/",
        "set_up_stages": "/admin/tournaments/tournament/add/?kind=stages&game=threes",
        "game": f"/admin/games/game/{game.game}/change/",
        "games": "/admin/games/game/",
        "log": "/admin/log/",
        "audit": "/admin/accounts/audit/",
        "queue": "/admin/queue/",
        "player": f"/admin/accounts/player/{club.people[0].pk}/change/",
    }


@pytest.fixture
def session(pages: dict[str, str]) -> str:
    client = Client()
    client.force_login(Player.objects.get(username="olga"))
    return client.cookies["sessionid"].value


@pytest.fixture
def page(session: str, live_server: Any) -> Iterator[Page]:
    """A logged-in page. It fails the test when a script breaks, the policy is violated, or another host is asked."""
    wrong: list[str] = []
    with launched() as browser:
        context = browser.new_context(viewport=SIZES["desktop"])
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        opened = watched(context.new_page())
        opened.on("pageerror", lambda error: wrong.append(str(error)))
        opened.on("console", lambda line: wrong.append(line.text) if "Content Security" in line.text else None)
        own = (live_server.url, "data:", "about:")
        opened.on("request", lambda asked: None if asked.url.startswith(own) else wrong.append(asked.url))
        yield opened
        opened.goto("about:blank")
    assert not wrong


def test_every_page_is_accessible_and_fits_the_screen(pages: Any, page: Page, live_server: Any) -> None:
    serious = {}
    for name, address in pages.items():
        page.goto(live_server.url + address)
        for size, viewport in SIZES.items():
            page.set_viewport_size(viewport)
            own = "dark" if size == "phone" else "light"
            for theme in ("light", "dark") if PICTURES else (own,):
                page.evaluate("(dark) => document.documentElement.classList.toggle('dark', dark)", theme == "dark")
                at_rest(page)
                if PICTURES:
                    page.screenshot(path=Path(PICTURES) / f"{name}-{size}-{theme}.png", full_page=True)
                if hurt := serious_in(page):
                    serious[name, size, theme] = hurt
    assert serious == {}


def test_the_forms_of_rights_with_their_long_lists_fit_the_screen(pages: Any, page: Page, live_server: Any) -> None:
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for address in ("/admin/auth/group/add/", pages["player"].replace("/change/", "/edit/")):
        page.goto(live_server.url + address)
        page.locator(".selector-chosen").first.wait_for()
        for viewport in SIZES.values():
            page.set_viewport_size(viewport)
            at_rest(page)
            assert page.evaluate(wide) <= 0, (address, viewport)
    # On a desktop a label stands beside its field, and is not covered by what is long in it.
    page.set_viewport_size(SIZES["desktop"])
    label = page.locator(".field-password label").bounding_box()
    field = page.locator(".field-password .readonly").bounding_box()
    assert label["x"] + label["width"] <= field["x"]


@pytest.mark.parametrize("size", SIZES)
def test_a_game_is_replayed_with_slider_buttons_and_keys(pages: Any, page: Page, live_server: Any, size: str) -> None:
    page.set_viewport_size(SIZES[size])
    page.goto(live_server.url + pages["game"])
    shown = page.locator("#shown")
    newest = shown.inner_text()
    last = int(newest.split(" of ")[1])
    page.locator("trey-table .player").first.wait_for()
    page.click("#previous")
    page.wait_for_function(f"document.getElementById('shown').value.startsWith('{last - 1} of')")
    page.keyboard.press("Home")
    page.wait_for_function("document.getElementById('shown').value.startsWith('1 of')")
    page.locator("trey-table .facts").get_by_text("No cards have been dealt yet").wait_for()
    page.keyboard.press("End")
    page.wait_for_function(f"document.getElementById('shown').value.startsWith('{last} of')")
    expect(page.locator("trey-table .card.back").first, "hidden cards lie face down").to_be_attached()
    page.locator(".log button").first.click()
    page.wait_for_function("document.getElementById('shown').value.startsWith('1 of')")


@pytest.mark.parametrize("size", SIZES)
def test_two_organisers_change_the_settings_at_once(
    pages: dict[str, str], page: Page, live_server: Any, size: str
) -> None:
    other = watched(page.context.new_page())
    for window in (page, other):
        window.set_viewport_size(SIZES[size])
        window.goto(live_server.url + pages["settings_to_come"])
    page.get_by_label("Title").fill("Mine")
    page.get_by_label("Starts at").fill("2030-12-31T18:00")
    other.get_by_label("Title").fill("Theirs")
    other.get_by_label("Rounds", exact=True).fill("7")
    other.get_by_role("button", name="Change the settings").click()
    expect(other.get_by_text("The settings have been changed.")).to_be_visible()
    page.get_by_role("button", name="Change the settings").click()
    expect(page.get_by_text("Another organiser has changed the settings since you opened this page.")).to_be_visible()
    expect(page.get_by_text("Rounds: 5, now 7")).to_be_visible()
    expect(page.get_by_text("Saved now: Theirs. When you opened this page: Open cup.")).to_be_visible()
    expect(page.get_by_label("Title")).to_have_value("Mine")
    expect(page.get_by_label("Starts at")).to_have_value("2030-12-31T18:00")
    expect(page.get_by_label("Rounds", exact=True)).to_have_value("7")
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"conflict-{size}.png", full_page=True)
    assert serious_in(page) == []
    page.get_by_role("button", name="Change the settings").click()
    expect(page.get_by_text("The settings have been changed.")).to_be_visible()
    expect(page.get_by_label("Title")).to_have_value("Mine")
    expect(page.get_by_label("Rounds", exact=True)).to_have_value("7")


@pytest.mark.parametrize("size", SIZES)
def test_a_ruling_is_previewed_and_made(pages: Any, page: Page, live_server: Any, size: str) -> None:
    page.set_viewport_size(SIZES[size])
    page.goto(live_server.url + pages["void"])
    page.fill("#id_reason", "a wrong deck")
    page.click("button[name=preview]")
    page.get_by_role("heading", name="Before and after").wait_for()
    page.click("button[name=confirm]")
    page.get_by_text("Ruled: void a game.").first.wait_for()
    expect(page.get_by_text("a wrong deck").first).to_be_attached()


@pytest.mark.parametrize("size", SIZES)
def test_sg13_five_rounds_then_a_final_are_set_up_in_at_most_20_clicks(
    pages: Any, page: Page, live_server: Any, size: str
) -> None:
    """A click for each field, button and choice; the rows have the fields of their kind alone, and no script."""
    page.set_viewport_size(SIZES[size])
    clicks = []

    def click(act: Any, *given: Any) -> None:
        clicks.append(given)
        act(*given)

    def looked(name: str) -> None:
        if PICTURES:
            page.screenshot(path=Path(PICTURES) / f"stages-{name}-{size}.png", full_page=True)

    page.goto(live_server.url + pages["home"])
    click(page.get_by_role("link", name="Set up a tournament").click)
    click(page.get_by_label("Stages: rounds or a season").check)
    click(page.get_by_label("Game", exact=True).select_option, "threes")
    click(page.get_by_role("button", name="Continue").click)
    first, last = page.get_by_role("group", name="Stage 1"), page.get_by_role("group", name="Stage 2")
    advance, lasts = last.get_by_label("Go through per table"), last.get_by_label("Lasts")
    expect(first.get_by_label("Rounds", exact=False).first).to_be_visible()
    expect(advance).to_be_visible()
    expect(lasts).to_be_hidden()
    last.get_by_label("Kind").select_option("season")
    expect(advance).to_be_hidden()
    expect(lasts).to_be_visible()
    last.get_by_label("Kind").select_option("knockout")
    click(page.locator("[name=title]").fill, "Summer league")
    click(first.locator("[name=stage-0-rounds]").fill, "5")
    click(first.locator("[name=stage-0-deadline]").fill, "14")
    click(page.get_by_role("button", name="Add a stage").click)
    expect(page.get_by_role("group", name="Stage")).to_have_count(3)
    expect(page).to_have_url(re.compile("#stage-3$"))
    click(page.get_by_role("button", name="Remove stage 3").click)
    click(last.locator("[name=stage-1-advance]").fill, "2")
    click(last.locator("[name=stage-1-deadline]").fill, "14")
    click(page.locator("[name=entrants]").fill, "16")
    click(page.get_by_role("button", name="Preview").click)
    expect(first.get_by_text("This field is required."), "how many go through").to_be_visible()
    expect(first.locator("[name=stage-0-take]")).to_have_attribute("aria-invalid", "true")
    looked("refused")
    click(first.locator("[name=stage-0-take]").fill, "8")
    page.keyboard.press("Enter")
    said = "5 rounds at tables of about 4, then the best 8 in a knockout at tables of 4: about 14 weeks."
    page.get_by_text(said, exact=True).wait_for()
    looked("estimated")
    click(page.get_by_role("button", name="Set it up").click)
    page.get_by_text("The tournament is set up.").wait_for()
    looked("overview")
    assert len(clicks) <= 20
