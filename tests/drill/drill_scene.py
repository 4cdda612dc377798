"""What the drills restore: games, a tournament, ratings, an outage; and what must be the same afterwards."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db import connection

from core import clock as service_clock
from core import log
from core.accounts.login import tokens
from core.jobs.models import Work
from games import selectors, services
from games.projections import Snapshot
from games.services.outages import SWEEPER, WEB, beat
from tests.games.services.service_scene import game_now, next_mover, play_on, started
from tests.tournaments.leaderboards.league_scene import lines
from tests.tournaments.moment import services as tournaments
from tests.tournaments.services.tournament_scene import Club
from tournaments import selectors as tournament_selectors
from tournaments.leaderboards.projection import update_boards
from tournaments.leaderboards.stream import record_result

Elsewhere = Callable[..., AbstractContextManager[None]]
FOLLOWED = {one.name for one in (record_result, tournaments.follow_games, update_boards)}

# What must come back byte for byte: rows made from the log, and what else the rows of games depend on.
_GROWN = (
    "games_game",
    "games_seat",
    "games_outage",
    "tournaments_tournament",
    "tournaments_entrant",
    "tournaments_part",
    "tournaments_tournamentgame",
    "leaderboards_league",
    "leaderboards_leaguegame",
    "log_event",
    "log_stream",
    "log_counter",
)
_ACCOUNTS = (
    "accounts_player",
    "accounts_token",
    "accounts_audit",
    "auth_group",
    "accounts_player_groups",
    "account_emailaddress",
    "mfa_authenticator",
    "notifications_inbox",
    "notifications_notification",
    "notifications_hook",
    "games_plan",
)
# When the runner looks at a tournament again follows from the rest.
_NO_PART = {"tournaments_tournament": " - 'look_at'"}


class Scene:
    """Olga's club: games that are over, a game and a room that are not, a tournament in its second round."""

    def __init__(self, clock: service_clock.FrozenClock) -> None:
        self.clock = clock
        self.club = Club(clock.at)
        self.ada, self.bob, self.cleo = self.club.people[:3]
        self.token = tokens.issue(self.ada)[0]
        judges = Group.objects.create(name="judges")
        judges.permissions.add(Permission.objects.get(codename="see_hidden_cards"))
        self.club.olga.groups.add(judges)
        self.live(hours=1)
        self.over = play_on(started(self.ada, self.bob, self.cleo).id)
        self.void = play_on(started(self.bob, self.ada).id)
        services.void_game(self.void.id, actor=log.Actor("staff"), reason="wrong deck")
        # An outage in the past, and a game that ran through it.
        self.running = started(self.bob, self.ada, self.cleo, game="castle", clock={"per_turn": 7200})
        self.clock.advance(minutes=30)
        self.live(minutes=1)
        self.running = play_on(self.running.id, 8)
        services.open_room(self.ada, services.Terms("threes", 3, visibility="private"))
        self.club.start(settings={"rounds": 3, "tables": {"size": 3}}, clock={"per_turn": 7200})
        self.club.finish_round()
        self.follow()
        self.live(minutes=5)

    def live(self, **time: float) -> None:
        """The service lives for so long."""
        ends = self.clock.at + timedelta(**time)
        while self.clock.at < ends:
            beat(WEB)
            beat(SWEEPER)
            self.clock.advance(seconds=60)
        beat(WEB)
        beat(SWEEPER)
        self.club.now = self.clock.at

    def follow(self) -> int:
        """Those of FOLLOWED are up with the log; return how many events reactors handled."""
        handled = record_result.catch_up() + tournaments.follow_games.catch_up()
        handled += record_result.catch_up()
        update_boards.catch_up()
        return handled

    def picture(self) -> dict[str, Any]:
        """All that must be the same afterwards."""
        return {
            **{table: rows(table) for table in (*_GROWN, *_ACCOUNTS)},
            "heads": list(log.heads()),
            "boards": {board: lines("threes", board) for board in ("rating", "wins", "games")},
            "standings": tournament_selectors.standings_for(self.club.id, self.club.t.version),
            "rights": sorted(self.club.olga.get_all_permissions()),
        }

    def goes_on(self) -> None:
        """After so long without the service: nobody lost time, games are played on, and turns end again."""
        running = self.game()
        before = {index: seat.duty.due for index, seat in enumerate(running.players) if seat.duty and seat.duty.due}
        assert before
        stopped = max(selectors.heartbeats().values())
        self.clock.advance(days=3)
        silent = self.clock.at - stopped
        # What players are told before the first sweep, and the sweep's own opinion.
        assert services.sweep().handled == 0
        beat(WEB)
        known = selectors.deadlines(self.game())
        assert known == {seat: due + silent for seat, due in before.items()}
        mover = next_mover(self.game())
        assert mover is not None
        version = self.game().version
        play_on(running.id, 1)
        assert self.game().version > version
        self.live(hours=1)
        assert services.sweep().handled == 0
        self.live(hours=2)
        assert services.sweep().handled >= 1
        assert list(log.verify_all()) == []
        play_on(running.id)
        self.club.now = self.clock.at
        while self.club.t.status == "running":
            self.club.finish_round()
        assert self.club.t.status == "finished"
        self.follow()
        assert lines("threes", "games")
        assert list(log.verify_all()) == []
        assert not Work.objects.filter(kind__startswith="tournament.", tries__gt=0).exists()

    def game(self) -> Snapshot:
        return game_now(self.running.id)


def rows(table: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT (to_jsonb(t) - 'id'{_NO_PART.get(table, '')})::text FROM {table} t ORDER BY 1")
        return [row[0] for row in cursor.fetchall()]
