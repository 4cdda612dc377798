"""The rows of a game are a cache: whatever happens to its rows, a game is as its log says, and nobody notices."""

from uuid import uuid4

import pytest
from django.db import connection
from service_scene import a_move, all_at_once, game_now, play, play_on, started

from games import selectors, services
from games.models import Game, Seat
from games.projections import load, load_all, rebuild


@pytest.mark.django_db
@pytest.mark.parametrize("damage", ["rows lost", "seats lost", "one seat lost"])
def test_a_game_whose_rows_are_lost_is_brought_back_by_the_next_look(alice, bob, damage):
    game = play_on(started(alice, bob).id, 5)
    view = selectors.view_of(game, alice)
    seats = Seat.objects.filter(game=game.id)
    with connection.cursor() as cursor:
        if damage == "rows lost":
            cursor.execute("DELETE FROM games_seat WHERE game_id = %s", [game.id])
            cursor.execute("DELETE FROM games_game WHERE id = %s", [game.id])
        elif damage == "seats lost":
            seats.delete()
        else:
            seats.filter(index=1).delete()
    seen = selectors.game_for(alice, game.id)
    assert (seen.version, selectors.view_of(seen, alice)) == (game.version, view)
    assert rebuild(game.id).differences == ()


@pytest.mark.django_db
def test_a_game_whose_rows_are_lost_is_played_on(alice, bob):
    game = started(alice, bob)
    move = a_move(game, alice)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_seat WHERE game_id = %s", [game.id])
        cursor.execute("DELETE FROM games_game WHERE id = %s", [game.id])
    assert play(game.id, alice, move, key="k").body["version"] == game.version + 1
    assert rebuild(game.id).differences == ()


@pytest.mark.django_db
def test_a_listed_game_is_decoded_again_only_if_it_has_changed_and_its_players_are_read_each_time(alice, bob):
    game = play_on(started(alice, bob).id, 4)
    waiting = next(player for player in (alice, bob) if game.players[game.seat_of(player)].duty)

    def listed():
        (turn,) = selectors.Turns(waiting)[0:10]
        return turn.game

    before = listed()
    assert listed().state is before.state
    alice.username = "someone_else"
    alice.save()
    assert listed().accounts[alice.id].username == "someone_else"
    row = Game.objects.filter(pk=game.id)
    row.update(state={**row.get().state, "shuffles": 17})
    assert listed().shuffles == 17


@pytest.mark.django_db(transaction=True)
def test_rebuilds_among_moves_are_noticed_by_nobody(alice, bob):
    game = started(alice, bob)

    def rebuilds() -> None:
        for _ in range(25):
            assert rebuild(game.id).differences == ()

    def looks() -> None:
        for _ in range(60):
            assert load(game.id) is not None

    def moves() -> None:
        for _ in range(20):
            for player in (alice, bob):
                now = game_now(game.id)
                try:
                    play(game.id, player, a_move(now, player) or {"move": "pick_up"})
                except services.Illegal:
                    continue

    answers = all_at_once([rebuilds, rebuilds, looks, moves, moves])
    assert [answer for answer in answers if answer is not None] == []
    row = Game.objects.get(pk=game.id)
    assert row.version == game_now(game.id).version
    assert rebuild(game.id).differences == ()


def test_a_list_brings_back_what_is_lost_and_leaves_out_what_does_not_exist(alice, bob):
    lost, whole = started(alice, bob), started(alice, bob)
    Seat.objects.filter(game=lost.id).delete()
    found = load_all([whole.id, uuid4(), lost.id])
    assert [(game.id, game.version) for game in found] == [(whole.id, whole.version), (lost.id, lost.version)]
    assert Seat.objects.filter(game=lost.id).count() == 2
