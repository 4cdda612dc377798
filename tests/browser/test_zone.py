"""NT10: the pages take a player's time zone from the browser while there is no calendar."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Browser

from core.accounts.services import change_profile
from tests.browser.chromium import needs_chromium
from tests.browser.tables import apart, session_of
from tests.browser.test_guest_journey import browser
from tests.browser.test_page_of_a_tournament import NOW
from tests.games.services.service_scene import started
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import Tournament

__all__ = ["browser"]

pytestmark = [
    pytest.mark.sampled,
    pytest.mark.browser,
    needs_chromium,
]


@pytest.mark.parametrize(
    ("timezone", "already", "expected"),
    [("Asia/Tokyo", None, "Asia/Tokyo"), ("Asia/Tokyo", "Europe/Berlin", "Europe/Berlin"), ("UTC", None, None)],
)
def test_nt10_the_zone_is_taken_from_the_browser_once_and_only_where_there_is_none(
    transactional_db: None, browser: Browser, live_server: Any, timezone: str, already: str | None, expected: str | None
) -> None:
    players = get_user_model().objects
    ada = apart(players.create_user, "ada")
    if already is not None:
        apart(lambda: change_profile(ada, calendar={"time_zone": already}))
    context = browser.new_context(timezone_id=timezone)
    context.add_cookies([{"name": "sessionid", "value": apart(session_of, "ada"), "url": live_server.url}])
    page, changes = context.new_page(), []
    page.on("request", lambda sent: changes.append(sent.post_data) if sent.method == "PATCH" else None)
    for path in ("/", "/rooms", "/me/settings"):
        page.goto(f"{live_server.url}{path}")
        page.wait_for_load_state("networkidle")
    context.close()
    calendar = apart(lambda: players.get(pk=ada.pk).calendar)
    assert (calendar["hours"][-1]["time_zone"] if calendar is not None else None) == expected
    assert len(changes) == (1 if expected == timezone else 0)


def address_of(kind: str, ada: Any) -> str:
    if kind == "a table":
        return f"/games/{started(ada, get_user_model().objects.create_user('bob')).id}"
    club = Club(NOW, people=4)
    club.open(settings={"rounds": 1, "tables": {"size": 2}})
    return f"/t/{Tournament.objects.get(pk=club.id).slug}"


@pytest.mark.parametrize("kind", ["a table", "a tournament"])
def test_nt10_whoever_only_follows_the_links_of_mails_has_it_taken_from_there(
    transactional_db: None, browser: Browser, live_server: Any, kind: str
) -> None:
    players = get_user_model().objects
    ada = apart(players.create_user, "olivia")
    path = apart(address_of, kind, ada)
    context = browser.new_context(timezone_id="Asia/Tokyo")
    context.add_cookies([{"name": "sessionid", "value": apart(session_of, "olivia"), "url": live_server.url}])
    page = context.new_page()
    with page.expect_response(lambda answer: answer.request.method == "PATCH") as told:
        page.goto(f"{live_server.url}{path}")
    assert told.value.status == 200
    page.reload()
    assert page.locator("script[src*=zone]").count() == 0
    context.close()
    assert apart(lambda: players.get(pk=ada.pk).calendar)["hours"][-1]["time_zone"] == "Asia/Tokyo"
