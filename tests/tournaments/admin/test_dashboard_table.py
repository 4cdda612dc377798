"""Every page and every button of the dashboard against everybody (LI7), by the list of its own addresses.

A page that is added without a row here fails the first test.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.urls import get_resolver, resolve

from chats.admin import CHANNELS
from core import clock as service_clock
from core.about.models import About
from core.accounts.admin import JUDGEMENTS
from core.accounts.login.tokens import issue
from core.accounts.models import Audit, Player, Session, Token
from core.log.models import StoredEvent
from games.models import Game
from tests.games.services.service_scene import started
from tests.tournaments.admin.conftest import everybody
from tests.tournaments.services.tournament_scene import Club, end_game
from tournaments.admin.actions import ACTIONS
from tournaments.admin.people import ENTRANTS
from tournaments.stream.ruling import RULINGS

pytestmark = pytest.mark.django_db
EVERYBODY = ("nobody", "player", "other", "organiser", "staff", "superuser")
# What each gets: 302 is the way to the log-in, or back to a page after a button.
Row = tuple[int, int, int, int, int, int]
ENTER: Row = (302, 302, 200, 200, 200, 200)
SET_UP: Row = (302, 200, 200, 200, 200, 200)
OWN: Row = (302, 302, 404, 200, 200, 200)
STAFF: Row = (302, 302, 403, 403, 200, 200)
SUPERUSERS: Row = (302, 302, 403, 403, 403, 200)
NEVER: Row = (302, 302, 403, 403, 403, 403)
MISSING: Row = (302, 302, 404, 404, 404, 404)
ONLY_POST: Row = (302, 302, 405, 405, 405, 405)
ONLY_GET = ONLY_POST
ONWARDS: Row = (302, 302, 302, 302, 302, 302)
OWN_DONE: Row = (302, 302, 404, 302, 302, 302)
SUPERUSERS_DONE: Row = (302, 302, 403, 403, 403, 302)
STAFF_DONE: Row = (302, 302, 403, 403, 302, 302)


@dataclass(frozen=True)
class Page:
    """What opening a page gives, and what pressing its button (or posting to it) gives."""

    get: Row
    post: Row
    fields: dict[str, str] = field(default_factory=dict)


def model_pages(at: str, shown: Row, change: Page, *, history: Row) -> dict[str, Page]:
    """What Django gives every model: `{at}` is a list, and `change` the page of one thing."""
    return {
        f"{at}{{one}}/change/": change,
        f"{at}{{one}}/": Page(ONWARDS, ONWARDS),
        f"{at}{{one}}/history/": Page(history, history),
        f"{at}csv/": Page(shown, ONLY_GET),
        at: Page(shown, shown),
    }


A_CHANNEL = {"channel": str(uuid4())}
GAMES, PLAYERS, AUDIT = "/admin/games/game/", "/admin/accounts/player/", "/admin/accounts/audit/"
ABOUT, GROUPS, TOURNAMENTS = "/admin/about/about/", "/admin/auth/group/", "/admin/tournaments/tournament/"
TABLE: dict[str, Page] = {
    "/admin/": Page(ENTER, ENTER),
    # To the page of accounts; who may not enter is told why.
    "/admin/login/": Page((302, 403, 302, 302, 302, 302), (302, 403, 302, 302, 302, 302)),
    "/admin/logout/": Page(ONLY_POST, ENTER),
    "/admin/password_change/": Page(ONWARDS, ONWARDS),
    "/admin/password_change/done/": Page(ENTER, ONLY_GET),
    "/admin/jsi18n/": Page(ENTER, ONLY_GET),
    "/admin/search/": Page(ENTER, ENTER),
    "/admin/games/": Page(ENTER, ENTER),
    "/admin/nothing-here": Page(MISSING, MISSING),
    "/admin/log/": Page(STAFF, ONLY_GET),
    # Who may enter decides about what was said at their tournaments' tables; staff, everywhere.
    "/admin/reports/": Page(ENTER, ONLY_GET),
    "/admin/reports/1/": Page(ONLY_POST, ONWARDS),
    "/admin/reports/1/back/": Page(ONLY_POST, ONWARDS),
    "/admin/reports/mute/": Page(ONLY_POST, ENTER),
    "/admin/reports/unmute/": Page(ONLY_POST, ONWARDS),
    # What is said at a tournament's table is for its organisers, and not for staff (TK2).
    "/admin/reports/said/{mine}/": Page((302, 302, 404, 200, 404, 404), (302, 302, 404, 302, 404, 404)),
    "/admin/reports/said/{free}/": Page(MISSING, MISSING),
    "/admin/house-games/": Page(STAFF, ONLY_GET),
    "/admin/house-games/decide/": Page(ONLY_POST, STAFF_DONE),
    "/admin/queue/": Page(STAFF, ONLY_GET),
    "/admin/queue/again/": Page(ONLY_POST, STAFF_DONE),
    # Games: nobody changes one here.
    **model_pages(GAMES, ENTER, Page(OWN, NEVER), history=(302, 302, 302, 200, 200, 200)),
    f"{GAMES}add/": Page(NEVER, NEVER),
    f"{GAMES}{{one}}/delete/": Page(NEVER, NEVER),
    f"{GAMES}{{mine}}/table/3/": Page(OWN, ONLY_GET),
    f"{GAMES}{{mine}}/look/": Page(ONLY_POST, (302, 302, 404, 403, 403, 302)),
    f"{GAMES}{{mine}}/rating/": Page(ONLY_POST, (302, 302, 404, 403, 403, 403)),
    f"{GAMES}{{over}}/rating/": Page(ONLY_POST, (302, 302, 404, 404, 302, 302)),
    f"{GAMES}{{mine}}/record/": Page(MISSING, ONLY_GET),
    f"{GAMES}{{over}}/record/": Page((302, 302, 404, 404, 200, 200), ONLY_GET),
    f"{GAMES}{{free}}/change/": Page((302, 302, 404, 404, 200, 200), NEVER),
    f"{GAMES}{{free}}/table/3/": Page((302, 302, 404, 404, 200, 200), ONLY_GET),
    f"{GAMES}{{free}}/table/999/": Page(MISSING, ONLY_GET),
    f"{GAMES}{{free}}/look/": Page(ONLY_POST, (302, 302, 404, 404, 403, 302)),
    # Accounts: staff judge people who are no staff; superusers edit.
    **model_pages(PLAYERS, STAFF, Page(STAFF, NEVER), history=STAFF),
    f"{PLAYERS}add/": Page(SUPERUSERS, SUPERUSERS),
    f"{PLAYERS}{{one}}/delete/": Page(NEVER, NEVER),
    f"{PLAYERS}{{one}}/edit/": Page(SUPERUSERS, SUPERUSERS),
    f"{PLAYERS}{{one}}/password/": Page(SUPERUSERS, SUPERUSERS),
    f"{PLAYERS}{{one}}/way-in/": Page(ONLY_POST, (302, 302, 403, 403, 302, 200)),
    f"{PLAYERS}{{one}}/token/{{token}}/": Page(ONLY_POST, STAFF_DONE),
    f"{PLAYERS}{{one}}/session/{{session}}/": Page(ONLY_POST, STAFF_DONE),
    f"{PLAYERS}{{susan}}/session/{{session}}/": Page(ONLY_POST, NEVER),
    **{f"{PLAYERS}{{one}}/judge/{what}/": Page(ONLY_POST, STAFF_DONE) for what in JUDGEMENTS},
    **{f"{PLAYERS}{{susan}}/judge/{what}/": Page(ONLY_POST, NEVER) for what in JUDGEMENTS},
    f"{PLAYERS}{{one}}/judge/nothing/": Page(ONLY_POST, (302, 302, 403, 403, 404, 404)),
    # The audit log: nobody changes it.
    **model_pages(AUDIT, STAFF, Page(STAFF, NEVER), history=STAFF),
    f"{AUDIT}add/": Page(NEVER, NEVER),
    f"{AUDIT}{{one}}/delete/": Page(NEVER, NEVER),
    # Groups: rights are given by superusers alone.
    GROUPS: Page(SUPERUSERS, SUPERUSERS),
    f"{GROUPS}add/": Page(SUPERUSERS, SUPERUSERS),
    f"{GROUPS}{{one}}/change/": Page(SUPERUSERS, SUPERUSERS),
    f"{GROUPS}{{one}}/history/": Page(SUPERUSERS, SUPERUSERS),
    f"{GROUPS}{{one}}/delete/": Page(SUPERUSERS, (302, 302, 403, 403, 403, 302), {"post": "yes"}),
    f"{GROUPS}{{one}}/": Page(ONWARDS, ONWARDS),
    # The page about this server, of which there is one.
    ABOUT: Page(SUPERUSERS_DONE, SUPERUSERS_DONE),
    f"{ABOUT}add/": Page(NEVER, NEVER),
    f"{ABOUT}{{one}}/": Page(ONWARDS, ONWARDS),
    f"{ABOUT}{{one}}/change/": Page(SUPERUSERS, SUPERUSERS_DONE),
    f"{ABOUT}{{one}}/history/": Page(SUPERUSERS, SUPERUSERS),
    f"{ABOUT}{{one}}/delete/": Page(NEVER, NEVER),
    # Tournaments: one's own.
    **model_pages(TOURNAMENTS, ENTER, Page(OWN, NEVER), history=(302, 302, 302, 200, 200, 200)),
    # A first one makes an organiser of a player.
    f"{TOURNAMENTS}add/": Page(SET_UP, SET_UP),
    f"{TOURNAMENTS}{{one}}/delete/": Page(NEVER, NEVER),
    **{
        f"{TOURNAMENTS}{{one}}/{name}": Page(OWN, ONLY_GET)
        for name in ("standings/", "standings.csv", "entrants/", "rulings/")
    },
    **{f"{TOURNAMENTS}{{one}}/{name}/": Page(OWN, OWN) for name in ("draft", "settings", "messages")},
    **{f"{TOURNAMENTS}{{one}}/rulings/{ruling}/": Page(OWN, OWN) for ruling in RULINGS},
    # A tournament of a kind has no stage to end.
    f"{TOURNAMENTS}{{one}}/rulings/end_stage/": Page(MISSING, MISSING),
    f"{TOURNAMENTS}{{one}}/rulings/nothing/": Page(MISSING, MISSING),
    **{f"{TOURNAMENTS}{{one}}/action/{action}/": Page(ONLY_POST, OWN_DONE, {"sure": "1"}) for action in ACTIONS},
    **{f"{TOURNAMENTS}{{one}}/people/{what}/": Page(ONLY_POST, OWN_DONE) for what in ENTRANTS},
    f"{TOURNAMENTS}{{one}}/invitation/": Page(ONLY_POST, OWN_DONE),
    f"{TOURNAMENTS}{{one}}/successor/": Page(ONLY_POST, OWN_DONE),
    **{f"{TOURNAMENTS}{{one}}/channels/{what}/": Page(ONLY_POST, OWN_DONE, A_CHANNEL) for what in CHANNELS},
    f"{TOURNAMENTS}{{one}}/channels/add/": Page(ONLY_POST, OWN),
    f"{TOURNAMENTS}{{one}}/channels/nothing/": Page(ONLY_POST, MISSING),
    f"{TOURNAMENTS}{{one}}/proposals/1/": Page(ONLY_POST, OWN_DONE),
    f"{TOURNAMENTS}{{one}}/action/nothing/": Page(ONLY_POST, MISSING),
    f"{TOURNAMENTS}{{one}}/people/nothing/": Page(ONLY_POST, MISSING),
    f"{TOURNAMENTS}{{missing}}/change/": Page(MISSING, NEVER),
    f"{TOURNAMENTS}{{missing}}/action/start/": Page(ONLY_POST, MISSING),
}  # fmt: skip


@pytest.fixture(scope="module")
def club(module_rows):
    """What the tests of this module look at is set up once: each takes back what its buttons did."""
    with module_rows(), at_noon():
        return Club(service_clock.now())


@pytest.fixture(scope="module")
def cast(module_rows, club):
    with module_rows(), at_noon():
        return everybody(club)


@pytest.fixture(scope="module")
def places(module_rows, club, cast):
    with module_rows(), at_noon():
        return named_by_addresses(club)


def at_noon():
    """When the fixture `clock` stands still, too."""
    return service_clock.frozen(datetime(2026, 11, 21, 12, tzinfo=UTC))


@pytest.fixture(autouse=True)
def _clock(clock):
    """It is still noon."""


def named_by_addresses(club):
    """What the addresses name: things of Olga's tournament, and a game of nobody's tournament."""
    club.start(deadline=86_400, settings={"tables": {"size": 3}})
    bob = club.people[1]
    issue(bob)
    entry = Audit.objects.create(at=club.now, by=bob.pk, action="suspended", subject="player x")
    game = Game.objects.filter(tournament=club.id).first()
    over = started(*club.people[:2])
    end_game(over.id, [0, 1], club.now)
    ones = {
        GAMES: game.id,
        PLAYERS: bob.pk,
        AUDIT: entry.pk,
        ABOUT: About.objects.create().pk,
        GROUPS: Group.objects.create(name="helpers").id,
        TOURNAMENTS: club.id,
    }
    named = {
        "mine": game.id,
        "free": started(*club.people[:2]).id,
        "over": over.id,
        "susan": Player.objects.get(username="susan").id,
        "token": uuid4(),
        "session": "0" * 16,
        "missing": uuid4(),
    }

    def address(page: str) -> str:
        one = next((pk for start, pk in ones.items() if page.startswith(start)), None)
        return page.format(one=one, **named)

    return address


def routes(patterns: Any, before: str = "") -> Iterator[str]:
    for one in patterns:
        here = before + str(one.pattern).removeprefix("^")
        yield from routes(one.url_patterns, here) if hasattr(one, "url_patterns") else [here]


@pytest.mark.sampled
def test_every_address_of_the_dashboard_has_a_row(places):
    dashboard = next(one for one in get_resolver().url_patterns if str(one.pattern) == "admin/")
    assert {resolve(places(page)).route for page in TABLE} == set(routes([dashboard]))


def what_there_is() -> Any:
    return (
        StoredEvent.objects.count(),
        *(list(model.objects.order_by("pk").values_list("pk")) for model in (Audit, Token, Session, Group)),
        list(Player.objects.order_by("pk").values_list("username", "is_active", "is_staff", "password")),
    )


def asked(client, method: str, address: str, fields: dict[str, str]) -> int:
    """The response's status; whatever the button has done is undone afterwards, a log-out, too."""
    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        try:
            return int(getattr(client, method)(address, fields).status_code)
        finally:
            transaction.set_rollback(True)
            client.cookies = cookies


@pytest.mark.sampled
@pytest.mark.parametrize("who", EVERYBODY)
def test_each_page_opens_for_whom_it_is(cast, places, who):
    column = EVERYBODY.index(who)
    found = {page: asked(cast[who], "get", places(page), {}) for page in TABLE}
    assert found == {page: row.get[column] for page, row in TABLE.items()}


@pytest.mark.sampled
@pytest.mark.parametrize("who", EVERYBODY)
def test_each_button_works_for_whom_it_is(cast, places, who):
    column = EVERYBODY.index(who)
    found = {
        page: asked(cast[who], "post", places(page), {"reason": "a complaint", "who": "", **row.fields})
        for page, row in TABLE.items()
    }
    assert found == {page: row.post[column] for page, row in TABLE.items()}


@pytest.mark.sampled
@pytest.mark.parametrize("who", ["nobody", "player", "other"])
def test_a_button_that_is_not_for_one_does_nothing(cast, places, who):
    before, cookies = what_there_is(), deepcopy(cast[who].cookies)
    for page, row in TABLE.items():
        if row.post[EVERYBODY.index(who)] != 200:
            cast[who].post(places(page), {"reason": "a complaint", "who": "e1", "sure": "on", "post": "yes"})
    cast[who].cookies = cookies
    assert what_there_is() == before


@pytest.mark.sampled
def test_no_button_takes_a_reason_that_nobody_can_read(cast, places):
    """AC7."""
    before, taken = what_there_is(), []
    for page in TABLE:
        if "log-out" in page or "logout" in page:
            continue
        with transaction.atomic():
            cast["superuser"].post(places(page), {"reason": "a\u3164b", "who": "e1", "sure": "1", "ruling": "adjust"})
            if "\u3164" in everything_said():
                taken.append(page)
            transaction.set_rollback(True)
    assert taken == []
    assert what_there_is() == before


def everything_said() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(meta::text || data::text, '') FROM log_event")
        [(events,)] = cursor.fetchall()
    return str(events) + "".join(Audit.objects.values_list("reason", flat=True))
