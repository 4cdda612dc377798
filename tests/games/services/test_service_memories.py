"""What bots remember of a game: the same in every process, whatever it has kept."""

import random

import pytest
from service_scene import a_move, game_now, play, started

from core import log
from games import bots
from games.projections import Snapshot
from games.rules import GAMES
from games.services import bots as service_bots
from games.services.bots import memory_of, public_events

pytestmark = pytest.mark.django_db


def of_all_events(table: Snapshot) -> bots.Memory | None:
    """What the events up to the snapshot's version give, read at once."""
    rules = GAMES[table.game]
    return bots.remember(rules, public_events(rules, log.read(table.stream, upto=table.version)))


@pytest.fixture
def past(alice, bob, monkeypatch) -> list[Snapshot]:
    """A game of Castle after each of its moves; nothing is kept of it."""
    monkeypatch.setattr(service_bots, "_kept", type(service_bots._kept)())
    table = started(alice, bob, game="castle")
    rng, seen = random.Random(3), [table]
    while table.status != "finished" and len(seen) < 60:
        for player in (alice, bob):
            if (move := a_move(table, player, rng)) is not None:
                play(table.id, player, move)
                table = game_now(table.id)
                seen.append(table)
                break
    return seen


@pytest.mark.sampled
def test_what_is_kept_gives_what_all_events_give_at_every_version(past):
    known = 0
    for table in past:
        memory = memory_of(table)
        assert memory == of_all_events(table)
        known += sum(len(hand.known) for hand in memory.hands)
    assert known > 100
    for table in reversed(past):
        assert memory_of(table) == of_all_events(table), "an older version than the one that is kept"


def test_only_what_is_new_is_read(past, django_assert_num_queries):
    memory_of(past[-2])
    with django_assert_num_queries(1) as read:
        memory_of(past[-1])
    assert read.captured_queries[0]["sql"].count(f"version > {past[-2].version - 1} ") == 1


def test_after_a_restore_other_events_may_have_the_same_versions(past):
    """The kept version is there again, with another event."""
    memory_of(past[-2])
    lost = service_bots._kept[past[-2].id]
    service_bots._kept[past[-2].id] = lost._replace(digest=bytes(32), memory=memory_of(past[5]))
    assert memory_of(past[-1]) == of_all_events(past[-1])


@pytest.mark.sampled
def test_a_process_keeps_the_games_it_was_asked_about_last(past, alice, bob, monkeypatch):
    monkeypatch.setattr(service_bots, "MOST_KEPT", 2)
    tables = [past[-1], *(started(alice, bob, game="castle") for _ in range(2))]
    for table in tables:
        memory_of(table)
    assert list(service_bots._kept) == [table.id for table in tables[1:]]
    assert game_now(past[-1].id).version == past[-1].version
    assert memory_of(past[-1]) == of_all_events(past[-1])
