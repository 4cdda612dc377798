"""Tournaments with stages, interfered with at every moment: log, rows and record agree whatever happens."""

import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from test_service_stages import agrees_with_its_log
from tournament_scene import Club, end_game

from core import clock as service_clock
from core.refusals import Refused
from games import services as games
from games.models import Seat
from tests.scenes import done_at
from tests.tournaments.moment import services
from tournaments import models, selectors
from tournaments.rules import read_record
from tournaments.rules.standings import standings_and_bounds

PAIRS = {"size": 2}
TABLES: list[dict[str, Any]] = [
    {"kind": "rounds", "settings": {"rounds": 2, "tables": {"size": 3, "min": 2}}},
    {"kind": "rounds", "settings": {"rounds": 2, "tables": PAIRS, "seating": "even"}},
    {"kind": "rounds", "settings": {"rounds": 1, "tables": PAIRS, "games_per_table": 2}},
    {"kind": "knockout", "settings": {"advance": 1, "tables": PAIRS}},
    {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 3}}},
]


def some_stages(chance: random.Random) -> list[dict[str, Any]]:
    """Two or three stages, of tables or seasons, of which each but the last has a break, or none."""
    stages: list[dict[str, Any]] = []
    for number in range(chance.choice((2, 2, 3))):
        if chance.random() < 0.25:
            stages.append({"kind": "season", **({"lasts": 5 * 86_400} if number else {})})
        elif stages and stages[-1]["kind"] == "rounds" and chance.random() < 0.3:
            stages.append({"kind": "rounds", "settings": {"rounds": 1}, "carry": True})
        else:
            stages.append({**chance.choice(TABLES), "pace": chance.choice(("auto", "auto", "manual"))})
    takes = sorted(chance.sample((2, 3, 4, 5), len(stages) - 1), reverse=True)
    for stage, take in zip(stages, takes, strict=False):
        stage |= {"take": take, "break": chance.choice((0, 0, 86_400))}
    return stages


def play_one(club: Club, chance: random.Random) -> None:
    """An open game ends, or in a season one is opened and played."""
    open_games = [game for game in club.t.games.values() if game.is_open and game.round]
    if open_games:
        game = chance.choice(open_games)
        assert game.round and game.table and game.number
        order = list(game.entrants)
        chance.shuffle(order)
        seats = Seat.objects.filter(game=game.id)
        if seats.filter(bot__isnull=False).exists() or seats.filter(resigned=True).exists():
            return
        club.finish(game.table, *order, number=game.number, round=game.round)
    elif club.t.plan.kind == "season":
        people = [club.people[one.number - 1] for one in club.t.playing()]
        chance.shuffle(people)
        if len(people) < 2:
            return
        room = services.open_game(club.id, people[0], seats=2, now=club.now)
        done_at(club.now, games.join, room.id, people[1], invitation=None)
        end_game(room.id, [0, 1], club.now)
        club.run()


def ruling(name: str, **asked: Callable[[Club, random.Random], Any]) -> Callable[[Club, random.Random], None]:
    def act(club: Club, chance: random.Random) -> None:
        said = {key: of(club, chance) for key, of in asked.items()}
        services.rule(club.id, club.olga, {"ruling": name, "reason": "because", **said}, now=club.now)

    return act


def an_entrant(club: Club, chance: random.Random) -> str:
    return chance.choice(sorted(club.t.entrants))


def a_game(club: Club, chance: random.Random) -> str:
    return chance.choice(sorted(club.t.games) or ["00000000-0000-0000-0000-000000000000"])


def withdraw(club: Club, chance: random.Random) -> None:
    services.withdraw(club.id, club.olga, an_entrant(club, chance), resign=False, now=club.now)


def draft(club: Club, _: random.Random) -> None:
    services.next_round(club.id, club.olga, now=club.now)


def publish(club: Club, _: random.Random) -> None:
    services.publish(club.id, club.olga, now=club.now)


def time_passes(club: Club, chance: random.Random) -> None:
    club.run(hours=chance.choice((1, 25, 49)))


ACTS: list[tuple[int, Callable[[Club, random.Random], None]]] = [
    (30, play_one),
    (8, time_passes),
    (6, draft),
    (6, publish),
    (2, withdraw),
    (1, ruling("remove", entrant=an_entrant)),
    (1, ruling("reinstate", entrant=an_entrant)),
    (2, ruling("adjust", entrant=an_entrant, points=lambda _, chance: chance.randint(-2, 2))),
    (1, ruling("adjust", entrant=an_entrant, points=lambda *_: 1, stage=lambda *_: 1)),
    (1, ruling("void", game=a_game)),
    (1, ruling("restore", game=a_game)),
    (2, ruling("end_stage")),
]


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(4))
def test_sg2_whatever_happens_log_rows_and_record_agree(db: None, clock: service_clock.FrozenClock, seed: int) -> None:
    chance = random.Random(seed)
    club = Club(service_clock.now(), people=8)
    club.start(stages=some_stages(chance))
    weights, acts = zip(*ACTS, strict=True)
    for _ in range(60):
        version = club.t.version
        try:
            [act] = chance.choices(acts, weights)
            act(club, chance)
            club.run()
        except Refused:
            assert club.t.version == version
        if club.t.is_over:
            break
        club.now += timedelta(minutes=1)
    agrees_with_its_log(club)
    row = models.Tournament.objects.get(pk=club.id)
    record = json.loads(json.dumps(selectors.record_for(club.id)))
    shown = selectors.standings_for(club.id, row.version)
    proved = standings_and_bounds(read_record(record))
    assert shown == proved
    for number in range(1, club.t.stage + 1):
        by_itself = selectors.standings_for(row.pk, row.version, number)
        assert by_itself == standings_and_bounds(read_record(record), number)
        assert {one["entrant"] for one in by_itself["standings"]} >= set(
            club.t.begun[number - 2].seeds if number > 1 else ()
        )
