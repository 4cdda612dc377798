"""RA1: a rated result goes into its league once; RA3: lost on time; RA6: voids follow."""

from typing import Any

import pytest

from core import log
from core.accounts.models import Player
from games import services
from tests.games.services.service_scene import a_move, game_now, play, play_on, play_until_all_have, started
from tests.tournaments.leaderboards.league_scene import in_league, lines, players
from tournaments.leaderboards import profiles, rebuilding
from tournaments.leaderboards.projection import update_boards
from tournaments.leaderboards.stream import record_result

pytestmark = pytest.mark.django_db

STAFF = log.Actor("staff", "somebody")


def over(*people: Player, **settings: Any) -> Any:
    """A game to which all came, and that the first player has won, the others having resigned, last first."""
    game = play_until_all_have(started(*people, **settings).id)
    for player in reversed(people[1:]):
        play(game.id, player, {"move": "resign"})
    return game


def follow() -> None:
    record_result.catch_up()
    update_boards.catch_up()


def test_ra1_a_rated_result_goes_into_the_league_of_its_game_once() -> None:
    ada, bob, cleo = players("ada", "bob", "cleo")
    game = over(ada, bob, cleo)
    follow()
    record_result.catch_up()
    (event,) = log.read("league-threes")
    assert event.type == "league.result"
    assert event.data["game_id"] == str(game.id)
    assert [(one["player"], one["place"]) for one in event.data["players"]] == [
        (str(ada.pk), 1),
        (str(bob.pk), 2),
        (str(cleo.pk), 3),
    ]
    assert lines("threes", "wins")[0] == (1, "ada", 1)


def test_ra1_unrated_games_bots_and_games_called_off_are_not_in_the_league() -> None:
    ada, bob = players("ada", "bob")
    over(ada, bob, rated=False)
    with_bot = services.open_room(ada, services.Terms("threes", 2), bots=["steady"])
    services.start(with_bot.id, ada)
    play(with_bot.id, ada, {"move": "resign"})
    called_off = started(ada, bob)
    for player in (ada, bob):
        services.cancel(called_off.id, player)
    follow()
    assert log.read("league-threes") == []


def test_ra1_a_game_with_a_replaced_player_is_unrated() -> None:
    ada, bob, cleo = players("ada", "bob", "cleo")
    game = started(ada, bob)
    services.replace_player(game.id, 1, player=cleo, actor=STAFF, reason="bob is ill")
    play(game.id, cleo, {"move": "resign"})
    follow()
    assert log.read("league-threes") == []


def test_ra1_who_resigned_without_having_played_is_rated_for_itself_and_the_others_without_it() -> None:
    ada, bob, cleo = players("ada", "bob", "cleo")
    game = started(ada, bob, cleo)
    for player in (ada, bob, cleo):
        play(game.id, player, a_move(game_now(game.id), player))  # setup is no move in play
    play(game.id, cleo, {"move": "resign"})
    while not all(seat.played for seat in game_now(game.id).players[:2]):
        play_on(game.id, moves=1)
    play(game.id, bob, {"move": "resign"})
    follow()
    (event,) = log.read("league-threes")
    assert [one["never_came"] for one in event.data["players"]] == [False, False, True]
    assert profiles.versus(ada, cleo) == [] and profiles.versus(ada, bob)[0].better == 1
    profile = in_league(cleo, "threes")
    assert profile is not None
    assert (profile.tally.games, profile.tally.never_came, profile.tally.beaten) == (1, 1, 0)


def test_ra1_for_one_left_alone_it_is_no_game_and_of_such_seats_only_for_nobody() -> None:
    """Twelve who resign at once make nobody the first of a board."""
    ada, bob, cleo = players("ada", "bob", "cleo")
    game = started(ada, bob, cleo)
    for player in (cleo, bob):
        play(game.id, player, {"move": "resign"})
    follow()
    assert in_league(ada, "threes") is None
    assert [rank for rank, *_ in lines("threes", "games")] == [1, 1]
    for player in (bob, cleo):
        profile = in_league(player, "threes")
        assert profile is not None
        assert (profile.tally.never_came, profile.tally.wins) == (1, 0) and profile.tally.rating.mu < 25


def test_ra6_what_staff_void_counts_no_more_and_again_when_restored() -> None:
    ada, bob = players("ada", "bob")
    game = over(ada, bob)
    over(bob, ada)
    follow()
    services.void_game(game.id, actor=STAFF, reason="wrong deck")
    follow()
    rebuilding.rebuild("threes")
    assert lines("threes", "wins") == [(1, "bob", 1), (2, "ada", 0)]
    services.restore_game(game.id, actor=STAFF, reason="it was the right deck")
    follow()
    rebuilding.rebuild("threes")
    assert [rank for rank, *_ in lines("threes", "wins")] == [1, 1]
    assert [event.type for event in log.read("league-threes")] == [
        "league.result",
        "league.result",
        "league.voided",
        "league.restored",
    ]


def test_ra6_voiding_an_unrated_game_changes_no_league() -> None:
    ada, bob = players("ada", "bob")
    game = over(ada, bob, rated=False)
    services.void_game(game.id, actor=STAFF, reason="wrong deck")
    follow()
    assert log.read("league-threes") == []


def test_three_thirteen_brings_its_penalties_and_rounds() -> None:
    ada, bob = players("ada", "bob")
    game = started(ada, bob, game="three_thirteen", options={"rounds": 1})
    play_until_all_have(game.id)
    play(game.id, bob, {"move": "resign"})
    follow()
    (event,) = log.read("league-three_thirteen")
    assert event.data["rounds"] is not None
    assert all(type(one["score"]) is int for one in event.data["players"])
    profile = in_league(bob, "three_thirteen")
    assert profile is not None
    assert profile.tally.games == 1
