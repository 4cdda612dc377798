"""PL1-PL3, PL6-PL8, PL10: plans are kept beside the seat, carried out once, and gone when they should be."""

import random
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from msgspec.structs import replace

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from games import selectors, services
from games.models import Seat
from games.plans import services as plan_moves
from games.plans.models import Plan
from games.projections import Snapshot, rebuild
from games.projections.vocabulary import PLANNED
from games.services.timeouts import sweep, time_out
from tests.games.services.service_scene import SHORT, a_move, all_at_once, game_now, next_mover, play, seats_of, started
from tests.rules.table import Table

pytestmark = pytest.mark.django_db

LOWEST = {"move": {"move": "play", "choose": "lowest"}}
PICK_UP = {"move": {"move": "pick_up"}}
FLIP = {"move": {"move": "flip", "choose": "first"}}
END = {"move": {"move": "end_turn"}}
ANYTHING = {"lines": [LOWEST, PICK_UP, FLIP, END]}
NOTHING = {"lines": [{**LOWEST, "when": {"hand_at_least": 99}}]}
RUMMY = {
    "lines": [
        {"move": {"move": "draw", "from": "stock"}},
        {"move": {"move": "draw", "from": "discard"}},
        {"move": {"move": "discard", "choose": "best"}},
    ]
}


def in_play(*players: Player, **settings) -> Snapshot:
    """A game behind its setup."""
    game = started(*players, **settings)
    while game.status == "setup":
        mover = next_mover(game)
        play(game.id, mover, a_move(game, mover))
        game = game_now(game.id)
    return game


def turn_and_next(game: Snapshot) -> tuple[Player, Player]:
    """Of two players who has the turn, and the other."""
    first = next_mover(game)
    return first, next(seat.player for seat in seats_of(game) if seat.player != first)


def move_by_hand(game_id, player) -> None:
    game = game_now(game_id)
    play(game_id, player, a_move(game, player))


def whole_turn(game_id, player) -> None:
    """Moves by hand until the turn is over."""
    seat = game_now(game_id).seat_of(player)
    while (duty := game_now(game_id).players[seat].duty) is not None:
        move_by_hand(game_id, player)
        after = game_now(game_id).players[seat].duty
        if after is None or after.key != duty.key:
            return


def planned(game: Snapshot) -> list[int]:
    """The seats of the moves that plans made, in order."""
    return [event.seat for event in log.read(game.stream) if event.data.get(PLANNED)]


def has_plan(game: Snapshot, player: Player) -> bool:
    try:
        return plan_moves.plan_of(game.id, player) is not None
    except services.NotFound as error:
        if error.code != "no_plan":
            raise
        return False


# PL2, PL6, PL7


def test_pl2_when_the_turn_begins_the_plan_plays_and_it_is_the_players_own_move(alice, bob):
    game = in_play(alice, bob)
    first, second = turn_and_next(game)
    plan_moves.keep_plan(game.id, second, ANYTHING)
    assert plan_moves.sweep_plans() == 0
    whole_turn(game.id, first)
    assert plan_moves.sweep_plans() >= 1
    made = [event for event in log.read(game.stream) if event.data.get(PLANNED)]
    seat = game.seat_of(second)
    assert {event.seat for event in made} == {seat}
    assert {event.meta["actor"]["kind"] for event in made} == {"player"}
    assert {event.meta["actor"]["id"] for event in made} == {str(second.pk)}
    assert game_now(game.id).players[seat].duty is None
    assert plan_moves.sweep_plans() == 0
    assert rebuild(game.id).differences == ()


def test_pl2_while_the_turn_lasts_the_lines_are_read_again_from_the_top(alice, bob):
    game = started(alice, bob, game="three_thirteen", options={"rounds": 2})
    first, second = turn_and_next(game)
    plan_moves.keep_plan(game.id, second, RUMMY)
    whole_turn(game.id, first)
    assert plan_moves.sweep_plans() == 2
    types = [event.type for event in log.read(game.stream)][-2:]
    assert types == ["three_thirteen.drew", "three_thirteen.discarded"]


def test_pl2_if_no_line_fits_the_player_has_the_turn_and_those_who_tell_are_told(alice, bob):
    game = in_play(alice, bob)
    first, second = turn_and_next(game)
    plan_moves.keep_plan(game.id, second, NOTHING)
    seat = game.seat_of(second)
    assert plan_moves.outlook(game_now(game.id), game.seat_of(first)) == "none"
    whole_turn(game.id, first)
    assert plan_moves.outlook(game_now(game.id), seat) == "silent"
    assert plan_moves.sweep_plans() == 0
    assert game_now(game.id).players[seat].duty is not None
    assert plan_moves.due_games(game_now(game.id).moved_at) == []
    plan_moves.keep_plan(game.id, second, ANYTHING)
    assert plan_moves.outlook(game_now(game.id), seat) == "plays"


def test_pl7_a_planned_move_resets_the_misses(alice, bob, clock):
    game = in_play(alice, bob, clock={"per_turn": 60, "strikes": 3, "quiet_hours": False, "vacation": False})
    first, _ = turn_and_next(game)
    seat = game.seat_of(first)
    clock.advance(seconds=61)
    assert sweep().handled == 1
    assert game_now(game.id).players[seat].misses == 1
    while game_now(game.id).players[seat].duty is None:
        whole_turn(game.id, next_mover(game_now(game.id)))
    plan_moves.keep_plan(game.id, first, ANYTHING)
    assert plan_moves.sweep_plans()
    assert game_now(game.id).players[seat].misses == 0


def test_pl7_planned_is_the_seats_own_until_the_game_is_over(alice, bob, charlie):
    game = in_play(alice, bob)
    first, second = turn_and_next(game)
    plan_moves.keep_plan(game.id, first, ANYTHING)
    plan_moves.sweep_plans()
    assert planned(game)

    def seen_by(player: Player) -> list[int]:
        events = selectors.events_for(player, game_now(game.id))
        assert all(event["data"].get(PLANNED, True) is True for event in events)
        return [event["version"] for event in events if PLANNED in event["data"]]

    assert seen_by(first) and not seen_by(second) and not seen_by(charlie)
    play(game.id, second, {"move": "resign"})
    assert seen_by(first) == seen_by(second) == seen_by(charlie) != []
    assert PLANNED not in str(selectors.record_of(game_now(game.id)))


def test_pl7_in_three_thirteen_planned_is_not_even_null_for_others(alice, bob):
    game = started(alice, bob, game="three_thirteen", options={"rounds": 2})
    first, second = turn_and_next(game)
    plan_moves.keep_plan(game.id, first, RUMMY)
    plan_moves.sweep_plans()
    assert planned(game)
    assert all(PLANNED not in event["data"] for event in selectors.events_for(second, game_now(game.id)))


# PL3


def test_pl3_a_plan_kept_in_ones_own_turn_serves_the_rest_of_it_uncounted(alice, bob):
    game = in_play(alice, bob)
    first, second = turn_and_next(game)
    assert plan_moves.keep_plan(game.id, first, ANYTHING).turns_left == 1
    assert plan_moves.sweep_plans() >= 1
    assert plan_moves.plan_of(game.id, first).turns_left == 1
    whole_turn(game.id, second)
    assert plan_moves.sweep_plans() >= 1
    assert len(set(planned(game))) == 1 and not has_plan(game, first)


def test_pl3_turns_are_counted_by_hand_and_by_plan_and_the_plan_is_gone_after_the_last(alice, bob):
    game = in_play(alice, bob, options={"stalemate_after": 100})
    first, second = turn_and_next(game)
    plan_moves.keep_plan(game.id, second, {**NOTHING, "turns": 2})
    whole_turn(game.id, first)
    assert plan_moves.plan_of(game.id, second).turns_left == 1
    whole_turn(game.id, second)
    assert plan_moves.plan_of(game.id, second).turns_left == 1
    whole_turn(game.id, first)
    assert plan_moves.plan_of(game.id, second).turns_left == 0
    assert has_plan(game, second)  # it is for the turn that runs
    whole_turn(game.id, second)
    assert not has_plan(game, second)
    assert plan_moves.sweep_plans() == 0
    assert not Plan.objects.exists()


def test_pl3_turns_that_pass_before_a_sweep_looks_are_counted_too(alice, bob):
    game = in_play(alice, bob, options={"stalemate_after": 100})
    first, second = turn_and_next(game)
    plan_moves.keep_plan(game.id, second, {**ANYTHING, "turns": 1})
    for player in (first, second, first):
        whole_turn(game.id, player)
    assert not has_plan(game, second)
    assert plan_moves.sweep_plans() == 0
    assert planned(game) == []


def test_pl3_gone_with_a_new_deal(alice, bob):
    game = started(alice, bob, game="three_thirteen", options={"rounds": 2})
    plan_moves.keep_plan(game.id, alice, {**RUMMY, "turns": 5})
    plan_moves.keep_plan(game.id, bob, {**NOTHING_IN_RUMMY, "turns": 5})
    for _ in range(400):
        now = game_now(game.id)
        if [event.type for event in log.read(game.stream)].count("three_thirteen.dealt") == 2:
            break
        mover = next_mover(now)
        moves = selectors.legal_moves(mover, now).moves
        out = next((move for move in moves if move["move"] == "go_out"), None)
        play(game.id, mover, {k: v for k, v in (out or moves[0]).items() if k != "send"})
    else:
        raise AssertionError("no second deal")
    assert not has_plan(game, alice) and not has_plan(game, bob)
    assert plan_moves.sweep_plans() == 0 and not Plan.objects.exists()


NOTHING_IN_RUMMY = {"lines": [{"move": {"move": "draw", "from": "stock"}, "when": {"top": []}}]}


def test_pl3_gone_with_the_end_and_with_a_resignation(alice, bob, charlie):
    game = in_play(alice, bob, charlie)
    for player in (alice, bob):
        plan_moves.keep_plan(game.id, player, {**NOTHING, "turns": 5})
    play(game.id, alice, {"move": "resign"})
    assert not has_plan(game, alice) and has_plan(game, bob)
    play(game.id, charlie, {"move": "resign"})
    assert game_now(game.id).status == "finished"
    assert not has_plan(game, bob)
    assert plan_moves.sweep_plans() == 0 and not Plan.objects.exists()


def test_pl3_gone_with_a_seat_that_changes_hands_and_not_there_for_its_new_owner(alice, bob, charlie):
    game = in_play(alice, bob)
    first, second = turn_and_next(game)
    plan_moves.keep_plan(game.id, second, {**ANYTHING, "turns": 5})
    staff = log.Actor("staff")
    services.hand_to_bot(game.id, game.seat_of(second), actor=staff, reason="away")
    with pytest.raises(services.Conflict, match="bot"):
        plan_moves.keep_plan(game.id, second, ANYTHING)
    services.take_back(game.id, second)
    assert not has_plan(game, second)
    plan_moves.keep_plan(game.id, second, {**ANYTHING, "turns": 5})
    seat = game.seat_of(second)
    services.replace_player(game.id, seat, player=charlie, actor=staff, reason="left")
    assert not has_plan(game, charlie)
    whole_turn(game.id, first)
    assert plan_moves.sweep_plans() == 0 and not Plan.objects.exists()


def test_pl3_a_new_plan_takes_the_place_of_the_one_before_and_counts_from_its_own_time(alice, bob):
    game = in_play(alice, bob, options={"stalemate_after": 100})
    first, second = turn_and_next(game)
    plan_moves.keep_plan(game.id, second, {**NOTHING, "turns": 1})
    whole_turn(game.id, first)
    plan_moves.keep_plan(game.id, second, {**NOTHING, "turns": 1})
    whole_turn(game.id, second)
    assert has_plan(game, second)
    plan_moves.drop_plan(game.id, second)
    plan_moves.drop_plan(game.id, second)
    assert not has_plan(game, second)


# PL6: in its order, once


def test_pl6_a_move_by_hand_that_comes_first_wins(alice, bob):
    game = in_play(alice, bob, options={"stalemate_after": 100})
    first, second = turn_and_next(game)
    plan_moves.keep_plan(game.id, second, ANYTHING)
    whole_turn(game.id, first)
    whole_turn(game.id, second)
    assert plan_moves.sweep_plans() == 0
    assert planned(game) == []


def test_pl6_the_plan_comes_before_a_forced_move(alice, bob):
    for player in (alice, bob):
        player.preferences = {"forced_moves": True}
        player.save()
    game = in_play(alice, bob, options={"stalemate_after": 100})
    rng = random.Random(5)
    for _ in range(300):
        now = game_now(game.id)
        mover = next_mover(now)
        if mover is None:
            raise AssertionError("no move was forced in this game")
        if (
            plan_moves.next_planned(now, now.moved_at) is None
            and services.bots.next_step(now, now.moved_at) is not None
        ):
            break
        play(game.id, mover, a_move(now, mover, rng))
    plan_moves.keep_plan(game.id, mover, ANYTHING)
    assert services.play_bots(game.id) >= 1
    made = next(event for event in log.read(game.stream, after=now.version))
    assert (made.data[PLANNED], made.meta["actor"]["kind"]) == (True, "player")


def test_pl6_the_plan_comes_before_the_clock(alice, bob, clock):
    game = in_play(alice, bob, clock={"per_turn": 60, "quiet_hours": False, "vacation": False})
    first, _ = turn_and_next(game)
    seat = game.seat_of(first)
    plan_moves.keep_plan(game.id, first, ANYTHING)
    clock.advance(seconds=3600)
    due = game_now(game.id).players[seat].duty.due
    assert time_out(game.id, seat, due, until=service_clock.now(), now=service_clock.now()) is None
    assert planned(game) == [seat]
    assert game_now(game.id).players[seat].timeouts == 0


def test_pl6_the_plan_comes_before_the_clock_in_a_sweep_too(alice, bob, clock):
    game = in_play(alice, bob, clock={"per_turn": 60, "quiet_hours": False, "vacation": False})
    first, _ = turn_and_next(game)
    plan_moves.keep_plan(game.id, first, ANYTHING)
    clock.advance(seconds=3600)
    assert sweep().handled == 0
    assert planned(game) == [game.seat_of(first)]


def test_pl6_where_the_plan_is_silent_the_clock_acts(alice, bob, clock):
    game = in_play(alice, bob, clock={"per_turn": 60, "quiet_hours": False, "vacation": False})
    first, _ = turn_and_next(game)
    seat = game.seat_of(first)
    plan_moves.keep_plan(game.id, first, {**NOTHING, "turns": 5})
    clock.advance(seconds=3600)
    assert sweep().handled >= 1
    assert game_now(game.id).players[seat].timeouts == 1
    assert has_plan(game, first)


def test_pl6_killed_before_the_commit_nothing_is_there_and_then_it_is_played_once(alice, bob, monkeypatch):
    game = in_play(alice, bob, options={"stalemate_after": 100})
    first, second = turn_and_next(game)
    plan_moves.keep_plan(game.id, second, ANYTHING)
    whole_turn(game.id, first)
    before = game_now(game.id)

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for place in ("core.log.executing.append", "games.plans.services.course_of"):
        with monkeypatch.context() as patched:
            patched.setattr(place, killed)
            with pytest.raises(KeyboardInterrupt):
                plan_moves.sweep_plans()
        assert game_now(game.id).version == before.version
    assert plan_moves.sweep_plans() >= 1
    versions = [event.version for event in log.read(game.stream, after=before.version)]
    assert plan_moves.sweep_plans() == 0
    assert versions == [event.version for event in log.read(game.stream, after=before.version)]


@pytest.mark.django_db(transaction=True)
def test_pl6_plan_hand_and_timeout_at_one_moment_make_one_move(alice, bob, clock):
    game = in_play(
        alice, bob, options={"stalemate_after": 100}, clock={"per_turn": 60, "quiet_hours": False, "vacation": False}
    )
    rng = random.Random(3)
    firsts = [at_one_moment(game.id, clock, rng) for _ in range(12) if game_now(game.id).status != "finished"]
    assert len(firsts) > 5
    assert rebuild(game.id).differences == ()


def at_one_moment(game_id, clock, rng: random.Random) -> str:
    """A plan (twice), a hand and the clock want the turn at the same time; return who had it."""
    now = game_now(game_id)
    player = next_mover(now)
    seat, move = now.seat_of(player), a_move(now, player, rng)
    plan_moves.keep_plan(game_id, player, ANYTHING)
    clock.advance(seconds=3600)
    until, due = service_clock.now(), now.players[seat].duty.due
    calls = [
        partial(play, game_id, player, move, if_match=lambda snapshot: snapshot.version == now.version),
        plan_moves.sweep_plans,
        plan_moves.sweep_plans,
        partial(time_out, game_id, seat, due, until=until, now=until),
    ]
    rng.shuffle(calls)
    for answer in all_at_once(calls):
        assert not isinstance(answer, Exception) or isinstance(answer, services.Refused), answer
    plan_moves.drop_plan(game_id, player)
    first, *rest = log.read(now.stream, after=now.version)
    if first.type == "game.timed_out":
        assert not any(event.data.get(PLANNED) for event in rest if event.seat == seat)
        return "clock"
    assert (first.seat, first.meta["actor"]["id"]) == (seat, str(player.pk))
    # What the plan did not play of the turn may run out all the same, but no move is made twice.
    assert [event.version for event in rest] == list(range(first.version + 1, first.version + 1 + len(rest)))
    return "plan" if first.data.get(PLANNED) else "hand"


# PL8


def castle_race(*players: Player) -> Snapshot:
    """A game of Castle in whose opening several may open."""
    for _ in range(60):
        game = in_play(*players, game="castle", options={})
        if sum(seat.duty is not None for seat in game.players) > 1:
            return game
        play(game.id, players[0], {"move": "resign"})
    raise AssertionError("no race")


@pytest.mark.sampled
def test_pl8_in_the_opening_race_plans_wait_a_minute(alice, bob, charlie, clock):
    game = castle_race(alice, bob, charlie)
    seat = next(index for index, one in enumerate(game.players) if one.duty is not None)
    player = game.account_of(game.players[seat])
    plan_moves.keep_plan(game.id, player, {"lines": [LOWEST]})
    clock.advance(seconds=59)
    assert plan_moves.outlook(game_now(game.id), seat) == "waits"
    assert plan_moves.sweep_plans() == 0
    clock.advance(seconds=1)
    assert plan_moves.sweep_plans() == 1
    assert planned(game) == [seat]


def test_pl8_who_opens_by_hand_meanwhile_ends_the_wait(alice, bob, charlie, clock):
    game = castle_race(alice, bob, charlie)
    racing = [index for index, one in enumerate(game.players) if one.duty is not None]
    hand, waits = racing[:2]
    plan_moves.keep_plan(game.id, game.account_of(game.players[waits]), {"lines": [LOWEST, PICK_UP, END], "turns": 5})
    clock.advance(seconds=5)
    assert plan_moves.sweep_plans() == 0
    opener = game.account_of(game.players[hand])
    play(game.id, opener, a_move(game, opener))
    for _ in range(3):  # at the latest when the others have played it is the waiting one's turn
        plan_moves.sweep_plans()
        now = game_now(game.id)
        mover = next_mover(now)
        if planned(game):
            break
        play(game.id, mover, a_move(now, mover))
    assert planned(game)[0] == waits


def test_pl8_a_line_with_interrupt_is_tried_out_of_turn_the_plan_kept_first_first(alice, bob, charlie, clock):
    """Two seats cannot hold the missing cards of one deck: that the first kept is asked first is seen in the order."""
    game = in_play(alice, bob, charlie, game="castle", options={})
    order = [bob, charlie, alice]
    for player in order:
        clock.advance(seconds=1)
        plan_moves.keep_plan(game.id, player, {"lines": [{**LOWEST, "interrupt": True}], "turns": 5})
    clock.advance(seconds=1)
    plan_moves.keep_plan(game.id, bob, {"lines": [{**LOWEST, "interrupt": True}], "turns": 5})
    kept = list(Plan.objects.order_by("kept_at", "pk").values_list("player__username", flat=True))
    assert kept == ["charlie", "alice", "Bob"]


def test_pl8_an_interruption_is_played_out_of_turn(alice, bob, clock):
    game = in_play(alice, bob, game="castle", options={})
    table = Table.at("castle", ["9S 9H KS", "4H 4D 4C"], pile="4S", stock="5S 6S 7S", turn=0)
    state = table.state.freeze()
    snapshot = replace(game, state=state)
    holder = game.account_of(game.players[1])
    fours = {"move": {"move": "play", "cards": ["4H", "4D", "4C"]}}
    plan_moves.keep_plan(game.id, holder, {"lines": [fours, {**fours, "interrupt": True}], "turns": 5})
    found = plan_moves.next_planned(replace(snapshot, version=game_now(game.id).version), service_clock.now())
    assert (found.seat, found.move["cards"]) == (1, ["4H", "4D", "4C"])


# PL10


def test_pl10_a_room_may_be_played_without_plans(alice, bob):
    game = in_play(alice, bob, plans=False)
    assert game.plans is False
    for call in (plan_moves.keep_plan, plan_moves.try_plan):
        with pytest.raises(services.Conflict) as refused:
            call(game.id, alice, ANYTHING)
        assert refused.value.code == "plans_off"
    assert not has_plan(game, alice)
    assert rebuild(game.id).differences == ()


def test_pl10_a_rematch_keeps_the_rooms_word(alice, bob):
    game = in_play(alice, bob, plans=False)
    play(game.id, alice, {"move": "resign"})
    assert services.rematch(game.id, bob).plans is False


# PL9


def test_pl9_a_bad_plan_names_line_and_field_and_the_old_one_stays(alice, bob):
    game = in_play(alice, bob)
    plan_moves.keep_plan(game.id, alice, ANYTHING)
    with pytest.raises(services.Invalid) as refused:
        plan_moves.keep_plan(game.id, alice, {"lines": [LOWEST, {**LOWEST, "when": {"to_beat": "K"}}]})
    assert (refused.value.code, refused.value.field) == ("bad_plan", "lines.1.when.to_beat")
    with pytest.raises(services.Invalid) as refused:
        plan_moves.keep_plan(game.id, alice, {**ANYTHING, "turns": 6})
    assert refused.value.field == "turns"
    assert plan_moves.plan_of(game.id, alice).plan["lines"][0]["move"]["choose"] == "lowest"


def test_pl9_trying_keeps_nothing(alice, bob):
    game = in_play(alice, bob)
    for player in (alice, bob):
        assert plan_moves.try_plan(game.id, player, ANYTHING).line is not None
    assert not Plan.objects.exists()


def test_pl1_only_for_ones_own_seat_of_a_running_game(alice, bob, charlie):
    room = services.open_room(alice, services.Terms("threes", 2))
    with pytest.raises(services.Conflict, match="not started"):
        plan_moves.keep_plan(room.id, alice, ANYTHING)
    game = in_play(alice, bob)
    for call in (plan_moves.keep_plan, plan_moves.try_plan):
        with pytest.raises(services.Forbidden):
            call(game.id, charlie, ANYTHING)
    with pytest.raises(services.Forbidden):
        plan_moves.plan_of(game.id, charlie)
    play(game.id, alice, {"move": "resign"})
    with pytest.raises(services.Conflict, match="over"):
        plan_moves.keep_plan(game.id, bob, ANYTHING)


def test_one_game_that_cannot_go_on_keeps_no_other_waiting(alice, bob, caplog):
    broken, fine = in_play(alice, bob), in_play(alice, bob)
    for game in (broken, fine):
        plan_moves.keep_plan(game.id, turn_and_next(game)[0], ANYTHING)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_game SET state = '{\"damaged\": true}' WHERE id = %s", [broken.id])
    assert plan_moves.sweep_plans() >= 1
    assert planned(fine)
    assert f"the plans of game {broken.id} cannot be carried out" in caplog.text


def test_the_export_of_an_account_has_its_plans_and_no_others(alice, bob):
    game = in_play(alice, bob)
    plan_moves.keep_plan(game.id, alice, ANYTHING)
    assert [row["plan"]["turns"] for row in selectors.seats_of(alice)] == [1]
    assert [row["plan"] for row in selectors.seats_of(bob)] == [None]


def test_bots_are_not_asked_for_plans(alice, django_assert_num_queries):
    room = services.open_room(alice, services.Terms("threes", 3, options=SHORT), bots=["steady"] * 2)
    game = services.start(room.id, alice)
    only_bots = replace(
        game, players=tuple(replace(one, duty=None) if one.bot is None else one for one in game.players)
    )
    with django_assert_num_queries(0):
        assert plan_moves.next_planned(only_bots, game.moved_at + timedelta(days=1)) is None
    assert Seat.objects.filter(game=game.id, bot__isnull=False).count() == 2
