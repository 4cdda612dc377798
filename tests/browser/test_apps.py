"""The page and the bot of `examples/`, which docs/build/apps.md explains: they log in in a browser (AP9 to AP12).

What a browser sends (`Origin`, `Referer`, cookies) and refuses (a policy's `form-action`) decides whether that works.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from config.processes import CHECKOUT
from core.accounts.login import tokens
from core.accounts.models import Player, Token
from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import violations
from tests.browser.tables import PHONE, apart, session_of
from tests.games.api.client import PASSWORD, Person

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    needs_chromium,
]

PAGE = (CHECKOUT / "examples/owl.html").read_text()
HERE = "http://127.0.0.1:8000"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def owl(tmp_path: Path, live_server: Any) -> Iterator[str]:
    """The address of the page, which a server of its own serves."""
    (tmp_path / "owl.html").write_text(PAGE.replace(HERE, live_server.url))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/owl.html"
        server.shutdown()


@pytest.fixture
def page(live_server: Any, settings: Any) -> Iterator[Page]:
    """A phone's page; it fails the test when a script breaks or the browser refuses something."""
    settings.TREY_SITE_URL = live_server.url
    wrong: list[str] = []
    with launched() as browser:
        opened = browser.new_context(**PHONE).new_page()
        opened.on("pageerror", lambda error: wrong.append(str(error)))
        opened.on("console", lambda said: wrong.append(said.text) if "Refused" in said.text else None)
        opened.on("response", lambda one: wrong.append(f"{one.status} {one.url}") if unexpected(one) else None)
        yield opened
        opened.goto("about:blank")
    assert not wrong


def unexpected(answer: Any) -> bool:
    # No live process runs beside the tests' web server, which says so by a 421.
    return answer.status >= 400 and answer.status != 421 and not answer.url.endswith("favicon.ico")


@pytest.fixture
def ada(transactional_db: None) -> Player:
    return apart(lambda: Player.objects.create_user("ada", password=PASSWORD))


def test_ap9_ap10_the_page_logs_in_and_is_told_what_it_may(page: Page, owl: str, ada: Player) -> None:
    page.goto(owl)
    page.get_by_role("button", name="Log in with Trey").click()
    page.get_by_label("Name or address").fill("ada")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    page.get_by_role("heading", name="a program on this device wants to act for you").wait_for()
    expect(page.get_by_text("http://127.0.0.1/owl.html")).to_be_visible()
    assert not violations(page)
    page.get_by_label("open tables, sit down, play").uncheck()
    page.get_by_role("button", name="Allow").click()
    page.get_by_text("You are ada, and I may read.").wait_for()
    expect(page).to_have_url(owl)
    [token] = apart(lambda: list(Token.objects.all()))
    assert (token.app, token.scopes) == ("http://127.0.0.1/owl.html", ["read"])
    # It is asked again, and may be refused.
    page.get_by_role("button", name="Log in with Trey").click()
    page.get_by_role("button", name="Refuse").click()
    page.get_by_text("access_denied").wait_for()
    assert apart(Token.objects.count) == 1


def test_ap12_the_bot_logs_in_and_plays(page: Page, ada: Player, live_server: Any) -> None:
    zoe, own = (Person(name, apart(token_of, name)) for name in ("zoe", "ada"))
    room = apart(lambda: own.opens(game="castle"))
    assert apart(zoe.post, f"games/{room['id']}/join").status == 200
    assert apart(own.post, f"games/{room['id']}/start").status == 200
    environment = {**os.environ, "TREY": live_server.url}
    command = [sys.executable, str(CHECKOUT / "examples/device.py")]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            said = re.fullmatch(r"Open (\S+) and type ([A-Z]{6})\.\n", running.stdout.readline())
            assert said is not None
            page.context.add_cookies([{"name": "sessionid", "value": apart(session_of, "ada"), "url": live_server.url}])
            page.goto(said[1])
            assert not violations(page)
            page.get_by_label("The six letters").fill(said[2].lower())
            page.get_by_role("button", name="Continue").click()
            page.get_by_text("Continue only if you started this yourself").wait_for()
            expect(page.get_by_role("heading", name="owl.example wants to act for you")).to_be_visible()
            assert not violations(page)
            page.get_by_role("button", name="Allow").click()
            page.get_by_role("heading", name="The program is logged in").wait_for()
            assert int(running.stdout.readline()) > room["version"]
        finally:
            running.kill()
    [token] = apart(lambda: list(Token.objects.filter(app__isnull=False)))
    assert (token.app, token.scopes) == ("https://owl.example/bot", ["read", "play"])


def token_of(name: str) -> str:
    return tokens.issue(Player.objects.get_or_create(username=name)[0])[0]
