"""Settling (S14) at the service: what people, bots and the clock do, and that it is no part of a turn."""

from datetime import timedelta
from uuid import UUID

import pytest
from service_scene import game_now, play, seats_of

from core import log
from core.accounts.models import Player
from core.refusals import Illegal
from games import selectors, services
from games.models import Game
from games.projections import Snapshot
from games.services.commands import waits_for_server
from tests.scenes import done_at

pytestmark = pytest.mark.django_db
SETTLE = {"move": "settle"}
HOUR = {"per_turn": 3600}


def begun(*players: Player, bots: int = 0, **settings: object) -> Snapshot:
    """A game of Threes in which all people have chosen their face-up cards."""
    terms = services.Terms("threes", len(players) + bots, clock=HOUR, **settings)
    room = services.open_room(players[0], terms, bots=["steady", "random"][:bots])
    for player in players[1:]:
        services.join(room.id, player)
    game = services.start(room.id, players[0])
    for player in players:
        play(room.id, player, selectors.legal_moves(player, game).moves[0]["send"])
    return game_now(room.id)


def stand_still(game_id: UUID, count: int = 50) -> Snapshot:
    """The same game, which by its row has stood still for so many pick-ups."""
    row = Game.objects.get(pk=game_id)
    Game.objects.filter(pk=game_id).update(state={**row.state, "state": {**row.state["state"], "stalled": count}})
    return game_now(game_id)


def moves_of(game: Snapshot) -> list[tuple[str, int | None, str]]:
    """Who made which move: the kind of the actor, the seat, the move."""
    events = log.read(game.stream)
    return [(e.meta["actor"]["kind"], e.seat, e.data["move"]["move"]) for e in events if "move" in e.data]


def test_s14_people_who_all_settle_end_the_game(alice, bob):
    game = stand_still(begun(alice, bob).id)
    assert selectors.view_of(game, alice)["may_settle"]
    assert play(game.id, bob, SETTLE).body["types"] == ["settled"]
    assert play(game.id, alice, SETTLE).body["types"] == ["settled", "finished"]
    over = game_now(game.id)
    assert over.status == "finished" and over.result["ended_by"] == "agreed"
    assert {row["place"] for row in over.result["placements"]} == {1}


def test_s14_a_game_that_moves_cannot_be_settled(alice, bob):
    game = begun(alice, bob)
    with pytest.raises(Illegal) as refused:
        play(game.id, alice, SETTLE)
    assert refused.value.code == "cannot_settle"
    assert game_now(game.id).version == game.version


def test_s14_it_is_no_part_of_a_turn_so_deadlines_and_misses_stay(alice, bob):
    game = stand_still(begun(alice, bob).id)
    duties = [seat.duty for seat in game.players]
    later = game.moved_at + timedelta(minutes=20)
    for player in (alice, bob):
        play(game.id, player, SETTLE, now=later)
        play(game.id, player, SETTLE, now=later)
    assert any(duties) and [seat.duty for seat in game_now(game.id).players] == duties


def test_s14_who_only_settles_has_made_no_move(alice, bob):
    game = begun(alice, bob)
    turn = next(index for index, seat in enumerate(game.players) if seat.duty)
    done_at(game.players[turn].duty.due + timedelta(minutes=1), services.sweep)
    missed = game_now(game.id)
    assert missed.players[turn].misses == 1
    stand_still(game.id)
    play(game.id, (alice, bob)[turn], SETTLE)
    assert game_now(game.id).players[turn].misses == 1, "a missed turn is made up for by a turn"


def test_s14_who_settles_still_agrees_to_call_the_game_off(alice, bob):
    game = stand_still(begun(alice, bob).id)
    services.cancel(game.id, alice)
    play(game.id, alice, SETTLE)
    assert game_now(game.id).players[0].agrees_to_cancel


def test_s14_bots_settle_as_soon_as_they_may_also_out_of_turn(alice):
    game = begun(alice, bots=2)
    services.play_bots(game.id)
    now = game_now(game.id)
    assert now.status == "playing" and now.players[0].duty, "it is alice's turn"
    still = stand_still(game.id)
    assert waits_for_server(still), "the commit before would have woken a worker"
    assert services.play_bots(game.id) == 2
    assert moves_of(still)[-2:] == [("bot", 1, "settle"), ("bot", 2, "settle")]
    assert services.play_bots(game.id) == 0, "once each"
    assert play(game.id, alice, SETTLE).body["types"] == ["settled", "finished"]
    assert game_now(game.id).result["ended_by"] == "agreed"


def test_s14_bots_settle_whatever_their_pace(alice, settings):
    settings.TREY_BOT_PACE = 3600
    game = begun(alice, bots=1)
    done_at(game.moved_at + timedelta(hours=2), services.play_bots, game.id)
    still = stand_still(game.id)
    assert waits_for_server(still)
    assert done_at(still.moved_at, services.play_bots, game.id) == 1
    assert moves_of(still)[-1] == ("bot", 1, "settle")


def test_s14_bots_alone_end_a_game_that_stands_still(alice):
    game = begun(alice, bots=2)
    services.play_bots(game.id)
    play(game.id, alice, {"move": "resign"})
    still = stand_still(game.id)
    assert still.status == "playing"
    assert services.play_bots(game.id) == 2
    assert game_now(game.id).result["ended_by"] == "agreed"


def test_s14_a_bot_that_plays_for_a_player_settles_too(alice, bob):
    game = begun(alice, bob)
    services.hand_to_bot(game.id, 1, actor=log.Actor("clock"), reason="timeout", now=game.moved_at)
    still = stand_still(game.id)
    services.play_bots(game.id)
    assert ("bot", 1, "settle") in moves_of(still)
    with pytest.raises(services.Conflict) as refused:
        play(game.id, bob, SETTLE)
    assert refused.value.code == "bot_plays"


def test_s14_the_clock_and_forced_moves_never_settle(alice, bob):
    alice.preferences = {"forced_moves": True}
    alice.save()
    game = begun(alice, bob)
    still = stand_still(game.id)
    chosen = len(moves_of(game))
    turn = next(index for index, seat in enumerate(still.players) if seat.duty)
    services.play_bots(game.id)
    done_at(still.players[turn].duty.due + timedelta(minutes=1), services.sweep)
    made = moves_of(still)[chosen:]
    assert "clock" in {kind for kind, _, _ in made}
    assert "settle" not in {move for _, _, move in made}


def test_s14_the_last_event_says_agreed(alice, bob):
    game = stand_still(begun(alice, bob).id)
    for player in (alice, bob):
        play(game.id, player, SETTLE)
    finished = log.read(game.stream)[-1]
    assert finished.type == "game.finished" and finished.data["result"]["ended_by"] == "agreed"
    assert finished.data["rated"] is True, "both have moved in it"
    assert [seat.to_act for seat in seats_of(game)] == [False, False]
