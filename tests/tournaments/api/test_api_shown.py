"""What is shown after something changed that is no event of the tournament: a name, the seed's secrecy, a game."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from core import clock as service_clock
from core.accounts import services as accounts
from core.accounts.models import Player
from tests.games.api.client import Person
from tests.tournaments.api.conftest import run
from tests.tournaments.api.test_api_play import finish
from tournaments import selectors
from tournaments.rules import read_record
from tournaments.rules.standings import standings_and_bounds

Make = Callable[..., dict[str, Any]]
Cast = dict[str, Person]
TWO_GAMES = {"rounds": 1, "tables": {"size": 2}}


def from_record(record: dict[str, Any], upto: int | None = None) -> Any:
    """The standings as anybody computes them from the record."""
    lines = record["log"] if upto is None else record["log"][:upto]
    return standings_and_bounds(read_record({**record, "log": lines}))["standings"]


class TestNames:
    """The standings are what the record gives, which has the names that players have now."""

    def test_a_renamed_player(self, cast: Cast, running: Make) -> None:
        path = f"tournaments/{running()['id']}"
        etag = cast["nobody"].get(f"{path}/standings").headers["etag"]
        assert cast["ada"].patch("me", {"username": "adaline"}).status == 200
        shown = cast["nobody"].get(f"{path}/standings", If_None_Match=etag)
        assert shown.status == 200, "the ETag covers names"
        assert {row["name"] for row in shown.body["standings"]} == {"adaline", "bob", "cleo", "dan"}
        assert shown.body["standings"] == from_record(cast["nobody"].get(f"{path}/record").body)

    @pytest.mark.sampled
    def test_a_closed_account_after_the_end(self, cast: Cast, running: Make) -> None:
        made = running(settings=TWO_GAMES)
        path = f"tournaments/{made['id']}"
        for table in (1, 2):
            finish(cast, made, table, 1)
        version = cast["nobody"].get(path).body["version"]
        cast["nobody"].get(f"{path}/standings")
        accounts.close(Player.objects.get(username="ada"))
        run()
        assert cast["nobody"].get(path).body["version"] == version
        for query in ("", "?format=csv"):
            # A word of its own: an id may have these letters.
            assert not re.search(rb"\bada\b", cast["nobody"].get(f"{path}/standings{query}").raw)
        shown = cast["nobody"].get(f"{path}/standings").body["standings"]
        assert selectors.NOBODY in {row["name"] for row in shown}
        assert shown == from_record(cast["nobody"].get(f"{path}/record").body)

    def test_st11_the_names_of_bots_and_of_who_was_replaced(
        self, cast: Cast, running: Make, clock: service_clock.FrozenClock
    ) -> None:
        path = f"tournaments/{running()['id']}"
        before = service_clock.now().isoformat().replace("+", "%2B")
        clock.advance(minutes=1)
        for entrant, by in (("e1", {"player": "zoe"}), ("e2", {"bot": "steady"})):
            asked = {"ruling": "replace", "entrant": entrant, "reason": "ill", **by}
            assert cast["olga"].post(f"{path}/rulings", asked).status == 201
        assert cast["zoe"].post(f"{path}/entries/e1/accept").status == 200
        shown = {
            at: {row["entrant"]: row["name"] for row in cast["nobody"].get(f"{path}/standings{at}").body["standings"]}
            for at in ("", f"?at={before}")
        }
        assert shown[""] == {"e1": "zoe", "e2": "steady bot", "e3": "cleo", "e4": "dan"}
        assert shown[f"?at={before}"] == {"e1": "ada", "e2": "bob", "e3": "cleo", "e4": "dan"}

    def test_st11_lines_that_are_not_later_also_after_a_clock_was_set_back(
        self, cast: Cast, running: Make, clock: service_clock.FrozenClock
    ) -> None:
        path = f"tournaments/{running()['id']}"
        for entrant, minutes in (("e1", 10), ("e2", -5)):
            clock.advance(minutes=minutes)
            asked = {"ruling": "adjust", "entrant": entrant, "points": "1", "reason": "kind"}
            assert cast["olga"].post(f"{path}/rulings", asked).status == 201
        record = cast["nobody"].get(f"{path}/record").body
        assert len({line["at"] for line in record["log"][-2:]}) == 1, "no line is earlier than the one before"
        for seconds, lines in ((299, len(record["log"]) - 2), (300, len(record["log"]))):
            at = (service_clock.now() + timedelta(seconds=seconds)).isoformat().replace("+", "%2B")
            shown = cast["nobody"].get(f"{path}/standings?at={at}").body["standings"]
            assert shown == from_record(record, upto=lines)


class TestLots:
    """SE5, ST7: of a season the seed, and with it all lots, is secret until the finish."""

    @pytest.fixture
    def season(self, running: Make) -> dict[str, Any]:
        return running(kind="season", settings={"tie_breaks": ["lot"]})

    def test_se5_a_dry_run_tells_no_lots(self, cast: Cast, season: dict[str, Any]) -> None:
        path = f"tournaments/{season['id']}"
        asked = {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "x", "dry_run": True}
        answer = cast["olga"].post(f"{path}/rulings", asked).body
        for when in ("before", "after"):
            assert {row["tie_breaks"]["lot"] for row in answer[when]["standings"]} == {None}

    def test_st11_once_the_seed_is_shown_earlier_standings_have_lots_too(
        self, cast: Cast, season: dict[str, Any], clock: service_clock.FrozenClock
    ) -> None:
        path = f"tournaments/{season['id']}"
        at = f"?at={service_clock.now().isoformat().replace('+', '%2B')}"
        assert {row["place"] for row in cast["nobody"].get(f"{path}/standings{at}").body["standings"]} == {1}
        clock.advance(minutes=1)
        assert cast["olga"].post(f"{path}/finish").status == 200
        record = cast["nobody"].get(f"{path}/record").body
        assert record["seed"] is not None
        assert cast["nobody"].get(f"{path}/standings{at}").body["standings"] == from_record(record, upto=4)


def test_li5_a_dry_run_has_the_bounds_that_come(cast: Cast, running: Make) -> None:
    made = running()
    finish(cast, made, 1)
    path = f"tournaments/{made['id']}"
    asked = {"ruling": "void", "round": 1, "table": 1, "reason": "wrong deck"}
    tried = cast["olga"].post(f"{path}/rulings", {**asked, "dry_run": True}).body
    assert tried["before"]["bounds"] == cast["nobody"].get(f"{path}/standings").body["bounds"] != {}
    assert cast["olga"].post(f"{path}/rulings", asked).status == 201
    assert tried["after"]["bounds"] == cast["nobody"].get(f"{path}/standings").body["bounds"]


class TestOver:
    """A game that ends after its tournament has no result there, and waits for nobody."""

    def test_a_cancelled_tournaments_games(self, cast: Cast, running: Make) -> None:
        path = f"tournaments/{running()['id']}"
        assert cast["olga"].post(f"{path}/cancel", {"reason": "rain"}).status == 200
        run()
        tables = cast["nobody"].get(f"{path}/rounds/1").body["tables"]
        listed = cast["nobody"].get(f"{path}/games").body["results"]
        for game in [game for table in tables for game in table["games"]] + listed:
            assert (game["status"], game["waits_for"]) == ("without_result", [])

    @pytest.mark.sampled
    def test_sn2_a_seasons_game_after_the_grace(
        self, cast: Cast, running: Make, clock: service_clock.FrozenClock
    ) -> None:
        closes = service_clock.now() + timedelta(days=1)
        path = f"tournaments/{running(kind='season', settings={}, closes_at=closes.isoformat(), grace=3600)['id']}"
        room = cast["ada"].post(f"{path}/games", {"seats": 2}).body["id"]
        assert cast["bob"].post(f"games/{room}/join").status == 200
        clock.advance(days=1, hours=2)
        run()
        assert cast["nobody"].get(path).body["status"] == "finished"
        [game] = cast["nobody"].get(f"{path}/games").body["results"]
        assert game["status"] == "running"
        assert cast["bob"].post(f"games/{room}/moves", {"move": "resign"}).status == 201
        run()
        [game] = cast["nobody"].get(f"{path}/games").body["results"]
        assert (game["status"], game["players"]) == ("without_result", None)
        assert all(row["games"] == 0 for row in cast["nobody"].get(f"{path}/standings").body["standings"])
        assert "result" not in json.dumps([line["type"] for line in cast["nobody"].get(f"{path}/record").body["log"]])
