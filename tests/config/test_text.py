"""Text that nobody can mean, in every path and every query: refused by 400 or 404, and never a server error.

The routes are those of the URL resolver, and the names of query parameters those that any page or call takes.
"""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from core.accounts.models import Player
from tests.config.rights.rights_scene import Scene
from tests.openapi import DOCUMENT
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

#: Percent-encoded, by what is wrong with it.
IMPOSSIBLE = {
    "NUL": "%00",
    "NUL within": "a%00b",
    "not UTF-8": "%ff",
    "cut off": "%e2%82",
    "surrogate": "%ed%a0%80",
    "over-long NUL": "%c0%80",
    "over-long slash": "%c0%af",
}
#: Text that can be stored and that means nothing.
OUTLANDISH = {
    "digits": "9" * 40,
    "more digits than Python reads": "9" * 5000,
    "negative": "-1",
    "beyond 64 bits": str(2**63),
    "long": "x" * 20_000,
    "long in bytes": "%f0%9f%83%8f" * 2_000,
    "replacement character": "%ef%bf%bd",
    "last character": "%f4%8f%bf%bf",
    "control characters": "%01%0a%0d%7f%c2%85",
    "separators": "%2f..%2f%3b%26%3d%25",
    "pattern": "%25_%5c%27%22(%5b*",
    "not an address": "https://[::1",
    "nothing": "",
}
#: Parameters that Django's admin reads on each page, and those that ours read; the API's are in its document.
OF_ANY_ADMIN = ("_to_field", "_popup", "_changelist_filters", "next", "before")
OF_LISTS = ("q", "o", "p", "all", "e", "status__exact", "visibility__exact", "is_staff__exact", "game", "action", "pk")
OF_LOG = ("stream", "kind", "type", "bucket")
OF_PAGES = ("board", "period", "cursor", "invitation", "page", "status", "game", "q", "next")


def routes() -> Iterator[tuple[str, str]]:
    """The names and templates of all routes, as in ("player", "api/v1/players/{str:username}")."""
    return ((name, path) for name, path in _routes(get_resolver().url_patterns, "") if "(?P{" not in path)


def _routes(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        path = prefix + re.sub(r"<(?:(\w+):)?(\w+)>", r"{\1:\2}", str(pattern.pattern).lstrip("^"))
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, path)
        else:
            yield str(pattern.name), path


PLACE = re.compile(r"\{\w*:(\w+)\}")


def filled(path: str, scene: Scene, **others: str) -> str:
    """A path that leads somewhere, where `others` do not say otherwise."""
    tournament, player = str(scene.ids["rounds"]), str(Player.objects.get(username="player").pk)
    known = {
        "game_id": str(scene.ids["game"]), "room_id": str(scene.ids["room"]), "code": str(scene.ids["room"]),
        "tournament_id": tournament, "pk": tournament,
        "slug": Tournament.objects.get(pk=tournament).slug,
        "webhook_id": str(scene.ids["the player's webhook"]), "n": "1",
        "subscription_id": str(scene.ids["the player's browser"]), "chat_id": str(scene.ids["the player's chat"]),
        "channel_id": str(scene.ids["the channel of the room"]),
        "house_game_id": str(scene.ids["the player's public house game"]),
        "token_id": str(scene.ids["the player's token"]), "player_id": player, "id": player, "username": "player",
        "other": "opener", "version": "3", "number": "1", "entrant": "e1", "game": "threes", "ruling": "void",
        "report_id": "1", "key": "e1", "stage": "finish", "what": "suspend" if "judge" in path else "invite",
        "object_id": tournament if "/tournament/" in path else player if "/player/" in path else "1",
    }  # fmt: skip
    if path.startswith("rules/"):
        known["name"] = "threes"
    if path.startswith("problems/"):
        known["code"] = "invalid"
    if "/games/game/" in path:
        known["object_id"] = known["game_id"]
    concrete = PLACE.sub(lambda found: others.get(found[1], known.get(found[1], "x")), path)
    return "/" + re.sub(r"\(\?.*|[$^\\]", "", concrete)


@cache
def of_calls() -> dict[str, list[str]]:
    """The query parameters of each path of the API, as its document lists them."""
    paths = DOCUMENT["paths"]
    return {
        path: [one["name"] for one in calls.get("get", {}).get("parameters", ()) if one["in"] == "query"]
        for path, calls in paths.items()
    }


def parameters(name: str, path: str) -> list[str]:
    """The query parameters of the route with a name and a path."""
    if path.startswith("api/"):
        return of_calls().get("/" + PLACE.sub(r"{\1}", path), [])
    if not path.startswith("admin/"):
        return [*OF_PAGES]
    return [*OF_ANY_ADMIN, *(OF_LISTS if name.endswith("_changelist") else ()), *(OF_LOG if "log" in name else ())]


def queries(name: str, path: str, text: str) -> list[str]:
    """Queries with this text for each parameter of a route: one by one where a list refuses what it does not know."""
    pairs = [f"{parameter}={text}" for parameter in parameters(name, path)]
    return pairs if name.endswith("_changelist") or path.startswith("api/") else pairs and ["&".join(pairs)]


@pytest.fixture
def asks(scene, client):
    """GET as a superuser of the dashboard with the player's token: the status, whatever happens."""
    client.raise_request_exception = False
    client.force_login(Player.objects.get(username="superuser"))
    token = {"authorization": f"Bearer {scene.cast['player'].token}"}

    def ask(url: str) -> int:
        return int(client.get(url, headers=token if url.startswith("/api/") else {}).status_code)

    return ask


def test_there_are_routes_and_parameters_to_try():
    found = dict(routes())
    assert {"player", "versus", "tournament-page", "leaderboard-page", "player-page", "event_log"} <= found.keys()
    assert len(found) > 60
    assert {"around", "cursor", "limit"} <= set(parameters("leaderboard", found["leaderboard"]))
    assert sum(bool(parameters(*one)) for one in found.items() if one[1].startswith("api/")) > 10


@pytest.mark.slow
def test_the_plain_routes_lead_somewhere(asks, scene):
    statuses = {path: asks(filled(path, scene)) for _, path in routes()}
    missing = {path for path, status in statuses.items() if status == 404}
    # A running game has no record and no moments, and in the scene nobody has a plan or proposes anything.
    assert missing == {
        "api(?:/.*)?$",
        "admin/games/game/{uuid:game_id}/record/",
        # Staff who do not organise the game's tournament have no page of what is said there.
        "admin/reports/said/{uuid:game_id}/",
        "api/v1/games/{uuid:game_id}/plan",
        "games/{uuid:game_id}/moments",
        "api/v1/tournaments/{uuid:tournament_id}/proposals/{int:n}",
        # A guest's link and a signature that nobody made.
        "device/{str:secret}",
        "ics/{str:secret}.ics",
        "mail/stop/{str:token}",
        "accounts/new-password/{str:secret}/",
        # Nobody in the scene has a second factor.
        "accounts/2fa/totp/deactivate/",
        "accounts/2fa/recovery-codes/",
        "accounts/2fa/recovery-codes/download/",
        "accounts/2fa/webauthn/keys/{int:pk}/edit/",
        "accounts/2fa/webauthn/keys/{int:pk}/remove/",
    }
    assert sum(status == 200 for status in statuses.values()) > 50


def third(what: str, request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """The routes that are tried with a text: each with a third of the texts, and `--lots` says which."""
    first = int(request.config.getoption("lots")) + list(IMPOSSIBLE | OUTLANDISH).index(what)
    return (route for number, route in enumerate(routes()) if (number + first) % 3 == 0)


@pytest.mark.sampled
@pytest.mark.parametrize("what", IMPOSSIBLE | OUTLANDISH)
def test_no_text_in_a_path_is_a_server_error_and_what_nobody_can_mean_is_404(asks, scene, what, request):
    text = (IMPOSSIBLE | OUTLANDISH)[what]
    wrong = []
    for _, path in third(what, request):
        for place in set(PLACE.findall(path)):
            url = filled(path, scene, **{place: text})
            status = asks(url)
            # The dashboard leads to its home page from an object that there is not.
            missing = text in IMPOSSIBLE.values() and ("%00" in text or not path.startswith("admin/"))
            # Who is blocked is put and deleted: looking at one is 405, whoever it is.
            expected = (404, 405) if path == "api/v1/me/blocked/{str:username}" else (404,)
            if status >= 500 or (missing and status not in expected):
                wrong.append((url[:80], status))
    assert wrong == []


@pytest.mark.sampled
@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_impossible_text_in_a_query_is_400(asks, scene, what, request):
    text, wrong = IMPOSSIBLE[what], []
    for _, path in third(what, request):
        url = filled(path, scene)
        wrong += [url for query in (f"x={text}", f"{text}=x") if asks(f"{url}?{query}") != 400]
    assert wrong == []


@pytest.mark.sampled
@pytest.mark.parametrize("what", OUTLANDISH)
def test_no_value_of_a_query_parameter_is_a_server_error(asks, scene, what, request):
    wrong = []
    for route, path in third(what, request):
        url = filled(path, scene)
        wrong += [
            (url, query[:80]) for query in queries(route, path, OUTLANDISH[what]) if asks(f"{url}?{query}") >= 500
        ]
    assert wrong == []
