"""An organiser's first evening, on a phone: somebody who never organised anything runs a tournament.

Set up, eight come by the link, start, a no-show is ruled, a game voided and restored, somebody asked to replace an
entrant, a rule voted on, and the end: in fewer than 60 clicks, typing into a field counted as one, and without a page
of the docs.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from core import clock as service_clock
from core.accounts.models import Player
from tests.browser.test_dashboard_story import Browser, Players, olga, pytestmark, session
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import Tournament, TournamentGame

__all__ = ["olga", "pytestmark", "session"]
FEW = 60


@pytest.fixture
def club(transactional_db: None, clock: service_clock.FrozenClock) -> Club:
    return Club(service_clock.now(), people=8)


@pytest.fixture
def players(club: Club, clock: service_clock.FrozenClock) -> Iterator[Players]:
    players = Players(club, clock)
    yield players
    players.close()


class Clicks:
    """The organiser's hand; it counts."""

    def __init__(self, browser: Browser) -> None:
        self.browser, self.page, self.count = browser, browser.page, 0

    def press(self, text: str) -> None:
        self.count += 1
        self.browser.press(text)

    def tap(self, what: Any) -> None:
        self.count += 1
        what.click()

    def tab(self, title: str) -> None:
        self.tap(self.page.get_by_role("navigation", name="Pages of the tournament").get_by_role("link", name=title))

    def link(self, text: str) -> None:
        self.tap(self.page.get_by_role("link", name=text, exact=True).first)

    def fill(self, **fields: str) -> None:
        self.count += len(fields)
        self.browser.fill(**fields)

    def rule(self, reason: str) -> None:
        self.fill(reason=reason)
        self.press("Show what would change")
        self.page.get_by_role("heading", name="Before and after").wait_for()
        self.press("Make this ruling")
        self.browser.says("Ruled: ")


def logged_in(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def test_a_first_evening_takes_fewer_than_60_clicks(club: Club, players: Players, olga: Browser) -> None:
    hand = Clicks(olga)
    olga.takes("phone")

    # Set up, from the page that everybody sees.
    olga.open("/tournaments", "tournaments")
    hand.link("Set up a tournament")
    olga.look("first-kind")
    hand.press("Continue")
    olga.look("first-set-up")
    hand.fill(title="Kitchen cup", rounds="2", size="4")
    hand.press("Set it up")
    olga.says("The tournament is set up.")
    club.id = players.do(lambda: Tournament.objects.get(title="Kitchen cup").pk)
    hand.press("Open for entries")
    olga.says("The tournament is open for entries.")
    olga.look("first-open")

    # Eight people open the link that the page shows, and enter with its button.
    link = olga.page.locator("#public ~ p a[href*='/t/']").first.get_attribute("href") or ""
    path = "/" + link.split("/", 3)[3]
    clients = players.do(lambda: {one.username: logged_in(one) for one in club.people})
    for client in clients.values():
        assert "Enter" in players.do(lambda c=client: c.get(path).content.decode())  # type: ignore[misc]
        players.do(lambda c=client: c.post(f"{path}/enter"))  # type: ignore[misc]
    olga.tab("Messages", "first-messages")  # to look at: no part of the evening
    olga.fill(text="We begin on Sunday.")
    olga.press("Preview")
    olga.says("8 players will get this message.")
    olga.look("first-message-seen")
    hand.tab("Overview")
    olga.says("8 entrants")
    hand.press("Start")
    olga.says("The tournament has started.")
    players.do(club.run)

    # One of the second table does not come: the others are placed as they stand.
    hand.tab("Overview")
    olga.page.get_by_role("heading", name="Table 2").wait_for()
    hand.tap(olga.page.get_by_role("link", name="rule the table").nth(1))
    olga.look("first-rule-table")
    name = olga.page.locator("ol.order .name").first.inner_text()
    for _ in range(3):
        hand.tap(olga.page.get_by_role("button", name=f"{name} down"))
    expect(olga.page.locator("ol.order .name").last).to_have_text(name)
    hand.tap(olga.page.locator("ol.order li").last.get_by_label("did not show up"))
    hand.rule("did not show up")
    result = players.do(lambda: TournamentGame.objects.get(tournament=club.id, table=2).state.result)
    assert [row.get("absent", False) for row in result["players"]].count(True) == 1

    # The first table's game is voided by mistake, and restored.
    players.do(lambda: club.finish(1, round=1))
    hand.tab("Overview")
    card = olga.page.locator("li.card", has=olga.page.get_by_role("heading", name="Table 1")).last
    hand.tap(card.get_by_role("link", name="void"))
    hand.rule("dealt wrongly")
    olga.look("first-rulings")
    hand.tab("Overview")
    hand.tap(card.get_by_role("link", name="restore"))
    hand.rule("it was dealt well after all")
    players.do(club.run)

    # Somebody else is asked to play on for one of them.
    other = players.do(lambda: Player.objects.create_user("stand-in"))
    hand.tab("Entrants")
    hand.link("replace")
    olga.look("first-replace")
    hand.fill(player=other.username)
    hand.rule("is ill")

    # A rule is proposed; those who play vote on their page, and it holds.
    hand.tab("Overview")
    hand.link("Propose other rules")
    olga.look("first-propose")
    hand.tap(olga.page.locator("summary", has_text="Stalemate after"))
    hand.fill(title="Shorter games", reason="They last for weeks.", option_stalemate_after="10")
    hand.press("Show what changes")
    olga.page.get_by_role("heading", name="What would change").wait_for()
    olga.look("first-propose-seen")
    hand.press("Propose it")
    olga.says("Proposed.")
    olga.look("first-proposed")
    for client in clients.values():
        players.do(lambda c=client: c.post(f"{path}/vote", {"vote": "yes", "proposal": "1"}))  # type: ignore[misc]
    players.later(days=1, minutes=1)
    olga.page.reload()
    olga.says("in force")
    olga.look("first-ratified")

    # It ends while round 2 is open; the page asks once.
    hand.tap(olga.page.get_by_role("link", name="Run this tournament").first)
    hand.press("Finish")
    olga.look("first-finish-doubts")
    hand.press("Finish")
    olga.says("The tournament is finished.")
    olga.look("first-over")

    types = players.do(club.types)
    for told in ("started", "result", "voided", "restored", "replacement_asked", "ratified", "finished"):
        assert told in types, told
    assert olga.serious == {}
    assert hand.count < FEW, hand.count
