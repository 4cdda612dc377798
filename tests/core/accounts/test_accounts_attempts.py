"""Guessing at a name locks nobody out: where an owner has logged in before, they have a limit of their own."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from core import clock as service_clock
from core.accounts import attempts, services
from core.accounts.models import LoginPlace, Player
from tests.games.api.client import PASSWORD, Person, answer_of

HOME, CAFE, ELSEWHERE = "203.0.113.1", "198.51.100.1", "192.0.2.1"


@pytest.fixture(autouse=True)
def few(settings: Any, db: None) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "login_name": (2, 3600)}


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
