"""What is left of the service without a feature; `test_deletable` runs it in a copy of the checkout."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.browser.chromium import launched, needs_chromium
from tests.browser.looking import at_rest, watched


def test_the_checks_find_nothing() -> None:
    call_command("check", fail_level="WARNING")


def test_the_document_of_the_api_is_made(tmp_path: Path) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "openapi.yaml"))


@needs_chromium
@pytest.mark.django_db(transaction=True)
def test_the_page_of_a_table_opens_without_an_error(live_server: Any) -> None:
    wrong: list[str] = []
    with launched() as browser:
        page = watched(browser.new_page())
        # Live streams have a server of their own, which is not there: 421.
        page.on("console", lambda said: said.type == "error" and "421" not in said.text and wrong.append(said.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(live_server.url)
        page.get_by_role("button", name="Play one now of Threes").click()
        page.locator("trey-table .hand").first.wait_for()
        at_rest(page)
    assert not wrong
