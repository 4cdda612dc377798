"""Bots sit down, move through the service as people do, and run a game to its end."""

import random
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from msgspec import structs
from service_scene import SHORT, a_move, all_at_once, game_now, open_threes, play, seats_of
from test_service_hidden import _exchanged as exchanged
from test_service_hidden import pair, replayed

from core import log
from core.accounts.models import Player
from games import selectors, services
from games.bots import BOTS
from games.models import Game
from games.projections import Snapshot, rebuild
from games.rules import GAMES
from games.services import bots
from games.services.bots import choice_of, next_step
from games.services.moves import judge

pytestmark = pytest.mark.django_db

# Three Thirteen has a game of few rounds, the others end with the first who is out.
OPTIONS = {"three_thirteen": {"rounds": 2}}


def with_bots(player: Player, bots: int = 2, game: str = "threes") -> Snapshot:
    """A game of one player and steady bots, just dealt."""
    options = OPTIONS.get(game, SHORT)
    terms = services.Terms(game, bots + 1, options=options)
    room = services.open_room(player, terms, bots=["steady"] * bots)
    return services.start(room.id, player)


def movers(game: Snapshot) -> list[tuple[str, int]]:
    """Who made each move: the kind of the actor, and the seat."""
    return [(event.meta["actor"]["kind"], event.seat) for event in log.read(game.stream) if "move" in event.data]


def seat_a_bot(game: Snapshot, seat: int, **how) -> Snapshot:
    """What a missed turn leads to, where the clock says so."""
    now = how.get("now", game.moved_at)
    return services.hand_to_bot(game.id, seat, actor=log.Actor("clock"), reason="timeout", now=now)


def test_bots_sit_down_in_a_room_and_can_be_sent_out(alice, bob):
    room = services.open_room(alice, services.Terms("threes", 4), bots=["steady", "random"])
    assert [seat.bot for seat in seats_of(room)] == [None, {"level": "steady"}, {"level": "random"}]
    assert not room.rated
    room = services.add_bot(room.id, alice)
    assert [seat.index for seat in seats_of(room)] == [0, 1, 2, 3]
    with pytest.raises(services.Conflict, match="taken"):
        services.add_bot(room.id, alice)
    room = services.kick(room.id, alice, 1)
    room = services.join(room.id, bob)
    assert [seat.bot and seat.bot["level"] for seat in seats_of(room)] == [None, "random", "steady", None]
    assert rebuild(room.id).differences == ()
    joined = [event for event in selectors.events_for(bob, room) if event["type"] == "joined" and event["data"]["bot"]]
    assert [event["data"]["player"] for event in joined] == [None] * 3
    assert all(event["data"]["salt"] for event in joined)


def test_a_rated_room_is_rated_until_a_bot_sits_down(alice):
    room = open_threes(alice)
    assert room.rated
    assert not services.add_bot(room.id, alice, "random").rated
    assert not services.kick(room.id, alice, 1).rated


def test_only_the_opener_lets_bots_sit_down_and_only_in_an_open_room(alice, bob, charlie):
    room = open_threes(alice)
    services.join(room.id, bob)
    for player in (bob, charlie):
        with pytest.raises(services.Forbidden):
            services.add_bot(room.id, player)
    with pytest.raises(services.Invalid) as refused:
        services.add_bot(room.id, alice, "grandmaster")
    assert refused.value.field == "level"
    services.start(room.id, alice)
    with pytest.raises(services.Conflict):
        services.add_bot(room.id, alice)
    with pytest.raises(services.Invalid) as refused:
        services.open_room(alice, services.Terms("threes", 3), bots=["steady"] * 3)
    assert refused.value.field == "bots"


def test_a_room_that_only_bots_are_left_in_is_called_off(alice):
    room = services.open_room(alice, services.Terms("threes", 3), bots=["steady"])
    assert services.leave(room.id, alice).status == "cancelled"


@pytest.mark.sampled
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_person_and_bots_play_a_whole_game(alice, game):
    table = with_bots(alice, game=game)
    rng = random.Random(game)
    for _ in range(3000):
        services.play_bots(table.id)
        table = game_now(table.id)
        if table.status == "finished":
            break
        acting = [seat.index for seat in seats_of(table) if seat.to_act]
        assert acting == [0]
        play(table.id, alice, a_move(table, alice, rng))
    assert table.status == "finished"
    made = movers(table)
    assert {("bot", 1), ("bot", 2), ("player", 0)} == set(made)
    assert rebuild(table.id).differences == ()
    assert selectors.record_of(table)["format"] == "trey-record/1"


@pytest.mark.sampled
@pytest.mark.parametrize("game", sorted(GAMES))
def test_bots_alone_play_to_the_end(alice, game):
    table = with_bots(alice, game=game)
    play(table.id, alice, {"move": "resign"})
    calls = 0
    while game_now(table.id).status != "finished":
        assert services.play_bots(table.id)
        calls += 1
        assert calls < 50
    assert movers(table)[0] == ("player", 0)
    assert {kind for kind, _ in movers(table)[1:]} == {"bot"}
    assert game_now(table.id).result["ended_by"] != "resignation"


def test_a_bot_is_due_at_its_pace_and_the_sweep_makes_its_moves(alice, clock, settings):
    settings.TREY_BOT_PACE = 3
    table = with_bots(alice)
    assert len(selectors.Turns(alice)[0:9]) == 1
    clock.advance(seconds=2)
    assert services.sweep_bots() == services.play_bots(table.id) == 0
    clock.advance(seconds=1)
    assert services.sweep_bots() == 1
    assert services.sweep_bots() == 0  # the other bot's pace counts from what happened last
    clock.advance(seconds=3)
    assert services.sweep_bots() == 1
    assert services.sweep_bots() == 0
    assert [seat.to_act for seat in seats_of(table)] == [True, False, False]


def test_one_game_that_cannot_go_on_keeps_no_other_waiting(alice, clock, caplog):
    broken, fine = with_bots(alice), with_bots(alice)
    log_of = Game.objects.filter(pk=broken.id)
    log_of.update(state={"damaged": True})
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_seat SET due_at = due_at - interval '1 hour' WHERE game_id = %s", [broken.id])
    assert services.sweep_bots() == 2
    assert len(movers(fine)) == 2
    assert f"the bots of game {broken.id} cannot move" in caplog.text


@pytest.mark.parametrize("level", sorted(BOTS))
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_bot_knows_only_its_own_view(alice, game, level):
    """Two games that differ only in cards its seat cannot see: its choice is the same at every step."""
    table = open_threes(alice, 2)
    asked = 0
    for seed in range(3):
        order, swapped, moves = pair(game, 0, random.Random(f"{game} 0 {seed}"))
        exchange = {one: other for one, other in zip(order, swapped, strict=True) if one != other}
        twin_moves = [(seat, exchanged(move, exchange)) for seat, move in moves]
        twins = zip(replayed(game, order, moves), replayed(game, swapped, twin_moves), strict=True)
        for version, (state, twin) in enumerate(twins, 4):
            if GAMES[game].legal_moves(state, 0):
                ours = structs.replace(table, game=game, state=state, version=version)
                assert choice_of(ours, 0, level) == choice_of(structs.replace(ours, state=twin), 0, level)
                asked += 1
    assert asked > 3


def test_s13_of_a_game_that_stands_still_a_bot_sees_what_everybody_saw(alice, monkeypatch):
    """The last events of the log and those of the same turn that are not in it yet, without what is hidden."""
    table = with_bots(alice, 1)
    services.play_bots(table.id)
    table = game_now(table.id)
    shown = []
    choose = bots.bots.choose
    monkeypatch.setattr(
        bots.bots, "choose", lambda *args, events, memory: shown.append(events) or choose(*args, events=events)
    )
    choice_of(table, 0, "steady")
    assert shown.pop() == [], "nothing while it makes progress"
    still = structs.replace(table, state=replace(table.state.draft(), stalled=3).freeze())
    choice_of(still, 0, "steady")
    seen = shown.pop()
    assert [event["type"] for event in seen] == ["dealt", "arranged"]
    assert seen[1]["data"]["effects"][0]["hand"] is None, "the bot's own choice is nobody else's"
    pending = log.pending(table.stream, table, judge(table, 0, a_move(table, alice)), table.moved_at)
    choice_of(structs.replace(still, version=still.version + 1), 0, "steady", pending=pending)
    assert [event["type"] for event in shown.pop()] == ["dealt", "arranged", "arranged"]


def test_nobody_who_lacks_the_games_secret_can_foretell_a_bots_chance(alice):
    """Game, seat and version are known to all: were they the seed, a choice would tell what it was made among."""
    table = with_bots(alice)
    moves = [choice_of(structs.replace(table, secret=f"{number:064x}"), 1, "random") for number in range(20)]
    assert len({str(move) for move in moves}) > 1
    assert choice_of(table, 1, "random") == choice_of(table, 1, "random")


def test_a_task_delivered_twice_or_a_worker_that_died_makes_no_move_twice(alice, clock, monkeypatch):
    table = with_bots(alice, 3)

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt  # before the commit: nothing is there of it

    with monkeypatch.context() as patched:
        patched.setattr("core.log.executing.append", killed)
        with pytest.raises(KeyboardInterrupt):
            services.play_bots(table.id)
    assert movers(table) == []
    assert services.play_bots(table.id) == 3
    assert services.play_bots(table.id) == services.sweep_bots() == 0
    assert set(movers(table)) == {("bot", 1), ("bot", 2), ("bot", 3)}


@pytest.mark.django_db(transaction=True)
def test_many_workers_at_once_make_each_move_once(alice):
    table = with_bots(alice, 3)
    play(table.id, alice, {"move": "resign"})
    answers = all_at_once([lambda: services.play_bots(table.id)] * 4)
    while game_now(table.id).status != "finished":
        answers += all_at_once([lambda: services.play_bots(table.id), services.sweep_bots])
    assert all(isinstance(answer, int) for answer in answers), answers
    assert sum(answers) == len(movers(table)) - 1
    assert log.verify(table.stream) == []
    assert rebuild(table.id).differences == ()


def test_a_commit_that_leaves_a_bot_to_act_sends_for_a_worker(alice, monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr("games.services.commands.wake", sent.append)
    with django_capture_on_commit_callbacks(execute=True):
        table = with_bots(alice)
    assert sent == [table.id]
    with django_capture_on_commit_callbacks(execute=True):
        services.play_bots(table.id)  # goes on by itself
    assert sent == [table.id]


def test_a_lost_broker_delays_nobody_and_is_no_error(alice, settings, caplog, monkeypatch):
    from celery import Celery, current_app

    from core.wakeups import Task
    from games.services import commands

    before = current_app._get_current_object()
    away = Celery("away", broker="redis://127.0.0.1:1/0", set_as_current=True)
    began = time.monotonic()
    try:
        away.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
        monkeypatch.setattr(commands, "_bots", Task("games.tasks.play_bots", lost="the sweep finds them"))
        table = with_bots(alice)
        commands.wake(table.id)
        commands.wake(table.id)
    finally:
        before.set_current()
    assert caplog.text.count("the sweep finds them") == 1
    assert time.monotonic() - began < 5


def test_a_bot_takes_the_seat_until_the_player_is_back(alice, bob, clock):
    room = open_threes(alice, 2, options=SHORT)
    services.join(room.id, bob)
    table = services.start(room.id, alice)
    clock.advance(hours=1)
    table = seat_a_bot(table, 1, now=clock.at)
    seat = seats_of(table)[1]
    assert (seat.player, seat.bot) == (bob, {"level": "steady"})
    assert table.rated  # who is rated is the player
    assert selectors.Turns(bob)[0:9] == []
    assert selectors.legal_moves(bob, table).reason["code"] == "bot_plays"
    with pytest.raises(services.Conflict) as refused:
        play(table.id, bob, a_move_of(table, 1))
    assert refused.value.code == "bot_plays"
    assert services.play_bots(table.id) == 1
    clock.advance(hours=1)
    table = services.take_back(table.id, bob)
    assert seats_of(table)[1].bot is None
    assert rebuild(table.id).differences == ()
    with pytest.raises(services.Conflict) as refused:
        services.take_back(table.id, bob)
    assert refused.value.code == "no_bot"


def a_move_of(table: Snapshot, seat: int):
    return GAMES[table.game].legal_moves(table.state, seat)[0]


def test_who_comes_back_has_the_whole_time_of_a_turn(alice, bob, clock):
    room = open_threes(alice, 2, clock={"per_turn": 3600, "quiet_hours": False})
    services.join(room.id, bob)
    table = services.start(room.id, alice)
    clock.advance(minutes=50)
    seat_a_bot(table, 1, now=clock.at)
    clock.advance(minutes=5)
    table = services.take_back(table.id, bob)
    seat = seats_of(table)[1]
    assert seat.to_act
    assert seat.due_at == clock.at + timedelta(hours=1)
    assert seats_of(table)[0].due_at == clock.at + timedelta(minutes=5)
    assert rebuild(table.id).differences == ()


def test_a_missed_turn_hands_the_seat_to_a_bot_which_plays_on_until_the_player_is_back(alice, bob, clock):
    room = open_threes(alice, 2, options=SHORT, clock={"per_turn": 3600, "on_timeout": "bot", "quiet_hours": False})
    services.join(room.id, bob)
    table = services.start(room.id, alice)
    play(table.id, alice, a_move(table, alice))
    clock.advance(hours=1)
    assert services.sweep().timeouts == {"bot": 1}
    assert services.sweep_bots() >= 1
    for _ in range(2):  # days on which Alice plays and Bob is away
        clock.advance(minutes=30)
        table = game_now(table.id)
        if table.status == "finished":
            break
        play(table.id, alice, a_move(table, alice))
        services.sweep_bots()
        assert services.sweep().handled == 0
    else:
        table = services.take_back(table.id, bob)
        assert seats_of(table)[1].bot is None
    assert seats_of(table)[1].timeouts == 1
    assert rebuild(table.id).differences == ()


def test_a_sweep_is_short_and_the_next_one_goes_on(alice, clock, monkeypatch):
    monkeypatch.setattr("games.services.bots.IN_A_SWEEP", 1)
    tables = [with_bots(alice) for _ in range(3)]
    assert services.sweep_bots() == 3
    monkeypatch.setattr("games.services.bots.SWEEP_SECONDS", -1)
    assert services.sweep_bots() == services.sweep_bots() == services.sweep_bots() == 1
    assert services.sweep_bots() == 0
    assert all(len(movers(table)) == 2 for table in tables)


def test_who_has_left_for_good_does_not_come_back_and_may_leave_from_behind_a_bot(alice, bob, charlie, clock):
    room = open_threes(alice, 3)
    services.join(room.id, bob)
    services.join(room.id, charlie)
    table = seat_a_bot(services.start(room.id, alice), 1)
    play(table.id, bob, {"move": "resign"})
    with pytest.raises(services.Conflict) as refused:
        services.take_back(table.id, bob)
    assert refused.value.code == "resigned"


def test_a_game_is_called_off_without_asking_bots_or_those_for_whom_they_play(alice, bob):
    room = open_threes(alice, 3, bots=["steady"])
    services.join(room.id, bob)
    table = seat_a_bot(services.start(room.id, alice), 2)
    assert services.cancel(table.id, alice).status == "cancelled"
    assert services.play_bots(table.id) == services.sweep_bots() == 0


@pytest.mark.sampled
def test_a_rematch_has_the_same_bots(alice):
    table = with_bots(alice)
    play(table.id, alice, {"move": "resign"})
    while game_now(table.id).status != "finished":
        services.play_bots(table.id)
    room = services.rematch(table.id, alice)
    assert [seat.bot for seat in seats_of(room)] == [None, {"level": "steady"}, {"level": "steady"}]


@pytest.mark.sampled
def test_castle_bots_complete_a_set_out_of_turn(alice):
    """Over many games bots use their right to interrupt, always through the same log."""
    out_of_turn = 0
    for _ in range(12):
        table = with_bots(alice, 3, game="castle")
        play(table.id, alice, {"move": "resign"})
        while (table := game_now(table.id)).status != "finished":
            may = GAMES["castle"].may_interrupt(table.state)
            step = next_step(table, table.moved_at)
            assert step is not None
            assert not may or step.seat in may
            out_of_turn += bool(may)
            assert bots._play_one(table.id, table.moved_at)
        if out_of_turn:
            return
    raise AssertionError("no bot ever interrupted")


def prefers_forced(player: Player) -> None:
    player.preferences = {"forced_moves": True}
    player.save()


@pytest.mark.sampled
def test_a_forced_move_is_made_at_once_for_who_wants_it_and_for_nobody_else(alice, bob):
    prefers_forced(bob)
    forced = 0
    for seed in range(20):
        room = open_threes(alice, 2, options=SHORT)
        services.join(room.id, bob)
        table = services.start(room.id, alice)
        rng = random.Random(seed)
        for _ in range(2000):
            if (table := game_now(table.id)).status == "finished":
                break
            before = table.version
            made = services.play_bots(table.id)
            events = [event for event in log.read(table.stream, after=before) if "move" in event.data]
            assert made == len(events)
            forced += made
            for event in events:
                assert event.seat == 1
                assert event.actor == log.Actor("forced", str(bob.pk))
            table = game_now(table.id)
            mover = next((seat.player for seat in seats_of(table) if seat.to_act), None)
            if mover is not None:
                play(table.id, mover, a_move(table, mover, rng))
        if forced > 5:
            return
    raise AssertionError("no move was ever forced")
