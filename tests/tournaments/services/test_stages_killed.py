"""LI6, SG2: stages over HTTP while the process of the runner is killed again and again; in the end all pages agree.

TREY_STAGES_KILLED=30 .venv/bin/pytest -n 0 tests/tournaments/services/test_stages_killed.py
"""

import csv
import io
import json
import multiprocessing
import os
import re
import subprocess
import sys
import time
from datetime import timedelta
from random import Random
from typing import Any

import psutil
import pytest
from django.db import connections
from test_service_stages import agrees_with_its_log
from test_stages_interfered import some_stages
from tournament_scene import Club

from core import clock as service_clock
from core.accounts.login import tokens
from tests.games.api.client import Answer, Person
from tests.tournaments.moment import services

LIVES = (0.005, 0.15)
"""After how many seconds of processor time the runner is killed, so that a busy machine does not make it idle."""


def run_for_ever() -> None:
    while True:
        services.follow_games.catch_up()
        services.run()


def a_life_of_the_runner(seconds: float) -> None:
    connections.close_all()
    process = multiprocessing.get_context("fork").Process(target=run_for_ever, daemon=True)
    process.start()
    spent = psutil.Process(process.pid).cpu_times
    while process.is_alive() and sum(spent()[:2]) < seconds:
        time.sleep(0.002)
    assert process.is_alive()
    process.kill()
    process.join()


class Organised:
    """A tournament over HTTP, with what people and organisers do in it."""

    def __init__(self, club: Club, chance: Random, clock: service_clock.FrozenClock) -> None:
        self.club, self.chance, self.clock = club, chance, clock
        self.olga, *self.people = (Person(one.username, tokens.issue(one)[0]) for one in (club.olga, *club.people))
        asked = {"title": "Staged", "game": "threes", "stages": some_stages(chance)}
        self.body = self.said(self.olga.post("tournaments", asked)).body
        club.id, self.path = self.body["id"], f"tournaments/{self.body['id']}"
        self.said(self.olga.post(f"{self.path}/open"))
        for person in self.people:
            self.said(person.post(f"{self.path}/entries", {}))
        self.said(self.olga.post(f"{self.path}/start"))

    def said(self, answer: Answer) -> Answer:
        """The answer, which may be a refusal, but no failure."""
        assert answer.status < 500, answer.body
        return answer

    def play(self) -> None:
        for person in self.people:
            for game in person.get("me/turns").body["results"]:
                self.said(person.post(f"games/{game['id']}/moves", {"move": "resign"}))

    def enter_result(self) -> None:
        players = self.chance.sample([f"e{number + 1}" for number in range(len(self.people))], 2)
        self.rule("enter_result", players=[{"entrant": key, "place": at} for at, key in enumerate(players, 1)])

    def adjust(self) -> None:
        self.rule("adjust", entrant=self.entrant(), points=self.chance.randint(-2, 2))

    def remove(self) -> None:
        self.rule("remove", entrant=self.entrant())

    def end_stage(self) -> None:
        self.rule("end_stage")

    def rule(self, ruling: str, **asked: Any) -> None:
        self.said(self.olga.post(f"{self.path}/rulings", {"ruling": ruling, "reason": "because", **asked}))

    def withdraw(self) -> None:
        self.said(self.olga.post(f"{self.path}/entries/{self.entrant()}/withdraw"))

    def publish(self) -> None:
        self.said(self.olga.post(f"{self.path}/next-round"))
        self.said(self.olga.post(f"{self.path}/draft/publish"))

    def later(self) -> None:
        self.clock.advance(timedelta(hours=25))

    def entrant(self) -> str:
        return f"e{self.chance.randint(1, len(self.people))}"


ACTS = {
    "play": 12, "enter_result": 4, "publish": 5, "later": 4, "adjust": 2, "withdraw": 1, "remove": 1, "end_stage": 1,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(int(os.environ.get("TREY_STAGES_KILLED", "4"))))
def test_li6_whatever_is_killed_standings_are_the_same_everywhere(seed: int, clock: service_clock.FrozenClock) -> None:
    chance, club = Random(seed), Club(service_clock.now(), people=7)
    it = Organised(club, chance, clock)
    for _ in range(30):
        a_life_of_the_runner(chance.uniform(*LIVES))
        [act] = chance.choices(list(ACTS), list(ACTS.values()))
        getattr(it, act)()
        if club.t.is_over:
            break
    club.now = service_clock.now()
    club.run()
    types = club.types()
    assert types.count("staged") == club.t.stage - 1, "SG11: each stage begins once"
    seated = [number for number, _ in club.t.tables]
    assert types.count("seated") == len(set(seated)), "each round is seated once"
    agrees_with_its_log(club)
    rest = it.olga.get(f"{it.path}/standings").body["standings"]
    record = json.dumps(it.olga.get(f"{it.path}/record").body)
    offline = [sys.executable, "-m", "tournaments.rules", "standings", "-"]
    proved = subprocess.run(offline, input=record, capture_output=True, text=True, check=True)
    assert rest == json.loads(proved.stdout)["standings"]
    table = list(csv.DictReader(io.StringIO(it.olga.get(f"{it.path}/standings?format=csv").raw.decode("utf-8-sig"))))
    assert [(row["entrant"], row["place"]) for row in table] == [
        (row["entrant"], str(row["place"] or "")) for row in rest
    ]
    page = it.olga.client.get(f"/t/{it.body['slug']}").content.decode().partition('id="standings"')[2]
    names = re.findall(r"entrants/(e\d+)", page.partition("</table>")[0])
    assert names == [row["entrant"] for row in rest]
