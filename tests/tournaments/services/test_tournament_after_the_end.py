"""What still happens once a tournament is finished (LI3)."""

import pytest
from tournament_scene import Club

from games.models import Game
from tests.tournaments.moment import services
from tournaments import selectors

PAIRS = {"settings": {"rounds": 2, "tables": {"size": 2}}}


class TestAfterTheEnd:
    """LI3: `finish` lets running games play on; what ends then enters by ruling, or once it is reopened."""

    def finished(self, club: Club) -> Club:
        club.start(*club.people[:4], **PAIRS)
        services.finish(club.id, club.olga, now=club.now)
        return club.run()

    def test_the_games_run_on_and_do_not_count(self, club: Club) -> None:
        self.finished(club)
        assert club.game(1).status == "setup"
        club.finish(1)
        assert club.game(1).status == "finished"
        assert club.record().results == {} and club.t.seated == 1

    @pytest.mark.sampled
    def test_once_reopened_they_do(self, club: Club) -> None:
        self.finished(club).finish(1)
        services.reopen(club.id, club.olga, "for the games that ran on", now=club.now)
        club.run()
        assert list(club.record().results) == [str(club.game_id(1))]
        club.finish(2, round=1)
        assert len(club.record().results) == 2 and club.t.seated == 2

    @pytest.mark.sampled
    def test_by_ruling_on_a_running_game_or_on_one_that_has_ended(self, club: Club) -> None:
        self.finished(club).finish(1)
        for table in (1, 2):
            players = [{"entrant": key, "place": at} for at, key in enumerate(club.t.tables[1, table].entrants, 1)]
            asked = {"ruling": "rule_table", "round": 1, "table": table, "players": players, "reason": "agreed"}
            foreseen = services.rule(club.id, club.olga, {**asked, "dry_run": True}, now=club.now)
            services.rule(club.id, club.olga, asked, now=club.now)
            assert selectors.standings_for(club.id, club.t.version)["standings"] == foreseen.after["standings"]
        club.run()
        assert {one.source for one in club.record().results.values()} == {"ruling"}
        assert club.game(2).status == "cancelled" and club.t.status == "finished"

    def test_a_game_that_was_not_opened_before_the_end_is_opened_once_reopened(self, club: Club) -> None:
        club.open(*club.people[:4], **PAIRS)
        services.start(club.id, club.olga, now=club.now)
        services.next_round(club.id, club.olga, now=club.now)
        services.finish(club.id, club.olga, now=club.now)
        club.run()
        assert not Game.objects.filter(tournament=club.id).exists()
        services.reopen(club.id, club.olga, "too early", now=club.now)
        club.run()
        assert {club.game(table).status for table in (1, 2)} == {"setup"}
