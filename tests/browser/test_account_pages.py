"""AC1, AC4: accounts in the browser, from signing up to closing; a real SMTP server, a virtual authenticator."""

import email
import os
import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.policy import default
from threading import Event, Thread
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from axe_playwright_python.sync_playwright import Axe
from django.db import connections
from playwright.sync_api import Page

from games.platform.accounts.models import Player
from games.platform.work import services as work
from tests.browser.test_live_page import apart
from tests.browser.test_pages import CHROMIUM, page
from tests.games.api.client import PASSWORD

__all__ = ["page"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(CHROMIUM is None and "CI" not in os.environ, reason="needs Chromium"),
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
        assert self._came.wait(20), "no mail came"
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
        work.Deliverer(at_once=2).run(stop, poll_seconds=0.1)
        connections.close_all()

    thread = Thread(target=deliver)
    thread.start()
    yield box
    stop.set()
    thread.join()
    server.stop()


@pytest.fixture
def authenticator(page: Page) -> None:
    """A phone's or a laptop's own, whose owner always agrees."""
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
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


@pytest.fixture
def visit(page: Page, live_server: Any) -> Callable[[str], None]:
    """Open a page of accounts, and have axe look at it."""

    def go(path: str) -> None:
        page.goto(f"{live_server.url}/accounts/{path}")
        clean(page)

    return go


def clean(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"


def press(page: Page, name: str) -> None:
    """Press a button or link of the page's own; what comes then must be clean, too."""
    with page.expect_navigation():
        page.locator("main").locator("button, a").filter(has_text=re.compile(rf"^\s*{name}")).first.click()
    clean(page)


def proves(page: Page) -> None:
    """Show once more that the account is one's own."""
    page.fill("#id_password", PASSWORD)
    press(page, "Go on")


def test_ac1_an_account_from_the_first_page_to_the_last(page, live_server, visit, mails, authenticator) -> None:
    # Signing up takes a name and a password.
    visit("signup/")
    page.fill("#id_username", "ada")
    page.fill("#id_password1", PASSWORD)
    press(page, "Sign up")
    assert page.url.endswith("/accounts/")

    # An address is verified by a code.
    visit("email/")
    page.fill("#id_email", "ada@example.org")
    press(page, "Add the address")
    proves(page)
    page.fill("#id_code", mails.code().lower())
    press(page, "Confirm")
    assert "ada@example.org is verified." in page.inner_text("main")

    # Logging in by a code: a wrong one is refused and said.
    press(page, "Log out")
    visit("login/")
    press(page, "By a code")
    page.fill("#id_email", "ADA@example.org")
    press(page, "Send a code")
    page.fill("#id_code", "BBBBBB")
    press(page, "Confirm")
    assert "not the code" in page.inner_text("main")
    page.fill("#id_code", mails.code())
    press(page, "Confirm")
    assert page.inner_text("h1") == "ada"

    # A token of a client, shown once.
    visit("tokens/")
    proves(page)
    page.fill("#id_name", "my bot")
    press(page, "Make a token")
    token = page.inner_text(".secret")
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
    page.wait_for_url("**/accounts/")
    press(page, "Log out")
    visit("login/")
    page.fill("#id_login", "ada")
    page.fill("#id_password", PASSWORD)
    press(page, "Log in")
    assert page.inner_text("h1") == "One more step"
    page.click("#mfa_webauthn_authenticate")
    page.wait_for_url("**/accounts/")

    # The browsers it is logged in in, and the password.
    visit("sessions/")
    assert "this one" in page.inner_text("main")
    visit("password/change/")
    page.fill("#id_oldpassword", PASSWORD)
    page.fill("#id_password1", "a quieter evening")
    page.fill("#id_password2", "a quieter evening")
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
    page.wait_for_url("**/accounts/")

    # It is closed only under its own name.
    press(page, "Close the account")
    if "reauthenticate" in page.url:
        page.goto(f"{live_server.url}/accounts/reauthenticate/?next=/accounts/close/")
        proves(page)
    page.fill("#id_username", "eve")
    press(page, "Close the account for good")
    assert "not your name" in page.inner_text("main")
    page.fill("#id_username", "ada")
    page.get_by_role("button", name="Close the account for good").click()
    page.wait_for_load_state()
    assert apart(lambda: Player.objects.filter(username="ada").exists()) is False


def answers_to(token: str) -> str | None:
    from tests.games.api.client import Person

    answer = Person(token=token).get("me")
    return answer.body["username"] if answer.status == 200 else None
