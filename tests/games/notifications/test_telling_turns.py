"""TU1, TU2, NT2, NT4: whose turn began with which append, told once, and not when it was played or seen."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Event, current_thread, main_thread

import pytest
from django.db import connection

from core import log
from core.jobs.models import Work
from core.log.models import Checkpoint
from core.notifications import preferences
from core.notifications import services as telling
from core.notifications.models import Notification
from core.refusals import Refused
from games import services
from games.notifications import services as saying
from games.notifications.following import tell_players
from games.rules import GAMES
from tests.core.log.log_scene import PATIENCE, Crew, until, waiting_for_locks
from tests.games.notifications.telling_scene import dealt, handed_over, local_jobs, move, news_of, told
from tests.games.services.service_scene import game_now, next_mover, play, play_on, seats_of, started
from tests.scenes import done_at

pytestmark = pytest.mark.django_db


def test_tu1_a_turn_is_told_once_with_its_name_and_the_table_by_its_people(clock, alice, bob, charlie):
    game = dealt(alice, bob, charlie)
    waited_for = handed_over(game)
    now = game_now(game.id)
    turn = news_of(waited_for, "turn")[-1]
    seat = now.seat_of(waited_for)
    assert turn["cause"] == f"turn:{game.id}:{seat}:{now.version}"
    others = [seat.player.username for seat in seats_of(now) if seat.player != waited_for]
    assert turn["text"] == f"Your turn: Threes with {' and '.join(others)}."
    assert turn["link"] == f"/games/{game.id}"
    assert (turn["read"], turn["channels"]["live"]["state"]) == (False, "sent")


@pytest.mark.sampled
@pytest.mark.parametrize("name", GAMES)
def test_tu1_by_the_games_own_words_each_turn_of_another_hand_is_told_and_no_other(clock, alice, bob, charlie, name):
    """The truth is worked out from the states: who must act after each append, and what was dealt in it."""
    people = [alice, bob, charlie]
    options = {"play_until": "first_out"} if name == "threes" else {}
    game = started(*people, game=name, options=options)
    rng = random.Random(7)
    for _ in range(60):
        if next_mover(game_now(game.id)) is None:
            break
        move(game, rng)
    expected = _turns(game.id)
    for player in people:
        causes = [body["cause"] for body in news_of(player, "turn")]
        assert causes == [cause for cause, owner, _ in expected if owner == player.pk]
        listed = [body["cause"] for body in news_of(player, "turn") if body["channels"]["live"].get("reason") == "seen"]
        assert listed == [cause for cause, owner, own in expected if owner == player.pk and own]
    assert len(expected) > 10


def _turns(game_id):
    """TU1 by the rules' states alone: name, owner, and whether it began by the owner's own move."""
    from games.projections.snapshot import evolve

    snapshot, open_, found, appended = None, {}, [], []
    for event in log.read(f"game-{game_id}"):
        snapshot = evolve(snapshot, event)
        appended.append(event)
        if "timing" not in event.data:
            continue
        acting = GAMES[snapshot.game].to_act(snapshot.state) if snapshot.is_running else []
        if any(one.type.endswith(".dealt") for one in appended):
            open_ = {}
        for seat in acting:
            if seat not in open_:
                open_[seat] = event.version
                owner = snapshot.players[seat].player
                hand = event.actor.id if event.actor.kind == "player" else None
                found.append((f"turn:{game_id}:{seat}:{event.version}", owner, hand == str(owner)))
        open_ = {seat: version for seat, version in open_.items() if seat in acting}
        appended = []
    return found


def test_nt2_a_log_that_is_read_again_tells_nothing_again(clock, alice, bob):
    game = started(alice, bob)
    play_on(game.id, 20)
    before = [news_of(player) for player in (alice, bob)]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM log_checkpoint WHERE subscriber = %s", [tell_players.name])
    assert tell_players.catch_up() > 20
    numbers = [[body["number"] for body in news_of(player)] for player in (alice, bob)]
    assert numbers == [[body["number"] for body in bodies] for bodies in before]


@pytest.mark.sampled
def test_nt2_after_every_crash_each_cause_is_told_once(clock, alice, bob, monkeypatch):
    """The reactor dies at random points of its transactions, a hundred times; what it did counts all or nothing."""
    game = started(alice, bob)
    play_on(game.id)
    assert game_now(game.id).status == "finished"
    rng = random.Random(3)
    crashes = 0
    real = Notification.objects.filter

    from core.notifications import channels

    queue = channels.queue

    def dies(*arguments, **named):
        nonlocal crashes
        if crashes < 100 and rng.random() < 0.5:
            crashes += 1
            raise RuntimeError("killed")
        queue(*arguments, **named)
        if crashes < 100 and rng.random() < 0.5:
            crashes += 1
            raise RuntimeError("killed")

    monkeypatch.setattr(channels, "queue", dies)
    by_few = replace(tell_players, batch=2)
    while True:
        try:
            by_few.catch_up()
        except ExceptionGroup:
            continue
        break
    assert crashes >= 20
    for player in (alice, bob):
        numbers = list(real(player=player).order_by("number").values_list("number", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))
    expected = {cause for cause, _, _ in _turns(game.id)}
    assert set(Notification.objects.filter(kind="turn").values_list("cause", flat=True)) == expected
    assert Checkpoint.objects.get(subscriber=tell_players.name, bucket=log.bucket_of(game.stream)).failing_since is None


def test_nt4_a_turn_that_was_played_has_lost_its_point_and_counts_as_read(clock, alice, bob):
    game = dealt(alice, bob)
    other = handed_over(game)
    assert news_of(other, "turn")[-1]["read"] is False
    # Whoever moves and is still to move has seen the turn, too.
    while move(game) == next_mover(game_now(game.id)):
        other = handed_over(game)
    turn = news_of(other, "turn")[-1]
    assert turn["read"] is True
    assert Notification.objects.get(player=other, cause=turn["cause"]).lost == "played"


def test_tu2_what_was_seen_is_not_unread_and_what_comes_later_is(clock, alice, bob):
    game = dealt(alice, bob)
    other = handed_over(game)
    news_of(other)
    version = game_now(game.id).version
    saying.saw(game.id, other, version)
    assert all(body["read"] for body in news_of(other))
    saying.saw(game.id, other, version - 1)  # a higher version swallows lower ones
    with pytest.raises(Refused, match="has no version") as refused:
        saying.saw(game.id, other, version + 1)
    assert refused.value.status == 422


def test_tu2_what_was_seen_before_it_was_told_is_listed_as_seen(clock, alice, bob):
    game = dealt(alice, bob)
    other = handed_over(game)
    saying.saw(game.id, other, game_now(game.id).version)
    turn = news_of(other, "turn")[-1]
    assert {fate["state"] for fate in turn["channels"].values()} == {"skipped"}
    assert {fate["reason"] for fate in turn["channels"].values()} == {"seen"}


def test_nt4_who_wants_to_be_told_always_is_told_what_was_seen(clock, alice, bob):
    for player in (alice, bob):
        preferences.prefer(player, {"always": True})
    game = dealt(alice, bob)
    other = handed_over(game)
    saying.saw(game.id, other, game_now(game.id).version)
    turn = news_of(other, "turn")[-1]
    assert (turn["read"], turn["channels"]["live"]["state"]) == (False, "sent")


def test_nt4_who_wants_to_be_told_always_is_told_of_what_came_before_their_own_move(clock, alice, bob):
    for player in (alice, bob):
        preferences.prefer(player, {"always": True})
    game = dealt(alice, bob)
    started = news_of(bob, "started")[-1]["cause"]
    while move(game) != bob:
        pass
    tell_players.catch_up()
    assert Notification.objects.get(player=bob, cause=started).lost is None
    preferences.prefer(bob, {"always": False})
    while move(game) != bob:
        pass
    tell_players.catch_up()
    assert Notification.objects.get(player=bob, cause=started).lost == "seen"


def test_tu1_whoever_takes_a_seat_over_in_a_turn_is_told_that_turn(clock, alice, bob, charlie):
    game = dealt(alice, bob)
    mover = handed_over(game)
    turn = news_of(mover, "turn")[-1]["cause"]
    seat = game.seat_of(mover)
    services.replace_player(game.id, seat, player=charlie, actor=log.Actor("staff"), reason="ill")
    assert [body["cause"] for body in news_of(charlie, "turn")] == [turn]
    assert told(charlie) == ["seat", "turn"]
    gone = news_of(mover)
    assert gone[-1]["text"].startswith("Somebody else now plays in your seat: Threes with ")
    assert gone[-1]["text"].endswith("Reason: ill")
    assert Notification.objects.get(player=mover, cause=turn).lost == "played"


def test_tu1_a_bot_is_told_nothing_and_who_comes_back_did_it_by_hand(clock, alice, bob):
    game = dealt(alice, bob)
    mover = next_mover(game)
    seat = game.seat_of(mover)
    services.hand_to_bot(game.id, seat, actor=log.Actor("staff"), reason="away")
    assert told(mover)[-1] == "seat"
    before = told(mover)
    services.take_back(game.id, mover)
    assert told(mover) == before


def test_a_log_that_is_older_than_three_days_is_followed_in_silence(clock, alice, bob):
    game = dealt(alice, bob)
    clock.advance(days=3, seconds=1)
    assert told(alice) == told(bob) == []
    assert told(handed_over(game))[-1] == "turn"


def test_nt1_started_finished_and_called_off_are_told_to_the_others(clock, alice, bob):
    game = started(alice, bob)
    assert told(alice, "started") == [] and told(bob, "started") == ["started"]
    play(game.id, bob, {"move": "resign"})
    assert told(alice, "finished") == ["finished"]
    ended = news_of(bob, "finished")[-1]
    assert ended["channels"]["live"]["reason"] == "seen"
    assert news_of(alice, "finished")[-1]["text"] == "The game is over: Threes with Bob. You came 1st."
    room = services.open_room(alice, services.Terms("threes", 3))
    services.join(room.id, bob)
    services.cancel(room.id, alice)
    assert news_of(bob, "finished")[-1]["text"] == "The game was called off: Threes with alice."


def test_those_whom_it_takes_to_call_a_game_off_are_told_once_that_somebody_wants_to(clock, alice, bob, charlie):
    game = started(alice, bob, charlie)
    services.cancel(game.id, alice)
    services.cancel(game.id, alice)
    said = "alice wants to call the game off, if everyone agrees: Threes with {}."
    assert [body["text"] for body in news_of(bob, "changed")] == [said.format("alice and charlie")]
    services.cancel(game.id, bob)
    assert next(body["text"] for body in news_of(charlie, "changed")) == said.format("alice and Bob")
    assert len(news_of(charlie, "changed")) == 2 and told(alice, "changed") == []
    services.cancel(game.id, charlie)
    assert len(news_of(bob, "changed")) == 1 and told(alice, "finished") == ["finished"]


def test_nt4_once_a_game_starts_or_is_over_invitations_and_its_start_have_no_point(clock, alice, bob, charlie):
    room = services.open_room(alice, services.Terms("threes", 2))
    for guest in (bob, charlie):
        saying.invite(room.id, alice, guest.username)
    services.join(room.id, bob)
    services.start(room.id, alice)
    assert [body["read"] for body in news_of(charlie, "invited")] == [True], "nobody sits down any more"
    assert [body["read"] for body in news_of(bob, "started")] == [False]
    play(room.id, bob, {"move": "resign"})
    assert [body["read"] for body in news_of(bob, "started")] == [True]
    assert [body["read"] for body in news_of(alice, "finished")] == [False]


def test_nt1_what_the_clock_did_is_told_with_how(clock, alice, bob):
    game = started(alice, bob, clock={"per_turn": 3600, "strikes": 1, "on_timeout": "bot"})
    clock.advance(hours=2)
    services.beat("web")
    done_at(clock.at, services.sweep)
    clock.advance(seconds=20)
    services.beat("web")
    done_at(clock.at, services.sweep)
    texts = {body["text"] for player in (alice, bob) for body in news_of(player, "timed_out")}
    assert "Threes with Bob. Your time was up: a bot took your seat." in texts
    assert game_now(game.id).players[0].bot is not None
    assert "seat" not in told(alice)  # it is one thing


def test_nt1_rulings_and_being_sent_out_are_told_with_their_reason(clock, alice, bob, charlie):
    room = services.open_room(alice, services.Terms("threes", 3))
    services.join(room.id, bob)
    services.kick(room.id, alice, 1)
    assert news_of(bob)[-1]["text"] == "You were removed from the table: Threes with alice."
    game = dealt(alice, charlie)
    mover = next_mover(game)
    services.extend_turn(game.id, game.seat_of(mover), 3600, actor=log.Actor("staff"), reason="the train was late")
    assert news_of(mover, "ruling")[-1]["text"].endswith("Reason: the train was late")
    play(game.id, charlie, {"move": "resign"})
    services.void_game(game.id, actor=log.Actor("staff"), reason="a test")
    assert news_of(alice, "ruling")[-1]["text"].startswith("The game no longer counts: Threes with charlie.")


def test_nt1_a_rematch_invites_the_old_tables_people(clock, alice, bob):
    game = started(alice, bob)
    play(game.id, bob, {"move": "resign"})
    services.rematch(game.id, alice)
    assert news_of(bob, "invited")[-1]["text"] == "alice invites you to play again: Threes with alice."
    assert told(alice, "invited") == []


def test_nt6_a_fifth_of_the_time_is_the_mark_where_nothing_was_chosen(clock, alice, bob):
    game = dealt(alice, bob, clock={"per_turn": 86_400})
    mover = next_mover(game)
    began = clock.at
    told(mover)
    clock.set(began + timedelta(hours=19, minutes=11))
    local_jobs()
    assert told(mover, "reminder") == []
    clock.set(began + timedelta(hours=19, minutes=12))
    local_jobs()
    assert told(mover, "reminder") == ["reminder"]
    text = news_of(mover, "reminder")[-1]["text"]
    assert text.startswith("Still your turn: Threes with ") and text.endswith(". Your time ends in 4 hours.")
    local_jobs()
    assert told(mover, "reminder") == ["reminder"]


def test_nt4_a_reminder_whose_turn_has_ended_is_not_sent(clock, alice, bob):
    game = dealt(alice, bob, clock={"per_turn": 86_400})
    mover = next_mover(game)
    told(mover)
    handed_over(game)
    clock.advance(hours=20)
    told(mover)
    local_jobs()
    assert told(mover, "reminder") == []


@pytest.mark.sampled
def test_nt6_one_reminder_waits_for_a_player_of_a_game_and_goes_out_for_the_turn_that_runs(clock, alice, bob):
    game = dealt(alice, bob, clock={"per_turn": 86_400})
    first = clock.at
    for _ in range(6):
        told(next_mover(game_now(game.id)))
        clock.advance(hours=1)
        handed_over(game)
    mover, began = next_mover(game_now(game.id)), clock.at
    told(mover)
    assert Work.objects.filter(kind="games.reminder").count() == 2
    for moment, expected in (
        (first + timedelta(hours=19, minutes=12), []),
        (began + timedelta(hours=19, minutes=11), []),
        (began + timedelta(hours=19, minutes=12), ["reminder"]),
    ):
        clock.set(moment)
        local_jobs()
        assert told(mover, "reminder") == expected


def test_nt6_whoever_has_seen_the_turn_and_not_played_it_is_reminded(clock, alice, bob):
    game = dealt(alice, bob, clock={"per_turn": 86_400})
    mover = next_mover(game)
    told(mover)
    saying.saw(game.id, mover, game_now(game.id).version)
    clock.advance(hours=20)
    local_jobs()
    assert told(mover, "reminder") == ["reminder"]


@pytest.mark.sampled
def test_nt6_a_moved_deadline_moves_its_reminder_which_comes_again_if_it_moved_by_more_than_the_mark(clock, alice, bob):
    for player in (alice, bob):
        preferences.prefer(player, {"reminders": ["1h"]})
    game = dealt(alice, bob, clock={"per_turn": 86_400})
    mover, began = next_mover(game), clock.at

    def extended_by(seconds):
        services.extend_turn(game.id, game.seat_of(mover), seconds, actor=log.Actor("staff"), reason="a test")

    def reminded_by(**after):
        told(mover)
        clock.set(began + timedelta(**after))
        local_jobs()
        return len(told(mover, "reminder"))

    assert [reminded_by(hours=22, minutes=59), reminded_by(hours=23)] == [0, 1]
    extended_by(1800)
    assert reminded_by(hours=23, minutes=30) == 1
    extended_by(7200)
    assert [reminded_by(hours=25, minutes=29), reminded_by(hours=25, minutes=30)] == [1, 2]


def test_nt6_other_marks_hold_for_the_turn_that_runs(clock, alice, bob):
    game = dealt(alice, bob, clock={"per_turn": 86_400})
    mover, began = next_mover(game), clock.at
    told(mover)
    clock.advance(hours=1)
    preferences.prefer(mover, {"reminders": ["24h", "12h", "1h"]})
    for after, count in ((12, 1), (20, 1), (23, 2)):
        clock.set(began + timedelta(hours=after))
        local_jobs()
        assert len(told(mover, "reminder")) == count, f"after {after} hours"


def test_nt6_who_chooses_no_marks_is_not_reminded_of_the_turn_that_runs(clock, alice, bob):
    mover = next_mover(dealt(alice, bob, clock={"per_turn": 86_400}))
    told(mover)
    preferences.prefer(mover, {"reminders": []})
    clock.advance(hours=20)
    local_jobs()
    assert told(mover, "reminder") == []


@pytest.mark.django_db(transaction=True)
def test_tu2_whoever_sees_what_they_have_just_played_and_whoever_tells_it_never_wait_for_each_other(
    clock, alice, bob, monkeypatch
):
    """Pages say `seen` right after a move, which is told at that moment."""
    game = dealt(alice, bob)
    handed_over(game)
    tell_players.catch_up()
    mover = move(game)
    telling_it, seen = Event(), Event()
    look_all = telling.look_all

    def halfway(looks):
        if current_thread() is main_thread():  # the page
            return look_all(looks)
        telling_it.set()
        until(lambda: seen.is_set() or waiting_for_locks())
        return look_all(looks)

    monkeypatch.setattr(telling, "look_all", halfway)
    with ThreadPoolExecutor(1) as pool:
        told = Crew(pool).start(tell_players.catch_up)
        assert telling_it.wait(PATIENCE)
        try:
            saying.saw(game.id, mover, game_now(game.id).version)
        finally:
            seen.set()
        assert told.result(PATIENCE)
