"""Stages over HTTP (SG7, SG10): two rounds at tables of two, then the best two play it out."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from core import clock as service_clock
from tests.games.api.client import Person
from tests.tournaments.api.conftest import PAIRS, run, set_up
from tests.tournaments.api.test_api_play import finish

Cast = dict[str, Person]
STAGES: list[dict[str, Any]] = [
    {"kind": "rounds", "settings": {**PAIRS, "rounds": 1}, "take": 2},
    {"title": "Final", "kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}},
]
STAGED = {"kind": None, "settings": None, "stages": STAGES}


@pytest.fixture
def made(cast: Cast, running: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    return running(**STAGED)


def play_first(cast: Cast, made: dict[str, Any]) -> None:
    for table in (1, 2):
        finish(cast, made, table, 1)


def a_day_later(clock: service_clock.FrozenClock) -> None:
    clock.advance(timedelta(days=1))
    run()


def proved(record: object, *options: str) -> Any:
    proof = [sys.executable, "-m", "tournaments.rules", *options, "-"]
    return json.loads(
        subprocess.run(proof, input=json.dumps(record), capture_output=True, text=True, check=True).stdout
    )


def test_sg10_a_tournament_says_its_stages_and_a_plain_one_is_one(olga: Person, made: dict[str, Any]) -> None:
    assert [stage["title"] for stage in made["stages"]] == ["Rounds", "Final"]
    assert (made["stage"], made["kind"], made["rounds"], made["round"]) == (1, "rounds", 1, 1)
    assert made["stages"][0]["break"] == 86_400
    plain = set_up(olga, settings=PAIRS)
    [only] = plain["stages"]
    assert (plain["stage"], only["kind"], only["settings"]) == (1, "rounds", plain["settings"])
    both = olga.post("tournaments", {"title": "Both", "game": "threes", "kind": "rounds", "stages": STAGES})
    assert (both.status, both.body["errors"][0]["field"]) == (400, "stages")


@pytest.mark.sampled
def test_sg10_rounds_are_counted_through_and_say_their_stage(
    cast: Cast, made: dict[str, Any], clock: service_clock.FrozenClock
) -> None:
    path = f"tournaments/{made['id']}"
    play_first(cast, made)
    assert cast["nobody"].get(path).body["break_ends"] is not None
    a_day_later(clock)
    body = cast["nobody"].get(path).body
    assert (body["stage"], body["kind"], body["round"], body["break_ends"]) == (2, "knockout", 2, None)
    rounds = cast["nobody"].get(f"{path}/rounds").body["results"]
    assert [(one["round"], one["stage"]) for one in rounds] == [(1, 1), (2, 2)]
    game = rounds[1]["tables"][0]["games"][0]["id"]
    assert cast["ada"].get(f"games/{game}").body["tournament"]["stage"] == 2
    status = {name: cast[name].get(path).body["you"]["status"] for name in ("ada", "bob", "cleo", "dan")}
    assert sorted(status.values()) == ["in", "in", "out", "out"]


@pytest.mark.sampled
def test_sg7_standings_are_those_of_the_record_as_a_whole_and_by_stage(
    cast: Cast, made: dict[str, Any], clock: service_clock.FrozenClock
) -> None:
    path = f"tournaments/{made['id']}"
    play_first(cast, made)
    for later in (False, True):
        if later:
            a_day_later(clock)
        record = cast["nobody"].get(f"{path}/record").body
        assert "kind" not in record
        for number in (1, 2) if later else (1,):
            shown = cast["nobody"].get(f"{path}/standings?stage={number}").body
            of_record = proved(record, "standings", "--stage", str(number))
            assert (shown["standings"], shown["bounds"]) == (of_record["standings"], of_record["bounds"])
        whole = cast["nobody"].get(f"{path}/standings").body
        assert whole["standings"] == proved(record, "standings")["standings"]
        rows = list(csv.DictReader(io.StringIO(cast["nobody"].get(f"{path}/standings?format=csv").raw.decode())))
        assert [row["stage"] for row in rows] == [str(row["stage"]) for row in whole["standings"]]
    assert [row["stage"] for row in whole["standings"]] == [2, 2, 1, 1]


def test_sg7_a_stage_that_has_not_begun_has_no_standings(cast: Cast, made: dict[str, Any]) -> None:
    path = f"tournaments/{made['id']}/standings"
    assert cast["nobody"].get(f"{path}?stage=2").code == "no_such_stage"
    assert cast["nobody"].get(f"{path}?stage=0").status == 400
    assert cast["nobody"].get(f"{path}?stage=final").status == 400


@pytest.mark.sampled
def test_sg10_everybody_reads_who_would_go_on_from_the_first_result_on(cast: Cast, made: dict[str, Any]) -> None:
    path = f"tournaments/{made['id']}"
    assert cast["nobody"].get(f"{path}/next-stage").code == "no_next_stage"
    play_first(cast, made)
    assert cast["ada"].post(f"{path}/entries/e1/withdraw").status == 200
    body = cast["nobody"].get(f"{path}/next-stage").body
    of_record = proved(cast["nobody"].get(f"{path}/record").body, "stage")
    assert {key: body[key] for key in ("stage", "seeds", "decided_by")} == of_record
    assert body["passed"] in ([{"entrant": "e1", "why": "withdrew"}], [])
    assert "e1" not in body["seeds"]


def test_sg10_a_plain_tournament_has_no_next_stage_and_no_stage_in_its_rows(
    cast: Cast, running: Callable[..., dict[str, Any]]
) -> None:
    made = running()
    path = f"tournaments/{made['id']}"
    play_first(cast, made)
    assert cast["nobody"].get(f"{path}/next-stage").code == "no_next_stage"
    [*rows] = cast["nobody"].get(f"{path}/standings").body["standings"]
    assert all("stage" not in row for row in rows)
    assert "stages" not in cast["nobody"].get(f"{path}/record").body


def test_sg12_an_organiser_ends_a_stage_and_it_is_listed_with_its_reason(cast: Cast, made: dict[str, Any]) -> None:
    path = f"tournaments/{made['id']}"
    finish(cast, made, 1, 1)
    asked = {"ruling": "end_stage", "reason": "Snow."}
    dry = cast["olga"].post(f"{path}/rulings", {**asked, "dry_run": True})
    assert (dry.status, len(dry.body["going_on"]["seeds"])) == (200, 2)
    assert cast["ada"].post(f"{path}/rulings", asked).status == 403
    assert cast["olga"].post(f"{path}/rulings", asked).status == 201
    assert cast["nobody"].get(path).body["stage"] == 2
    [ruling] = cast["nobody"].get(f"{path}/rulings").body["results"]
    assert (ruling["ruling"], ruling["stage"], ruling["reason"]) == ("end_stage", 2, "Snow.")
    [event] = [one for one in cast["nobody"].get(f"{path}/events").body["results"] if one["type"] == "staged"]
    assert event["data"]["seeds"] == dry.body["going_on"]["seeds"]


def test_sg12_a_stage_that_begins_by_itself_is_no_ruling(
    cast: Cast, made: dict[str, Any], clock: service_clock.FrozenClock
) -> None:
    play_first(cast, made)
    a_day_later(clock)
    assert cast["nobody"].get(f"tournaments/{made['id']}").body["stage"] == 2
    assert cast["nobody"].get(f"tournaments/{made['id']}/rulings").body["results"] == []


def test_sg10_the_successor_takes_the_stages_over_without_their_moments(cast: Cast, olga: Person) -> None:
    closes = (service_clock.now() + timedelta(days=9)).isoformat()
    stages = [{"kind": "season", "take": 2, "closes_at": closes}, STAGES[1]]
    first = set_up(olga, kind=None, stages=stages)
    assert olga.post(f"tournaments/{first['id']}/cancel", {"reason": "rain"}).status == 200
    after = olga.post("tournaments", {"after": first["id"]}).body
    assert [stage["kind"] for stage in after["stages"]] == ["season", "knockout"]
    assert after["stages"][0]["closes_at"] is None


@pytest.mark.sampled
def test_li4_from_the_second_stage_on_nobody_is_asked_to_stand_in(
    cast: Cast, opened: Callable[..., dict[str, Any]], clock: service_clock.FrozenClock
) -> None:
    made = opened(**STAGED, limit=4, no_show="substitute", no_show_after=7200)
    path = f"tournaments/{made['id']}"
    assert cast["zoe"].post(f"{path}/entries", {}).body["status"] == "waiting"
    cast["olga"].post(f"{path}/start")
    run()
    play_first(cast, made)
    a_day_later(clock)
    for _ in range(2):
        clock.advance(timedelta(hours=3))
        run()
    events = cast["olga"].get(f"{path}/events?limit=100").body["results"]
    types = [event["type"] for event in events]
    assert "absent" in types[types.index("staged") :]
    assert "substitute_asked" not in types
