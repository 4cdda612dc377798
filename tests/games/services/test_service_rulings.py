"""Rulings on one game (LI4, LI5, RA6): a reason each, an event each, none an edit."""

from datetime import UTC, datetime, timedelta

import pytest
from service_scene import a_move, game_now, next_mover, play, play_on, seats_of, started

from core import log
from games import selectors, services
from games.projections import Snapshot, rebuild

pytestmark = pytest.mark.django_db

ORGANISER = log.Actor("organiser", "olga")
RESIGN = {"move": "resign"}
HOW = {"actor": ORGANISER, "reason": "no-show"}


def events(game: Snapshot, *types: str) -> list[log.Event]:
    return [event for event in log.read(game.stream) if event.type in types]


def past_setup(*players, **settings) -> Snapshot:
    game = started(*players, **settings)
    while game_now(game.id).status == "setup":
        play_on(game.id, 1)
    return game_now(game.id)


def on_the_clock(game: Snapshot):
    return next(seat for seat in seats_of(game) if seat.due_at is not None)


# Replacing


@pytest.mark.sampled
def test_a_player_is_replaced_cards_and_all(alice, bob, charlie):
    game = past_setup(alice, bob)
    hand = selectors.view_of(game, bob)["players"][1]["hand"]
    game = services.replace_player(game.id, 1, player=charlie, **HOW)
    assert (game.seat_of(charlie), game.seat_of(bob), game.rated) == (1, None, False)
    assert selectors.view_of(game, charlie)["players"][1]["hand"] == hand
    [event] = events(game, "game.player_replaced")
    assert (event.seat, event.actor, event.reason) == (1, ORGANISER, "no-show")
    assert event.data["was"] == str(bob.pk) and event.data["reason"] == "no-show"
    with pytest.raises(services.Forbidden):
        play(game.id, bob, RESIGN)
    assert play_on(game.id).status == "finished"
    assert rebuild(game.id).differences == ()


def test_whoever_takes_over_has_the_whole_time_and_no_missed_turns(alice, bob, charlie, clock):
    game = past_setup(alice, bob, clock={"per_turn": 3600, "bank": 600}, options={})
    clock.advance(minutes=65)
    slow = on_the_clock(game)
    game = services.replace_player(game.id, slow.index, player=charlie, **HOW)
    seat = seats_of(game)[slow.index]
    assert (seat.player, seat.misses, seat.bank) == (charlie, 0, 600)
    assert seat.due_at == clock.at + timedelta(seconds=4200)


def test_a_bot_can_take_over(alice, bob, charlie):
    game = past_setup(alice, bob)
    game = services.replace_player(game.id, 1, bot="steady", **HOW)
    seat = seats_of(game)[1]
    assert (seat.player_id, seat.bot, game.rated) == (None, {"level": "steady"}, False)
    game = services.replace_player(game.id, 1, player=charlie, **HOW)
    assert (seats_of(game)[1].player, seats_of(game)[1].bot) == (charlie, None)


def test_who_cannot_be_replaced(alice, bob, charlie):
    room = services.open_room(alice, services.Terms("threes", 2))
    game = past_setup(alice, bob, charlie)
    play(game.id, charlie, RESIGN)
    before = game_now(game.id).version
    for code, call in {
        "not_started": lambda: services.replace_player(room.id, 0, player=bob, **HOW),
        "already_joined": lambda: services.replace_player(game.id, 0, player=bob, **HOW),
        "resigned": lambda: services.replace_player(game.id, 2, bot="steady", **HOW),
        "bad_seat": lambda: services.replace_player(game.id, 3, bot="steady", **HOW),
        "bad_level": lambda: services.replace_player(game.id, 0, bot="genius", **HOW),
        "bad_reason": lambda: services.replace_player(game.id, 0, bot="steady", actor=ORGANISER, reason=" "),
    }.items():
        with pytest.raises(services.Refused) as refused:
            call()
        assert refused.value.code == code
    assert game_now(game.id).version == before


# Handing to a bot (LI4, absent)


def test_a_bot_plays_on_for_who_does_not_and_the_player_can_come_back(alice, bob):
    game = past_setup(alice, bob)
    game = services.hand_to_bot(game.id, 1, **HOW)
    assert (seats_of(game)[1].player, seats_of(game)[1].bot) == (bob, {"level": "steady"})
    assert services.hand_to_bot(game.id, 1, **HOW).version == game.version
    assert game.rated
    services.take_back(game.id, bob)
    play(game.id, alice, RESIGN)
    [finished] = events(game, "game.finished")
    assert finished.data["seats"][1]["lost_on_time"] is False


# Extending


def test_a_turn_is_extended(alice, bob, clock):
    game = past_setup(alice, bob, clock={"per_turn": 3600, "quiet_hours": False, "vacation": False})
    seat = on_the_clock(game)
    game = services.extend_turn(game.id, seat.index, 1800, actor=ORGANISER, reason="power cut")
    assert on_the_clock(game).due_at == seat.due_at + timedelta(minutes=30)
    game = services.extend_turn(game.id, seat.index, 600, actor=ORGANISER, reason="again")
    assert on_the_clock(game).due_at == seat.due_at + timedelta(minutes=40)
    clock.advance(minutes=99)
    assert services.sweep().handled == 0
    clock.advance(minutes=1)
    assert services.sweep().handled == 1
    told = [event["data"] for event in selectors.events_for(alice, game) if event["type"] == "turn_extended"]
    assert [(data["seconds"], data["extra"], data["reason"]) for data in told] == [
        (1800, 1800, "power cut"),
        (600, 2400, "again"),
    ]
    # The next turn is as long as ever.
    row = on_the_clock(game_now(game.id))
    assert (row.duty_extra, row.due_at) == (0, clock.at + timedelta(hours=1))
    assert rebuild(game.id).differences == ()


def test_an_extension_comes_before_the_reserve(alice, bob, clock):
    game = past_setup(alice, bob, clock={"per_turn": 3600, "bank": 600}, options={})
    seat = on_the_clock(game)
    services.extend_turn(game.id, seat.index, 1800, **HOW)
    clock.advance(minutes=80)
    play(game.id, seat.player, a_move(game_now(game.id), seat.player))
    assert seats_of(game)[seat.index].bank == 600


def test_an_extended_turn_still_gets_an_outage_back(alice, bob, clock):
    game = past_setup(alice, bob, clock={"per_turn": 3600})
    seat = on_the_clock(game)
    services.extend_turn(game.id, seat.index, 3600, **HOW)
    services.beat("web")
    services.beat("sweeper")
    clock.advance(minutes=30)
    services.beat("web")
    services.beat("sweeper")
    assert selectors.deadlines(game_now(game.id))[seat.index] == seat.due_at + timedelta(minutes=90)


def test_what_cannot_be_extended(alice, bob):
    game = past_setup(alice, bob)
    waits = next(seat for seat in seats_of(game) if seat.due_at is None)
    for code, seat, seconds in [
        ("not_to_act", waits.index, 60),
        ("bad_seconds", 0, 0),
        ("bad_seconds", 0, -1),
        ("bad_seconds", 0, 1.5),
        ("bad_seconds", 0, True),
        ("bad_seat", 7, 60),
    ]:
        with pytest.raises(services.Refused) as refused:
            services.extend_turn(game.id, seat, seconds, **HOW)
        assert refused.value.code == code
    play(game.id, alice, RESIGN)
    with pytest.raises(services.Conflict, match="over"):
        services.extend_turn(game.id, 0, 60, **HOW)


# Calling off


def test_a_game_is_called_off_with_a_reason(alice, bob):
    game = past_setup(alice, bob)
    game = services.call_off(game.id, actor=ORGANISER, reason="wrong deck")
    assert (game.status, game.cancel_reason) == ("cancelled", "wrong deck")
    assert not [seat for seat in seats_of(game) if seat.to_act]
    last = log.read(game.stream)[-1]
    assert (last.type, last.actor, last.reason) == ("game.called_off", ORGANISER, "wrong deck")
    with pytest.raises(services.Conflict) as refused:
        services.call_off(game.id, actor=ORGANISER, reason="once more")
    assert refused.value.code == "game_cancelled"
    seen = selectors.events_for(bob, game)[-1]
    assert (seen["type"], seen["data"]["reason"], seen["data"]["placements"]) == ("called_off", "wrong deck", None)
    assert rebuild(game.id).differences == ()


def test_a_ruling_gives_places(alice, bob, charlie):
    game = past_setup(alice, bob, charlie)
    places = [{"seat": 2, "place": 1}, {"seat": 0, "place": 2, "score": 4}, {"seat": 1, "place": 2, "score": 5}]
    services.call_off(game.id, actor=ORGANISER, reason="late", placements=places)
    assert log.read(game.stream)[-1].data["placements"] == [
        {"seat": 2, "place": 1, "score": None},
        {"seat": 0, "place": 2, "score": 4},
        {"seat": 1, "place": 2, "score": 5},
    ]


@pytest.mark.parametrize(
    "places",
    [
        [(0, 1), (1, 2)],
        [(0, 1), (1, 2), (1, 3)],
        [(0, 1), (1, 2), (3, 3)],
        [(0, 1), (1, 3), (2, 3)],
        [(0, 2), (1, 2), (2, 2)],
        [(0, 1), (1, 1), (2, 2)],
        [(0, 1), (1, 2), (2, "3")],
    ],
)
def test_places_that_cannot_be_are_refused(alice, bob, charlie, places):
    game = past_setup(alice, bob, charlie)
    with pytest.raises(services.Invalid) as refused:
        services.call_off(game.id, **HOW, placements=[{"seat": seat, "place": place} for seat, place in places])
    assert refused.value.code == "bad_placements"
    assert game_now(game.id).status == "playing"


def test_a_game_is_ruled_as_it_stands(alice, bob, charlie):
    """LI2: who is out keeps the place, the rest by cards held."""
    game = past_setup(alice, bob, charlie)
    play(game.id, bob, RESIGN)
    view = selectors.view_of(game_now(game.id), alice)
    held = {
        player["seat"]: player["hand_count"] + len(player["face_up"]) + sum(player["face_down"])
        for player in view["players"]
    }
    services.call_off(game.id, **HOW, placements="as_it_stands")
    rows = {row["seat"]: row for row in log.read(game.stream)[-1].data["placements"]}
    assert (rows[1]["place"], rows[1]["score"]) == (3, None)
    for seat, other in ((0, 2), (2, 0)):
        assert rows[seat] == {"seat": seat, "place": 1 + (held[other] < held[seat]), "score": held[seat]}


@pytest.mark.sampled
def test_three_thirteen_is_ruled_by_totals(alice, bob, charlie):
    game = started(alice, bob, charlie, game="three_thirteen", options={"rounds": 3})
    while (view := selectors.view_of(game_now(game.id), alice))["round"] == 1:
        play_on(game.id, 1)
    totals = [player["total"] for player in view["players"]]
    services.call_off(game.id, **HOW, placements="as_it_stands")
    event = log.read(game.stream)[-1]
    assert event.data["rounds"] == 1
    assert {row["seat"]: row["score"] for row in event.data["placements"]} == dict(enumerate(totals))
    for row in event.data["placements"]:
        assert row["place"] == 1 + sum(total < row["score"] for total in totals)


def test_a_room_without_cards_has_no_places_and_a_finished_game_stays(alice, bob):
    room = services.open_room(alice, services.Terms("threes", 2))
    with pytest.raises(services.Conflict) as refused:
        services.call_off(room.id, **HOW, placements="as_it_stands")
    assert refused.value.code == "not_started"
    assert services.call_off(room.id, **HOW).status == "cancelled"
    game = started(alice, bob)
    play(game.id, alice, RESIGN)
    with pytest.raises(services.Conflict) as refused:
        services.call_off(game.id, **HOW)
    assert refused.value.code == "game_over"


# Void (RA6)


def test_a_finished_game_is_declared_void_and_restored(alice, bob):
    staff = log.Actor("staff", "sam")
    game = started(alice, bob)
    with pytest.raises(services.Conflict):
        services.void_game(game.id, actor=staff, reason="cheating")
    play(game.id, alice, RESIGN)
    for _ in range(2):
        game = services.void_game(game.id, actor=staff, reason="cheating")
        assert (game.voided, game.status) == ("cheating", "finished")
    for _ in range(2):
        assert services.restore_game(game.id, actor=staff, reason="it was not").voided is None
    assert [(event.type, event.data, event.actor) for event in log.read(game.stream)[-2:]] == [
        ("game.voided", {"reason": "cheating"}, staff),
        ("game.restored", {"reason": "it was not"}, staff),
    ]
    assert rebuild(game.id).differences == ()


# Calling off by the players, where some have resigned (issue: found from outside)


def with_bots(player, bots=2):
    room = services.open_room(player, services.Terms("threes", bots + 1), bots=["steady"] * bots)
    return services.start(room.id, player)


def test_who_resigned_is_not_asked(alice, bob, charlie):
    game = started(alice, bob, charlie)
    play(game.id, charlie, RESIGN)
    services.cancel(game.id, alice)
    assert services.cancel(game.id, bob).status == "cancelled"


def test_a_game_in_which_only_bots_play_on_is_called_off_by_its_opener(alice):
    game = with_bots(alice)
    play(game.id, alice, RESIGN)
    game = services.cancel(game.id, alice)
    assert (game.status, game.cancel_reason) == ("cancelled", "opener")


def test_but_not_by_another_who_resigned_nor_while_somebody_plays(alice, bob):
    room = services.open_room(alice, services.Terms("threes", 4), bots=["steady", "steady"])
    services.join(room.id, bob)
    game = services.start(room.id, alice)
    play(game.id, alice, RESIGN)
    with pytest.raises(services.Conflict) as refused:
        services.cancel(game.id, alice)
    assert refused.value.code == "resigned"
    play(game.id, bob, RESIGN)
    with pytest.raises(services.Forbidden) as refused:
        services.cancel(game.id, bob)
    assert refused.value.code == "not_the_opener"
    assert services.cancel(game.id, alice).status == "cancelled"


def test_times_are_those_of_the_clock(alice, bob):
    at = datetime(2026, 11, 21, 12, tzinfo=UTC)
    game = started(alice, bob)
    services.call_off(game.id, **HOW, now=at)
    assert game_now(game.id).finished_at == at
    assert next_mover(game_now(game.id)) is None
