"""LI6: whatever anybody does, and wherever the runner is killed: each game once, each result once, and all agree."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from killing import Killed, killed_after
from tournament_scene import Club, end_game

from core import clock as service_clock
from core import log
from core.jobs.models import Work
from core.refusals import Refused
from games import services as games
from games.models import Game
from tests.games.services.service_scene import game_now
from tests.scenes import done_at
from tests.tournaments.moment import services
from tournaments import models, selectors
from tournaments.projections import rebuild
from tournaments.rules import read_record
from tournaments.rules.standings import standings

PLANS: dict[str, dict[str, Any]] = {
    "rounds": {"kind": "rounds", "settings": {"rounds": 4, "tables": {"size": 2}, "games_per_table": 2}, "limit": 5},
    "even": {"kind": "rounds", "settings": {"rounds": 3, "tables": {"size": 2}, "seating": "even", "parallel": 2}},
    "manual": {"kind": "rounds", "settings": {"rounds": 3, "tables": {"size": 2}}, "pace": "manual", "late": "bye"},
    "deadline": {
        "kind": "rounds",
        "settings": {"rounds": 3, "tables": {"size": 3, "min": 2}},
        "deadline": 7200,
        "overdue": "adjudicate",
        "no_show": "absent",
        "no_show_after": 3600,
    },
    "knockout": {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}},
    "season": {"kind": "season", "settings": {}, "games": "any"},
}


class Chaos:
    """People, organisers and a runner that dies, in some order."""

    def __init__(self, club: Club, chance: Random) -> None:
        self.club = club
        self.chance = chance
        self.done: Counter[str] = Counter()

    def step(self) -> None:
        [step] = self.chance.choices(list(STEPS), list(STEPS.values()))
        try:
            step(self)
            self.done[step.__name__] += 1
        except Refused:
            pass

    def runner(self) -> None:
        """The runner works for a while, and is killed somewhere."""
        try:
            with killed_after(self.chance.randint(1, 120)):
                services.follow_games.catch_up()
                services.run(now=self.club.now)
        except* Killed:
            pass

    def end_a_game(self) -> None:
        running = Game.objects.filter(tournament=self.club.id, status__in=("setup", "playing"))
        found = list(running.prefetch_related("players__player"))
        if not found:
            return
        game = self.chance.choice(sorted(found, key=lambda one: str(one.id)))
        seats = [seat.index for seat in game.seat_rows() if seat.player_id and not seat.resigned]
        if len(seats) == game_now(game.id).seats:
            end_game(game.id, self.chance.sample(seats, len(seats)), self.club.now)

    def enter(self) -> None:
        services.enter(self.club.id, self.chance.choice(self.club.people), now=self.club.now)

    def withdraw(self) -> None:
        resign = self.chance.random() < 0.5
        services.withdraw(self.club.id, self.club.olga, self.entrant(), resign=resign, now=self.club.now)

    def rule(self) -> None:
        """Some ruling, possibly killed between the game's event and the tournament's."""
        asked = self.chance.choice(RULINGS)(self)
        if asked is None:
            return
        try:
            with killed_after(self.chance.choice([1000, self.chance.randint(5, 40)])):
                services.rule(self.club.id, self.club.olga, {"reason": "because", **asked}, now=self.club.now)
        except Killed:
            pass

    def next_round(self) -> None:
        services.next_round(self.club.id, self.club.olga, now=self.club.now)
        if self.club.t.draft is not None:
            services.publish(self.club.id, self.club.olga, now=self.club.now)

    def room(self) -> None:
        one, two = self.chance.sample(self.club.people, 2)
        if self.chance.random() < 0.5:
            room = services.open_game(self.club.id, one, seats=2, now=self.club.now)
        else:
            room = games.open_room(one, games.Terms("threes", 2), now=self.club.now)
        done_at(self.club.now, games.join, room.id, two, invitation=room.invitation)
        # A season's room has started by itself.
        if room.belongs_to is None:
            done_at(self.club.now, games.start, room.id, one)
        if self.chance.random() < 0.7:
            games.play(room.id, two, {"move": "resign"}, now=self.club.now)

    def finish(self) -> None:
        services.finish(self.club.id, self.club.olga, now=self.club.now)

    def reopen(self) -> None:
        services.reopen(self.club.id, self.club.olga, "too early", now=self.club.now)

    def later(self) -> None:
        from datetime import timedelta

        self.club.now += timedelta(minutes=self.chance.randint(1, 30))

    # What they choose from.

    def entrant(self) -> str:
        return self.chance.choice(sorted(self.club.t.entrants, key=lambda key: int(key[1:])) or ["e1"])

    def game(self) -> str | None:
        found = sorted(str(one) for one in models.TournamentGame.objects.values_list("game", flat=True))
        return self.chance.choice(found) if found else None

    def players_of(self, game: str) -> list[dict[str, Any]]:
        entrants = list(self.club.t.games[game].entrants)
        self.chance.shuffle(entrants)
        return [{"entrant": key, "place": place} for place, key in enumerate(entrants, 1)]


def about_a_game(name: str, **more: Any) -> Callable[[Chaos], dict[str, Any] | None]:
    def asked(chaos: Chaos) -> dict[str, Any] | None:
        game = chaos.game()
        if game is None:
            return None
        players = {"players": chaos.players_of(game)} if name == "rule_table" else {}
        return {"ruling": name, "game": game, **players, **more}

    return asked


RULINGS: list[Callable[[Chaos], dict[str, Any] | None]] = [
    about_a_game("void"),
    about_a_game("void"),
    about_a_game("restore"),
    about_a_game("rule_table"),
    lambda chaos: {"ruling": "adjust", "entrant": chaos.entrant(), "points": "1/3"},
    lambda chaos: {"ruling": "remove", "entrant": chaos.entrant()},
    lambda chaos: {"ruling": "reinstate", "entrant": chaos.entrant()},
    lambda chaos: {
        "ruling": "replace",
        "entrant": chaos.entrant(),
        **chaos.chance.choice([{"bot": "steady"}, {"player": chaos.chance.choice(chaos.club.people).username}]),
    },
    lambda chaos: {"ruling": "extend", "round": max(chaos.club.t.seated, 1), "seconds": 600},
]
STEPS: dict[Callable[[Chaos], None], int] = {
    Chaos.runner: 12,
    Chaos.end_a_game: 12,
    Chaos.rule: 6,
    Chaos.room: 4,
    Chaos.enter: 3,
    Chaos.next_round: 2,
    Chaos.later: 2,
    Chaos.withdraw: 1,
    Chaos.finish: 1,
    Chaos.reopen: 1,
}
"""What happens, and how often beside the rest."""


def check(club: Club) -> None:
    """Games, tournament, record and standings agree."""
    t, stream = club.t, log.read(models.stream_of(club.id))
    results = Counter(event.data["id"] for event in stream if event.type == "tournament.result")
    assert not [key for key, count in results.items() if count > 1], "each result once"
    by_id = {str(game.id): game for game in Game.objects.filter(tournament=club.id)}
    for key, game in t.games.items():
        opened = by_id.get(key)
        if game.is_open and not t.is_over:
            assert opened is not None, "each open game is there"
            assert opened.status in ("setup", "playing", "open")
        elif not t.is_over and opened is not None:
            assert opened.status in ("finished", "cancelled"), (key, game.outcome, opened.status)
        if opened is not None and opened.status == "finished" and game.source == "game" and game.round is not None:
            assert game.result is not None
            places = {one["entrant"]: one["place"] for one in game.result["players"]}
            for one in opened.result["placements"]:
                assert places[game.entrants[one["seat"]]] == one["place"]
    for number in range(1, t.seated + 1):
        still_open = [table for table in t.tables_of(number) if any(game.is_open for game in t.games_of(table))]
        assert t.rounds[number].open_tables == len(still_open)
        assert (number in t.open_rounds) == bool(still_open)
    record = read_record(selectors.record_for(club.id))
    rows = {row.entrant: row for row in standings(record)}
    assert set(rows) == {key for key, entrant in t.entrants.items() if entrant.entered}
    shown = selectors.standings_for(club.id, t.version)["standings"]
    assert [row["entrant"] for row in shown] == list(rows)
    assert rebuild(club.id).differences == ()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("plan", PLANS)
def test_whatever_happens_all_agree(plan: str, seed: int, clock: service_clock.FrozenClock) -> None:
    chance = Random(f"{plan} {seed}")
    club = Club(service_clock.now())
    club.open(*club.people[:4], **PLANS[plan])
    services.start(club.id, club.olga, now=club.now)
    chaos = Chaos(club, chance)
    for _ in range(80):
        chaos.step()
    club.run()
    stuck = list(Work.objects.filter(tries__gt=0).values_list("kind", "error"))
    assert not stuck
    check(club)
    assert chaos.done["runner"] > 5, "the runner had its share"
    assert chaos.done["rule"] + chaos.done["end_a_game"] > 10


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_runner_is_killed_at_one_statement_after_the_other(clock: service_clock.FrozenClock) -> None:
    club = Club(service_clock.now())
    club.open(kind="rounds", settings={"rounds": 4, "tables": {"size": 2}})
    services.start(club.id, club.olga, now=club.now)
    deaths = 0
    while club.t.status != "finished":
        statement = 0
        while True:
            statement += 1
            try:
                with killed_after(statement):
                    services.follow_games.catch_up()
                    services.run(now=club.now)
                break
            except* Killed:
                deaths += 1
        for game in Game.objects.filter(tournament=club.id, status="setup").prefetch_related("players__player"):
            end_game(game.id, [0, 1], club.now)
    assert deaths >= 100
    check(club)
    assert Game.objects.filter(tournament=club.id).count() == 12
    assert Counter(club.types())["result"] == 12
    assert Counter(club.types())["seated"] == 4
