"""Recording a result costs the same however many play: the same statements, and rows of one table only."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from tournament_scene import Club, end_game

from core.accounts.models import Player
from tests.tournaments.moment import services
from tournaments.services import outcomes


def statements(club: Club, people: int, **plan: object) -> list[str]:
    """What recording one result sends to the database."""
    guests = [Player(username=f"guest{people}-{number}") for number in range(people)]
    Player.objects.bulk_create(guests)
    club.open(*guests, **{"settings": {"rounds": 3, "tables": {"size": 2}}, **plan})
    services.start(club.id, club.olga, now=club.now)
    club.run()
    game_id = club.game_id(1)
    end_game(game_id, [0, 1], club.now)
    with CaptureQueriesContext(connection) as sent:
        outcomes.take_in(club.id, game_id, now=club.now)
    return [query["sql"].split("VALUES")[0].split("(")[0] for query in sent if "SAVEPOINT" not in query["sql"]]


@pytest.mark.slow
def test_a_result_costs_the_same_at_40_entrants_as_at_4(club: Club) -> None:
    few, many = statements(club, 4), statements(club, 40)
    assert len(few) == len(many)
    assert len(many) <= 16
