"""Friends go on after a game, on phones: a second one in two taps, a season among three that runs in four."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.accounts.models import Player
from games.models import Game
from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import serious_in
from tests.browser.tables import PHONE, Window, apart
from tests.games.api.client import Person
from tests.games.api.conftest import person
from tournaments.models import Tournament
from tournaments.notifications.following import tell_entrants

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    needs_chromium,
]
A_SECOND_GAME, A_SEASON = 2, 4


@pytest.fixture
def friends(transactional_db: None) -> list[Person]:
    return [person(name) for name in ("ada", "bob", "cleo")]


@pytest.fixture
def browser(friends: list[Person]) -> Iterator[Browser]:
    with launched() as opened:
        yield opened


def game_over(*people: Person) -> str:
    """A game of these, whose table started when it was full, as the form ticks it; all but the last resigned."""
    first, *others = people
    room = first.opens(visibility="private", seats=len(people), start="full")
    for other in others:
        assert other.post(f"games/{room['id']}/join", {"invitation": room["invitation"]}).status == 200
    for each in people[:-1]:
        assert each.post(f"games/{room['id']}/moves", {"move": "resign"}).status == 201
    return str(room["id"])


class Hands:
    """The phones of several people; their taps are counted together."""

    def __init__(self, browser: Browser, root: str) -> None:
        self.browser, self.root, self.taps = browser, root, 0

    def phone(self, who: Person, path: str) -> Page:
        page = Window(self.browser.new_context(**PHONE, reduced_motion="reduce"), self.root, who.username).page
        page.goto(self.root + path)
        return page

    def tap(self, page: Page, button: str) -> None:
        self.taps += 1
        page.get_by_role("button", name=button, exact=True).tap()


def is_dealt(page: Page) -> None:
    page.wait_for_url("**/games/*")
    page.locator("trey-table .hand button").first.wait_for()


def test_a_friends_second_game_takes_two_taps(friends: list[Person], browser: Browser, live_server: Any) -> None:
    ada, bob, _ = friends
    over = apart(game_over, ada, bob)
    hands = Hands(browser, live_server.url)
    first, second = (hands.phone(who, f"/games/{over}") for who in (ada, bob))
    hands.tap(first, "Play again")
    first.wait_for_url("**/rooms/*")
    hands.tap(second, "Play again")
    is_dealt(second)
    is_dealt(first)  # by itself
    assert first.url == second.url != f"{live_server.url}/games/{over}"
    assert hands.taps == A_SECOND_GAME


def test_a_season_among_three_runs_after_four_taps(friends: list[Person], browser: Browser, live_server: Any) -> None:
    ada, bob, cleo = friends
    over = apart(game_over, ada, bob, cleo)
    hands = Hands(browser, live_server.url)
    first = hands.phone(ada, f"/games/{over}")
    hands.tap(first, "Play on as a season")
    first.wait_for_url("**/t/*")
    hands.tap(first, "Open a game")
    first.wait_for_url("**/rooms/*")
    apart(tell_entrants.catch_up)
    for friend in (bob, cleo):
        # What they are told leads to the season's page.
        [told] = [one for one in apart(friend.get, "me/notifications").body["results"] if "/t/" in (one["link"] or "")]
        page = hands.phone(friend, told["link"])
        expect(page.get_by_role("button", name="Accept", exact=True)).to_be_visible()
        assert serious_in(page) == []
        hands.tap(page, "Accept and sit down")
        page.wait_for_url("**/rooms/*" if friend is bob else "**/games/*")
    is_dealt(first)
    is_dealt(page)
    assert hands.taps == A_SEASON
    (game,) = apart(lambda: list(Game.objects.exclude(pk=over)))
    assert (game.status, game.tournament) == ("setup", apart(Tournament.objects.get).pk)
    assert apart(lambda: Player.objects.filter(sitting__game=game).count()) == len(friends)
