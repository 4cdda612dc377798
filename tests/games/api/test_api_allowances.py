"""What one player may have at once: games, bots, changes of the calendar. Others, and tournaments, are not held up."""

from typing import Any
from uuid import uuid4

import pytest

from core.accounts.models import Player
from core.log import Actor
from games import services
from games.models import Game, Seat
from tests.games.api.client import Person

ROOM = {"game": "threes", "seats": 4}


@pytest.fixture(autouse=True)
def few(settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "games_per_player": 2, "bots_per_player": 3}


def test_a_player_opens_so_many_games_and_others_still_open_theirs(alice: Person, bob: Person) -> None:
    rooms = [alice.opens(), alice.opens()]
    answer = alice.post("games", ROOM)
    assert (answer.status, answer.code) == (429, "game_limit")
    assert int(answer.headers["retry-after"]) > 0
    assert Game.objects.count() == 2
    bob.opens()
    assert alice.post(f"games/{rooms[0]['id']}/cancel").status == 200
    alice.opens()


def test_who_sits_in_the_rooms_of_others_may_still_open_some(alice: Person, bob: Person) -> None:
    for _ in range(2):
        assert bob.post(f"games/{alice.opens()['id']}/join").status == 200
    bob.opens()


def test_bots_are_counted_over_all_unfinished_games_of_a_player(alice: Person, bob: Person) -> None:
    room = alice.opens(seats=4, bots=2)
    answer = alice.post("games", {**ROOM, "bots": 2})
    assert (answer.status, answer.code) == (429, "bot_limit")
    assert Game.objects.count() == 1
    assert alice.post(f"games/{room['id']}/bots", {}).status == 200
    other = alice.opens(seats=4)
    assert alice.post(f"games/{other['id']}/bots", {}).code == "bot_limit"
    assert Seat.objects.filter(bot__isnull=False).count() == 3
    bob.opens(seats=4, bots=3)


def test_limits_on_open_games_do_not_hold_up_a_tournaments_runner_li6(alice: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "games_per_player": 1, "bots_per_player": 1}
    alice.opens()
    entries = [services.Entry(player=Player.objects.get()), services.Entry(bot="steady"), services.Entry(bot="steady")]
    for _ in range(2):
        services.open_table(uuid4(), entries, services.Terms("threes", len(entries)), actor=Actor("tournament"))
    assert Game.objects.filter(opener=None).count() == 2


def test_a_calendar_changes_so_often_in_an_hour_and_the_rest_of_the_profile_as_one_likes(
    alice: Person, bob: Person, settings: Any
) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "calendar": (2, 3600)}
    hours = {"calendar": {"quiet_hours": ["22:00", "07:00"]}}
    assert [alice.patch("me", hours).status for _ in range(3)] == [200, 200, 429]
    assert alice.patch("me", {"preferences": {"unlisted": True}}).status == 200
    assert bob.patch("me", hours).status == 200


def test_a_player_sends_so_many_moves_in_a_minute_and_others_theirs(alice: Person, bob: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "moves": (2, 60)}
    game = alice.opens()
    assert bob.post(f"games/{game['id']}/join").status == 200
    moves = [alice.post(f"games/{game['id']}/moves", {"move": "draw"}) for _ in range(3)]
    assert [answer.code for answer in moves] == ["not_started", "not_started", "too_many_requests"]
    assert 0 < int(moves[-1].headers["retry-after"]) <= 60
    assert bob.post(f"games/{game['id']}/moves", {"move": "draw"}).code == "not_started"
