"""Who sits at a table does not rule it where another organiser is left (LI5)."""

import pytest
from tournament_scene import Club

from core.refusals import Forbidden
from tests.tournaments.moment import services
from tournaments import selectors
from tournaments.models import Tournament

PAIRS = {"settings": {"rounds": 2, "tables": {"size": 2}}}


class TestOwnTable:
    """LI5: nobody rules the own table where an organiser is left who does not sit at it."""

    @pytest.mark.parametrize("kind", ["void", "rule_table", "extend", "restore"])
    def test_the_ruling_and_its_dry_run_are_refused(self, club: Club, kind: str) -> None:
        club.start(*club.people[:4], **PAIRS)
        sits = club.game(1).seat_rows()[0].player
        assert sits is not None
        club.organise(sits)
        game = str(club.game_id(1))
        players = [{"entrant": key, "place": at} for at, key in enumerate(club.t.tables[1, 1].entrants, 1)]
        more = {
            "void": {"game": game},
            "rule_table": {"round": 1, "table": 1, "players": players},
            "extend": {"game": game, "entrant": club.t.tables[1, 1].entrants[0], "seconds": 60},
            "restore": {"game": game},
        }
        for dry_run in (True, False):
            asked = {"ruling": kind, "reason": "mine", "dry_run": dry_run, **more[kind]}
            with pytest.raises(Forbidden) as error:
                services.rule(club.id, sits, asked, now=club.now)
            assert error.value.code == "own_table"
        assert club.game(1).status == "setup"

    def test_an_only_organiser_is_named_as_its_player_beside_the_ruling(self, club: Club) -> None:
        club.start(club.olga, *club.people[:3], **PAIRS)
        own = club.t.entrant_of(club.olga.pk)
        assert own is not None
        table = next(table for table in (1, 2) if own.key in club.t.tables[1, table].entrants)
        services.rule(club.id, club.olga, {"ruling": "void", "round": 1, "table": table, "reason": "x"}, now=club.now)
        assert selectors.rulings_of(Tournament.objects.get(pk=club.id))[0]["data"]["also_plays"] == own.key
