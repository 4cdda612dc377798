"""A page is kept for seconds; a change of the tournament shows at once, and whatever else it shows after them."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.safestring import SafeString

from core import cache
from core import clock as service_clock
from core.accounts.models import Player
from core.accounts.services import change_profile
from core.notifications import services as telling
from core.notifications.kinds import SECURITY, the_kind
from core.notifications.selectors import unread_count
from games import services as games
from games.models import Heartbeat, Outage
from tests.scenes import done_at
from tests.tournaments.moment import services
from tests.tournaments.pages.conftest import seconds_later
from tests.tournaments.services.season_scene import play, room_of, season
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import Tournament
from tournaments.pages import contents, kept
from tournaments.picture import Picture
from tournaments.selectors import record

pytestmark = pytest.mark.django_db
ROUNDS = {"settings": {"rounds": 2, "tables": {"size": 3}}}
Made = list[Tournament]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    """A tournament for each page that was drawn."""
    found: Made = []

    def counting(row: Tournament) -> Picture:
        found.append(row)
        return Picture(row)

    monkeypatch.setattr(kept, "Picture", counting)
    return found


def base(club: Club) -> str:
    return f"/t/{Tournament.objects.get(pk=club.id).slug}"


def body(club: Club, part: str = "") -> str:
    answer = Client().get(base(club) + part)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.sampled
def test_a_page_is_made_once_in_some_seconds_and_takes_few_statements(
    club: Club, made: Made, clock: service_clock.FrozenClock
) -> None:
    club.start(**ROUNDS)
    first, at = body(club), base(club)
    with CaptureQueriesContext(connection) as queries:
        assert Client().get(at).content.decode() == first
    assert len(made) == 1
    assert len(queries) == 2, "its row, and the digest of its last event"
    clock.advance(seconds=kept.SECONDS)
    assert body(club) == first
    assert len(made) == 2


@pytest.mark.sampled
def test_what_follows_from_the_log_is_drawn_once_for_a_version_by_a_release(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.start(**ROUNDS)
    first, drawn = body(club), list[str]()
    draw = contents.render_to_string

    def counting(name: str, context: Any) -> SafeString:
        drawn.append(name.removeprefix("tournaments/kept/"))
        return draw(name, context)

    monkeypatch.setattr(contents, "render_to_string", counting)
    seconds_later()
    assert (body(club), drawn) == (first, [])
    monkeypatch.setattr(record, "made_of", lambda: "another-release")
    seconds_later()
    assert (body(club), set(drawn)) == (first, {"head.html", "top.html", "standings.html", "foot.html", "now.html"})


def test_a_release_that_changes_any_template_of_a_page_is_another_one(club: Club) -> None:
    club.start(**ROUNDS)
    seconds_later()
    answer = Client().get(base(club))
    used = {Path(template.origin.name) for template in answer.templates}
    assert any(file.name == "base.html" and file.parent.name == "site" for file in used)
    assert used <= set(cache.code_files())


@pytest.mark.parametrize("part", ["", "/entrants/e1", "/crosstable", "/rounds/1", "/games", "/rulings"])
def test_every_page_is_kept(club: Club, made: Made, part: str) -> None:
    club.start(**ROUNDS)
    assert body(club, part) == body(club, part)
    assert len(made) == 1


@pytest.mark.sampled
def test_a_browser_that_has_the_page_gets_304(club: Club, made: Made) -> None:
    club.start(**ROUNDS)
    client, at = Client(), base(club)
    first = client.get(at)
    again = client.get(at, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["Cache-Control"] == "no-cache", "a browser asks each time"
    club.finish(1)
    assert client.get(at, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_nt10_a_page_that_a_browser_has_asks_for_its_zone_no_more_once_there_is_one(club: Club) -> None:
    club.start(**ROUNDS)
    client, ada = Client(), club.people[0]
    client.force_login(ada)
    first = client.get(base(club))
    assert "lobby/zone" in first.content.decode()
    change_profile(ada, calendar={"time_zone": "Europe/Berlin"})
    again = client.get(base(club), headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 200
    assert "lobby/zone" not in again.content.decode()


@pytest.mark.sampled
def test_a_private_page_is_kept_by_nobody_else(club: Club, made: Made) -> None:
    club.start(visibility="private", **ROUNDS)
    at = f"{base(club)}?invitation={club.t.invitation}"
    for _ in range(2):
        answer = Client().get(at)
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert "ETag" not in answer.headers
    assert len(made) == 1
    assert Client().get(base(club)).status_code == 404
    links = re.findall(r'href="(/t/[^"]+)"', Client().get(at).content.decode())
    assert links
    assert all(f"invitation={club.t.invitation}" in link for link in links)
    old = club.t.invitation
    services.renew_invitation(club.id, club.olga, now=club.now)
    assert old not in Client().get(f"{base(club)}?invitation={club.t.invitation}").content.decode()


def rename(club: Club) -> None:
    Player.objects.filter(username="ada").update(username="ada-renamed")


def unlist(club: Club) -> None:
    Player.objects.filter(username="ada").update(preferences={"unlisted": True})


def rename_the_organiser(club: Club) -> None:
    Player.objects.filter(pk=club.olga.pk).update(username="olga-renamed")


def end_a_game(club: Club) -> None:
    club.finish(1)


def rule(club: Club) -> None:
    asked = {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "a prize"}
    services.rule(club.id, club.olga, asked, now=club.now)


def move(club: Club) -> None:
    play(club, club.game_id(1), 1)


def have_been_down(club: Club) -> None:
    Outage.objects.create(part="worker", began_at=club.now + timedelta(hours=1), ended_at=club.now + timedelta(hours=3))


def be_down(club: Club) -> None:
    """The worker is silent for two hours, and still is."""
    Heartbeat.objects.create(part="worker", at=club.now)
    club.now += timedelta(hours=2)


CHANGES: list[tuple[Callable[[Club], None], str]] = [
    (rename, ""),
    (rename, "/entrants/e1"),
    (unlist, "/entrants/e1"),
    (rename_the_organiser, ""),
    (end_a_game, ""),
    (end_a_game, "/rounds/1"),
    (rule, "/rulings"),
    (move, ""),
    (have_been_down, ""),
    (be_down, ""),
]


@pytest.mark.parametrize(("change", "part"), CHANGES, ids=lambda one: getattr(one, "__name__", one) or "page")
def test_whatever_a_page_shows_changes_it(
    club: Club, clock: service_clock.FrozenClock, change: Callable[[Club], None], part: str
) -> None:
    club.start(**ROUNDS)
    before, then = body(club, part), club.now
    change(club)
    if change not in (end_a_game, rule):
        clock.advance(seconds=(club.now - then).total_seconds() or kept.SECONDS)
    assert body(club, part) != before


@pytest.mark.sampled
def test_a_new_name_is_escaped_and_cut_off_where_it_is_too_long(club: Club) -> None:
    club.start(kind="knockout", settings={"tables": {"size": 3}, "advance": 1})
    body(club)
    Player.objects.filter(username="ada").update(username="a" * 12 + "&" + "bcd")
    Player.objects.filter(pk=club.olga.pk).update(username="<olga>")
    seconds_later()
    after = body(club)
    assert f">{'a' * 10}…</text>" in after
    assert f"{'a' * 12}&amp;bcd" in after
    assert "run by &lt;olga&gt;" in after


def test_a_ruling_shows_the_new_name_of_who_ruled(club: Club, made: Made) -> None:
    """Staff are no organisers: their names are among those that are looked at because they ruled."""
    club.start(**ROUNDS)
    sue = Player.objects.create_user("sue", is_staff=True)
    asked = {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "a prize"}
    services.rule(club.id, sue, asked, now=club.now)
    assert ">sue" in body(club, "/rulings")
    Player.objects.filter(pk=sue.pk).update(username="susan")
    seconds_later()
    assert ">susan" in body(club, "/rulings")


def test_a_seasons_page_changes_when_somebody_sits_down(club: Club, made: Made) -> None:
    season(club)
    room = room_of(club, club.people[0], seats=3)
    club.run()
    before = body(club)
    done_at(club.now, games.join, room, club.people[1])
    seconds_later()
    after = body(club)
    assert before != after
    assert "ada, bob" in after


@pytest.mark.sampled
def test_another_event_under_the_same_version_makes_another_page(club: Club, made: Made) -> None:
    """As after a fail-over that loses the last events."""
    club.start(**ROUNDS)

    def adjusted(entrant: str) -> tuple[int, str, Any]:
        asked = {"ruling": "adjust", "entrant": entrant, "points": "1", "reason": "for the cake"}
        services.rule(club.id, club.olga, asked, now=club.now)
        return club.t.version, body(club), {key: row["total"] for key, row in club.standings().items()}

    with transaction.atomic():
        lost = adjusted("e1")
        transaction.set_rollback(True)
    found = adjusted("e2")
    assert found[0] == lost[0]
    assert found[1] != lost[1]
    assert found[2]["e1"] != lost[2]["e1"] and found[2]["e2"] != lost[2]["e2"]


def test_without_redis_pages_are_made_all_the_same(club: Club, settings: Any) -> None:
    club.start(**ROUNDS)
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
            "OPTIONS": {"socket_connect_timeout": 0.1},
        }
    }
    first = body(club)
    seconds_later()
    assert body(club) == first


@pytest.mark.sampled
def test_nothing_of_a_reader_is_on_the_page_of_another(club: Club) -> None:
    """The page of a private tournament is kept for all who may know of it; what is one's own is not in it."""
    club.start(visibility="private", **ROUNDS)
    ada, bob, member, stranger = Client(), Client(), Client(), Client()
    code = f"{base(club)}?invitation={club.t.invitation}"
    for client, player in ((ada, club.people[0]), (bob, club.people[1]), (member, club.people[2])):
        client.force_login(player)
    for part in ("", "/crosstable"):
        at = f"{base(club)}{part}"
        pages = {client: client.get(at).content.decode() for client in (ada, bob, member)}
        assert stranger.get(at).status_code == 404
        seen = stranger.get(f"{at}?invitation={club.t.invitation}").content.decode()
        assert "csrf" not in seen and "My turns" not in seen and 'id="you"' not in seen
        for client, player in ((ada, club.people[0]), (bob, club.people[1])):
            assert f'/me/settings">{player.username}</a>' in pages[client]
            others = {one.username for one in club.people} - {player.username}
            assert not any(f'/me/settings">{name}</a>' in pages[client] for name in others)
        assert club.t.invitation not in pages[member], "the code is not theirs to pass on"
    links = r'class="button[^"]*" href="(/games/[^"]+)"'
    mine = {client: set(re.findall(links, client.get(code).content.decode())) for client in (ada, bob)}
    assert all(len(tables) == 1 for tables in mine.values())
    tables = {key for table in club.t.tables.values() for key in table.games if "e1" in table.entrants}
    assert mine[ada] == {f"/games/{key}" for key in tables}


PARTS = ("", "/entrants/e1", "/crosstable", "/games", "/rulings")


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(2))
def test_what_is_kept_is_what_would_be_made_now_whatever_happens(
    club: Club, clock: service_clock.FrozenClock, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """A season is played at random, with rulings, new names and outages in between."""
    chance = Random(seed)
    season(club)
    rooms = [room_of(club, club.people[0], seats=3), room_of(club, *club.people[1:3])]
    waiting = [club.people[3], club.people[4]]

    def rename() -> None:
        Player.objects.filter(pk=chance.choice(club.people).pk).update(username=f"renamed-{chance.randrange(10**6)}")

    def join() -> None:
        if waiting:
            done_at(club.now, games.join, rooms[0], waiting.pop())

    def adjust() -> None:
        entrant = f"e{chance.randrange(1, 5)}"
        asked = {"ruling": "adjust", "entrant": entrant, "points": "1/2", "reason": "a prize"}
        services.rule(club.id, club.olga, asked, now=club.now)

    def replace() -> None:
        name = f"new-{chance.randrange(10**6)}"
        club.replace("e6", Player.objects.create_user(name))

    def outage() -> None:
        Outage.objects.get_or_create(
            part="web", began_at=club.now, defaults={"ended_at": club.now + timedelta(hours=1)}
        )

    def later() -> None:
        club.now += timedelta(hours=2)
        clock.advance(hours=2)

    acts = [rename, join, adjust, replace, outage, later, lambda: play(club, chance.choice(rooms), 3)]
    for _ in range(8):
        chance.choice(acts)()
        club.run()
        seconds_later()
        shown = {part: body(club, part) for part in PARTS}
        with monkeypatch.context() as patched:
            patched.setattr(cache, "get", lambda _: None)
            patched.setattr(cache, "put", lambda *_: None)
            seconds_later()
            assert {part: body(club, part) for part in PARTS} == shown


def test_who_is_logged_in_finds_their_name_on_a_kept_page(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    ada = club.people[0]
    named = f'<a href="/me/settings">{ada.username}</a>'
    address = f"{base(club)}/crosstable"
    assert named not in client.get(address).content.decode()
    client.force_login(ada)
    mine = client.get(address)
    assert named in mine.content.decode() and "My turns</a>" in mine.content.decode()
    assert named not in Client().get(address).content.decode()
    Player.objects.filter(pk=ada.pk).update(username="Ada the second")
    newer = client.get(address, headers={"if-none-match": mine.headers["ETag"]})
    assert newer.status_code == 200 and "Ada the second</a>" in newer.content.decode()


def test_a_kept_page_has_the_bell_of_its_reader_and_leads_strangers_to_the_log_in_and_back(
    club: Club, client: Client
) -> None:
    club.start(**ROUNDS)
    address = f"{base(club)}/crosstable"
    assert f'<a href="/accounts/login/?next={base(club)}">Log in</a>' in client.get(address).content.decode()
    client.force_login(club.people[0])
    mine = client.get(address)
    text = mine.content.decode()
    assert "api/v1/me/live" in text and "lobby/bell.js" in text and "Log in</a>" not in text
    telling.tell([club.people[0].pk], the_kind(SECURITY, "account"), "a-cause", data={"what": "test"})
    unread = unread_count(club.people[0])
    newer = client.get(address, headers={"if-none-match": mine.headers["ETag"]})
    assert f'<span class="badge act">{unread}</span>' in newer.content.decode()
