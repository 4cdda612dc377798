import random
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from service_scene import a_move, all_at_once, game_now, next_mover, open_threes, play, play_on, seats_of, started

from core import log
from core.accounts.models import Player
from core.jobs.models import Receipt
from games import selectors, services
from games.models import Game, Seat
from games.projections import GAME, Snapshot, load, load_all, rebuild
from games.rules import GAMES
from tests.scenes import done_at

pytestmark = pytest.mark.django_db
RESIGN = {"move": "resign"}


def at_version(version):
    return lambda snapshot: version in (None, snapshot.version)


def setup_over(*players: Player, **settings) -> Snapshot:
    game = started(*players, **settings)
    return play_on(game.id, len(players))


def test_a_move_answers_with_its_events_and_the_new_version(alice, bob):
    game = started(alice, bob)
    outcome = play(game.id, alice, a_move(game, alice))
    assert (outcome.status, outcome.replayed) == (201, False)
    assert outcome.body == {"version": game.version + 1, "types": ["arranged"]}
    assert game_now(game.id).version == game.version + 1


def test_refusals_say_why_and_change_nothing(alice, bob, charlie):
    room = open_threes(alice, 3)
    with pytest.raises(services.Conflict) as refused:
        play(room.id, alice, RESIGN)
    assert refused.value.code == "not_started"
    game = setup_over(alice, bob)
    mover = next_mover(game)
    other = bob if mover == alice else alice
    before = rows(game)
    for player, move, kind, code in (
        (charlie, RESIGN, services.Forbidden, "not_a_player"),
        (mover, {"move": "play", "cards": ["1H"]}, services.Invalid, "malformed"),
        (mover, {"move": "play"}, services.Invalid, "malformed"),
        (mover, {"move": "castle"}, services.Invalid, "malformed"),
        (mover, [], services.Invalid, "malformed"),
        (mover, None, services.Invalid, "malformed"),
        (other, {"move": "pick_up"}, services.Illegal, "not_your_turn"),
    ):
        with pytest.raises(kind) as refused:
            play(game.id, player, move, key=f"{code} {move}")
        assert refused.value.code == code
    with pytest.raises(services.NotFound):
        play(uuid4(), alice, RESIGN)
    assert rows(game) == before
    assert not Receipt.objects.exists()


def rows(game: Snapshot) -> tuple:
    return (
        Game.objects.filter(pk=game.id).values().get(),
        list(Seat.objects.filter(game=game.id).order_by("index").values()),
        log.read(game.stream),
    )


def test_a_key_gets_the_same_answer_and_the_move_is_applied_once(alice, bob):
    game = started(alice, bob)
    move = a_move(game, alice)
    first = play(game.id, alice, move, key="k1")
    play(game.id, bob, a_move(game_now(game.id), bob))
    version = game_now(game.id).version
    again = play(game.id, alice, dict(reversed(move.items())), key="k1", if_match=at_version(1))
    assert (again.status, again.body, again.replayed) == (first.status, first.body, True)
    assert game_now(game.id).version == version
    with pytest.raises(services.KeyReused) as refused:
        play(game.id, alice, RESIGN, key="k1")
    assert (refused.value.status, refused.value.code) == (422, "key_reused")
    # Another player's, and another game's, key of the same name is another key.
    play(game.id, bob, RESIGN, key="k1")
    assert not play(started(alice, bob).id, alice, RESIGN, key="k1").replayed


def test_a_refusal_is_not_kept(alice, bob):
    game = started(alice, bob)
    move = a_move(game, alice)
    with pytest.raises(services.Stale):
        play(game.id, alice, move, key="k", if_match=at_version(1))
    assert not play(game.id, alice, move, key="k").replayed


def test_if_match_is_stale_at_any_other_version(alice, bob):
    game = started(alice, bob)
    for version in (0, game.version - 1, game.version + 1):
        with pytest.raises(services.Stale) as refused:
            play(game.id, alice, a_move(game, alice), if_match=at_version(version))
        assert refused.value.status == 412
    play(game.id, alice, a_move(game, alice), if_match=at_version(game.version))


def test_who_is_behind_a_move_is_in_the_log_and_its_id_too(alice, bob):
    game = started(alice, bob)
    play(game.id, alice, a_move(game, alice), key="k")
    play(game.id, bob, RESIGN, reason="account closed")
    *_, arranged, resigned, finished = log.read(game.stream)
    assert (arranged.actor, arranged.reason) == (log.Actor("player", str(alice.pk)), None)
    assert arranged.command_id == Receipt.objects.get().id
    assert resigned.meta == {"actor": {"kind": "player", "id": str(bob.pk)}, "reason": "account closed"}
    assert (resigned.seat, resigned.command_id, finished.meta) == (1, None, resigned.meta)


def test_a_deadline_belongs_to_a_duty(alice, bob, charlie):
    at = datetime(2026, 11, 21, 12, tzinfo=UTC)
    room = open_threes(alice, 3, clock={"per_turn": 3600})
    services.join(room.id, bob)
    services.join(room.id, charlie)
    done_at(at, services.start, room.id, alice)
    hour = timedelta(hours=1)
    assert [seat.due_at for seat in seats_of(room)] == [at + hour] * 3
    later = at + timedelta(minutes=5)
    play(room.id, bob, a_move(game_now(room.id), bob), now=later)
    assert [seat.due_at for seat in seats_of(room)] == [at + hour, None, at + hour]
    for player in (alice, charlie):
        play(room.id, player, a_move(game_now(room.id), player), now=later)
    dues = [seat.due_at for seat in seats_of(room) if seat.due_at]
    assert dues == [later + hour]


def test_whose_turn_it_is_is_found_most_urgent_first(alice, bob):
    at = datetime(2026, 11, 21, 12, tzinfo=UTC)
    slow = open_threes(alice, 2, clock={"per_turn": 7200})
    quick = open_threes(alice, 2, clock={"per_turn": 3600})
    for room in (slow, quick):
        services.join(room.id, bob)
        done_at(at, services.start, room.id, alice)
    open_threes(alice)
    assert [turn.game.id for turn in selectors.Turns(alice)[0:9]] == [quick.id, slow.id]
    play(quick.id, alice, a_move(game_now(quick.id), alice))
    assert [turn.game.id for turn in selectors.Turns(alice)[0:9]] == [slow.id]
    assert [turn.game.id for turn in selectors.Turns(bob)[0:9]] == [quick.id, slow.id]


def test_a_missing_or_outdated_state_is_made_anew_from_the_log(alice, bob):
    game = play_on(started(alice, bob).id, 7)
    truth, mover = Game.objects.get(pk=game.id).state, next_mover(game)
    view = selectors.view_of(game, mover)
    for damage in ({"state": None}, {"shape": "", "state": {"old": "shape"}}):
        Game.objects.filter(pk=game.id).update(**damage)
        damaged = game_now(game.id)
        assert selectors.view_of(damaged, mover) == view
        move = a_move(damaged, mover)
    play(game.id, mover, move)
    healed = Game.objects.get(pk=game.id)
    assert healed.shape == GAME.shape
    assert healed.state != truth
    assert rebuild(game.id).differences == ()


def test_an_outdated_row_is_made_whole_by_a_command_that_is_no_move(alice, bob):
    game = play_on(started(alice, bob).id, 7)
    truth = Game.objects.get(pk=game.id).state
    Game.objects.filter(pk=game.id).update(state=None, rated=not game.rated)
    services.cancel(game.id, alice)
    healed = Game.objects.get(pk=game.id)
    assert (healed.state["state"], healed.rated) == (truth["state"], game.rated)
    assert rebuild(game.id).differences == ()


def test_a_row_behind_its_log_is_rebuilt_and_the_move_judged_on_the_truth(alice, bob):
    game = started(alice, bob)
    old = Game.objects.filter(pk=game.id).values().get()
    play(game.id, alice, a_move(game, alice))
    Game.objects.filter(pk=game.id).update(**{k: v for k, v in old.items() if k != "id"})
    with pytest.raises(services.Illegal):
        play(game.id, alice, a_move(game, alice))
    play(game.id, bob, a_move(game, bob))
    assert rebuild(game.id).differences == ()


@pytest.mark.sampled
def test_every_game_is_rebuilt_byte_for_byte_at_every_stage(alice, bob, charlie):
    open_threes(alice, visibility="private")
    left = open_threes(alice)
    services.leave(left.id, alice)
    game = started(alice, bob, charlie, options={"play_until": "first_out"})
    for step in range(12):
        assert rebuild(game.id).differences == ()
        play_on(game.id, 3, random.Random(step))
    services.cancel(game.id, alice)
    play_on(started(alice, bob).id)
    assert [rebuild(each.pk).differences for each in Game.objects.all()] == [()] * 4


def test_a_rebuild_names_what_differs(alice, bob):
    game = started(alice, bob)
    Game.objects.filter(pk=game.id).update(rated=False)
    Seat.objects.filter(game=game.id, index=1).update(to_act=False)
    differences = rebuild(game.id).differences
    assert [difference.split(":")[0] for difference in differences] == ["game", "seat 1"]
    assert rebuild(game.id).differences == ()


def test_the_past_is_seen_as_it_was(alice, bob):
    game = started(alice, bob)
    seen = {}
    rng = random.Random(3)
    for _ in range(8):
        current = game_now(game.id)
        seen[current.version] = (selectors.view_of(current, bob), [seat.duty for seat in current.players])
        play_on(game.id, 1, rng)
    now = game_now(game.id)
    for version, (view, dues) in seen.items():
        past = selectors.history_view(now, version)
        assert (selectors.view_of(past, bob), [seat.duty for seat in past.players]) == (view, dues)
        assert past.version == version
    assert selectors.view_of(selectors.history_view(now, 1), bob) is None
    for version in (0, -1, now.version + 1):
        with pytest.raises(services.NotFound):
            selectors.history_view(now, version)


def test_the_exact_number_of_queries(alice, bob, django_assert_num_queries):
    game = setup_over(alice, bob)
    for key in (None, "a", "b", None, "c", None):
        mover = next_mover(game)
        move = a_move(game, mover)
        with CaptureQueriesContext(connection) as queries:
            play(game.id, mover, move, key=key)
        game = game_now(game.id)
        # BEGIN (here a savepoint), the game with its seats, their UPDATE with the events, COMMIT; a key costs two more:
        # the claim and the answer.
        expected = 4 + 2 * (key is not None)
        assert len(queries) == expected, [query["sql"][:80] for query in queries]
    for _ in range(4):
        started(alice, bob)
    listed = selectors.games_for(bob)
    with django_assert_num_queries(2):
        games = load_all([row.id for row in listed])
        assert all(selectors.view_of(each, bob) and selectors.deadlines(each) for each in games)
    assert len(games) == len(listed)
    with django_assert_num_queries(1):
        assert all(selectors.deadlines(turn.game) for turn in selectors.Turns(bob)[0:50])
    with django_assert_num_queries(1):
        game = selectors.game_for(bob, game.id)
        selectors.view_of(game, bob)
        selectors.legal_moves(bob, game)
        selectors.deadlines(game)
    with django_assert_num_queries(1):
        selectors.events_for(bob, game)
    with django_assert_num_queries(2):
        selectors.view_of(selectors.history_view(game, 5), bob)


@pytest.mark.django_db(transaction=True)
def test_of_many_same_moves_exactly_one_is_applied(alice, bob):
    game = started(alice, bob)
    move = a_move(game, alice)
    answers = all_at_once([lambda: play(game.id, alice, move)] * 32)
    applied = [answer for answer in answers if isinstance(answer, services.Answer)]
    assert len(applied) == 1
    assert {type(answer) for answer in answers if answer not in applied} == {services.Illegal}
    assert [event.version for event in log.read(game.stream)] == list(range(1, game.version + 2))
    assert rebuild(game.id).differences == ()


@pytest.mark.django_db(transaction=True)
def test_many_players_choose_at_once_and_all_choices_count(db):
    players = [Player.objects.create_user(f"player{number}") for number in range(16)]
    game = started(*players)
    answers = all_at_once(
        [lambda player=player: play(game.id, player, a_move(game_now(game.id), player)) for player in players]
    )
    assert [type(answer) for answer in answers] == [services.Answer] * 16
    assert sorted(answer.body["version"] for answer in answers) == list(range(game.version + 1, game.version + 17))
    assert game_now(game.id).status == "playing"
    assert rebuild(game.id).differences == ()


@pytest.mark.django_db(transaction=True)
def test_of_many_different_moves_one_is_applied_and_the_others_are_judged_on_what_it_left(alice, bob):
    game = setup_over(alice, bob)
    for _ in range(5):
        game = game_now(game.id)
        calls = [
            partial(play, game.id, player, a_move(game, player) or {"move": "pick_up"}, if_match=at_version(version))
            for player in (alice, bob)
            for version in (game.version, game.version, None, game.version + 1)
        ]
        answers = all_at_once(calls)
        assert {type(answer) for answer in answers} <= {services.Answer, services.Illegal, services.Stale}
        versions = [answer.body["version"] for answer in answers if isinstance(answer, services.Answer)]
        assert len(set(versions)) == len(versions) >= 1
        assert game_now(game.id).version == max(versions)
    events = log.read(game.stream)
    assert [event.version for event in events] == list(range(1, len(events) + 1))
    assert rebuild(game.id).differences == ()


@pytest.mark.django_db(transaction=True)
def test_a_doublet_in_flight_waits_for_the_answer_of_the_first(alice, bob):
    game = started(alice, bob)
    move = a_move(game, alice)
    answers = all_at_once([lambda: play(game.id, alice, move, key="once")] * 12)
    assert [type(answer) for answer in answers] == [services.Answer] * 12
    assert {str(answer.body) for answer in answers} == {str(answers[0].body)}
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * 11
    assert game_now(game.id).version == game.version + 1


@pytest.mark.django_db(transaction=True)
def test_everybody_wants_the_last_seat_and_one_gets_it(alice):
    room = open_threes(alice, 2)
    players = [Player.objects.create_user(f"player{number}") for number in range(8)]
    answers = all_at_once([lambda player=player: services.join(room.id, player) for player in players])
    assert [type(answer) for answer in answers].count(Snapshot) == 1
    assert {answer.code for answer in answers if isinstance(answer, services.Refused)} == {"room_full"}
    assert len(seats_of(room)) == 2


@pytest.mark.django_db(transaction=True)
def test_all_ask_for_a_rematch_at_once_and_sit_in_one_room(alice, bob, charlie):
    game = started(alice, bob, charlie)
    play(game.id, alice, RESIGN)
    play(game.id, bob, RESIGN)
    answers = all_at_once(
        [lambda player=player: services.rematch(game.id, player) for player in (alice, bob, charlie) * 2]
    )
    assert {getattr(answer, "id", answer) for answer in answers} == {answers[0].id}
    assert len(seats_of(answers[0])) == 3


@pytest.mark.django_db(transaction=True)
def test_a_look_during_moves_never_mixes_two_versions(alice, bob):
    game = started(alice, bob)

    def look() -> None:
        for _ in range(60):
            seen = load(game.id)
            assert seen is not None
            to_act = [index for index, seat in enumerate(seen.players) if seat.duty is not None]
            assert to_act == GAMES["threes"].to_act(seen.state)

    answers = all_at_once([lambda: play_on(game.id, 60), look, look])
    assert not [answer for answer in answers if isinstance(answer, Exception)]
