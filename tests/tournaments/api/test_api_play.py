"""Entries, rounds, standings and rulings over HTTP."""

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
from core.accounts.models import Player
from tests.games.api.client import Person
from tests.tournaments.api.conftest import PAIRS, run, set_up

Make = Callable[..., dict[str, Any]]
Cast = dict[str, Person]


def finish(cast: Cast, made: dict[str, Any], table: int, number: int | None = None) -> list[str]:
    """The second one at a table resigns; returns who came first and second."""
    path = f"tournaments/{made['id']}"
    number = number or cast["olga"].get(path).body["round"]
    seated = cast["olga"].get(f"{path}/rounds/{number}").body["tables"][table - 1]
    loser = cast[seated["entrants"][1]["name"]]
    assert loser.post(f"games/{seated['games'][0]['id']}/moves", {"move": "resign"}).status == 201
    run()
    return [one["entrant"] for one in seated["entrants"]]


@pytest.mark.sampled
def test_tk2_an_organiser_reads_the_talk_of_a_table_and_one_who_sits_there_writes_in_it(
    cast: Cast, opened: Make
) -> None:
    made = opened()
    path = f"tournaments/{made['id']}"
    cast["olga"].post(f"{path}/organisers", {"player": "ada"})
    cast["ada"].post(f"{path}/organisers/accept")
    cast["olga"].post(f"{path}/start")
    run()
    [game] = [
        one["games"][0]["id"]
        for one in cast["olga"].get(f"{path}/rounds/1").body["tables"]
        if "ada" in [entrant["name"] for entrant in one["entrants"]]
    ]
    talk = f"games/{game}/talk"
    assert cast["ada"].post(talk, {"text": "Good luck!"}).status == 201
    read = cast["olga"].get(talk).body
    assert [one["text"] for one in read["results"]] == ["Good luck!"]
    assert (read["unread"], read["may"], read["reason"]["code"]) == (0, None, "not_a_player")
    assert read["readers"] == ["olga"], "who sits there is no reader beside the others"
    for call in (
        ("POST", talk, {"sign": "hello"}),
        ("POST", f"{talk}/read", {"up_to": 1}),
        ("PUT", f"{talk}/quiet", {"quiet": True}),
        ("POST", f"{talk}/1/report", {"why": "spam"}),
    ):
        assert cast["olga"].call(*call).code == "not_a_player"
    assert cast["olga"].get("me/talk").body["results"] == []
    assert cast["sue"].get(talk).status in (403, 404), "no staff"
    assert cast["bob"].post(f"{talk}/1/hide", {"reason": "Why not?"}).status == 403
    assert cast["olga"].post(f"{talk}/1/hide", {"reason": "No wishes."}).status == 204
    assert cast["olga"].call("DELETE", f"{talk}/1/hide").status == 204
    told = [one["text"] for one in cast["ada"].get("me/notifications").body["results"] if one["kind"] == "ruling"]
    assert [text.split(":")[0] for text in told] == [
        "A decision about a message was reversed",
        "One of your messages was hidden",
    ]


class TestEntries:
    def test_one_enters_oneself(self, ada: Person, olga: Person) -> None:
        made = set_up(olga)
        path = f"tournaments/{made['id']}"
        assert olga.post(f"{path}/entries", {}).code == "not_open"
        olga.post(f"{path}/open")
        entry = ada.post(f"{path}/entries", {"salt": "my salt"})
        assert entry.status == 201
        assert (entry.body["entrant"], entry.body["status"], entry.body["salt"]) == ("e1", "in", "my salt")
        you = {"entrant": "e1", "organiser": False, "status": "in", "checked_in": False}
        assert ada.get(path).body["you"] == {**you, "asked": None, "may_organise_from": None}
        assert olga.get(f"{path}/entries").body["results"][0]["salt"] is None
        assert ada.post(f"{path}/entries", {}).code == "already_entered"

    def test_an_organiser_adds_players_and_bots(self, ada: Person, zoe: Person, olga: Person) -> None:
        made = set_up(olga)
        path = f"tournaments/{made['id']}"
        olga.post(f"{path}/open")
        assert olga.post(f"{path}/entries", {"player": "ada"}).body["status"] == "invited"
        bot = olga.post(f"{path}/entries", {"bot": "steady"})
        assert (bot.body["bot"], bot.body["name"], bot.body["status"]) == ({"level": "steady"}, "steady bot", "in")
        assert zoe.post(f"{path}/entries", {"player": "ada"}).code == "not_an_organiser"
        assert olga.post(f"{path}/entries", {"bot": "genius"}).status == 400
        assert olga.post(f"{path}/entries", {"bot": "steady", "player": "ada"}).status == 400
        assert zoe.post(f"{path}/entries/e1/accept").code == "not_the_entrant"
        assert ada.get(path).body["you"]["status"] == "invited"
        assert ada.post(f"{path}/entries/e1/accept").body["status"] == "in"

    def test_the_waiting_list_moves_up(self, cast: Cast, opened: Make) -> None:
        made = opened(limit=3)
        path = f"tournaments/{made['id']}"
        assert (made["entrants"], made["waiting"]) == (3, 1)
        assert cast["dan"].get(path).body["you"]["status"] == "waiting"
        assert cast["olga"].get(f"{path}/entries").body["results"][3]["waiting"] == 1
        assert cast["ada"].post(f"{path}/entries/e1/withdraw", {}).body["status"] == "withdrawn"
        assert cast["dan"].get(path).body["you"]["status"] == "in"

    def test_check_in(self, cast: Cast, clock: service_clock.FrozenClock) -> None:
        starts = service_clock.now() + timedelta(hours=5)
        made = set_up(cast["olga"], starts_at=starts.isoformat(), check_in=3600)
        path = f"tournaments/{made['id']}"
        cast["olga"].post(f"{path}/open")
        cast["ada"].post(f"{path}/entries", {})
        assert cast["ada"].post(f"{path}/entries/e1/check-in").code == "no_check_in"
        clock.advance(hours=4, minutes=30)
        assert cast["ada"].post(f"{path}/entries/e1/check-in").body["checked_in"] is True

    def test_there_is_no_such_entrant(self, ada: Person, opened: Make) -> None:
        path = f"tournaments/{opened()['id']}/entries"
        assert ada.post(f"{path}/e99/withdraw", {}).code == "no_such_entrant"
        assert ada.post(f"{path}/ada/withdraw", {}).status == 404

    def test_they_are_paged(self, olga: Person, opened: Make) -> None:
        path = f"tournaments/{opened()['id']}/entries?limit=3"
        first = olga.get(path).body
        second = olga.get(first["next"]).body
        assert [one["entrant"] for one in first["results"] + second["results"]] == ["e1", "e2", "e3", "e4"]
        assert second["next"] is None


class TestRounds:
    def test_a_round_says_whom_each_table_waits_for(self, cast: Cast, running: Make) -> None:
        made = running()
        body = cast["nobody"].get(f"tournaments/{made['id']}/rounds/1").body
        assert (body["round"], body["status"], body["open_tables"]) == (1, "open", 2)
        for table in body["tables"]:
            [game] = table["games"]
            assert game["status"] == "running"
            assert {one["entrant"] for one in game["waits_for"]} == {one["entrant"] for one in table["entrants"]}
            for one in game["waits_for"]:
                assert one["since"] is not None
                assert one["until"] is not None
        assert cast["nobody"].get(f"tournaments/{made['id']}/rounds/2").code == "no_such_round"

    def test_the_game_tells_of_its_tournament(self, cast: Cast, running: Make) -> None:
        made = running()
        game = cast["nobody"].get(f"tournaments/{made['id']}/rounds/1").body["tables"][1]["games"][0]["id"]
        body = cast["ada"].get(f"games/{game}").body
        assert body["tournament"] == {
            "id": made["id"],
            "title": "Threes 2026",
            "stage": 1,
            "round": 1,
            "table": 2,
            "number": 1,
        }

    @pytest.mark.sampled
    def test_it_plays_itself_to_its_end_and_the_record_proves_the_standings(self, cast: Cast, running: Make) -> None:
        made = running()
        for number in (1, 2):
            for table in (1, 2):
                finish(cast, made, table, number)
        path = f"tournaments/{made['id']}"
        assert cast["nobody"].get(path).body["status"] == "finished"
        record = cast["nobody"].get(f"{path}/record").body
        proof = subprocess.run(
            [sys.executable, "-m", "tournaments.rules", "standings", "-"],
            input=json.dumps(record),
            capture_output=True,
            text=True,
            check=True,
        )
        shown = cast["nobody"].get(f"{path}/standings").body
        assert json.loads(proof.stdout) == {"standings": shown["standings"], "bounds": shown["bounds"]}
        rounds = cast["nobody"].get(f"{path}/rounds").body["results"]
        assert [one["status"] for one in rounds] == ["closed", "closed"]
        games = cast["nobody"].get(f"{path}/games").body["results"]
        assert {game["status"] for game in games} == {"counted"}

    @pytest.mark.sampled
    def test_a_knocked_out_entrant_is_out(self, cast: Cast, running: Make) -> None:
        made = running(kind="knockout", settings={"advance": 1, "tables": {"size": 2}})
        winner, loser = finish(cast, made, 1)
        finish(cast, made, 2, 1)
        listed = cast["olga"].get(f"tournaments/{made['id']}/entries").body["results"]
        entries = {one["entrant"]: one["name"] for one in listed}
        assert cast[entries[loser]].get(f"tournaments/{made['id']}").body["you"]["status"] == "out"
        assert cast[entries[winner]].get(f"tournaments/{made['id']}").body["you"]["status"] == "in"

    @pytest.mark.sampled
    def test_three_thirteen_is_seen_by_its_players_and_organisers(self, cast: Cast, running: Make) -> None:
        made = running(game="three_thirteen")
        body = cast["olga"].get(f"tournaments/{made['id']}/rounds/1").body
        for table in body["tables"]:
            game = table["games"][0]["id"]
            seated = {one["name"] for one in table["entrants"]}
            for name in ("ada", "bob", "cleo", "dan", "zoe"):
                assert cast[name].get(f"games/{game}").status == (200 if name in seated else 403)
            public = cast["olga"].get(f"games/{game}")
            assert public.status == 200
            assert all(player["hand"] is None for player in public.body["view"]["players"])

    def test_li8_players_cannot_call_their_games_off(self, cast: Cast, running: Make) -> None:
        made = running()
        table = cast["olga"].get(f"tournaments/{made['id']}/rounds/1").body["tables"][0]
        player = cast[table["entrants"][0]["name"]]
        assert player.post(f"games/{table['games'][0]['id']}/cancel").code == "tournament_game"


class TestDraft:
    @pytest.mark.sampled
    def test_a_round_is_drafted_changed_and_published(self, cast: Cast, opened: Make) -> None:
        made = opened(pace="manual")
        path = f"tournaments/{made['id']}"
        olga = cast["olga"]
        assert olga.post(f"{path}/start").body["draft"] == 1
        run()
        assert olga.get(path).body["round"] == 0
        draft = olga.get(f"{path}/draft").body
        assert set(draft) == {"stage", "round", "tables", "byes", "repeats", "cost", "q", "bound"}
        (one, two), (three, four) = draft["tables"]
        for stranger in ("ada", "zoe", "nobody"):
            assert cast[stranger].get(f"{path}/draft").status in (401, 403)
        changed = olga.call("PUT", f"{path}/draft", {"swap": [two, three], "reason": "a couple", "dry_run": True})
        assert changed.body["tables"] == [[one, three], [two, four]]
        assert olga.get(f"{path}/draft").body == draft
        assert olga.call("PUT", f"{path}/draft", {"swap": [two, three]}).body["errors"][0]["field"] == "reason"
        assert olga.call("PUT", f"{path}/draft", {"reason": "x"}).status == 400
        olga.call("PUT", f"{path}/draft", {"tables": [[one, three], [two, four]], "byes": [], "reason": "a couple"})
        [ruling] = cast["nobody"].get(f"{path}/rulings").body["results"]
        assert (ruling["ruling"], ruling["reason"]) == ("exchange", "a couple")
        assert set(ruling["entrants"]) == {two, three}
        hidden = cast["nobody"].get(f"{path}/events").body["results"]
        assert all(event["data"]["tables"] is None for event in hidden if event["type"] in ("drafted", "exchanged"))
        assert olga.post(f"{path}/draft/publish").body["round"] == 1
        run()
        tables = cast["nobody"].get(f"{path}/rounds/1").body["tables"]
        assert [[each["entrant"] for each in table["entrants"]] for table in tables] == [[one, three], [two, four]]
        assert olga.get(f"{path}/draft").code == "no_draft"


class TestStandings:
    def test_as_of_any_moment(self, cast: Cast, running: Make, clock: service_clock.FrozenClock) -> None:
        made = running()
        path = f"tournaments/{made['id']}/standings"
        clock.advance(minutes=1)
        before = service_clock.now()
        clock.advance(minutes=1)
        finish(cast, made, 1)
        now = cast["nobody"].get(path).body
        then = cast["nobody"].get(f"{path}?at={before.isoformat().replace('+', '%2B')}").body
        assert sum(row["games"] for row in now["standings"]) == 2
        assert sum(row["games"] for row in then["standings"]) == 0
        long_before = cast["nobody"].get(f"{path}?at=2020-01-01T00:00:00Z").body
        assert (long_before["version"], long_before["standings"], long_before["bounds"]) == (0, [], {})
        assert cast["nobody"].get(f"{path}?at=yesterday").status == 400

    def test_with_bounds(self, nobody: Person, running: Make) -> None:
        body = nobody.get(f"tournaments/{running()['id']}/standings").body
        # Two tables of two, nothing played: all can still be first or last.
        assert body["bounds"]["e1"]["round"] == [1, 4]
        assert body["bounds"]["e1"]["needs"]["1"] == [1, 2]

    @pytest.mark.parametrize(("query", "accept"), [("?format=csv", "*/*"), ("", "text/csv")])
    def test_as_csv(self, cast: Cast, running: Make, query: str, accept: str) -> None:
        made = running()
        finish(cast, made, 1)
        answer = cast["nobody"].get(f"tournaments/{made['id']}/standings{query}", Accept=accept)
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert "Accept" in answer.headers["vary"]
        assert answer.raw.startswith(b"\xef\xbb\xbf"), "a BOM, so that spreadsheets read it as UTF-8"
        rows = list(csv.DictReader(io.StringIO(answer.raw.decode("utf-8-sig"))))
        shown = cast["nobody"].get(f"tournaments/{made['id']}/standings").body["standings"]
        assert [row["entrant"] for row in rows] == [row["entrant"] for row in shown]
        assert [(row["total"], row["total_exact"]) for row in rows[:1]] == [("1.00", "1")]
        assert [(row["wins"], row["countback_exact"]) for row in rows[:1]] == [("1.00", "1")]

    def test_names_in_the_csv_are_those_on_the_page_and_no_numbers(self, cast: Cast, running: Make) -> None:
        made = running()
        for entrant in ("e1", "e2"):
            asked = {"ruling": "replace", "entrant": entrant, "reason": "ill", "bot": "steady"}
            assert cast["olga"].post(f"tournaments/{made['id']}/rulings", asked).status == 201
        Player.objects.filter(username="cleo").update(username="1-2")
        answer = cast["nobody"].get(f"tournaments/{made['id']}/standings?format=csv")
        rows = {row["entrant"]: row["name"] for row in csv.DictReader(io.StringIO(answer.raw.decode("utf-8-sig")))}
        assert rows == {"e1": "steady bot (e1)", "e2": "steady bot (e2)", "e3": "'1-2", "e4": "dan"}

    def test_they_have_an_etag_and_pages(self, nobody: Person, running: Make) -> None:
        path = f"tournaments/{running()['id']}/standings"
        etag = nobody.get(path).headers["etag"]
        assert nobody.get(path, If_None_Match=etag).status == 304
        first = nobody.get(f"{path}?limit=3").body
        second = nobody.get(first["next"]).body
        assert len(first["standings"]) + len(second["standings"]) == 4


class TestRulings:
    def test_a_dry_run_says_what_it_would_change(self, cast: Cast, running: Make) -> None:
        made = running()
        winner, loser = finish(cast, made, 1)
        path = f"tournaments/{made['id']}"
        asked = {"ruling": "void", "round": 1, "table": 1, "reason": "wrong deck"}
        answer = cast["olga"].post(f"{path}/rulings", {**asked, "dry_run": True})
        assert answer.status == 200
        assert answer.body["version"] is None
        totals = {one["entrant"]: one["total"] for one in answer.body["changes"]}
        assert totals[winner] == ["1", "0"]
        assert answer.body["before"]["standings"] == cast["nobody"].get(f"{path}/standings").body["standings"]
        assert cast["olga"].get(f"{path}/rulings").body["results"] == []
        assert cast["olga"].post(f"{path}/rulings", asked).status == 201
        assert answer.body["after"]["standings"] == cast["nobody"].get(f"{path}/standings").body["standings"]
        assert loser in {row["entrant"] for row in answer.body["after"]["standings"]}

    def test_all_are_shown_in_public(self, cast: Cast, running: Make) -> None:
        made = running()
        path = f"tournaments/{made['id']}"
        cast["olga"].post(f"{path}/organisers", {"player": "ada"})
        cast["ada"].post(f"{path}/organisers/accept")
        for asked in (
            {"ruling": "adjust", "entrant": "e1", "points": "-1/2"},
            {"ruling": "replace", "entrant": "e2", "player": "zoe"},
            {"ruling": "remove", "entrant": "e3"},
            {"ruling": "reinstate", "entrant": "e3"},
        ):
            answer = cast["ada"].post(f"{path}/rulings", {**asked, "reason": "because"})
            assert answer.status == 201, answer.body
            if asked["ruling"] == "replace":
                assert cast["zoe"].post(f"{path}/entries/e2/accept").body["player"]["username"] == "zoe"
        shown = cast["nobody"].get(f"{path}/rulings").body["results"]
        assert [one["ruling"] for one in shown] == ["reinstate", "remove", "replace", "replace", "adjust"]
        assert [one["by"]["username"] for one in shown] == ["ada", "ada", "zoe", "ada", "ada"]
        assert {one["reason"] for one in shown} == {"because"}
        assert shown[4]["also_plays"] == "e1", "ada rules on her own points"
        assert shown[4]["points"] == "-1/2"
        assert [one["player"]["username"] for one in shown[2:4]] == ["zoe", "zoe"]

    def test_a_retry_with_its_key_rules_once(self, cast: Cast, running: Make) -> None:
        made = running()
        path = f"tournaments/{made['id']}/rulings"
        for asked in (
            {"ruling": "adjust", "entrant": "e1", "points": 1, "reason": "kind"},
            {"ruling": "void", "round": 1, "table": 2, "reason": "lost cards"},
        ):
            key = asked["ruling"]
            first = cast["olga"].post(path, asked, Idempotency_Key=key)
            again = cast["olga"].post(path, asked, Idempotency_Key=key)
            assert (first.status, again.status) == (201, 201), again.body
            assert first.body == again.body
        assert len(cast["olga"].get(path).body["results"]) == 2

    def test_a_ruling_on_what_has_changed_is_refused(self, cast: Cast, running: Make) -> None:
        made = running()
        etag = cast["olga"].get(f"tournaments/{made['id']}").headers["etag"]
        finish(cast, made, 1)
        asked = {"ruling": "void", "round": 1, "table": 2, "reason": "lost cards"}
        answer = cast["olga"].post(f"tournaments/{made['id']}/rulings", asked, If_Match=etag)
        assert answer.status == 412

    def test_only_organisers_rule(self, cast: Cast, running: Make) -> None:
        path = f"tournaments/{running()['id']}/rulings"
        asked = {"ruling": "adjust", "entrant": "e1", "points": 1, "reason": "I like ada"}
        assert cast["ada"].post(path, asked).code == "not_an_organiser"
        assert cast["nobody"].post(path, asked).status == 401
        assert cast["sue"].post(path, asked).status == 201

    def test_bad_ones_name_the_field(self, olga: Person, running: Make) -> None:
        path = f"tournaments/{running()['id']}/rulings"
        for asked, field in (
            ({}, "ruling"),
            ({"ruling": "void", "round": 1, "table": 1}, "reason"),
            ({"ruling": "adjust", "entrant": "e1", "points": 0.5, "reason": "x"}, "points"),
            ({"ruling": "void", "game": "x", "reason": "x"}, "game"),
        ):
            answer = olga.post(path, asked)
            assert answer.status == 400
            assert field in [error["field"] for error in answer.body["errors"]]


class TestSeason:
    @pytest.mark.sampled
    def test_entrants_open_games(self, cast: Cast, running: Make) -> None:
        made = running(kind="season", settings={})
        path = f"tournaments/{made['id']}"
        assert cast["zoe"].post(f"{path}/games", {"seats": 2}).code == "not_an_entrant"
        room = cast["ada"].post(f"{path}/games", {"seats": 2})
        assert room.status == 201
        shown = {"id": made["id"], "title": "Threes 2026", "stage": 1, "round": None, "table": None, "number": 1}
        assert room.body["tournament"] == shown
        assert cast["zoe"].post(f"games/{room.body['id']}/join").code == "not_an_entrant"
        assert cast["bob"].post(f"games/{room.body['id']}/join").status == 200
        assert cast["bob"].post(f"games/{room.body['id']}/moves", {"move": "resign"}).status == 201
        run()
        rows = cast["nobody"].get(f"{path}/standings").body["standings"]
        assert [row["entrant"] for row in rows[:1]] == ["e1"]
        [game] = cast["nobody"].get(f"{path}/games").body["results"]
        assert (game["status"], game["entrants"]) == ("counted", ["e1", "e2"])

    def test_a_game_takes_as_many_seats_as_wished_by_default(self, ada: Person, running: Make) -> None:
        made = running(kind="season", settings=PAIRS | {"rounds": None})
        assert ada.post(f"tournaments/{made['id']}/games", {}).body["seats"] == 2


def test_what_happened_is_there_to_read(cast: Cast, running: Make) -> None:
    made = running()
    path = f"tournaments/{made['id']}/events"
    events = cast["nobody"].get(path).body["results"]
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["by"]["username"] == "olga"
    entered = next(event for event in events if event["type"] == "entered")
    assert entered["data"]["player"]["username"] == "ada"
    assert entered["data"]["salt"] is None
    seated = next(event for event in events if event["type"] == "seated")
    assert seated["by"] is None
    rest = cast["nobody"].get(f"{path}?after=3&limit=2").body
    assert [event["version"] for event in rest["results"]] == [4, 5]
    assert "after=5" in rest["next"]
