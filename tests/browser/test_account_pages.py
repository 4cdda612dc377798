"""AC1, AC2, AC4: accounts in the browser, from signing up to closing, and guests who keep theirs.

With a real SMTP server, a virtual authenticator, and codes computed as an app does.
"""

import email
import re
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.policy import default
from threading import Event, Thread
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from allauth.mfa.totp.internal.auth import hotp_value
from django.db import connections
from playwright.sync_api import CDPSession, Page, expect

from core.accounts.models import Player
from core.jobs import services as work
from tests.browser.chromium import needs_chromium
from tests.browser.looking import violations
from tests.browser.tables import PHONE, apart
from tests.browser.test_pages import page
from tests.games.api.client import PASSWORD
from tests.games.live.conftest import alice, live, serving

__all__ = ["alice", "live", "page", "serving"]
#: The developer tools of a page, and the authenticator's id in it.
Authenticator = tuple[CDPSession, str]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    needs_chromium,
]


class AnyPort(Controller):
    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


class Letterbox:
    def __init__(self) -> None:
        self.got: list[EmailMessage] = []
        self._came = Event()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.got.append(email.message_from_bytes(envelope.content, policy=default))
        self._came.set()
        return "250 OK"

    def newest(self) -> EmailMessage:
        """The next mail that comes, or came since the last one that was read."""
        assert self._came.wait(60), "no mail came"
        self._came.clear()
        return self.got[-1]

    def code(self) -> str:
        text = self.newest().get_body(("plain",)).get_content()
        [found] = re.findall(r"^    ([A-Z]{6})\r?$", text, re.MULTILINE)
        return found


@pytest.fixture
def mails(settings: Any) -> Iterator[Letterbox]:
    """What is mailed: the queue's own deliverer takes it to a real server."""
    box, stop = Letterbox(), Event()
    server = AnyPort(box, hostname="127.0.0.1", port=0)
    server.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port

    def deliver() -> None:
        work.Deliverer(at_once=2).run(stop, poll_seconds=0.3)
        connections.close_all()

    thread = Thread(target=deliver)
    thread.start()
    yield box
    stop.set()
    thread.join()
    server.stop()


@pytest.fixture(autouse=True)
def _live_streams(live: Any, settings: Any) -> None:
    """The bell of the first page, where one comes after logging in, has its stream."""
    settings.TREY_LIVE_URL = f"http://localhost:{live.port}"


@pytest.fixture
def authenticator(page: Page) -> None:
    """A phone's or a laptop's own, whose owner always agrees."""
    has_authenticator(page)


def has_authenticator(page: Page) -> Authenticator:
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    return devtools, devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]


def shares_passkeys(one: Authenticator, other: Authenticator) -> None:
    """As the keychain of a phone's maker does."""
    (devtools, authenticator), (elsewhere, copy) = one, other
    for credential in devtools.send("WebAuthn.getCredentials", {"authenticatorId": authenticator})["credentials"]:
        elsewhere.send("WebAuthn.addCredential", {"authenticatorId": copy, "credential": credential})


@pytest.fixture
def visit(page: Page, live_server: Any) -> Callable[[str], None]:
    """Open a page of accounts, and have axe look at it."""

    def go(path: str) -> None:
        page.goto(f"{live_server.url}/accounts/{path}")
        clean(page)

    return go


def clean(page: Page) -> None:
    found = violations(page)
    assert found == [], page.url


def press(page: Page, name: str) -> None:
    """Press a button or link of the page's own; what comes then must be clean, too."""
    with page.expect_navigation():
        page.locator("main").locator("button, a").filter(has_text=re.compile(rf"^\s*{name}")).first.click()
    clean(page)


def proves(page: Page) -> None:
    """Show once more that the account is one's own."""
    page.fill("#id_password", PASSWORD)
    press(page, "Continue")


def test_ac1_an_account_from_the_first_page_to_the_last(page, live_server, visit, mails, authenticator) -> None:
    apart(lambda: Player.objects.create_user("eve"))
    # Signing up takes a name and a password.
    visit("signup/")
    page.fill("#id_username", "ada")
    page.fill("#id_password1", PASSWORD)
    press(page, "Sign up")
    assert page.url == f"{live_server.url}/"

    # An address is verified by a code.
    visit("email/")
    page.fill("#id_email", "ada@example.org")
    press(page, "Add the address")
    proves(page)
    page.fill("#id_code", mails.code().lower())
    press(page, "Confirm")
    assert "ada@example.org is verified." in page.inner_text("main")

    # Logging in by a code: a wrong one is refused and said.
    visit("")
    press(page, "Log out")
    visit("login/")
    press(page, "With a code")
    page.fill("#id_email", "ADA@example.org")
    press(page, "Send a code")
    page.fill("#id_code", "BBBBBB")
    press(page, "Confirm")
    assert "not the latest code" in page.inner_text("main")
    page.fill("#id_code", mails.code())
    press(page, "Confirm")
    assert page.url == f"{live_server.url}/"

    # A token of a client, shown once.
    visit("tokens/")
    proves(page)
    page.fill("#id_name", "my bot")
    press(page, "Make a token")
    token = page.inner_text(".secret")
    assert page.inner_text(".entry .quiet").startswith("made ")
    assert apart(lambda: answers_to(token)) == "ada"

    # A passkey logs in by itself, and after a password it is asked for.
    visit("2fa/")
    press(page, "Add a passkey")
    page.fill("#id_name", "laptop")
    page.click("#mfa_webauthn_add")
    page.wait_for_url("**/recovery-codes/**")
    clean(page)
    visit("2fa/webauthn/")
    assert "laptop" in page.inner_text("main")
    visit("")
    press(page, "Log out")
    visit("login/")
    page.click("#passkey_login")
    page.wait_for_url(f"{live_server.url}/")
    visit("")
    press(page, "Log out")
    visit("login/")
    page.fill("#id_login", "ada")
    page.fill("#id_password", PASSWORD)
    press(page, "Log in")
    assert page.inner_text("h1") == "One more step"
    # First what the account has: of apps it has none.
    assert page.locator("main button").first.inner_text() == "Use a passkey"
    page.click("#mfa_webauthn_authenticate")
    page.wait_for_url(f"{live_server.url}/")

    # An app for codes: set up with a right one, then it or a recovery code is asked for.
    visit("2fa/totp/activate/")
    proves(page)
    secret = page.inner_text("code.secret")
    page.fill("#id_code", "000000")
    press(page, "Turn on codes")
    assert "code" in page.inner_text(".errorlist").lower()
    secret = page.inner_text("code.secret")
    page.fill("#id_code", of_the_app(secret))
    press(page, "Turn on codes")
    visit("2fa/recovery-codes/")
    recovery = page.locator(".codes code").first.inner_text()
    # The code that set the app up is used: the next one logs in.
    for code in (lambda: of_the_app(secret, ahead=1), lambda: recovery):
        visit("")
        press(page, "Log out")
        visit("login/")
        page.fill("#id_login", "ada")
        page.fill("#id_password", PASSWORD)
        press(page, "Log in")
        page.fill("#id_code", "not-a-code")
        press(page, "Log in")
        assert page.inner_text("h1") == "One more step"
        page.fill("#id_code", code())
        press(page, "Log in")
        assert page.url == f"{live_server.url}/"
    visit("2fa/")
    assert "9 left" in page.inner_text("main")

    # The browsers it is logged in in, and the password.
    visit("sessions/")
    assert "this one" in page.inner_text("main")
    visit("password/change/")
    page.fill("#id_oldpassword", PASSWORD)
    page.fill("#id_password1", "a quieter evening")
    page.fill("#id_password2", "a quieter evening")
    # The answer brings the new session: the next page waits for it.
    with page.expect_navigation():
        press(page, "Change the password")
    assert apart(lambda: answers_to(token)) is None

    # A password that is lost is reset by a code.
    visit("")
    press(page, "Log out")
    visit("password/reset/")
    page.fill("#id_email", "ada@example.org")
    press(page, "Send a code")
    page.fill("#id_code", mails.code())
    press(page, "Confirm")
    page.fill("#id_password1", PASSWORD)
    page.fill("#id_password2", PASSWORD)
    press(page, "Set the password")
    press(page, "Log in")
    page.click("#passkey_login")
    page.wait_for_url(f"{live_server.url}/")

    # Whom one does not want at one's tables.
    visit("blocked/")
    page.fill("#id_username", "eve")
    press(page, "Block")
    assert "eve" in page.inner_text("ul.plain")
    press(page, "Unblock eve")
    assert "You haven't blocked anybody" in page.inner_text("main")

    # It is closed only under its own name.
    visit("")
    press(page, "Close the account")
    if "reauthenticate" in page.url:
        page.goto(f"{live_server.url}/accounts/reauthenticate/?next=/accounts/close/")
        proves(page)
    page.fill("#id_username", "eve")
    press(page, "Close the account for good")
    assert "not your name" in page.inner_text("main")
    page.fill("#id_username", "ada")
    page.get_by_role("button", name="Close the account for good").click()
    page.wait_for_url("**/login/**")
    assert apart(lambda: Player.objects.filter(username="ada").exists()) is False


def of_the_app(secret: str, ahead: int = 0) -> str:
    """What an app for one-time codes shows now, or so many half minutes later (RFC 6238)."""
    return f"{hotp_value(secret, int(time.time()) // 30 + ahead):06}"


def test_ac2_a_guest_plays_keeps_the_account_by_a_passkey_or_an_address_and_goes_on_elsewhere(
    alice, page, live_server, mails, settings
) -> None:
    settings.TREY_SITE_URL = live_server.url
    browser = page.context.browser

    def device() -> Page:
        opened = browser.new_context(**PHONE).new_page()
        opened.on("response", lambda one: wrong.append(one.url) if one.status >= 400 else None)
        return opened

    def becomes_a_guest(name: str) -> Page:
        """By a link, and with a first move."""
        room = apart(lambda: alice.opens(game="castle", visibility="private"))
        phone = device()
        phone.goto(f"{live_server.url}/join/{room['invitation']}")
        clean(phone)
        phone.get_by_label("Your name").fill(name)
        press(phone, "Sit down")
        assert apart(alice.post, f"games/{room['id']}/start").status == 200
        phone.wait_for_url(f"**/games/{room['id']}")
        for at in range(3):
            phone.locator("trey-table .hand button").nth(at).tap()
        phone.locator("#buttons button.act").tap()
        phone.locator("#happened").get_by_text("You laid").wait_for()
        clean(phone)
        phone.goto(f"{live_server.url}/me/keep")
        clean(phone)
        return phone

    def is_guest(name: str) -> bool:
        return apart(lambda: Player.objects.get(username=name).is_guest)

    wrong: list[str] = []

    # By a passkey.
    phone = becomes_a_guest("Bea")
    phone_keys = has_authenticator(phone)
    assert is_guest("Bea")
    press(phone, "With a passkey")
    phone.click("#mfa_webauthn_add")
    phone.wait_for_url("**/recovery-codes/**")
    assert not is_guest("Bea")
    # A second device that shares its passkeys with the phone.
    second = device()
    shares_passkeys(phone_keys, has_authenticator(second))
    second.goto(f"{live_server.url}/accounts/login/")
    second.click("#passkey_login")
    second.wait_for_url(f"{live_server.url}/")
    expect(second.locator("main")).to_contain_text("Castle")

    # By an address; then on a second device by a code that is sent there.
    phone = becomes_a_guest("Cem")
    press(phone, "With an email address")
    phone.fill("#id_email", "cem@example.org")
    press(phone, "Add the address")
    phone.fill("#id_code", mails.code())
    press(phone, "Confirm")
    assert not is_guest("Cem")
    second = device()
    second.goto(f"{live_server.url}/accounts/login/")
    press(second, "With a code")
    second.fill("#id_email", "cem@example.org")
    press(second, "Send a code")
    second.fill("#id_code", mails.code())
    press(second, "Confirm")
    assert second.url == f"{live_server.url}/"
    expect(second.locator("main")).to_contain_text("Castle")
    for one in browser.contexts:
        one.pages[0].goto("about:blank")
    assert wrong == []


def answers_to(token: str) -> str | None:
    from tests.games.api.client import Person

    answer = Person(token=token).get("me")
    return answer.body["username"] if answer.status == 200 else None
