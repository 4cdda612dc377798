"""LV2 and LV3 for pages of ours, which open streams with their session."""

from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client

from core.accounts.models import Player, Session
from core.http import addresses
from core.http.addresses import page_live_url
from tests.games.api.client import Person
from tests.games.live.conftest import Server, plays

OWN = "http://localhost:8000"


@pytest.fixture
def cookie(alice: Person) -> str:
    browser = Client()
    browser.force_login(Player.objects.get(username="alice"))
    return (
        f"other=1; {django_settings.SESSION_COOKIE_NAME}={browser.cookies[django_settings.SESSION_COOKIE_NAME].value}"
    )


def test_lv2_pages_of_ours_stream_with_their_session(
    live: Server, alice: Person, game: dict[str, Any], cookie: str
) -> None:
    path = f"games/{game['id']}/live"
    own = live.opens(path, None, Cookie=cookie, Origin=OWN, Sec_Fetch_Site="same-site")
    assert own.status == 200
    assert own.headers["access-control-allow-origin"] == OWN
    assert own.headers["access-control-allow-credentials"] == "true"
    played = plays(alice, game)
    event = own.next()
    assert event is not None and event["data"]["version"] == played["version"]
    # Behind a proxy the address is the page's own, and browsers send no Origin.
    assert live.opens("me/live", None, Cookie=cookie, Sec_Fetch_Site="same-origin").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://localhost:3000"},
        {"Origin": "http://127.0.0.1:8000"},
        {"Origin": "https://localhost:8000"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Origin": OWN, "Authorization": "Bearer " + "0" * 64},
    ],
)
def test_lv2_nobody_else_streams_with_a_session(live: Server, game: dict[str, Any], cookie: str, headers) -> None:
    refused = live.opens(f"games/{game['id']}/live", None, Cookie=cookie, **headers)
    assert refused.status == 401
    own = headers.get("Origin") == OWN
    assert ("access-control-allow-credentials" in refused.headers) is own


def test_lv2_a_cookie_that_can_name_no_session_names_none(live: Server) -> None:
    cookie = f'{django_settings.SESSION_COOKIE_NAME}="nothing\\000here"'
    assert live.opens("me/live", None, Cookie=cookie, Origin=OWN).status == 401


def test_lv3_a_stream_ends_with_its_session(live: Server, alice: Person, cookie: str) -> None:
    streams = [live.opens("me/live", None, Cookie=cookie) for _ in range(2)]
    assert [stream.status for stream in streams] == [200, 200]
    Session.objects.all().delete()
    assert [stream.next() for stream in streams] == [None, None]
    assert live.opens("me/live", None, Cookie=cookie).status == 401


def test_lv3_a_stream_ends_when_the_password_is_another(live: Server, alice: Person, cookie: str) -> None:
    stream = live.opens("me/live", None, Cookie=cookie)
    player = Player.objects.get(username="alice")
    # As `manage.py changepassword` does, which knows of no session.
    player.set_password("a quieter evening")
    player.save()
    assert stream.next() is None
    assert live.opens("me/live", None, Cookie=cookie).status == 401


@pytest.mark.parametrize(
    ("url", "host", "expected"),
    [
        ("", "localhost:8000", "/api/v1/me/live"),
        ("http://127.0.0.1:8001", "localhost:8000", "http://localhost:8001/api/v1/me/live"),
        ("http://127.0.0.1:8001", "[::1]:8000", "http://[::1]:8001/api/v1/me/live"),
        ("https://example.org:8443", "example.org", "https://example.org:8443/api/v1/me/live"),
    ],
)
def test_lv2_a_page_finds_its_streams_under_its_own_host_name(rf, settings, url, host, expected) -> None:
    settings.TREY_LIVE_URL, settings.ALLOWED_HOSTS = url, ["*"]
    assert page_live_url(rf.get("/", headers={"Host": host}), "me/live") == expected


@pytest.mark.parametrize("host", ["", "[", "localhost]", "[::1"])
def test_a_host_that_is_no_address_has_no_pages_of_ours(host: str) -> None:
    assert addresses.site_beside(host) == "http://:8000"
