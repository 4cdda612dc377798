"""AC1, AC3, AC4 over the API: an address is verified by a code, logs in by one, and resets the password by one."""

import re
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.mail import EmailMessage
from django.test import Client

from core.accounts import addresses
from core.accounts.login import codes, guests, sessions, tokens
from core.accounts.models import Code, Player
from core.jobs.models import Work
from core.jobs.services import GaveUp
from core.mail import Refused
from core.notifications.models import Notification
from tests.core.accounts.mailed import mails, newest_code
from tests.games.api.client import PASSWORD, Person

ADDRESS = "alice@example.org"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def player(alice: Person) -> Player:
    return Player.objects.get(username="alice")


@pytest.fixture
def address(player: Player) -> str:
    """Alice's, verified."""
    EmailAddress.objects.create(user=player, email=ADDRESS, verified=True, primary=True)
    return ADDRESS


def changes(who: Person, to: str) -> str:
    """Ask for a code; its request."""
    answer = who.call("PUT", "me/address", {"address": to, "password": PASSWORD})
    assert answer.status == 202, answer.body
    return str(answer.body["request"])


def test_ac1_an_address_is_ones_own_once_its_code_was_sent(alice: Person) -> None:
    assert alice.get("me/address").body == {"address": None, "verified": False}
    request = changes(alice, " Alice@Example.ORG")
    assert alice.get("me/address").body["address"] is None
    assert mails() == [(ADDRESS, "Confirm your email address")]
    wrong = alice.post("me/address/verify", {"request": request, "code": "BBBBBB"})
    assert (wrong.status, wrong.code) == (403, "wrong_code")
    right = alice.post("me/address/verify", {"request": request, "code": newest_code().lower()})
    assert right.body == {"address": ADDRESS, "verified": True} == alice.get("me/address").body


def test_ac3_a_change_and_a_removal_are_told_to_the_old_address(alice: Person, player: Player, address: str) -> None:
    request = changes(alice, "new@example.org")
    mails()
    alice.post("me/address/verify", {"request": request, "code": newest_code()})
    # The new address is told as of every change in security.
    told = mails()
    assert (ADDRESS, "Your email address at Trey has changed") in told
    assert {to for to, _ in told} == {ADDRESS, "new@example.org"}
    assert alice.call("DELETE", "me/address", {"password": PASSWORD}).status == 204
    assert mails() == [("new@example.org", "This address was removed from your account at Trey")]
    assert alice.get("me/address").body["address"] is None
    told = Notification.objects.filter(player=player, kind="security").values_list("data", flat=True)
    assert [data["what"] for data in told] == ["address", "address"]


@pytest.mark.parametrize("where", ["API", "page"])
@pytest.mark.parametrize("verified", [True, False])
def test_nt1_an_address_that_is_removed_is_told_everywhere_alike(
    alice: Person, player: Player, address: str, where: str, *, verified: bool
) -> None:
    if not verified:
        addresses.unverify(player, address)
    if where == "API":
        assert alice.call("DELETE", "me/address", {"password": PASSWORD}).status == 204
    else:
        browser = Client()
        browser.force_login(player)
        browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
        assert browser.post("/accounts/email/", {"action_remove": "", "email": address}).status_code == 302
    assert not EmailAddress.objects.exists()
    told = [(ADDRESS, "This address was removed from your account at Trey")]
    assert mails() == (told if verified else [])
    assert [one.data["what"] for one in Notification.objects.filter(player=player, kind="security")] == ["address"]


def test_nt9_an_address_that_refuses_mails_is_verified_again_on_its_page(player: Player, address: str) -> None:
    addresses.unverify(player, address)
    browser = Client()
    browser.force_login(player)
    page = browser.get("/accounts/email/").content.decode()
    assert "was sent" not in page
    [button] = re.findall(r'<button [^>]*name="(action_send)"', page)
    [typed] = re.findall(r'<input type="hidden" name="email" value="([^"]*)"', page)
    browser.post("/accounts/email/", {button: "", "email": typed})
    assert mails() == [(ADDRESS, "Confirm your email address")]
    assert browser.post("/accounts/confirm-email/", {"code": newest_code()}).status_code == 302
    assert addresses.verified_address(player) == ADDRESS


def test_a_change_needs_the_password_where_there_is_one(alice: Person) -> None:
    for method, body in (("PUT", {"address": ADDRESS}), ("DELETE", {})):
        assert alice.call(method, "me/address", body).code == "invalid"
        assert alice.call(method, "me/address", {**body, "password": "not hers"}).code == "wrong_password"
    assert mails() == []


def test_ac2_a_guest_has_no_password_and_keeps_the_account_by_an_address() -> None:
    guest = guests.sign_up("gus")
    gus = Person("gus", tokens.issue(guest)[0])
    request = gus.call("PUT", "me/address", {"address": "gus@example.org"}).body["request"]
    mails()
    assert gus.post("me/address/verify", {"request": request, "code": newest_code()}).status == 200
    assert gus.get("me").body["guest"] is False


def test_ac3_an_address_of_another_account_gives_itself_away_by_mail_only(bob: Person, address: str) -> None:
    asked = bob.call("PUT", "me/address", {"address": ADDRESS, "password": PASSWORD})
    assert asked.status == 202
    assert mails() == [(ADDRESS, "You already have an account")]
    code = codes.code_of(Code(pk=asked.body["request"]))
    taken = bob.post("me/address/verify", {"request": asked.body["request"], "code": code})
    assert (taken.status, taken.code) == (403, "wrong_code")


@pytest.mark.parametrize("call", ["auth/code", "auth/reset"])
def test_ac3_whether_an_address_has_an_account_is_in_no_answer(address: str, call: str, nobody: Person) -> None:
    known, unknown = (nobody.post(call, {"address": each}) for each in (ADDRESS, "else@example.org"))
    assert (known.status, set(known.body)) == (unknown.status, set(unknown.body)) == (202, {"request", "expires_at"})
    assert [to for to, _ in mails()] == [ADDRESS]


@pytest.mark.parametrize("call", ["auth/code", "auth/reset"])
def test_ac3_both_answers_cost_the_same_queries(
    address: str, call: str, nobody: Person, django_assert_num_queries
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    kinds = []
    for each in (ADDRESS, "else@example.org"):
        with CaptureQueriesContext(connection) as queries:
            nobody.post(call, {"address": each})
        kinds.append([re.sub(r"'[^']*'", "?", query["sql"].split("VALUES")[0]) for query in queries])
    assert kinds[0] == kinds[1] != []


@pytest.mark.parametrize("path", ["login/code/", "password/reset/"])
def test_ac3_the_pages_answer_alike_and_queue_alike(address: str, path: str) -> None:
    from core.jobs.models import Work

    answers = []
    for each in (ADDRESS, "else@example.org"):
        answer = Client().post(f"/accounts/{path}", {"email": each})
        answers.append((answer.status_code, answer["Location"], Work.objects.count()))
        mails()
    assert answers[0] == answers[1] == (302, answers[0][1], 1)


def test_ac1_a_code_logs_in(nobody: Person, address: str) -> None:
    request = nobody.post("auth/code", {"address": ADDRESS.upper()}).body["request"]
    assert mails() == [(ADDRESS, "Your code to log in")]
    sent = {"request": request, "code": newest_code(), "token_name": "phone"}
    token = nobody.post("auth/code/login", sent).body["token"]
    assert Person(token=token).get("me").body["username"] == "alice"
    # Once only.
    assert nobody.post("auth/code/login", sent).code == "wrong_code"


def test_ac1_a_password_is_reset_by_a_code_and_everything_else_ends(
    nobody: Person, alice: Person, player: Player, address: str
) -> None:
    Client().force_login(player)
    request = nobody.post("auth/reset", {"address": ADDRESS}).body["request"]
    mails()
    sent = {"request": request, "code": newest_code(), "new_password": "12345678"}
    assert nobody.post("auth/reset/password", sent).body["errors"][0]["field"] == "new_password"
    assert nobody.post("auth/reset/password", {**sent, "new_password": "a quieter evening"}).status == 204
    assert alice.get("me").status == 401
    assert not sessions.valid(player).exists()
    assert nobody.post("auth/login", {"username": "alice", "password": "a quieter evening"}).status == 200


def test_ac4_a_code_has_six_letters_that_cannot_be_mistaken_ten_minutes_and_five_tries(
    nobody: Person, address: str, clock
) -> None:
    def ask() -> tuple[str, str]:
        request = nobody.post("auth/code", {"address": ADDRESS}).body["request"]
        mails()
        return request, newest_code()

    def tries(request: str, code: str) -> int:
        return nobody.post("auth/code/login", {"request": request, "code": code}).status

    request, code = ask()
    assert len(code) == 6 and not set(code) & set("AEIOUY0123456789")
    assert [tries(request, "BBBBBB") for _ in range(4)] == [403] * 4
    assert tries(request, f" {code[:3]}-{code[3:]}") == 200
    request, code = ask()
    assert [tries(request, "BBBBBB") for _ in range(5)] == [403] * 5
    assert tries(request, code) == 403
    request, code = ask()
    clock.advance(minutes=9, seconds=59)
    assert tries(request, code) == 200
    request, code = ask()
    clock.advance(minutes=10, seconds=1)
    assert tries(request, code) == 403
    clock.advance(hours=1)
    codes.purge()
    assert not Code.objects.exists()


def test_a_mistyped_address_is_no_alarm_and_no_given_up_mail_stays_for_ever(
    alice: Person, clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """TreyWorkGivenUp rings at the first piece of such a kind."""
    tried = []

    def refuses(message: EmailMessage, *_: object) -> None:
        tried.append(message.to)
        raise Refused("The address was refused: 550 no such user") if len(tried) == 1 else GaveUp("broken")

    monkeypatch.setattr("core.mail.send", refuses)
    for to in ("alise@example.org", ADDRESS):
        changes(alice, to)
        mails()
    [left] = Work.objects.filter(kind__startswith="accounts.")
    assert (len(tried), left.error) == (2, "broken")
    assert "a mail of an account is not delivered: The address was refused: 550 no such user" in caplog.messages
    clock.advance(days=6)
    codes.purge()
    assert Work.objects.filter(pk=left.pk).exists()
    clock.advance(days=2)
    codes.purge()
    assert not Work.objects.exists()


def test_ac4_codes_to_one_address_are_limited_however_they_are_asked_for(nobody: Person, settings) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "code": (3, 3600)}
    assert nobody.post("auth/code", {"address": ADDRESS}).status == 202
    assert nobody.post("auth/reset", {"address": ADDRESS.upper()}).status == 202
    assert Client().post("/accounts/login/code/", {"email": ADDRESS}).status_code == 302
    assert Client().post("/accounts/password/reset/", {"email": ADDRESS}).status_code == 429
    assert nobody.post("auth/code", {"address": ADDRESS}).status == 429
    # Nor does the page on which people add an address to their account send more, however many accounts ask for it.
    browser = Client()
    browser.force_login(Player.objects.create_user("mallory"))
    assert browser.post("/accounts/email/", {"action_add": "", "email": f" {ADDRESS.upper()}"}).status_code == 429
    assert browser.post("/accounts/email/", {"action_add": "", "email": "mallory@example.org"}).status_code == 302


@pytest.mark.sampled
def test_ac4_on_the_pages_too_five_tries_and_ten_minutes(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked() -> Client:
        browser = Client()
        browser.post("/accounts/login/code/", {"email": ADDRESS})
        assert mails() == [(ADDRESS, "Your code to log in")]
        return browser

    def confirms(browser: Client, code: str) -> bool:
        browser.post("/accounts/login/code/confirm/", {"code": code})
        return "_auth_user_id" in browser.session

    browser = asked()
    assert [confirms(browser, "BBBBBB") for _ in range(5)] == [False] * 5
    assert not confirms(browser, newest_code())
    assert confirms(asked(), newest_code())
    browser, later = asked(), time.time() + 601
    monkeypatch.setattr("time.time", lambda: later)
    assert not confirms(browser, newest_code())


def test_ac1_with_a_second_factor_no_token_by_password_or_code_alone(
    nobody: Person, player: Player, address: str
) -> None:
    Authenticator.objects.create(user=player, type=Authenticator.Type.TOTP, data={"secret": "x"})
    pair = {"username": "alice", "password": PASSWORD}
    answer = nobody.post("auth/login", pair)
    assert (answer.status, answer.code) == (403, "second_factor")
    assert nobody.post("auth/login", {**pair, "password": "not hers"}).code == "wrong_credentials"
    request = nobody.post("auth/code", {"address": ADDRESS}).body["request"]
    mails()
    assert nobody.post("auth/code/login", {"request": request, "code": newest_code()}).code == "second_factor"
    # Nor is anybody in on the page before the second step.
    browser = Client()
    answer = browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert answer["Location"] == "/accounts/2fa/authenticate/"
    assert "_auth_user_id" not in browser.session


def test_ac1_a_second_factor_can_be_demanded_of_staff(nobody: Person, player: Player, settings) -> None:
    settings.TREY_SECOND_FACTOR = "staff"
    pair = {"username": "alice", "password": PASSWORD}
    assert nobody.post("auth/login", pair).status == 200
    Player.objects.filter(pk=player.pk).update(is_staff=True)
    assert nobody.post("auth/login", pair).code == "second_factor"
    browser = Client()
    browser.force_login(Player.objects.get(pk=player.pk))
    assert browser.get("/admin/")["Location"] == "/accounts/2fa/"
    Authenticator.objects.create(user=player, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert browser.get("/admin/").status_code == 200


def test_a_log_in_from_elsewhere_is_told(alice: Person, player: Player) -> None:
    pair = {"login": "alice", "password": PASSWORD}
    for place in ("10.0.0.1", "10.0.0.1", "10.0.0.2"):
        assert Client().post("/accounts/login/", pair, REMOTE_ADDR=place).status_code == 302
    told = Notification.objects.filter(player=player, kind="security").values_list("data", flat=True)
    assert [data["what"] for data in told] == ["login"]


#: What people type, and what is kept (AC7).
KEPT = {
    "X@Fa\u00df.Example": "x@xn--fa-hia.example",
    "x@m\u00fcller.example": "x@xn--mller-kva.example",
    "x@XN--MLLER-KVA.Example.": "x@xn--mller-kva.example",
    "x@mu\u0308ller\u3002example": "x@xn--mller-kva.example",
    "X+Tag@\uff25xample.org": "x+tag@example.org",
}


@pytest.mark.sampled
@pytest.mark.parametrize(("typed", "kept"), KEPT.items())
def test_ac7_an_address_is_kept_and_mailed_to_in_one_form(alice: Person, typed: str, kept: str) -> None:
    request = changes(alice, typed)
    assert mails() == [(kept, "Confirm your email address")]
    assert alice.post("me/address/verify", {"request": request, "code": newest_code()}).body["address"] == kept
    for address, form in KEPT.items():
        browser = Client()
        if form == kept:
            assert Client().post("/accounts/login/code/", {"email": address}).status_code == 302
            assert (kept, "Your code to log in") in mails()
            browser.post("/accounts/login/", {"login": address, "password": PASSWORD})
            assert browser.get("/accounts/").status_code == 200


def test_ac7_two_spellings_of_a_mailbox_are_not_two_accounts(alice: Person, bob: Person) -> None:
    request = changes(alice, "x@m\u00fcller.example")
    mails()
    assert alice.post("me/address/verify", {"request": request, "code": newest_code()}).status == 200
    mails()
    changes(bob, "x@xn--mller-kva.example")
    assert mails() == [("x@xn--mller-kva.example", "You already have an account")]


@pytest.mark.parametrize(
    "address",
    ["x@a..example", "x@example..", "x@-a.example", "x@xn--zz.example", "x@a b.example", "x@\u00ad.example",
     "@a.example", "x@" + "a" * 64 + ".example", "x" * 250 + "@a.example", "\u212a@a.example", "x@\u200d.example"],
)  # fmt: skip
def test_ac7_what_uts_46_refuses_is_400(nobody: Person, address: str) -> None:
    answer = nobody.post("auth/code", {"address": address})
    assert (answer.status, [error["field"] for error in answer.body["errors"]]) == (400, ["address"])
    assert Client().post("/accounts/login/code/", {"email": address}).status_code == 200
    assert mails() == []


def test_ac7_in_the_dashboard_too(player: Player) -> None:
    player.email = "X@M\u00fcller.Example"
    player.full_clean()
    assert player.email == "x@xn--mller-kva.example"
