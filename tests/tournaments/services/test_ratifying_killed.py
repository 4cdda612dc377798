"""The measured scene of ratifying rules: a season over HTTP, whose runner is killed at random points all the time.

Three proposals are made. One is ratified, one lapses, one is withdrawn; games are played by the old and the new rules.
In the end the record, the standings and the rules of every game agree.
"""

from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from killing import Killed, killed_after

from core import clock as service_clock
from core.accounts.login import tokens
from core.accounts.models import Player
from core.jobs.models import Work
from tests.games.api.client import Person
from tests.tournaments.moment import services
from tournaments import models
from tournaments.projections import rebuild
from tournaments.rules import read_record
from tournaments.rules.standings import standings_and_bounds

MINUTE = timedelta(minutes=1)
NAMES = ("olga", "ada", "bob", "cleo", "dan")


class Season:
    """People and a runner that dies. A day of proposals lasts a minute."""

    def __init__(self, chance: Random, clock: service_clock.FrozenClock) -> None:
        self.chance, self.clock = chance, clock
        self.people = {name: Person(name, tokens.issue(Player.objects.create_user(name))[0]) for name in NAMES}
        self.deaths = 0
        made = self.do("olga", "POST", "tournaments", {"title": "A season", "game": "threes", "kind": "season"})
        self.path = f"tournaments/{made['id']}"
        self.id = made["id"]
        self.do("olga", "POST", f"{self.path}/open")
        for name in NAMES[1:]:
            self.do(name, "POST", f"{self.path}/entries", {})
        self.do("olga", "POST", f"{self.path}/start")
        self.opened: dict[str, dict[str, Any]] = {}

    def do(self, who: str, method: str, path: str, body: Any = None) -> Any:
        answer = self.people[who].call(method, path, body)
        assert answer.status in (200, 201), (method, path, answer.body)
        return answer.body

    def get(self, path: str = "") -> Any:
        return self.do("dan", "GET", f"{self.path}{path}")

    def wait(self, minutes: float) -> None:
        """Time goes on; the runner starts a few times, and dies somewhere."""
        for _ in range(4):
            self.clock.advance(minutes * MINUTE / 4)
            for statements in (self.chance.randint(1, 12), self.chance.randint(1, 60)):
                try:
                    with killed_after(statements):
                        services.follow_games.catch_up()
                        services.run()
                except* Killed:
                    self.deaths += 1

    def survive(self) -> None:
        """A runner that lives does what is left."""
        while services.follow_games.catch_up() + services.run().done:
            pass

    def play(self, *names: str) -> str:
        """A game: its opener wins. It remembers the options of the room, as they were when it was opened."""
        rules = self.get()
        room = self.do(names[0], "POST", f"{self.path}/games", {"seats": len(names)})
        self.opened[room["id"]] = {"ruleset": rules["ruleset"], "options": room["options"]}
        for name in names[1:]:
            self.do(name, "POST", f"games/{room['id']}/join")
        self.wait(0.1)
        return str(room["id"])

    def end(self, game: str, loser: str) -> None:
        self.do(loser, "POST", f"games/{game}/moves", {"move": "resign"})
        self.wait(0.1)

    def propose(self, who: str, **asked: Any) -> int:
        body = {"title": "Other rules", "reason": "Let us try.", **asked}
        return int(self.do(who, "POST", f"{self.path}/proposals", body)["n"])

    def vote(self, n: int, **votes: str) -> None:
        for name, choice in votes.items():
            self.do(name, "PUT", f"{self.path}/proposals/{n}/vote", {"vote": choice})

    def status(self, n: int) -> str:
        return str(self.get(f"/proposals/{n}")["status"])


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(2))
def test_li6_three_proposals_in_a_season_whose_runner_is_killed(
    seed: int, clock: service_clock.FrozenClock, settings: Any
) -> None:
    settings.TREY_PROPOSAL_DAY = 60
    it = Season(Random(seed), clock)
    it.end(it.play("ada", "bob"), "bob")
    it.end(it.play("cleo", "dan"), "dan")
    opened = service_clock.now()
    lapses = it.propose("bob", options={"stalemate_after": 50}, closes_at=(opened + 3 * MINUTE).isoformat())
    wins = it.propose("ada", ruleset="2022", closes_at=(opened + 5 * MINUTE).isoformat())
    goes = it.propose("cleo", options={"ten_wild": True})
    before = it.play("ada", "cleo")
    it.vote(lapses, dan="no")
    it.vote(wins, ada="yes", bob="no")
    it.vote(goes, cleo="yes", ada="no")
    it.do("cleo", "DELETE", f"{it.path}/proposals/{goes}")
    it.wait(1)
    it.vote(wins, bob="yes")
    it.wait(4)
    it.wait(1)
    while services.follow_games.catch_up() + services.run().done:  # whatever was killed last is done by the next runner
        pass
    assert [it.status(n) for n in (lapses, wins, goes)] == ["rejected", "ratified", "withdrawn"]
    after = it.play("bob", "dan")
    it.end(before, "cleo")
    it.end(after, "dan")
    late = it.propose("dan", options={"stalemate_after": 30})
    it.wait(0.5)
    it.survive()
    it.do("olga", "POST", f"{it.path}/finish")
    assert it.status(late) == "overtaken"
    assert it.deaths >= 10
    check(it, {before: None, after: wins})


def check(it: Season, played: dict[str, int | None]) -> None:
    """The stream, the record, the standings and the games say the same."""
    events = it.get("/events")["results"]
    ends = Counter(event["data"]["proposal"] for event in events if "counts" in event["data"])
    assert ends == {1: 1, 2: 1, 3: 1, 4: 1}, "each proposal ends once"
    record = it.get("/record")
    lines = record["log"]
    results = {line["id"]: line for line in lines if line["type"] == "result"}
    assert len(results) == sum(line["type"] == "result" for line in lines) == 4, "each result once"
    ratified = {line["n"]: line for line in lines if line["type"] == "ratified"}
    assert [line["ruleset"] for line in ratified.values()] == ["2022"]
    rules = {one["proposal"]: one for one in it.get()["rules"]}
    for game in it.get("/games")["results"]:
        shown = it.do("ada", "GET", f"games/{game['id']}")
        own = it.opened[game["id"]]
        assert (shown["ruleset"], shown["options"]) == (own["ruleset"], own["options"]), "a game keeps its rules"
        assert shown["ruleset"] == rules[game["proposal"]]["ruleset"]
        line = results[game["id"]]
        held = ratified[line["rules"]] if "rules" in line else record
        assert held["ruleset"] == shown["ruleset"], "the record says by which rules"
        assert game["proposal"] == played.get(game["id"])
    shown = it.get("/standings")
    computed = standings_and_bounds(read_record(record))
    assert shown["standings"] == computed["standings"]
    assert {row["entrant"]: row["games"] for row in shown["standings"]} == {"e1": 2, "e2": 2, "e3": 2, "e4": 2}
    assert rebuild(models.Tournament.objects.get().pk).differences == ()
    assert not Work.objects.filter(tries__gt=0)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_li6_a_runner_killed_at_one_statement_after_the_other_ends_each_proposal_once(
    clock: service_clock.FrozenClock, settings: Any
) -> None:
    settings.TREY_PROPOSAL_DAY = 60
    it = Season(Random(5), clock)
    clock.advance(8 * MINUTE)
    for name, options in (("ada", {"stalemate_after": 50}), ("bob", {"ten_wild": True}), ("cleo", {"decks": 3})):
        it.propose(name, options=options)
    it.vote(1, dan="no")
    it.vote(2, dan="yes")
    it.survive()
    clock.advance(7 * MINUTE)
    for statement in range(1, 1000):
        try:
            with killed_after(statement):
                services.run()
            break
        except* Killed:
            it.deaths += 1
    assert it.deaths >= 8
    ends = [event["type"] for event in it.get("/events")["results"] if "counts" in event["data"]]
    assert ends == ["rejected", "ratified", "overtaken"]
