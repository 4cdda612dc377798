"""AC6: a log-in or a reset that waits in a browser for a code ends with the password, the address or the account."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal import auth
from django.http import HttpRequest, HttpResponse
from django.test import Client

from core.accounts import addresses, services
from core.accounts.login import begun, codes, tokens
from core.accounts.models import Code, Player, Session
from core.clock import FrozenClock
from tests.core.accounts.mailed import mails, newest_code
from tests.games.api.client import PASSWORD, Person

ADDRESS, NEW = "alice@example.org", "another evening"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def player(alice: Person) -> Player:
    player = Player.objects.get(username="alice")
    EmailAddress.objects.create(user=player, email=ADDRESS, verified=True, primary=True)
    return player


def changes_password(player: Player) -> None:
    services.set_password(player, NEW)


def is_logged_out_everywhere(player: Player) -> None:
    services.log_out_everywhere(player)


def moves_away(player: Player) -> None:
    addresses.verified(player, "alice@example.net")


def is_suspended(player: Player) -> None:
    services.suspend(player, Player.objects.create_superuser("susan"), "spam")


def closes(player: Player) -> None:
    services.close(player)


def asks(page: str) -> tuple[Client, str]:
    """A browser that asked there for a code, and the code."""
    browser = Client()
    assert browser.post(f"/accounts/{page}/", {"email": ADDRESS}).status_code == 302
    mails()
    return browser, newest_code()


def second_factor(browser: Client) -> HttpResponse:
    code = auth.format_hotp_value(auth.hotp_value(SECRET, int(time.time()) // 30))
    return browser.post("/accounts/2fa/authenticate/", {"code": code})


def is_in(browser: Client) -> bool:
    return "_auth_user_id" in browser.session


@pytest.mark.parametrize("meanwhile", [changes_password, is_logged_out_everywhere, is_suspended, closes])
def test_ac6_a_second_factor_does_not_finish_a_log_in_that_has_ended(
    player: Player, meanwhile: Callable[[Player], None]
) -> None:
    auth.TOTP.activate(player, SECRET)
    others, browser = Client(), Client()
    for each in (others, browser):
        each.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert second_factor(others).status_code == 302
    assert is_in(others)
    meanwhile(Player.objects.get(pk=player.pk))
    assert second_factor(browser)["Location"] == "/accounts/login/"
    assert not is_in(browser)
    assert not Session.objects.filter(player=player.pk).exists()


@pytest.mark.parametrize("meanwhile", [moves_away, is_suspended, closes])
def test_ac6_a_code_to_an_address_of_before_lets_nobody_in(player: Player, meanwhile: Callable[[Player], None]) -> None:
    browser, code = asks("login/code")
    meanwhile(player)
    assert browser.post("/accounts/login/code/confirm/", {"code": code}).status_code == 302
    assert not is_in(browser)


@pytest.mark.parametrize("meanwhile", [moves_away, is_suspended, closes])
@pytest.mark.parametrize("confirmed", [False, True])
def test_ac6_a_code_to_an_address_of_before_sets_no_password(
    player: Player, meanwhile: Callable[[Player], None], *, confirmed: bool
) -> None:
    browser, code = asks("password/reset")
    if not confirmed:
        meanwhile(player)
    browser.post("/accounts/password/reset/confirm/", {"code": code})
    if confirmed:
        meanwhile(player)
    chosen = {"password1": NEW, "password2": NEW}
    assert browser.post("/accounts/password/reset/complete/", chosen).status_code == 302
    assert not any(one.check_password(NEW) for one in Player.objects.filter(pk=player.pk))


@pytest.mark.parametrize("page", ["login/code", "password/reset", "2fa"])
def test_ac6_nor_what_has_ended_since_it_was_looked_at(
    player: Player, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    if page == "2fa":
        auth.TOTP.activate(player, SECRET)
        browser = Client()
        browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    else:
        browser, code = asks(page)
        if page == "password/reset":
            browser.post("/accounts/password/reset/confirm/", {"code": code})
    looks = begun.forget_what_ended

    def looks_too_early(request: HttpRequest) -> None:
        looks(request)
        services.log_out_everywhere(Player.objects.get(pk=player.pk))

    monkeypatch.setattr(begun, "forget_what_ended", looks_too_early)
    if page == "2fa":
        second_factor(browser)
    elif page == "login/code":
        browser.post("/accounts/login/code/confirm/", {"code": code})
    else:
        browser.post("/accounts/password/reset/complete/", {"password1": NEW, "password2": NEW})
    monkeypatch.undo()
    assert browser.get("/accounts/").status_code == 302
    assert not Player.objects.get(pk=player.pk).check_password(NEW)


@pytest.mark.parametrize("what", ["code/login", "reset/password"])
def test_ac6_nor_over_the_api(player: Player, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    asked = Person().post(f"auth/{what.partition('/')[0]}", {"address": ADDRESS}).body["request"]
    form = {"request": asked, "code": codes.code_of(Code.objects.get(pk=asked))}
    finds = codes.owner_of

    def finds_too_early(row: Code) -> Player:
        owner = finds(row)
        services.log_out_everywhere(Player.objects.get(pk=owner.pk))
        return owner

    monkeypatch.setattr(codes, "owner_of", finds_too_early)
    answer = Person().post(f"auth/{what}", form if what == "code/login" else {**form, "new_password": NEW})
    assert answer.status == (401 if what == "code/login" else 403)
    assert not tokens.valid(player).exists() and not Player.objects.get(pk=player.pk).check_password(NEW)


def test_ac6_a_log_in_that_is_checked_while_all_are_logged_out_logs_nobody_in(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, checks = Client(), services.authenticate

    def checks_slowly(*given: Any, **named: Any) -> Player | None:
        found = checks(*given, **named)
        services.log_out_everywhere(Player.objects.get(pk=player.pk))
        return found

    monkeypatch.setattr(services, "authenticate", checks_slowly)
    browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert browser.get("/accounts/").status_code == 302
    assert Person().post("auth/login", {"username": "alice", "password": PASSWORD}).status == 401


@pytest.mark.parametrize(("seconds", "valid"), [(600, True), (601, False)])
def test_nt16_codes_of_pages_end_by_the_clock_of_the_service(
    player: Player, clock: FrozenClock, seconds: int, *, valid: bool
) -> None:
    (enters, code), (resets, reset), changes = asks("login/code"), asks("password/reset"), Client()
    changes.force_login(player)
    changes.post("/accounts/reauthenticate/", {"password": PASSWORD})
    changes.post("/accounts/email/", {"action_add": "", "email": "alice@example.net"})
    mails()
    verify = newest_code()
    clock.advance(seconds=seconds)
    enters.post("/accounts/login/code/confirm/", {"code": code})
    assert is_in(enters) is valid
    answer = resets.post("/accounts/password/reset/confirm/", {"code": reset})
    assert (answer["Location"] == "/accounts/password/reset/complete/") is valid
    changes.post("/accounts/confirm-email/", {"code": verify})
    assert (addresses.verified_address(player) == "alice@example.net") is valid


def test_ac3_a_code_for_nobody_is_asked_for_as_long(player: Player) -> None:
    for page, confirm in (("login/code", "login/code/confirm"), ("password/reset", "password/reset/confirm")):
        for address in (ADDRESS, "nobody@example.org"):
            browser = Client()
            browser.post(f"/accounts/{page}/", {"email": address})
            for _ in range(2):
                assert browser.post(f"/accounts/{confirm}/", {"code": "BBBBBB"}).status_code == 200
