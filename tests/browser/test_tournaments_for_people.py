"""Pages of tournaments as an entrant and a spectator use them: one evening in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from core import clock as service_clock
from core.accounts.models import Player
from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import at_rest, serious_in, watched
from tests.browser.tables import apart
from tests.browser.test_dashboard import PICTURES, SIZES
from tests.scenes import committed
from tests.tournaments.leaderboards.league_scene import count, players, result
from tests.tournaments.moment import services
from tests.tournaments.services.season_scene import room_of, season
from tests.tournaments.services.tournament_scene import Club, end_game
from tournaments.models import Tournament

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    needs_chromium,
]


def played_season(club: Club) -> None:
    """Games that are over, one that runs, one that can be joined, and a proposal that is voted on."""
    season(club, title="The long winter", proposals="entrants")
    for first, second, third in ((0, 1, 2), (1, 2, 3), (3, 4, 0), (0, 2, 5), (1, 0, 4), (5, 1, 0)):
        room = room_of(club, *(club.people[one] for one in (first, second, third)))
        end_game(room, [0, 1, 2], club.now)
        club.run(hours=3)
    room_of(club, club.people[0], club.people[4])
    room_of(club, club.people[3], seats=4)
    asked = {
        "title": "Last hands may be merged",
        "reason": "We play it so at the kitchen table.",
        "options": {"merge_last_hand": True},
    }
    services.propose(club.id, club.people[1], asked, now=club.now)
    club.run()


def knockout(club: Club) -> None:
    """Eleven at tables of two: the first round is over, with somebody who went on without a game, the second begun."""
    club.start(
        *club.people[:11], kind="knockout", title="Cup of the lamp", settings={"tables": {"size": 2}, "advance": 1}
    )
    club.finish_round().run()
    club.finish(1)


def filled_board(ada: Player) -> None:
    """A board of two pages, with ada on the second."""
    many = [*players(*(f"reader{number}" for number in range(71))), ada]
    count("threes", *(result(*many[at : at + 4]) for at in range(0, 72, 4) for _ in range(10)))


@pytest.fixture
def scene(transactional_db: None, clock: service_clock.FrozenClock) -> dict[str, Any]:
    """Three tournaments of twelve people, and the sessions of ada and of somebody who is not in any."""

    def make() -> dict[str, Any]:
        club = Club(service_clock.now(), people=12)
        made = {}
        club.open(settings={"rounds": 5, "tables": {"size": 4}}, title="Thursdays at Olga's")
        services.start(club.id, club.olga, now=club.now)
        club.run().finish_round().finish_round().finish(2)
        made["rounds"] = club.id
        played_season(club)
        made["season"] = club.id
        knockout(club)
        made["knockout"] = club.id
        club.open(*club.people[:5], title="Spring open", settings={"rounds": 3, "tables": {"size": 4}})
        made["registration"] = club.id
        filled_board(club.people[0])
        clock.advance(seconds=(club.now - service_clock.now()).total_seconds())
        found: dict[str, Any] = {name: f"/t/{Tournament.objects.get(pk=pk).slug}" for name, pk in made.items()}
        for name in ("ada", "lee", "olga"):
            client = Client()
            client.force_login(Player.objects.get(username=name))
            found[f"session of {name}"] = client.cookies["sessionid"].value
        return {**found, "now": service_clock.now()}

    made = apart(committed, "tournaments for people", make)
    clock.set(made["now"])
    return made


@pytest.fixture
def browser(scene: dict[str, Any]) -> Iterator[Browser]:
    with launched() as opened:
        yield opened


def opened(browser: Browser, root: str, size: str, session: str | None = None) -> tuple[Page, list[str]]:
    """A page of a fresh context, and what goes wrong on it."""
    wrong: list[str] = []
    context = browser.new_context(viewport=SIZES[size])  # type: ignore[arg-type]
    if session is not None:
        context.add_cookies([{"name": "sessionid", "value": session, "url": root}])
    page = watched(context.new_page())
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda line: wrong.append(line.text) if "Content Security" in line.text else None)
    return page, wrong


def looked_at(page: Page, name: str) -> list[Any]:
    """What axe-core finds on a light desktop and a dark phone; leaves pictures of both themes if they are wanted."""
    found = []
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)  # type: ignore[arg-type]
        own = "dark" if size == "phone" else "light"
        for scheme in ("light", "dark") if PICTURES else (own,):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            at_rest(page)
            if PICTURES:
                page.screenshot(path=Path(PICTURES) / f"{name}-{size}-{scheme}.png", full_page=True)
            found += [(name, size, scheme, hurt) for hurt in serious_in(page)]
    return found


def test_every_page_is_accessible_and_fits_the_screen(
    scene: dict[str, Any], browser: Browser, live_server: Any
) -> None:
    serious: list[Any] = []
    addresses = {
        "list": "/tournaments",
        **{kind: scene[kind] for kind in ("rounds", "season", "knockout", "registration")},
        "entrant": f"{scene['rounds']}/entrants/e1",
        "crosstable": f"{scene['rounds']}/crosstable",
        "propose": f"{scene['season']}/propose",
        "player": "/players/ada",
        "board": "/leaderboards/threes?around=me",
        "rules": "/rules/castle",
    }
    page, wrong = opened(browser, live_server.url, "desktop", scene["session of ada"])
    for name, address in addresses.items():
        answer = page.goto(live_server.url + address)
        assert answer is not None and answer.status == 200, name
        serious += looked_at(page, name)
    stranger, wrong_too = opened(browser, live_server.url, "desktop")
    organiser, wrong_as_well = opened(browser, live_server.url, "desktop", scene["session of olga"])
    for name, reader in (("stranger", stranger), ("organiser", organiser)):
        for kind in ("rounds", "registration"):
            reader.goto(live_server.url + scene[kind])
            serious += looked_at(reader, f"{kind}-{name}")
    assert wrong == wrong_too == wrong_as_well == []
    assert serious == []


def test_an_entrants_evening_with_a_spectator_and_without_script(
    scene: dict[str, Any], browser: Browser, live_server: Any
) -> None:
    """Find, enter, be seen entering, withdraw, vote, open a game; one's own row opens in place."""
    spectator, wrong = opened(browser, live_server.url, "desktop")
    spectator.goto(live_server.url + scene["registration"])
    expect(spectator.get_by_role("link", name="Log in to enter")).to_be_visible()
    page, wrong_too = opened(browser, live_server.url, "phone", scene["session of lee"])
    page.goto(live_server.url + "/tournaments")
    page.get_by_role("link", name="Spring open").click()
    page.get_by_role("button", name="Enter", exact=True).click()
    page.get_by_role("status").filter(has_text="You have entered.").wait_for()
    spectator.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    spectator.get_by_role("listitem").filter(has_text="lee").wait_for()
    page.get_by_text("Withdraw", exact=True).first.click()
    page.get_by_label("I want to leave this tournament").check()
    page.get_by_role("button", name="Withdraw").click()
    page.get_by_role("status").filter(has_text="You have withdrawn.").wait_for()
    without = browser.new_context(viewport=SIZES["phone"], java_script_enabled=False)  # type: ignore[arg-type]
    without.add_cookies([{"name": "sessionid", "value": scene["session of ada"], "url": live_server.url}])
    plain = without.new_page()
    plain.goto(live_server.url + scene["season"])
    plain.get_by_role("button", name="Yes", exact=True).click()
    plain.get_by_role("status").filter(has_text="Your vote: yes.").wait_for()
    expect(plain.get_by_role("button", name="Yes", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(plain.get_by_role("link", name="Your turn")).to_be_visible()
    plain.get_by_role("link", name="My games and points here").click()
    plain.get_by_text("Sums and tie-breaks", exact=True).wait_for()
    plain.goto(live_server.url + scene["season"])
    plain.get_by_label("Seats").fill("3")
    plain.get_by_role("button", name="Open a game").click()
    plain.wait_for_url("**/rooms/*")
    assert wrong == wrong_too == []
