"""GET games/{id}/clock, the calendar in PATCH me, and deadlines that an outage moved."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.calendars import zones as zones_of
from games import services
from games.models import Heartbeat, Outage
from tests.games.api.client import Person
from tests.games.api.test_api_turns import started


def test_ones_own_clock_is_explained_in_full_and_others_in_neutral_terms(
    alice: Person, bob: Person, clock: Any
) -> None:
    alice.patch("me", {"calendar": {"quiet_hours": ["22:00", "07:00"]}})
    game = started(alice, bob, clock={"per_turn": 86400, "bank": 3600})
    own, others = alice.get(f"games/{game}/clock").body, bob.get(f"games/{game}/clock").body
    assert own["seats"]["0"]["deadline_at"] == others["seats"]["0"]["deadline_at"] == "2026-11-22T22:00:00Z"
    assert own["seats"]["0"]["totals"]["quiet_hours"] == 9 * 3600
    assert {part["reason"] for part in own["seats"]["0"]["segments"]} == {"turn", "bank", "quiet_hours"}
    assert {part["reason"] for part in others["seats"]["0"]["segments"]} == {"time"}
    assert "now" in own["seats"]["0"] and "now" not in others["seats"]["0"]
    for seat in own["seats"].values():
        assert sum(part["seconds"] for part in seat["segments"]) == sum(seat["totals"].values())
    shown = alice.get(f"games/{game}").body
    assert shown["deadlines"] == {seat: part["deadline_at"] for seat, part in own["seats"].items()}


def test_an_outage_moves_every_deadline_that_is_shown(alice: Person, bob: Person, clock: Any) -> None:
    game = started(alice, bob)
    before = alice.get(f"games/{game}")
    began = clock.at + timedelta(hours=1)
    Outage.objects.create(part="web", began_at=began, ended_at=began + timedelta(hours=2))
    clock.advance(hours=4)
    after = alice.get(f"games/{game}")
    assert (before.body["deadline_at"], after.body["deadline_at"]) == ("2026-11-22T12:00:00Z", "2026-11-22T14:00:00Z")
    assert after.body["version"] == before.body["version"] and after.headers["etag"] != before.headers["etag"]
    assert alice.get("me/turns").body["results"][0]["deadline_at"] == "2026-11-22T14:00:00Z"
    assert alice.get("games?mine=true").body["results"][0]["deadline_at"] == "2026-11-22T14:00:00Z"
    explained = bob.get(f"games/{game}/clock").body["seats"]["0"]
    assert (explained["deadline_at"], explained["totals"]["outage"]) == ("2026-11-22T14:00:00Z", 7200)


@pytest.mark.parametrize("parts", [("web", "sweeper"), ("sweeper", "web")])
def test_a_pause_is_settled_by_the_first_part_that_is_back(
    alice: Person, bob: Person, clock: Any, parts: tuple[str, str]
) -> None:
    game = started(alice, bob)
    for part in ("web", "sweeper"):
        services.beat(part)
        clock.advance(seconds=4)
    clock.advance(hours=1)
    services.beat(parts[0])
    settled = alice.get(f"games/{game}")
    assert settled.body["deadline_at"] == "2026-11-22T13:00:08Z"
    for second in (1, 5, 14, 3):
        clock.advance(seconds=second)
        if second == 3:
            services.beat(parts[1])
        now = alice.get(f"games/{game}")
        assert (now.body["deadlines"], now.headers["etag"]) == (settled.body["deadlines"], settled.headers["etag"])
    assert Outage.objects.count() == 2


@pytest.mark.parametrize("zones", [("UTC", "Africa/Casablanca"), ("Africa/Casablanca", "UTC")])
def test_new_time_zone_data_gives_a_turn_one_deadline_which_is_never_earlier(
    alice: Person, bob: Person, clock: Any, monkeypatch: pytest.MonkeyPatch, zones: tuple[str, str]
) -> None:
    """Quiet hours of a place are pauses of a turn, and a country may change its clocks while it runs."""
    said = {"time_zone": "Africa/Casablanca", "quiet_hours": ["22:00", "07:00"]}
    of = {name: ZoneInfo(name) for name in zones}
    monkeypatch.setattr(zones_of, "_zone", lambda name: of[zones[0]] if name == said["time_zone"] else ZoneInfo(name))
    alice.patch("me", {"calendar": said})
    game = started(alice, bob, clock={"per_turn": 34200})
    before = alice.get(f"games/{game}").body["deadlines"]["0"]
    monkeypatch.setattr(zones_of, "_zone", lambda name: of[zones[1]] if name == said["time_zone"] else ZoneInfo(name))
    clocks = [who.get(f"games/{game}/clock").body["seats"]["0"] for who in (alice, bob)]
    deadline = clocks[0]["deadline_at"]
    assert before <= deadline == clocks[1]["deadline_at"] == alice.get(f"games/{game}").body["deadlines"]["0"]
    assert alice.get("me/turns").body["results"][0]["deadlines"]["0"] == deadline
    for shown in clocks:
        assert shown["segments"][-1]["to"] == deadline
        assert sum(part["seconds"] for part in shown["segments"]) == sum(shown["totals"].values())
    ends = datetime.fromisoformat(deadline)
    for at, missed in ((ends - timedelta(seconds=1), None), (ends, 1)):
        clock.set(at)
        while services.sweep().handled:
            pass
        services.sweep()
        assert alice.get(f"games/{game}").body["timeouts"].get("0") == missed
        Heartbeat.objects.all().delete()
        Outage.objects.all().delete()


def test_missed_turns_are_counted_and_told(alice: Person, bob: Person, clock: Any) -> None:
    game = started(alice, bob)
    (listed,) = alice.get(f"games/{game}/moves").body["moves"]
    alice.post(f"games/{game}/moves", {"move": "arrange", "face_up": listed["from"][:3]})
    clock.advance(days=1)
    services.sweep()
    body = alice.get(f"games/{game}").body
    assert (body["timeouts"], body["status"]) == ({"1": 1}, "playing")
    told = next(event for event in bob.get(f"games/{game}/events").body["results"] if event["type"] == "timed_out")
    assert told["data"] == {
        "deadline_at": "2026-11-22T12:00:00.000000Z",
        "action": "play",
        "misses": 1,
        "timeouts": 1,
    }


def test_a_room_and_a_finished_game_have_no_clock(alice: Person, bob: Person, room: dict[str, Any]) -> None:
    assert alice.get(f"games/{room['id']}/clock").body["seats"] == {}
    game = started(alice, bob)
    bob.post(f"games/{game}/moves", {"move": "resign"})
    assert alice.get(f"games/{game}/clock").body["seats"] == {}


def test_only_who_may_see_the_game_sees_its_clock(alice: Person, bob: Person, charlie: Person) -> None:
    hidden = started(alice, bob, game="three_thirteen")
    assert charlie.get(f"games/{hidden}/clock").status == 403
    private = alice.opens(visibility="private")
    assert charlie.get(f"games/{private['id']}/clock").status == 404
    assert charlie.get(f"games/{private['id']}/clock?invitation={private['invitation']}").status == 200
    assert Person().get(f"games/{hidden}/clock").status == 401


def test_a_calendar_is_shown_as_it_was_said(alice: Person, clock: Any) -> None:
    assert alice.get("me").body["calendar"] == {"time_zone": "UTC", "quiet_hours": None, "vacation": []}
    said = {
        "time_zone": "Europe/Berlin",
        "quiet_hours": ["22:00", "07:00"],
        "vacation": [["2026-12-24", "2027-01-02"]],
    }
    assert alice.patch("me", {"calendar": said}).body["calendar"] == said
    assert alice.patch("me", {"calendar": {"quiet_hours": None}}).body["calendar"] == {**said, "quiet_hours": None}
    assert alice.get("me").body["calendar"] == {**said, "quiet_hours": None}


def test_vacation_in_the_middle_of_a_turn_moves_its_deadline(alice: Person, bob: Person, clock: Any) -> None:
    game = started(alice, bob)
    alice.patch("me", {"calendar": {"vacation": [["2026-11-22", "2026-11-23"]]}})
    body = bob.get(f"games/{game}").body
    assert body["deadlines"] == {"0": "2026-11-24T12:00:00Z", "1": "2026-11-22T12:00:00Z"}
    event = bob.get(f"games/{game}/events").body["results"][-1]
    assert (event["type"], event["seat"]) == ("deadline_moved", 0)


@pytest.mark.parametrize(
    ("calendar", "field"),
    [
        ({"time_zone": "Nowhere"}, "calendar.time_zone"),
        ({"quiet_hours": ["08:00", "22:00"]}, "calendar.quiet_hours"),
        ({"vacation": [["2026-12-01", "2026-12-31"]]}, "calendar.vacation"),
        ({"vacation": [["2026-11-20", "2026-11-23"]]}, "calendar.vacation"),
        ({"hours": 3}, "calendar.hours"),
        ([], "calendar"),
    ],
)
def test_a_calendar_that_cannot_be_is_refused_whole(alice: Person, clock: Any, calendar: Any, field: str) -> None:
    answer = alice.patch("me", {"username": "alicia", "calendar": calendar})
    assert answer.status == 400
    assert answer.body["errors"][0]["field"] == field
    assert alice.get("me").body["username"] == "alice"
