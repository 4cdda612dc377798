"""Each form of each page is pressed in a real browser, which sends what browsers send: `Origin`, `Referer` and cookies.

A form carries the name of its template and its number there, so that one which nothing presses is found.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.template import engines
from django.template.loaders import filesystem
from playwright.sync_api import Browser, BrowserContext, Page

from chats.rooms import ROOMS
from config.processes import CHECKOUT
from core import clock as service_clock
from core.accounts.login import guests, tokens, way_in
from core.accounts.models import Player
from core.jobs.models import Work
from core.notifications import preferences
from core.notifications import services as telling
from core.notifications.kinds import SECURITY, the_kind
from games import services as games
from games.house import moderation as ruling
from games.house import services as house
from games.talk import moderation
from games.talk import services as talk
from tests.browser.chromium import launched, needs_chromium
from tests.browser.tables import apart, session_of
from tests.games.api.client import PASSWORD
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
FORM = re.compile(r'<form\b(?=[^>]*method="post")')
FORMS = "[...document.querySelectorAll('form[data-form]')].map((form) => form.dataset.form)"
# Pressed in test_account_pages, which has the mails, authenticators and codes that they take, in test_apps, and, where
# a script sends them, in test_house_games.
ELSEWHERE = re.compile(
    r"mfa/|oauth/consent|account/(base_confirm_code|email_change|password_(reset_from_key|set))"
    r"|house/(form|game.html 3)"
)
HOOK = f"https://discord.com/api/webhooks/1234567890/{'x' * 40}"
# Not reached by the scene: a guest's door (test_guest_journey presses it), substitutes who are asked, doubts about an
# action, and addresses that fail.
UNPRESSED = {
    "dashboard/tournament/action.html 1",
    "join/door.html 2",
    "notifications/endpoints.html 1",
    "notifications/endpoints.html 2",
    "tournaments/proposal.html 1",
    "tournaments/you.html 5",
    "tournaments/you.html 7",
}
GIVEN = {
    "password": PASSWORD,
    "login": "ada",
    "title": "Shorter games",
    "reason": "They last for weeks.",
    "url": HOOK,
    "who": "lee",
    "username": "ivy",
    "text": "We begin on Sunday.",
}
# Fills what must be filled, and presses the first button as a hand would; in one go, since a script may draw it anew
# meanwhile.
PRESS = """([name, given]) => {
  const form = document.querySelector(`form[data-form="${name}"]`);
  for (const field of form.elements) {
    if (field.type === 'checkbox' && field.required) field.checked = true;
    if (field.name in given && field.type !== 'hidden' && !field.value) field.value = given[field.name];
  }
  form.noValidate = true;
  [...form.elements].find((one) => one.type === 'submit').click();
}"""


def tagged(source: str, name: str) -> str:
    number = count(1)
    return FORM.sub(lambda _: f'<form data-form="{name} {next(number)}"', source)


def every_form() -> set[str]:
    """All forms of our templates but those that are pressed elsewhere."""
    found = set[str]()
    for room in ("chats", "config", "core", "games", "tournaments"):
        for file in Path(CHECKOUT, room).rglob("templates/**/*.html"):
            name = str(file).rpartition("/templates/")[2]
            forms = FORM.findall(file.read_text())
            found |= {f"{name} {number}" for number in range(1, len(forms) + 1)}
    return {name for name in found if not ELSEWHERE.match(name)}


@pytest.fixture
def _tagged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    read = filesystem.Loader.get_contents
    monkeypatch.setattr(filesystem.Loader, "get_contents", lambda self, at: tagged(read(self, at), at.template_name))
    for loader in engines["django"].engine.template_loaders:
        loader.reset()
    yield
    monkeypatch.undo()
    for loader in engines["django"].engine.template_loaders:
        loader.reset()


class Hands:
    """Who presses what; each reader has a browser's session of their own, strangers a new one each time."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self._pages = dict[str, Page]()
        self.pressed: dict[str, int] = {}
        self._ours = every_form()

    def visit(self, who: str | None, path: str) -> None:
        """Press all forms of a page that nobody has pressed, each on the page as it is by then."""
        page, came_back = self._page(who), False
        while True:
            if not came_back:
                page.goto(path)
            left = [name for name in page.evaluate(FORMS) if name in self._ours and name not in self.pressed]
            if not left:
                return
            with page.expect_navigation(), page.expect_response(lambda one: one.request.method == "POST") as sent:
                page.evaluate(PRESS, [left[0], GIVEN])
            self.pressed[left[0]] = sent.value.status
            came_back = sent.value.status == 302 and page.url == self._address + path

    def _page(self, who: str | None) -> Page:
        if who is None:
            return self._opened(self._context())
        if who not in self._pages:
            context = self._context()
            key = apart(session_of, who)
            context.add_cookies([{"name": "sessionid", "value": key, "url": self._address}])
            self._pages[who] = self._opened(context)
        return self._pages[who]

    def _context(self) -> BrowserContext:
        context = self._browser.new_context(base_url=self._address, service_workers="block")
        # Pages that follow the server lead on by themselves, too, while a form is on its way.
        context.add_init_script("window.fetch = () => new Promise(() => {})")
        return context

    def _opened(self, context: BrowserContext) -> Page:
        """A page without looks: how its forms look is proved elsewhere."""
        page = context.new_page()
        devtools = context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.send("Network.setBlockedURLs", {"urls": ["*.css*", "*.woff2*", "*.svg*", "*.png*"]})
        return page


def scene() -> list[tuple[str | None, str]]:
    """Whose session opens which page, in an order in which what is pressed leaves the others there."""
    club = Club(service_clock.now(), people=9)
    ada, bob, cleo = club.people[:3]
    susan = Player.objects.create_superuser("susan", password=PASSWORD)
    for player in (ada, bob, cleo):
        player.set_password(PASSWORD)
        player.save()
    rooms = [games.open_room(ada, games.Terms("threes", 4)) for _ in range(3)]
    for room in rooms:
        games.join(room.id, bob, invitation=room.invitation)
    games.join(rooms[0].id, cleo, invitation=rooms[0].invitation)
    ROOMS.add(rooms[1].id, ada, "discord", HOOK)
    telling.tell([ada.pk], the_kind(SECURITY, "account"), "a-cause", data={"what": "test"})
    over = games.open_room(ada, games.Terms("threes", 2))
    games.join(over.id, bob, invitation=over.invitation)
    games.start(over.id, ada)
    end_game(over.id, [0, 1], club.now)
    running = games.open_room(ada, games.Terms("threes", 2, visibility="public"))
    games.join(running.id, bob)
    games.start(running.id, ada)
    games.join(games.open_room(ada, games.Terms("castle", 2)).id, bob)
    # Bob is one of ada's people by now, and gus and hal are olga's, whom she invites on two pages.
    alone = games.open_room(ada, games.Terms("threes", 2))
    gus, hal = club.people[6:8]
    friendly = games.open_room(club.olga, games.Terms("threes", 3, visibility="private"))
    for player in (gus, hal):
        games.join(friendly.id, player, invitation=friendly.invitation)
    games.start(friendly.id, club.olga)
    end_game(friendly.id, [0, 1, 2], club.now)
    link, _ = way_in.give(hal, susan, "Lost it.")
    castle = house.built_in("castle")
    fridays, sundays = (house.save(ada, castle | {"title": one}, "public").row.pk for one in ("Fridays", "Sundays"))
    ruling.report(cleo, fridays, "spam")
    ruling.decide(susan, sundays, hide=True, reason="Spam.")
    talk.say(running.id, bob, sign="ouch")
    moderation.report(running.id, ada, 1, "spam")
    moderation.mute(running.id, cleo, susan, "day", "Spam.", is_staff=True)
    guest = guests.sign_up("gast")
    secret, _ = guests.new_link(guest)
    for name in ("one", "two", "three"):
        tokens.issue(bob, name=name)
        tokens.issue(cleo, name=name)
    tokens.issue(cleo, name="owl.example", app="https://owl.example/in")
    for _ in range(2):
        session_of("cleo")
        session_of("bob")
    times = dict.fromkeys(("due_at", "queued_at", "given_up_at", "failing_since"), club.now)
    for key in ("1", "2"):
        Work.objects.create(kind="notifications.mail", key=key, tries=9, error="refused", **times)
    return [
        ("ada", "/me/settings"),
        ("ada", "/me/notifications"),
        ("ada", "/rooms/new/threes"),
        ("ada", f"/rooms/{rooms[1].id}/channels"),
        ("ada", f"/rooms/{rooms[0].id}"),
        ("bob", f"/rooms/{rooms[2].id}"),
        ("ada", f"/rooms/{rooms[1].id}"),
        ("ada", f"/rooms/{alone.id}"),
        ("ada", f"/games/{over.id}/review"),
        ("ada", "/learn/threes"),
        ("ada", "/"),
        (None, "/"),
        (None, f"/device/{secret}"),
        ("gast", "/"),
        ("gast", "/me/device"),
        ("gast", "/me/keep"),
        ("dan", f"/join/{rooms[2].invitation}"),
        (None, f"/join/{rooms[2].invitation}"),
        (None, preferences.stop_path(bob, ["turn"])),
        (None, f"/accounts/new-password/{link}/"),
        *of_tournaments(club),
        ("bob", f"/house-games/{fridays}"),
        ("susan", "/admin/house-games/"),
        ("ada", f"/house-games/{fridays}"),
        ("susan", "/admin/queue/"),
        ("susan", "/admin/reports/"),
        ("susan", f"/admin/games/game/{running.id}/change/"),
        ("susan", f"/admin/games/game/{over.id}/change/"),
        ("susan", f"/admin/accounts/player/{bob.pk}/change/"),
        ("susan", f"/admin/accounts/player/{cleo.pk}/change/"),
        *of_accounts(),
    ]


def of_accounts() -> list[tuple[str | None, str]]:
    own = ("blocked/", "sessions/", "tokens/", "password/change/", "close/", "")
    return [
        *((None, f"/accounts/{path}") for path in ("login/", "signup/", "login/code/", "password/reset/")),
        *(("cleo", f"/accounts/{path}") for path in own),
        ("ada", "/accounts/logout/"),
    ]


def of_tournaments(club: Club) -> list[tuple[str | None, str]]:
    """All of them are private: their pages, and their pages of the dashboard."""
    ada, bob = club.people[:2]
    closes = (club.now + timedelta(days=10)).isoformat()
    private: dict[str, Any] = {"visibility": "private"}
    made = dict[str, Tournament]()

    def keep(name: str) -> None:
        made[name] = Tournament.objects.get(pk=club.id)

    club.open(*club.people[2:6], **private, check_in=3600, settings={"tables": {"size": 3}})
    services.invite(club.id, club.olga, "bob", now=club.now)
    # Dan accepts, and steps down; olga takes back what she asked of gus.
    for name in ("dan", "gus"):
        services.add_organiser(club.id, club.olga, name, now=club.now)
    keep("opened")
    season(club, **private, closes_at=closes, proposals="entrants")
    played = room_of(club, ada, bob)
    talk.say(played, ada, sign="hello")
    end_game(played, [0, 1], club.now)
    club.run()
    asked = {"title": "Merge", "reason": "So we play.", "options": {"merge_last_hand": True}}
    services.propose(club.id, ada, asked, now=club.now)
    room_of(club, club.people[2], seats=3)
    keep("season")
    club.start(*club.people[:6], **private, pace="manual", settings={"tables": {"size": 3}})
    services.next_round(club.id, club.olga, now=club.now)
    keep("rounds")
    club.open(*club.people[:6], **private)
    services.cancel(club.id, club.olga, "Rain.", now=club.now)
    keep("over")

    def page(name: str, path: str = "") -> str:
        row = made[name]
        return f"/t/{row.slug}{path}?invitation={row.invitation}"

    def run(name: str, path: str = "change/") -> tuple[str, str]:
        return "olga", f"/admin/tournaments/tournament/{made[name].pk}/{path}"

    return [
        ("dan", page("opened")),
        ("bob", page("opened")),
        ("ada", page("opened")),
        ("olga", page("opened")),
        ("ada", page("season")),
        ("bob", page("season", "/propose")),
        run("opened", "entrants/?q=ivy"),
        run("opened", "messages/"),
        run("opened", "settings/"),
        run("season"),
        ("olga", "/admin/tournaments/tournament/add/?kind=rounds&game=threes"),
        run("rounds", "rulings/adjust/?entrant=e1"),
        run("rounds", "draft/"),
        run("over"),
        ("olga", f"/admin/reports/said/{played}/"),
    ]


@pytest.mark.usefixtures("_tagged", "clock")
def test_every_form_is_pressed_and_none_has_expired(live_server: Any) -> None:
    visits = apart(scene)
    with launched() as browser:
        hands = Hands(browser, live_server.url)
        for who, path in visits:
            hands.visit(who, path)
    refused = {name: status for name, status in hands.pressed.items() if status in (403, 404, 405) or status >= 500}
    assert refused == {}
    unpressed = sorted(every_form() - hands.pressed.keys() - UNPRESSED)
    assert not unpressed, f"no page that is visited has these: {unpressed}"
