"""An organiser runs a tournament of 12 from draft to prize-giving, in a real browser and through the dashboard alone.

The players do their part through the services, as their clients would; time is the service's clock, which stands still.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.db import connection
from django.test import Client
from playwright.sync_api import Page, expect

from core import clock as service_clock
from core.accounts.models import Player
from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import at_rest, serious_in, watched
from tests.browser.test_dashboard import SIZES
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import Tournament, TournamentGame

# Where to leave a picture of each page, for looking at.
PICTURES = os.environ.get("TREY_PICTURES")
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
T = TypeVar("T")
# Both sizes are looked at by test_dashboard, or earlier in the story: these are checked for the one at hand.
LOOKED_AT = {
    "home", "home-check-in", "home-overdue", "set-up-kind", "started", "overdue-again", "void", "rulings",
    "rulings-again", "entrants-running", "standings", "before-round-2", "round-2-over", "overview-again",
    "prize-giving", "settings-over", "game", "rule-table-preview", "void-preview", "adjust-preview",
}  # fmt: skip

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    needs_chromium,
]


class Players:
    """What everybody but the organiser does, in a thread of its own: the browser's has an event loop."""

    def __init__(self, club: Club, clock: service_clock.FrozenClock) -> None:
        self.club, self.clock = club, clock
        self._thread = ThreadPoolExecutor(1)

    def do(self, act: Callable[[], T]) -> T:
        return self._thread.submit(act).result()

    def later(self, **time: float) -> None:
        """Time goes on, and the runner does what is due."""
        self.clock.advance(**time)
        self.club.now = service_clock.now()
        self.do(self.club.run)

    def close(self) -> None:
        self.do(lambda: connection.close())  # noqa: PLW0108  the connection of that thread
        self._thread.shutdown()


class Browser:
    """The organiser's browser, on a desktop or a phone. Every page that she sees is checked once for each of them.

    A desktop's is checked in light, a phone's in dark.
    """

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.serious: dict[Any, Any] = {}
        self.looked_at: list[str] = []
        self.takes("desktop")

    def takes(self, size: str) -> None:
        """She goes on at a desktop, or with a phone."""
        self.size = size
        self.page.set_viewport_size(SIZES[size])

    def look(self, name: str) -> None:
        if name in self.looked_at:
            return
        self.looked_at.append(name)
        # A click that leads to another page returns before that page has an element.
        self.page.wait_for_load_state()
        sizes = [self.size] if name in LOOKED_AT else sorted(SIZES, key=lambda size: size == self.size)
        for size in sizes:
            self.page.set_viewport_size(SIZES[size])
            own = "dark" if size == "phone" else "light"
            for theme in ("light", "dark") if PICTURES else (own,):
                self.page.evaluate("(dark) => document.documentElement.classList.toggle('dark', dark)", theme == "dark")
                at_rest(self.page)
                if PICTURES:
                    path = Path(PICTURES) / f"story-{len(self.looked_at):02}-{name}-{size}-{theme}.png"
                    self.page.screenshot(path=path, full_page=True)
                if theme == own and (hurt := serious_in(self.page)):
                    self.serious[name, size] = hurt

    def open(self, path: str, name: str) -> None:
        self.page.goto(self.address + path)
        self.look(name)

    def tab(self, title: str, name: str) -> None:
        self.page.get_by_role("navigation", name="Pages of the tournament").get_by_role("link", name=title).click()
        self.look(name)

    def press(self, text: str) -> None:
        self.page.get_by_role("button", name=text, exact=True).click()

    def says(self, text: str) -> None:
        self.page.get_by_text(text).first.wait_for()

    def fill(self, **fields: str) -> None:
        for name, value in fields.items():
            found = self.page.locator(f"[name={name}]")
            if found.evaluate("one => one.tagName") == "SELECT":
                found.select_option(value)
            else:
                found.fill(value)

    def rule(self, name: str) -> None:
        """Preview what the form says, then rule so."""
        self.press("Show what would change")
        self.page.get_by_role("heading", name="Before and after").wait_for()
        self.look(f"{name}-preview")
        self.press("Make this ruling")
        self.says("Ruled: ")


@pytest.fixture
def club(transactional_db: None, clock: service_clock.FrozenClock) -> Club:
    club = Club(NOW, people=12)
    club.set_up(title="Last year's cup")  # so that Olga gets in
    return club


@pytest.fixture
def players(club: Club, clock: service_clock.FrozenClock) -> Iterator[Players]:
    players = Players(club, clock)
    yield players
    players.close()


@pytest.fixture
def session(club: Club) -> str:
    client = Client()
    client.force_login(club.olga)
    return client.cookies["sessionid"].value


@pytest.fixture
def olga(session: str, players: Players, live_server: Any) -> Iterator[Browser]:
    """Her browser fails the test when a script breaks, the policy is violated, or another host is asked."""
    wrong: list[str] = []
    with launched() as browser:
        context = browser.new_context()
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = watched(context.new_page())
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda line: wrong.append(line.text) if "Content Security" in line.text else None)
        page.on("response", lambda answer: wrong.append(f"{answer.status} {answer.url}") if failed(answer) else None)
        own = (live_server.url, "data:", "about:")
        page.on("request", lambda asked: None if asked.url.startswith(own) else wrong.append(asked.url))
        yield Browser(page, live_server.url)
        page.goto("about:blank")
    assert not wrong


def failed(answer: Any) -> bool:
    # No live process runs beside the tests' web server, which says so by a 421.
    return bool(answer.status >= 400 and "/api/v1/me/live" not in answer.url)


def test_a_tournament_of_12_from_draft_to_prize_giving(club: Club, players: Players, olga: Browser) -> None:
    # Set up: a draft, with what so many entrants come to.
    olga.open("/admin/", "home")
    olga.page.get_by_role("link", name="Set up a tournament").click()
    olga.look("set-up-kind")
    olga.page.get_by_label("Game", exact=True).select_option("threes")
    olga.press("Continue")
    olga.look("set-up")
    for title in ("Entries", "Schedule"):
        olga.page.get_by_text(title).click()
    olga.fill(
        title="Autumn cup", starts_at="2026-11-22T12:00", check_in="20", late="bye",
        rounds="2", size="4", pace="manual", deadline="3", entrants="12",
    )  # fmt: skip
    olga.press("Preview")
    olga.says("A round of 12: 3 tables of 4 + 4 + 4.")
    olga.says("at most 6 days")
    olga.look("set-up-estimate")
    olga.press("Set it up")
    olga.says("The tournament is set up.")
    club.id = players.do(lambda: Tournament.objects.get(title="Autumn cup").pk)
    at = f"/admin/tournaments/tournament/{club.id}"
    olga.look("draft")

    olga.takes("phone")
    # Registration: eleven enter by themselves, two are invited, one of whom never turns up.
    olga.press("Open for entries")
    olga.says("The tournament is open for entries.")
    players.do(lambda: [services.enter(club.id, one, now=club.now) for one in club.people[:11]])
    late, absent = players.do(lambda: [Player.objects.create_user(name) for name in ("late-lou", "no-show-ned")])
    olga.tab("Entrants", "entrants")
    names = olga.page.get_by_label("One name per line (they are in once they accept)")
    names.fill("lee\nno-show-ned\nnobody-here")
    olga.press("Invite")
    olga.says("Invited: lee, no-show-ned.")
    olga.says("nobody-here: ")
    olga.look("entrants-invited")
    players.do(lambda: services.accept(club.id, club.player("lee"), "e12", now=club.now))
    players.do(lambda: services.accept(club.id, absent, "e13", now=club.now))

    # Check-in: all but two say that they are there; one of those stands before Olga, the other one does not come.
    players.later(hours=12)
    for number, player in enumerate(club.people[:11], 1):
        players.do(lambda n=number, p=player: services.check_in(club.id, p, f"e{n}", now=club.now))  # type: ignore[misc]
    olga.open("/admin/", "home-check-in")
    olga.says("2 entrants have not checked in.")
    olga.page.get_by_role("link", name="Autumn cup").first.click()
    olga.look("entrants-check-in")
    row = olga.page.get_by_role("row", name="lee")
    row.get_by_role("button", name="Check in").click()
    olga.says("lee has been checked in.")

    olga.takes("desktop")
    # It starts by itself, with twelve.
    players.later(hours=12)
    assert players.do(lambda: club.t.places) == 12
    olga.open(f"{at}/change/", "started")
    olga.says("12 entrants")

    # Round 1 is drafted, changed with its cost shown, and published.
    olga.press("Next round")
    olga.says("Draft of round 1")
    olga.look("round-draft")
    tables = players.do(lambda: club.t.draft.tables)
    olga.fill(one=tables[0][0], other=tables[1][0], reason="they live together")
    olga.press("Show what would change")
    olga.says("After the swap")
    olga.look("round-draft-tried")
    olga.press("Swap")
    olga.says("The entrants have been swapped.")
    assert players.do(lambda: club.t.draft.tables[1][0]) == tables[0][0]
    olga.press("Seat round 1")
    olga.says("The round is seated.")
    players.do(club.run)

    olga.takes("phone")
    # Two tables are played; the third is stuck, and home says whom it waits for.
    players.do(lambda: club.finish(1, round=1) and club.finish(2, round=1))
    players.later(days=4)
    olga.open("/admin/", "home-overdue")
    olga.says("Round 1 is overdue: 1 table is still open.")
    olga.says("Table 3 of round 1 has been waiting for")
    olga.page.get_by_role("link", name="Autumn cup").first.click()
    olga.says("Waiting for")
    olga.look("overdue")
    olga.page.get_by_role("link", name="Give more time").click()
    olga.fill(hours="24", reason="a holiday")
    olga.rule("extend")
    players.later(days=2)
    olga.open(f"{at}/change/", "overdue-again")
    olga.page.get_by_role("link", name="rule the table").first.click()
    for place, key in enumerate(players.do(lambda: club.t.tables[1, 3].entrants), 1):
        olga.fill(**{f"place_{key}": str(place)})
    olga.fill(reason="nobody has moved for days")
    olga.rule("rule-table")

    olga.takes("desktop")
    # A game is voided: a wrong deck.
    game = players.do(lambda: str(club.game_id(1, round=1)))
    olga.open(f"{at}/rulings/void/?game={game}", "void")
    olga.fill(reason="a wrong deck")
    olga.rule("void")
    olga.tab("Rulings", "rulings")
    assert players.do(lambda: TournamentGame.objects.get(game=game).outcome) == "void"
    olga.says("a wrong deck")

    olga.takes("phone")
    # A late entrant, with a bye's worth for the round missed.
    olga.tab("Entrants", "entrants-running")
    names.fill("late-lou")
    olga.press("Invite")
    olga.says("Invited: late-lou.")
    players.do(lambda: services.accept(club.id, late, "e14", now=club.now))
    players.do(club.run)
    olga.tab("Standings", "standings")
    olga.says("late-lou")

    # Round 2 is played.
    olga.tab("Overview", "before-round-2")
    players.do(club.run)
    olga.press("Next round")
    olga.says("Draft of round 2")
    olga.press("Seat round 2")
    olga.says("The round is seated.")
    players.do(club.run)
    players.do(club.finish_round)
    olga.open(f"{at}/change/", "round-2-over")
    if players.do(lambda: club.t.status.value) == "running":
        olga.press("Finish")
    olga.says("finished")

    olga.takes("desktop")
    # The end is reopened: somebody's result was wrong. Points are adjusted, and it is over again.
    olga.page.locator("summary", has_text="Reopen").click()
    olga.page.get_by_label("Reason (public)").fill("a result was wrong")
    olga.press("Reopen")
    olga.says("The tournament has been reopened.")
    olga.look("reopened")
    olga.tab("Rulings", "rulings-again")
    olga.page.get_by_role("link", name="Somebody deserves a penalty or extra points").click()
    olga.fill(entrant="e3", points="3", reason="the score sheet of round 1")
    olga.rule("adjust")
    olga.tab("Overview", "overview-again")
    olga.press("Finish")
    olga.says("The tournament is finished.")

    # Prize-giving: the standings, the file, the public page, a game's own page.
    olga.tab("Standings", "prize-giving")
    expect(olga.page.locator("tbody tr").first).to_contain_text("cleo")
    with olga.page.expect_download() as download:
        olga.page.get_by_role("link", name="Standings as CSV").click()
    assert Path(download.value.path()).read_text(encoding="utf-8").splitlines()[1].startswith("1,e3,cleo,")
    olga.tab("Settings", "settings-over")
    olga.open(f"/admin/games/game/{game}/change/", "game")
    olga.open("/admin/tournaments/tournament/", "tournaments")
    slug = players.do(lambda: Tournament.objects.get(pk=club.id).slug)
    olga.page.goto(f"{olga.address}/t/{slug}")
    olga.says("a wrong deck")

    assert olga.serious == {}
    types = players.do(club.types)
    for told in ("check_in_missed", "exchanged", "overdue", "extended", "voided", "reopened", "adjusted", "finished"):
        assert told in types, told
    assert types.count("finished") == 2
    assert players.do(lambda: club.now) >= NOW + timedelta(days=7)
