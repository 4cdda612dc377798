import random
import re
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection
from service_scene import SHORT, game_now, next_mover, open_threes, play, play_on, seats_of, started

from core import log
from core.accounts import services as accounts
from core.accounts.login import guests
from core.accounts.models import Player
from games import selectors, services
from games.models import Game
from games.projections import Snapshot, rebuild
from games.services import timeouts
from tests.scenes import done_at

pytestmark = pytest.mark.django_db


def names(game: Snapshot) -> list[str]:
    return [seat.player.username for seat in seats_of(game) if seat.player]


def types(game: Snapshot) -> list[str]:
    return [event.type.partition(".")[2] for event in log.read(game.stream)]


def damage(game: Snapshot) -> None:
    """Lose the seats, and an event of the log that would bring them back."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE log_event DISABLE TRIGGER USER")
        cursor.execute("DELETE FROM log_event WHERE stream_id = %s AND version = 2", [game.stream])
        cursor.execute("ALTER TABLE log_event ENABLE TRIGGER USER")
        cursor.execute("DELETE FROM games_seat WHERE game_id = %s", [game.id])


@pytest.mark.sampled
def test_a_room_is_opened_joined_started_and_played_to_its_places(alice, bob, charlie):
    room = open_threes(alice, 4, clock={"per_turn": 3600}, options=SHORT)
    assert (room.status, room.version, names(room), room.invitation) == ("open", 2, ["alice"], None)
    assert room.options["decks"] == 2
    services.join(room.id, bob)
    room = services.join(room.id, charlie)
    assert (names(room), room.version) == (["alice", "Bob", "charlie"], 4)
    game = services.start(room.id, alice)
    assert (game.status, game.seats, game.version) == ("setup", 3, 6)
    assert types(game) == ["opened", "joined", "joined", "joined", "started", "dealt"]
    assert [seat.to_act for seat in seats_of(game)] == [True] * 3
    game = play_on(room.id)
    assert game.status == "finished"
    assert game.finished_at == game.moved_at
    assert sorted(place["seat"] for place in game.result["placements"]) == [0, 1, 2]
    assert game.result["placements"][0]["place"] == 1
    assert [seat.due_at for seat in seats_of(game)] == [None] * 3
    assert selectors.record_of(game)["format"] == "trey-record/1"


def test_defaults_that_follow_the_number_of_players_follow_those_who_start(alice, bob):
    room = open_threes(alice, 4)
    services.join(room.id, bob)
    assert services.start(room.id, alice).options["decks"] == 1
    asked = open_threes(alice, 4, options={"decks": 3})
    services.join(asked.id, bob)
    assert services.start(asked.id, alice).options["decks"] == 3


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"game": ["threes"]}, "game"),
        ({"ruleset": "1999"}, "ruleset"),
        ({"options": {"jokers": 3}}, "options.jokers"),
        ({"options": {"decks": 0}}, "options.decks"),
        ({"seats": 1}, "seats"),
        ({"seats": 33}, "seats"),
        ({"visibility": "hidden"}, "visibility"),
        ({"rated": "yes"}, "rated"),
        ({"clock": {"per_turn": 1}}, "clock.per_turn"),
        ({"clock": {"hours": 1}}, "clock.hours"),
        ({"salt": ""}, "salt"),
        ({"salt": "\x00"}, "salt"),
        ({"salt": "x" * 65}, "salt"),
    ],
)
def test_what_cannot_be_opened_names_its_field_and_opens_nothing(alice, wrong, field):
    with pytest.raises(services.Invalid) as refused:
        open_threes(alice, **wrong)
    assert [name for name, _ in refused.value.errors] == [field]
    assert not Game.objects.exists()


def test_a_private_room_is_entered_by_its_invitation_only(alice, bob, charlie):
    room = open_threes(alice, visibility="private")
    assert re.fullmatch(r"[2-9A-HJ-NP-Z]{12}", room.invitation)
    for invitation in (None, "", "WRONG", room.invitation[:-1], "\ud800"):
        with pytest.raises(services.NotFound):
            services.join(room.id, bob, invitation=invitation)
        with pytest.raises(services.NotFound):
            selectors.game_for(bob, room.id, invitation=invitation)
    assert selectors.game_for(bob, room.id, invitation=room.invitation.lower()).id == room.id
    services.join(room.id, bob, invitation=room.invitation)
    assert selectors.game_for(bob, room.id).id == room.id
    for command in (services.leave, services.start, services.cancel):
        with pytest.raises(services.NotFound):
            command(room.id, charlie)
    with pytest.raises(services.NotFound):
        play(room.id, charlie, {"move": "draw"})
    assert list(selectors.games_for(charlie)) == []
    assert [game.id for game in selectors.games_for(bob)] == [room.id]


def test_whoever_sits_may_not_sit_down_again_and_a_full_room_takes_nobody(alice, bob, charlie):
    room = open_threes(alice, 2)
    with pytest.raises(services.Conflict) as refused:
        services.join(room.id, alice)
    assert refused.value.code == "already_joined"
    services.join(room.id, bob)
    with pytest.raises(services.Conflict) as refused:
        services.join(room.id, charlie)
    assert refused.value.code == "room_full"
    services.start(room.id, alice)
    with pytest.raises(services.Conflict) as refused:
        services.join(room.id, charlie)
    assert refused.value.code == "already_started"


def test_there_is_no_game_of_that_name_at_all(alice):
    for command in (services.join, services.leave, services.start, services.cancel, services.rematch):
        with pytest.raises(services.NotFound):
            command(uuid4(), alice)
    with pytest.raises(services.NotFound):
        selectors.game_for(alice, uuid4())


def test_those_behind_move_up_and_the_openers_part_passes_on(alice, bob, charlie):
    room = open_threes(alice)
    services.join(room.id, bob)
    services.join(room.id, charlie)
    room = services.leave(room.id, alice)
    assert (names(room), room.opener) == (["Bob", "charlie"], bob.pk)
    assert names(game_now(room.id)) == names(room)
    with pytest.raises(services.Forbidden) as refused:
        services.start(room.id, charlie)
    assert refused.value.code == "not_the_opener"
    assert services.start(room.id, bob).status == "setup"


def test_a_room_left_by_everybody_is_cancelled(alice, bob):
    room = open_threes(alice)
    services.join(room.id, bob)
    services.leave(room.id, alice)
    room = services.leave(room.id, bob)
    assert (room.status, room.cancel_reason, names(room)) == ("cancelled", "empty", [])
    assert types(room)[-2:] == ["left", "called_off"]
    with pytest.raises(services.Conflict):
        services.join(room.id, alice)


def test_the_opener_sends_somebody_out_and_nobody_else_does(alice, bob, charlie):
    room = open_threes(alice)
    services.join(room.id, bob)
    services.join(room.id, charlie)
    with pytest.raises(services.Forbidden):
        services.kick(room.id, bob, 2)
    for seat in (0, 3, -1, True, "1"):
        with pytest.raises(services.Invalid) as refused:
            services.kick(room.id, alice, seat)
        assert refused.value.field == "seat"
    room = services.kick(room.id, alice, 1)
    assert names(room) == ["alice", "charlie"]
    with pytest.raises(services.Forbidden):
        services.leave(room.id, bob)


def test_one_alone_starts_nothing(alice):
    with pytest.raises(services.Conflict) as refused:
        services.start(open_threes(alice).id, alice)
    assert refused.value.code == "too_few_players"


def test_an_open_room_is_called_off_by_its_opener(alice, bob):
    room = open_threes(alice)
    services.join(room.id, bob)
    with pytest.raises(services.Forbidden):
        services.cancel(room.id, bob)
    room = services.cancel(room.id, alice)
    assert (room.status, room.cancel_reason) == ("cancelled", "opener")
    for command in (services.join, services.leave, services.start, services.cancel):
        with pytest.raises(services.Conflict) as refused:
            command(room.id, alice)
        assert refused.value.code == "game_cancelled"


def test_a_running_game_is_called_off_when_all_its_people_agree(alice, bob, charlie, dora):
    game = started(alice, bob, charlie)
    with pytest.raises(services.Forbidden):
        services.cancel(game.id, dora)
    assert services.cancel(game.id, alice).status == "setup"
    version = game_now(game.id).version
    assert services.cancel(game.id, alice).version == version
    services.cancel(game.id, bob)
    play(game.id, charlie, {"move": "resign"})
    with pytest.raises(services.Conflict) as refused:
        services.cancel(game.id, charlie)
    assert refused.value.code == "resigned"
    game = services.cancel(game.id, bob)
    assert (game.status, game.cancel_reason) == ("cancelled", "agreed")
    assert not any(seat.to_act or seat.due_at for seat in seats_of(game))
    with pytest.raises(services.Conflict):
        play(game.id, alice, {"move": "resign"})


def test_an_agreement_lapses_with_ones_next_move(alice, bob):
    game = started(alice, bob)
    services.cancel(game.id, alice)
    play_on(game.id, 3, random.Random(5))
    assert services.cancel(game.id, bob).status != "cancelled"
    assert services.cancel(game.id, alice).status == "cancelled"


def test_a_running_game_is_not_left_but_resigned(alice, bob):
    game = started(alice, bob)
    for command in (services.leave, services.start):
        with pytest.raises(services.Conflict) as refused:
            command(game.id, alice)
        assert refused.value.code == "already_started"
    play(game.id, bob, {"move": "resign"})
    game = game_now(game.id)
    assert (game.status, game.result["ended_by"]) == ("finished", "resignation")
    assert [seat.resigned for seat in seats_of(game)] == [False, True]


def test_rooms_in_which_nothing_happens_expire(alice, bob, settings):
    settings.TREY_ROOM_IDLE_SECONDS = 3600
    opened = datetime(2026, 11, 21, 12, tzinfo=UTC)
    idle, busy = (open_threes(alice, now=opened) for _ in range(2))
    done_at(opened + timedelta(minutes=59), services.join, busy.id, bob)
    running = open_threes(alice, now=opened)
    done_at(opened, services.join, running.id, bob)
    done_at(opened, services.start, running.id, alice)
    at = opened + timedelta(hours=1)
    assert done_at(at - timedelta(seconds=1), services.expire_rooms) == 0
    assert done_at(at, services.expire_rooms) == 1
    assert done_at(at, services.expire_rooms) == 0
    assert (game_now(idle.id).status, game_now(idle.id).cancel_reason) == ("cancelled", "idle")
    assert (game_now(busy.id).status, game_now(running.id).status) == ("open", "setup")


def test_a_room_whose_log_is_damaged_keeps_no_other_from_expiring(alice, bob, clock, caplog):
    damaged = open_threes(alice)
    services.join(damaged.id, bob)
    clock.advance(seconds=1)
    idle = open_threes(alice)
    damage(damaged)
    clock.advance(days=8)
    assert services.expire_rooms() == 1
    assert game_now(idle.id).cancel_reason == "idle"
    (line,) = (record.getMessage() for record in caplog.records if record.levelname == "ERROR")
    assert str(damaged.id) in line


def test_a_server_can_cap_the_rooms_of_a_game(alice, settings):
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "rooms_per_game": 2}
    open_threes(alice)
    second = open_threes(alice)
    with pytest.raises(services.Conflict) as refused:
        open_threes(alice)
    assert refused.value.code == "room_limit"
    open_threes(alice, game="castle")
    services.cancel(second.id, alice)
    open_threes(alice)


def practice(player, **asked):
    return services.open_room(player, services.Terms("threes", 3, start="full", **asked), bots=["random"] * 2)


def test_bt2_a_practice_game_has_no_clock_unless_its_opener_named_one(clock, alice, bob):
    game = practice(alice)
    assert game.is_practice
    assert selectors.deadlines(game) == {}
    clock.advance(days=20)
    assert timeouts.sweep().handled == 0
    assert not practice(alice, clock={"per_turn": 60}).is_practice
    room = services.open_room(alice, services.Terms("threes", 2))
    services.join(room.id, bob)
    with_people = services.start(room.id, alice)
    assert not with_people.is_practice
    assert set(selectors.deadlines(with_people)) == {0, 1}
    changed = services.open_room(alice, services.Terms("threes", 2))
    services.change_room(changed.id, alice, {"clock": {"per_turn": 60}})
    services.add_bot(changed.id, alice)
    assert not services.start(changed.id, alice).is_practice


def test_bt2_practice_without_a_move_for_thirty_days_is_called_off(clock, alice):
    game, timed = practice(alice), practice(alice, clock={"per_turn": 60})
    clock.advance(days=30, seconds=-1)
    assert services.expire_rooms() == 0
    clock.advance(seconds=1)
    assert services.expire_rooms() == 1
    assert [game_now(one.id).status for one in (game, timed)] == ["cancelled", "setup"]


def test_ac2_a_rematch_is_rated_once_the_guest_is_kept(alice):
    mary = guests.sign_up("Mary")
    for kept in (False, True):
        game = started(alice, mary)
        assert not game.rated
        services.play(game.id, mary, {"move": "resign"})
        if kept:
            accounts.set_password(mary, "a quiet evening")
        for player in (alice, Player.objects.get(pk=mary.pk)):
            room = services.rematch(game.id, player)
        assert room.rated == kept


@pytest.mark.sampled
def test_a_rematch_seats_the_same_people_with_the_same_settings(alice, bob, charlie):
    game = started(alice, bob, visibility="private", clock={"per_turn": 600}, options=SHORT)
    with pytest.raises(services.Conflict) as refused:
        services.rematch(game.id, alice)
    assert refused.value.code == "not_finished"
    game = play_on(game.id)
    assert selectors.rematch_waits(alice, game) is None
    with pytest.raises(services.NotFound):
        services.rematch(game.id, charlie)
    room = services.rematch(game.id, bob)
    assert (room.rematch_of, names(room), room.seats, room.visibility) == (game.id, ["Bob"], 2, "private")
    assert (room.options, room.clock) == (game.options, game.clock)
    assert services.rematch(game.id, bob).id == room.id
    waiting = [selectors.rematch_waits(player, game) for player in (alice, bob, charlie)]
    assert waiting == ["Bob", None, None]
    room = services.rematch(game.id, alice)
    assert names(room) == ["Bob", "alice"]
    assert selectors.rematch_waits(alice, game) is None
    services.cancel(room.id, bob)
    assert services.rematch(game.id, alice).id != room.id


def test_a_deleted_account_leaves_rooms_resigns_games_and_stays_in_history_by_id(alice, bob, charlie):
    room = open_threes(alice)
    services.join(room.id, bob)
    game = started(alice, bob, charlie)
    over = started(alice, bob)
    play(over.id, bob, {"move": "resign"})
    bobs_id = bob.pk
    accounts.close(bob)
    assert not Player.objects.filter(pk=bobs_id).exists()
    assert names(game_now(room.id)) == ["alice"]
    seats = seats_of(game)
    assert [seat.resigned for seat in seats] == [False, True, False]
    assert [(seat.player_id, seat.player) for seat in seats][1] == (bobs_id, None)
    played_on = play_on(game.id, 10)
    before = selectors.history_view(played_on, 4)
    assert [seat.player for seat in before.players] == [alice.pk, bobs_id, charlie.pk]
    assert selectors.record_of(game_now(over.id))["moves"] == [{"seat": 1, "move": "resign"}]
    assert next_mover(game_now(room.id)) is None
    assert [rebuild(each.id).differences for each in (room, game, over)] == [(), (), ()]


def test_names_are_unique_whatever_their_case(alice):
    assert Player.objects.get_by_natural_key("ALICE") == alice
    with pytest.raises(IntegrityError):
        Player.objects.create_user("Alice")


def test_an_account_goes_although_the_log_of_one_of_its_games_is_damaged(alice, bob, caplog):
    first, damaged, last = (open_threes(alice) for _ in range(3))
    for room in (first, damaged, last):
        services.join(room.id, bob)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE log_event DISABLE TRIGGER USER")
        cursor.execute("DELETE FROM log_event WHERE stream_id = %s AND version = 2", [damaged.stream])
        cursor.execute("UPDATE games_game SET version = 2 WHERE id = %s", [damaged.id])
    bobs_id = bob.pk
    accounts.close(bob)
    assert not Player.objects.filter(pk=bobs_id).exists()
    assert [names(game_now(room.id)) for room in (first, last)] == [["alice"], ["alice"]]
    (line,) = (record.getMessage() for record in caplog.records if record.levelname == "ERROR")
    assert str(damaged.id) in line
