"""One's calendar at an address of its own (AP28), read by a library that nobody here wrote."""

import logging
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import icalendar
import pytest
from django.test import Client

from core import clock as service_clock
from core import log
from core.accounts import services as accounts
from core.accounts.login import tokens
from core.accounts.models import Player
from core.notifications import ics
from core.notifications.kinds import Dated
from core.notifications.models import Calendar
from games import services as games
from games.models import Heartbeat, Outage
from tests.config.rights.rights_scene import EVERYBODY, make
from tests.games.api.client import Person
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import Tournament
from tournaments.pages import kept

pytestmark = pytest.mark.django_db

STAFF = log.Actor("staff")
SITE = "https://trey.example"


@pytest.fixture(autouse=True)
def _site(settings: Any) -> None:
    settings.TREY_SITE_URL = SITE


@pytest.fixture
def club(clock: service_clock.FrozenClock) -> Club:
    return Club(clock.at, 4)


def person(name: str) -> Person:
    return Person(name, tokens.issue(Player.objects.get(username=name))[0])


@pytest.fixture
def ada(club: Club) -> Person:
    return person("ada")


def address(who: Person) -> str:
    answer = who.post("me/ics")
    assert answer.status == 201, answer.body
    url = str(answer.body["url"])
    assert url.startswith(f"{SITE}/ics/")
    return url.removeprefix(SITE)


def read(path: str) -> dict[str, Any]:
    """The entries by the beginning of their UID, up to the first colon."""
    answer = Client().get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/calendar")
    calendar = icalendar.Calendar.from_ical(answer.content)
    assert not calendar.errors
    assert calendar["REFRESH-INTERVAL"].dt == timedelta(hours=1)
    for event in calendar.events:
        assert not event.errors
        assert "DTEND" not in event and event["TRANSP"] == "TRANSPARENT"
        assert event["DTSTART"].dt.tzinfo is not None and b"Z" in event["DTSTART"].to_ical()
    assert all(event["UID"].endswith("@trey.example") for event in calendar.events)
    return {event["UID"].removesuffix("@trey.example"): event for event in calendar.events}


def game_of(ada: Person, bob: Person) -> dict[str, Any]:
    room = ada.opens()
    bob.post(f"games/{room['id']}/join")
    assert ada.post(f"games/{room['id']}/start").status == 200
    return ada.sees(room)


def test_ap28_an_open_turn_with_its_deadline_and_never_a_card(ada: Person) -> None:
    path = address(ada)
    assert read(path) == {}
    game = game_of(ada, person("bob"))
    ((uid, turn),) = read(path).items()
    assert uid.rsplit(":", 1)[0] == f"turn:{game['id']}:0"
    assert 0 < int(uid.rsplit(":", 1)[1]) <= game["version"]
    deadline = datetime.fromisoformat(game["deadlines"]["0"]).replace(microsecond=0)
    assert turn["DTSTART"].dt == deadline
    assert turn["SUMMARY"] == "Your turn: Threes with bob"
    assert turn["URL"] == f"{SITE}/games/{game['id']}"
    assert set(turn) == {"UID", "DTSTAMP", "DTSTART", "SEQUENCE", "SUMMARY", "URL", "TRANSP"}


def test_ap28_the_sequence_rises_with_each_change_of_the_deadline(
    ada: Person, clock: service_clock.FrozenClock
) -> None:
    path, game = address(ada), game_of(ada, person("bob"))

    def turn() -> tuple[str, datetime, int]:
        ((uid, event),) = read(path).items()
        return uid, event["DTSTART"].dt, int(event["SEQUENCE"])

    first = turn()
    games.extend_turn(UUID(game["id"]), 0, 3600, actor=STAFF, reason="a wedding")
    longer = turn()
    began = clock.at + timedelta(minutes=5)
    clock.at += timedelta(hours=1)
    # An outage is no event of the game, and moves its deadlines all the same.
    Outage.objects.create(part="web", began_at=began, ended_at=began + timedelta(minutes=30))
    moved = turn()
    assert first[0] == longer[0] == moved[0]
    assert (longer[1] - first[1], moved[1] - longer[1]) == (timedelta(hours=1), timedelta(minutes=30))
    assert first[2] < longer[2] < moved[2]


def test_ap28_dates_of_the_tournaments_that_one_is_in_while_they_are_to_come(club: Club) -> None:
    starts = club.now + timedelta(days=2)
    club.open(starts_at=starts.isoformat(), check_in=3600, settings={"rounds": 2, "tables": {"size": 2}})
    inside, outside = address(person("ada")), address(person("olga"))
    assert read(outside) == {}, "who organises it is not in it"
    dates = read(inside)
    assert set(dates) == {f"check_in:{club.id}", f"start:{club.id}"}
    assert dates[f"start:{club.id}"]["DTSTART"].dt == starts.replace(microsecond=0)
    assert dates[f"check_in:{club.id}"]["DTSTART"].dt == (starts - timedelta(hours=1)).replace(microsecond=0)
    slug = person("ada").get(f"tournaments/{club.id}").body["slug"]
    assert all(one["URL"] == f"{SITE}/t/{slug}" for one in dates.values())
    assert "Threes 2026" in dates[f"start:{club.id}"]["SUMMARY"]
    before = int(dates[f"start:{club.id}"]["SEQUENCE"])
    later = starts + timedelta(hours=5)
    services.change(club.id, club.olga, {"starts_at": later.isoformat()}, now=club.now)
    again = read(inside)[f"start:{club.id}"]
    assert again["DTSTART"].dt == later.replace(microsecond=0)
    assert int(again["SEQUENCE"]) > before


def test_ap28_rounds_seated_and_the_close_of_a_season(club: Club) -> None:
    club.start(deadline=7 * 86400, settings={"rounds": 2, "tables": {"size": 2}})
    ada = person("ada")
    path = address(ada)
    (ends,) = [one for uid, one in read(path).items() if uid == f"round:{club.id}:1"]
    shown = ada.get(f"tournaments/{club.id}/rounds/1").body["deadline_at"]
    assert ends["DTSTART"].dt == datetime.fromisoformat(shown).replace(microsecond=0)
    closes = club.now + timedelta(days=10)
    club.start(kind="season", title="Season", closes_at=closes.isoformat(), settings={"tables": {"size": 2}})
    assert read(path)[f"close:{club.id}"]["DTSTART"].dt == closes.replace(microsecond=0)


@pytest.mark.sampled
def test_ap28_a_round_that_an_outage_or_a_ruling_lengthens_is_a_newer_entry_with_its_deadline(
    club: Club, clock: service_clock.FrozenClock
) -> None:
    """LI2: the calendar, the API, the page and the dashboard have the deadline at which the runner ends the round."""
    club.start(deadline=86400, settings={"rounds": 2, "tables": {"size": 2}})
    ada, began = person("ada"), club.now + timedelta(hours=1)
    path, olga = address(ada), Client()
    olga.force_login(club.olga)
    row, dashboard = Tournament.objects.get(pk=club.id), f"/admin/tournaments/tournament/{club.id}/change/"

    def shown() -> tuple[datetime, int, datetime]:
        entry = read(path)[f"round:{club.id}:1"]
        deadline = datetime.fromisoformat(ada.get(f"tournaments/{club.id}/rounds/1").body["deadline_at"])
        assert entry["DTSTART"].dt == deadline.replace(microsecond=0)
        kept.draw.cache_clear()
        for client, place in ((Client(), row.get_absolute_url()), (olga, dashboard)):
            page = client.get(place)
            assert page.status_code == 200 and deadline.isoformat() in page.content.decode(), place
        return deadline, int(entry["SEQUENCE"]), entry["DTSTAMP"].dt

    first = shown()
    Heartbeat.objects.create(part="web", at=began)
    club.now = clock.at = began + timedelta(seconds=130)
    going_on = shown()
    Heartbeat.objects.all().delete()
    Outage.objects.create(part="web", began_at=began, ended_at=began + timedelta(seconds=144))
    club.now = clock.at = began + timedelta(seconds=150)
    over = shown()
    asked = {"ruling": "extend", "round": 1, "seconds": 3600, "reason": "a storm"}
    services.rule(club.id, club.olga, asked, now=club.now)
    longer = shown()
    lost = [one[0] - first[0] for one in (going_on, over, longer)]
    assert lost == [timedelta(seconds=120), timedelta(seconds=144), timedelta(seconds=3744)]
    assert first[1] < going_on[1] < over[1] < longer[1]
    assert first[2] < going_on[2] < over[2] < longer[2]
    [said] = [
        event for event in ada.get(f"tournaments/{club.id}/events").body["results"] if event["type"] == "extended"
    ]
    assert datetime.fromisoformat(said["data"]["until"]) == longer[0]
    club.now = clock.at = longer[0] - timedelta(seconds=1)
    club.run()
    assert not club.t.rounds[1].overdue
    club.run(seconds=1)
    assert club.t.rounds[1].overdue


@pytest.mark.sampled
def test_ap34_no_calendar_shows_what_its_reader_does_not_get() -> None:
    scene, shown = make(), 0
    for who in EVERYBODY[1:]:
        reader = scene.cast[who]
        dates = read(address(reader))
        assert bool(dates) == (who in ("player", "opener")), who
        for uid, event in dates.items():
            kind, pk, *more = uid.split(":")
            if kind == "turn":
                deadline = reader.get(f"games/{pk}").body["deadlines"][more[0]]
            else:
                deadline = reader.get(f"tournaments/{pk}/rounds/{more[0]}").body["deadline_at"]
            assert event["DTSTART"].dt == datetime.fromisoformat(deadline).replace(microsecond=0)
            shown += 1
    assert shown > 5


def test_ap28_one_address_at_a_time_which_ends_at_once(ada: Person) -> None:
    assert ada.get("me/ics").body == {"active": False, "created_at": None, "read_at": None}
    first = address(ada)
    second = address(ada)
    assert Client().get(first).status_code == 404
    assert ada.get("me/ics").body["read_at"] is None
    read(second)
    shown = ada.get("me/ics").body
    assert (shown["active"], shown["read_at"] is not None) == (True, True)
    assert ada.call("DELETE", "me/ics").status == 204
    assert Client().get(second).status_code == 404
    assert ada.get("me/ics").body["active"] is False
    third, player = address(ada), Player.objects.get(username="ada")
    Player.objects.filter(pk=player.pk).update(is_active=False)
    assert Client().get(third).status_code == 404, "suspended"
    Player.objects.filter(pk=player.pk).update(is_active=True)
    read(third)
    accounts.close(player)
    assert Client().get(third).status_code == 404
    assert not Calendar.objects.exists()


def test_ap28_the_secret_is_stored_nowhere_and_stands_in_no_log(ada: Person, caplog: Any, settings: Any) -> None:
    settings.TREY_LOG_REQUESTS = True
    path = address(ada)
    secret = path.removeprefix("/ics/").removesuffix(".ics")
    [row] = Calendar.objects.values()
    assert secret not in str(row)
    with caplog.at_level(logging.DEBUG):
        read(path)
        Client().get(f"/ics/{secret[::-1]}.ics")
    said = " ".join(record.getMessage() for record in caplog.records)
    assert "/ics/" in said, "the requests are logged"
    assert secret not in said and secret[::-1] not in said


def test_ap28_what_has_not_changed_is_not_sent_again(ada: Person) -> None:
    path = address(ada)
    game_of(ada, person("bob"))
    first = Client().get(path)
    again = Client().get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert Client().get(path, headers={"Authorization": "Bearer nonsense"}).content == first.content
    assert Client().post(path).status_code == 405


def test_ap28_lines_are_folded_within_75_octets_and_read_back() -> None:
    summary = "Ein Turnier; mit Komma, \\ und Ümläuten: " + "größe 🂡 " * 20 + "x"
    at = datetime(2026, 12, 1, 12, tzinfo=UTC)
    content = ics.written([Dated("start:x", at, at, 3, summary, "/t/x")])
    assert content.endswith(b"\r\n")
    for line in content.split(b"\r\n"):
        assert len(line) <= 75
        assert b"\n" not in line
        line.decode()
    (event,) = icalendar.Calendar.from_ical(content).events
    assert event["SUMMARY"] == summary
