"""Guessing at a name locks nobody out: where an owner has logged in before, they have a limit of their own."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.db import connection
from django.test import Client

from core import clock as service_clock
from core.accounts import services
from core.accounts.login import attempts
from core.accounts.models import LoginPlace, Player
from core.notifications.models import Notification
from tests.games.api.client import PASSWORD, Person, answer_of

HOME, CAFE, ELSEWHERE = "203.0.113.1", "198.51.100.1", "192.0.2.1"


@pytest.fixture(autouse=True)
def few(settings: Any, db: None) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "login_name": (2, 3600), "code": (2, 3600)}


@pytest.fixture
def owner() -> Player:
    return Player.objects.create_superuser("susan", password=PASSWORD)


def logs_in(address: str, password: str = PASSWORD, username: str = "susan") -> int:
    """Over the API."""
    sent = {"username": username, "password": password}
    answer = Client().post("/api/v1/auth/login", sent, content_type="application/json", REMOTE_ADDR=address)
    return answer.status_code


def enters(browser: Client, address: str, password: str = PASSWORD) -> int:
    """On the page: 302 is success."""
    sent = {"login": "susan", "password": password}
    return browser.post("/accounts/login/", sent, REMOTE_ADDR=address).status_code


def guessed_at(address: str = ELSEWHERE) -> None:
    """Somebody guesses until nobody may any more."""
    while logs_in(address, "not hers") != 429:
        pass


def test_an_owner_logs_in_from_an_address_of_before_while_others_guess(owner: Player) -> None:
    assert logs_in(HOME) == 200
    guessed_at()
    assert logs_in(HOME) == 200
    assert logs_in(HOME, username="SUSAN") == 200
    # The place has the same limit, for itself.
    assert logs_in(HOME) == 429
    assert logs_in(CAFE) == 429


def test_whoever_only_failed_at_an_address_has_no_limit_of_their_own_there(owner: Player) -> None:
    assert logs_in(HOME, "not hers") == 401
    guessed_at()
    assert logs_in(HOME) == 429


def test_an_owner_enters_the_dashboard_with_a_browser_of_before_from_any_address(owner: Player) -> None:
    browser, other = Client(), Client()
    assert enters(browser, HOME) == 302
    cookie = browser.cookies[attempts.COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    browser.post("/accounts/logout/")
    guessed_at()
    assert enters(other, CAFE) == 429
    assert enters(browser, CAFE) == 302


def test_guesses_from_the_owners_own_address_do_not_lock_out_the_browser(owner: Player) -> None:
    browser = Client()
    assert enters(browser, HOME) == 302
    guessed_at(HOME)
    assert logs_in(HOME) == 429
    assert enters(browser, HOME) == 302


def test_a_browser_that_somebody_else_named_opens_nothing(owner: Player) -> None:
    browser = Client()
    browser.cookies[attempts.COOKIE] = "made up"
    assert enters(browser, HOME, "not hers") == 200
    guessed_at()
    assert enters(browser, HOME) == 429


def test_guesses_at_a_name_do_not_keep_its_owner_from_changing_the_password(owner: Player) -> None:
    sent = {"username": "susan", "password": PASSWORD}
    token = answer_of(Client().post("/api/v1/auth/login", sent, content_type="application/json")).body["token"]
    browser = Client()
    assert enters(browser, HOME) == 302
    guessed_at()
    susan = Person("susan", token)
    assert susan.post("me/password", {"password": PASSWORD, "new_password": "a louder morning"}).status == 204
    changed = {"oldpassword": "a louder morning", "password1": PASSWORD, "password2": PASSWORD}
    browser.force_login(Player.objects.get(username="susan"))
    assert browser.post("/accounts/password/change/", changed).status_code == 302


def test_a_place_is_forgotten_after_half_a_year(owner: Player, clock: service_clock.FrozenClock) -> None:
    assert [logs_in(f"10.0.0.{number}") for number in range(2)] == [200, 200]
    clock.advance(days=attempts.KEPT.days - 1)
    guessed_at()
    assert logs_in("10.0.0.1") == 200
    # That log-in was noted, so it counts from now on; the other place is too old by then.
    clock.advance(days=2)
    assert logs_in("10.0.0.0") == 429
    assert logs_in("10.0.0.1") == 200


@pytest.mark.sampled
def test_only_so_many_places_are_kept(owner: Player, rf: Any, clock: service_clock.FrozenClock) -> None:
    for number in range(attempts.MOST + 3):
        clock.advance(minutes=1)
        attempts.logged_in(rf.get("/", REMOTE_ADDR=f"10.0.0.{number}"), owner)
    kept = LoginPlace.objects.filter(player=owner).order_by("last_at")
    assert kept.count() == attempts.MOST
    assert kept[0].last_at == service_clock.now() - timedelta(minutes=attempts.MOST - 1)


def test_no_address_is_stored_and_places_go_with_the_account(owner: Player) -> None:
    assert logs_in(HOME) == 200
    [place] = LoginPlace.objects.filter(player=owner)
    assert HOME not in place.digest
    assert len(place.digest) == 64
    services.close(owner)
    assert not LoginPlace.objects.exists()


ADDRESS = "susan@example.org"


def asks_for_code(address: str, what: str = "code") -> int:
    """Over the API."""
    sent = {"address": ADDRESS}
    answer = Client().post(f"/api/v1/auth/{what}", sent, content_type="application/json", REMOTE_ADDR=address)
    return answer.status_code


@pytest.mark.parametrize("what", ["code", "reset"])
def test_ac8_an_owner_gets_codes_at_an_address_of_before_while_others_ask_for_theirs(owner: Player, what: str) -> None:
    EmailAddress.objects.create(user=owner, email=ADDRESS, verified=True, primary=True)
    assert logs_in(HOME) == 200
    assert [asks_for_code(ELSEWHERE, what) for _ in range(3)] == [202, 202, 429]
    assert [asks_for_code(HOME, what) for _ in range(3)] == [202, 202, 429]
    assert asks_for_code(CAFE, what) == 429


def test_ac8_a_browser_of_before_asks_on_the_page_from_anywhere(owner: Player) -> None:
    EmailAddress.objects.create(user=owner, email=ADDRESS, verified=True, primary=True)
    browser = Client()
    assert enters(browser, HOME) == 302
    browser.post("/accounts/logout/")
    assert [asks_for_code(ELSEWHERE) for _ in range(3)] == [202, 202, 429]
    for page, expected in (("login/code/", 302), ("password/reset/", 302)):
        asked = {"email": ADDRESS.upper()}
        assert Client().post(f"/accounts/{page}", asked, REMOTE_ADDR=CAFE).status_code == 429
        assert browser.post(f"/accounts/{page}", asked, REMOTE_ADDR=CAFE).status_code == expected


def test_ac8_guesses_at_an_address_do_not_keep_its_owner_from_logging_in_by_it(owner: Player) -> None:
    EmailAddress.objects.create(user=owner, email=ADDRESS, verified=True, primary=True)
    browser, other = Client(), Client()
    assert enters(browser, HOME) == 302
    browser.post("/accounts/logout/")
    wrong, right = ({"login": ADDRESS, "password": password} for password in ("not hers", PASSWORD))
    while other.post("/accounts/login/", wrong, REMOTE_ADDR=ELSEWHERE).status_code != 429:
        pass
    assert other.post("/accounts/login/", right, REMOTE_ADDR=CAFE).status_code == 429
    assert browser.post("/accounts/login/", right, REMOTE_ADDR=CAFE).status_code == 302


@pytest.mark.parametrize(("guessed", "then"), [(ADDRESS, "susan"), ("susan", ADDRESS)])
def test_ac3_the_limit_on_a_name_does_not_say_whose_an_address_is(owner: Player, guessed: str, then: str) -> None:
    EmailAddress.objects.create(user=owner, email=ADDRESS, verified=True, primary=True)
    answers = []
    for login in (guessed, guessed, guessed, then):
        wrong = {"login": login, "password": "not hers"}
        answers.append(Client().post("/accounts/login/", wrong, REMOTE_ADDR=ELSEWHERE).status_code)
    assert answers == [200, 200, 429, 200]


def guesses(browser: Client, address: str, page: str = "authenticate") -> int:
    return browser.post(f"/accounts/2fa/{page}/", {"code": "000000"}, REMOTE_ADDR=address).status_code


def test_ac4_a_second_factor_is_guessed_at_a_few_times_an_hour_and_not_from_where_its_owner_is(owner: Player) -> None:
    owner_there, guesser = Client(), Client()
    assert enters(owner_there, HOME) == 302
    owner_there.post("/accounts/logout/")
    TOTP.activate(owner, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    assert enters(guesser, ELSEWHERE) == 302
    assert [guesses(guesser, ELSEWHERE) for _ in range(3)] == [200, 200, 429]
    assert enters(owner_there, CAFE) == 302
    assert guesses(owner_there, CAFE) == 200


def test_ac4_nor_by_a_session_that_was_stolen(owner: Player) -> None:
    TOTP.activate(owner, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    thief = Client()
    thief.force_login(owner)
    assert [guesses(thief, ELSEWHERE, "reauthenticate") for _ in range(3)] == [200, 200, 429]


@pytest.mark.sampled
def test_nt1_the_owner_is_told_once_a_day_that_a_second_factor_is_guessed_at(owner: Player, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "code": None}
    TOTP.activate(owner, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    guesser, told = Client(), []
    assert enters(guesser, ELSEWHERE) == 302
    for _ in range(2 * attempts.TOLD_AFTER):
        assert guesses(guesser, ELSEWHERE) == 200
        told.append(Notification.objects.filter(player=owner, data__what="guessed").count())
    assert told == [0] * (attempts.TOLD_AFTER - 1) + [1] * (attempts.TOLD_AFTER + 1)


@pytest.mark.django_db(transaction=True)
def test_ac4_a_code_has_five_tries_also_at_once(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "login_name": None}
    player = Player.objects.create_user("ada", password=PASSWORD)
    EmailAddress.objects.create(user=player, email=ADDRESS, verified=True, primary=True)
    browser = Client()
    assert browser.post("/accounts/login/code/", {"email": ADDRESS}).status_code == 302
    together, tries = threading.Barrier(8), []

    def compared(**_: object) -> bool:
        # Whoever can be here with others waits for them.
        with suppress(threading.BrokenBarrierError):
            together.wait(0.5)
        tries.append(1)
        return False

    monkeypatch.setattr("allauth.account.forms.compare_user_code", compared)

    def tried(_: int) -> None:
        other = Client()
        other.cookies = deepcopy(browser.cookies)
        other.post("/accounts/login/code/confirm/", {"code": "BBBBBB"})
        connection.close()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(tried, range(8)))
    assert len(tries) == 5
