"""Events that were stored before TC10 have no calls; whoever reads them sees them all the same."""

import random
from typing import Any

import pytest
from django.db import connection
from service_scene import play_on, started

from core import log
from games import selectors
from games.projections import Snapshot, read_events

pytestmark = pytest.mark.django_db


def as_stored_before(game: Snapshot) -> None:
    """Make the stream look as builds without calls stored it."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE log_event DISABLE TRIGGER USER")
        cursor.execute(
            "UPDATE log_event SET schema = 1, data = (data::jsonb - 'calls' - 'who_dealt')::json"
            " WHERE stream_id = %s AND type LIKE 'shedding.%%'",
            [game.stream],
        )
        cursor.execute("ALTER TABLE log_event ENABLE TRIGGER USER")


@pytest.fixture
def game(alice, bob, charlie) -> Snapshot:
    options = {"stalemate_after": 5}
    begun = started(alice, bob, charlie, game="three_card", options=options)
    return play_on(begun.id, 60)


def test_tc10_events_without_calls_are_completed_as_they_are_read(alice, game):
    before = selectors.events_for(alice, game)
    as_stored_before(game)
    assert all(event.data.get("calls", None) is None for event in log.read(game.stream))
    assert selectors.events_for(alice, game) == before
    assert any(event["data"].get("calls") for event in before), "something happened in it"


def test_tc10_also_from_the_middle_of_the_game(alice, bob, game):
    before = selectors.events_for(bob, game)
    as_stored_before(game)
    chance = random.Random(1)
    for _ in range(10):
        after, limit = chance.randrange(game.version), chance.randrange(1, 30)
        assert selectors.events_for(bob, game, after=after, limit=limit) == before[after : after + limit]


def test_tc10_reading_new_events_takes_one_query_and_old_ones_two(game, django_assert_num_queries):
    with django_assert_num_queries(1):
        read_events(game.stream, after=10)
    as_stored_before(game)
    with django_assert_num_queries(2):
        read_events(game.stream, after=10)
    with django_assert_num_queries(1):
        read_events(game.stream)


def test_tc10_the_view_of_such_a_game_has_the_calls_of_its_last_move(alice, game):
    def views() -> list[Any]:
        past = [selectors.history_view(game, version) for version in range(6, game.version + 1)]
        return [selectors.view_of(snapshot, alice) for snapshot in past]

    before = views()
    as_stored_before(game)
    assert views() == before
