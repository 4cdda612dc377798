"""The last event of a game: `finished` or `called_off`, with all that results are made from (RA1, RA3, PT8)."""

import pytest
from service_scene import a_move, game_now, next_mover, play, play_on, play_until_all_have, seats_of, started

from core import log
from core.log import event as log_event
from games import selectors, services
from games.projections import Snapshot, rebuild

pytestmark = pytest.mark.django_db

RESIGN = {"move": "resign"}
ORGANISER = log.Actor("organiser", "olga")


def last(game: Snapshot) -> log.Event:
    return log.read(game.stream)[-1]


def seat_of(game: Snapshot, seat: int) -> dict:
    return last(game).data["seats"][seat]


def at_the_end(*players, **settings) -> Snapshot:
    """A game one move before its end: all but two have resigned."""
    game = started(*players, **settings)
    for player in players[2:]:
        play(game.id, player, RESIGN)
    return game_now(game.id)


def test_finished_is_in_the_same_append_as_the_move_that_caused_it(alice, bob):
    game = started(alice, bob)
    before = game.version
    outcome = play(game.id, alice, RESIGN)
    assert outcome.body["types"] == ["resigned", "finished"]
    resigned, finished = log.read(game.stream, after=before)
    assert (finished.type, finished.seat) == ("game.finished", None)
    assert (resigned.recorded_at, resigned.meta) == (finished.recorded_at, finished.meta)
    game = game_now(game.id)
    assert (game.status, game.version, game.result) == ("finished", before + 2, finished.data["result"])
    assert rebuild(game.id).differences == ()


@pytest.mark.sampled
def test_a_game_that_is_played_out_says_who_came_where_and_who_sat_there(alice, bob, charlie):
    game = play_on(started(alice, bob, charlie).id)
    event = last(game)
    assert event.type == "game.finished"
    assert event.data["result"] == selectors.view_of(game, alice)["result"] == game.result
    assert [row["player"] for row in event.data["seats"]] == [str(player.pk) for player in (alice, bob, charlie)]
    plain = {"bot": None, "timeouts": 0, "moved": True, "played": True, "never_came": False}
    plain |= {"resigned": False, "lost_on_time": False, "replaced": False}
    for seat, row in enumerate(event.data["seats"]):
        assert row == {"seat": seat, "player": row["player"], **plain}
    assert (event.data["game"], event.data["ruleset"], event.data["options"]) == ("threes", "2023", game.options)
    assert event.data["started_at"] == log.time_text(game.started_at)
    assert (event.data["rounds"], event.data["belongs_to"], event.data["rated"]) == (None, None, True)


@pytest.mark.sampled
def test_three_thirteen_says_how_many_rounds_were_scored(alice, bob):
    game = play_on(started(alice, bob, game="three_thirteen", options={"rounds": 2}).id)
    assert last(game).data["rounds"] == 2
    game = started(alice, bob, game="three_thirteen", options={"rounds": 2})
    play(game.id, alice, RESIGN)
    assert last(game).data["rounds"] == 0


@pytest.mark.sampled
def test_clients_see_finished_with_the_result_and_nothing_of_the_clocks(alice, bob):
    game = play_on(started(alice, bob).id)
    events = selectors.events_for(alice, game)
    assert events[-1]["type"] == "finished"
    assert events[-1]["data"]["result"] == game.result
    assert not [event for event in events if "timing" in event["data"]]
    assert [event["type"] for event in events if "." in event["type"]] == []


# RA1: rated


def test_a_game_with_a_bot_in_it_is_unrated(alice):
    room = services.open_room(alice, services.Terms("threes", 2), bots=["steady"])
    services.start(room.id, alice)
    play(room.id, alice, RESIGN)
    event = last(game_now(room.id))
    assert event.data["rated"] is False
    assert [(row["player"] is None, row["bot"]) for row in event.data["seats"]] == [(False, None), (True, "steady")]


def test_a_game_with_a_replaced_player_is_unrated_and_says_so(alice, bob, charlie):
    game = started(alice, bob)
    game = services.replace_player(game.id, 1, player=charlie, actor=ORGANISER, reason="away")
    assert not game.rated
    play(game.id, alice, RESIGN)
    row = seat_of(game, 1)
    assert (row["player"], row["replaced"], last(game).data["rated"]) == (str(charlie.pk), True, False)


def test_ra1_a_seat_for_which_only_the_clock_moved_never_came_and_the_game_is_rated(alice, bob, clock):
    game = started(alice, bob, options={})
    clock.advance(days=1)
    assert services.sweep().handled == 2
    mover = next_mover(game_now(game.id))
    play(game.id, mover, a_move(game_now(game.id), mover))
    play(game.id, mover, RESIGN)
    rows = last(game).data["seats"]
    assert sorted((row["played"], row["never_came"], row["timeouts"]) for row in rows) == [
        (False, True, 1),
        (True, False, 1),
    ]
    assert last(game).data["rated"] is True and game_now(game.id).rated is True
    assert rebuild(game.id).differences == ()


def test_ra1_who_resigned_before_any_move_in_play_never_came_and_who_had_nothing_to_move_did(alice, bob):
    game = started(alice, bob)
    play(game.id, alice, a_move(game, alice))  # setup is no move in play
    play(game.id, alice, RESIGN)
    rows = last(game).data["seats"]
    assert [(row["moved"], row["resigned"], row["never_came"]) for row in rows] == [
        (True, True, True),
        (False, False, False),
    ]
    assert last(game).data["rated"] is True


def test_ra1_of_seats_that_never_came_only_it_is_a_game_for_nobody(alice, bob, clock):
    game = started(alice, bob, clock={"on_timeout": "bot"}, options={})
    clock.advance(days=1)
    services.sweep()
    play(game.id, alice, RESIGN)
    assert [row["never_came"] for row in last(game).data["seats"]] == [True, True]
    assert last(game).data["rated"] is False


def test_ra1_a_bot_that_only_sat_there_has_moved_for_nobody(alice, bob):
    game = started(alice, bob)
    services.hand_to_bot(game.id, 1, actor=ORGANISER, reason="away")
    assert game_now(game.id).players[1].played is None
    services.play_bots(game.id)
    assert game_now(game.id).players[1].played is False
    services.take_back(game.id, bob)
    play(game.id, alice, RESIGN)
    assert last(game).data["seats"][1]["never_came"] is True


def test_who_was_timed_out_to_the_end_is_rated_and_marked(alice, bob, clock):
    """RA3: a bot finishes for a player who has moved before."""
    game = started(alice, bob, options={"play_until": "first_out"}, clock={"on_timeout": "bot"})
    play_until_all_have(game.id)
    slow = next(seat.index for seat in seats_of(game) if seat.to_act)
    other = (bob, alice)[slow]
    clock.advance(days=1)
    assert services.sweep().timeouts == {"bot": 1}
    play(game.id, other, RESIGN)
    event = last(game)
    row = event.data["seats"][slow]
    assert (row["lost_on_time"], row["bot"], row["player"] is not None) == (True, "steady", True)
    assert (row["timeouts"], event.data["rated"]) == (1, True)
    assert event.data["seats"][1 - slow]["lost_on_time"] is False
    assert rebuild(game.id).differences == ()


def test_who_was_resigned_by_the_clock_is_marked(alice, bob, clock):
    game = started(alice, bob, clock={"on_timeout": "resign"}, options={})
    clock.advance(days=1)
    services.sweep()
    event = last(game)
    assert (event.type, event.actor) == ("game.finished", log.Actor("clock"))
    assert sorted(row["lost_on_time"] for row in event.data["seats"]) == [False, True]


def test_who_took_the_seat_back_did_not_lose_on_time(alice, bob, clock):
    game = started(alice, bob, clock={"on_timeout": "bot"}, options={})
    play(game.id, alice, a_move(game_now(game.id), alice))
    clock.advance(days=1)
    services.sweep()
    services.take_back(game.id, bob)
    play(game.id, bob, RESIGN)
    assert [row["lost_on_time"] for row in last(game).data["seats"]] == [False, False]


# Called off


def test_a_room_that_is_called_off_says_who_sat_there(alice, bob):
    room = services.open_room(alice, services.Terms("threes", 3))
    services.join(room.id, bob)
    services.cancel(room.id, alice)
    event = last(room)
    assert (event.type, event.data["reason"], event.data["placements"]) == ("game.called_off", "opener", None)
    assert (event.data["started_at"], event.data["rounds"], event.data["rated"]) == (None, None, False)
    assert [row["player"] for row in event.data["seats"]] == [str(alice.pk), str(bob.pk)]


@pytest.mark.sampled
def test_a_newer_shape_of_an_event_is_stored_and_played_on(alice, bob, monkeypatch):
    """The log stamps the newest schema: the first upcast of a type stops nobody from writing it."""
    game = started(alice, bob)
    monkeypatch.setattr(log_event, "_upcasts", dict(log_event._upcasts))

    @log.upcast("game.started", 1)
    @log.upcast("shedding.arranged", 1)
    def with_a_mark(data):
        return {**data, "mark": data.get("mark", 0) + 1}

    play_on(game.id)
    again = started(alice, bob)
    arranged = [event for event in log.read(game.stream) if event.type == "shedding.arranged"]
    assert {event.schema for event in arranged} == {2}
    assert [event.schema for event in log.read(again.stream) if event.type == "game.started"] == [2]
    assert [event.data.get("mark") for event in log.read(game.stream) if event.type == "game.started"] == [1]
    assert rebuild(game.id).differences == ()
    assert log.verify(game.stream) == []
