"""NT10: the words of notifications and mails."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core import log
from core.accounts.models import Player
from core.notifications.kinds import subject_of
from core.notifications.models import Notification
from games import services
from games.notifications.services import invite
from games.notifications.words import happened, of_the_clock, table_by_its_people, time_ends, time_left
from games.rules import GAMES
from games.rules.cards import pretty
from tests.games.notifications.telling_scene import CLOCK, dealt, handed_over, move, news_of
from tests.games.services.service_scene import game_now, next_mover, started
from tests.scenes import done_at

NOW = datetime(2026, 11, 21, 22, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ({"seconds": 20}, "1 minute"), ({"minutes": 59, "seconds": 59}, "59 minutes"), ({"hours": 1}, "1 hour"),
        ({"hours": 47}, "47 hours"), ({"hours": 48}, "2 days"), ({"days": 12, "hours": 5}, "12 days"),
    ],
)  # fmt: skip
def test_nt10_a_length_is_in_one_unit(after, said):
    assert time_left(timedelta(**after)) == said


@pytest.mark.parametrize(
    ("names", "bots", "closed", "said"),
    [
        ([], 0, 0, "Threes"),
        (["Bob"], 0, 0, "Threes with Bob"),
        (["Bob", "Cho"], 1, 0, "Threes with Bob, Cho and a bot"),
        (["Bob"], 2, 0, "Threes with Bob and two bots"),
        (["Bob"], 0, 1, "Threes with Bob and somebody"),
        ([], 12, 3, "Threes with three others and twelve bots"),
        ([], 31, 0, "Threes with 31 bots"),
        (["Bob", "Cho", "Dan", "Eve"], 0, 0, "Threes with Bob, Cho, Dan and Eve"),
        (["Bob", "Cho", "Dan", "Eve", "Fay"], 1, 0, "Threes with Bob, Cho, Dan, two others and a bot"),
    ],
)
def test_nt10_a_table_is_called_by_its_people(names, bots, closed, said):
    people = [(Player(username=name), name == "Cho") for name in names]  # a bot that plays for a while changes nothing
    assert table_by_its_people("Threes", [*people, *[(None, True)] * bots, *[(None, False)] * closed]) == said


@pytest.mark.parametrize(
    ("zone", "hours", "said"),
    [
        (None, 5, "Your time ends in 5 hours."),
        ("Europe/Berlin", 0.25, "Your time ends today at 23:45, in 15 minutes."),
        ("Europe/Berlin", 5, "Your time ends tomorrow at 04:30, in 5 hours."),
        ("America/New_York", 48, "Your time ends on Monday at 17:30, in 2 days."),
        ("Europe/Berlin", 24 * 9, "Your time ends on 30 November at 23:30, in 9 days."),
        ("Europe/Berlin", -1, "Your time is up."),
    ],
)
def test_nt10_the_time_left_is_said_in_the_players_own_zone(zone, hours, said):
    about = {"now": NOW, "zone": ZoneInfo(zone) if zone else None}
    assert time_ends(about, (NOW + timedelta(hours=hours)).isoformat()) == said


@pytest.mark.django_db
def test_nt10_what_happened_since_ones_last_move_is_at_most_three_sentences(clock, alice, bob, charlie):
    game = dealt(alice, bob, charlie)
    waits = handed_over(game)
    for _ in range(9):  # until it is this player's turn once more
        if move(game) != waits and next_mover(game_now(game.id)) == waits:
            break
    turn = Notification.objects.get(player=waits, cause=news_of(waits, "turn")[-1]["cause"])
    said, to_do, *rest = subject_of(turn).stories([(waits, turn)], clock.at)[turn.pk]
    names = {"alice", "Bob", "charlie"} - {waits.username}
    assert 1 <= said.count(". ") + 1 <= 3 and any(name in said for name in names)
    assert to_do.endswith(".")
    assert rest == ["Your time ends in 24 hours."]


@pytest.mark.django_db
def test_nt10_a_sentence_about_a_bot_begins_with_a_capital(clock, alice):
    game = services.open_room(alice, services.Terms("threes", 2, clock=CLOCK), bots=["random"])
    services.start(game.id, alice)
    while not (services.play_bots(game.id) and news_of(alice, "turn")):
        move(game)
    turn = Notification.objects.filter(player=alice, kind="turn").latest("number")
    [said, *_] = subject_of(turn).stories([(alice, turn)], clock.at)[turn.pk]
    assert said.startswith("Bot 2 "), said


def story_of(player, told, clock, **how):
    return " ".join(subject_of(told).stories([(player, told)], clock.at, **how).get(told.pk, []))


@pytest.mark.django_db
@pytest.mark.parametrize("name", GAMES)
def test_bt6_a_mail_shows_ones_own_cards_and_nothing_that_its_reader_cannot_see(clock, alice, bob, name):
    game = dealt(alice, bob, game=name)
    waits = handed_over(game)
    turn = Notification.objects.get(player=waits, cause=news_of(waits, "turn")[-1]["cause"])
    now = game_now(game.id)
    seat = now.seat_of(waits)
    view = GAMES[name].view(now.state, seat)
    told = story_of(waits, turn, clock, in_full=True)
    own = [pretty(card) for card in view["players"][seat]["hand"]]
    assert sorted(re.search(r"Your hand: ([^.;]*)", told)[1].split(" ")) == sorted(own)
    assert ("The pile: " in told) or ("The discard pile: " in told)
    assert "Your hand" not in story_of(waits, turn, clock), "a screen that is locked shows no cards"


@pytest.mark.django_db
def test_bt6_it_says_what_the_clock_played_how_many_misses_are_left_and_all_places(clock, alice, bob):
    game = started(alice, bob, clock={"per_turn": 3600, "strikes": 3})
    clock.advance(hours=2)
    done_at(clock.at, services.sweep)
    [missed] = [one for one in all_news(bob) if one.kind == "timed_out"]
    told = story_of(bob, missed, clock)
    assert re.search(r"Your time was up: [^.]+ were laid face up for you[.;] ", told)
    [listed] = [one["text"] for one in news_of(bob, "timed_out")]
    done = r"Your time was up: [^.]+ were laid face up for you(; all have chosen)?\."
    assert re.fullmatch(rf"Threes with alice\. {done}", listed)
    assert told.endswith("You have missed your turn. After three missed turns in a row, a bot takes your seat.")
    services.play(game.id, bob, {"move": "resign"})
    [over] = [one for one in all_news(alice) if one.kind == "finished"]
    assert story_of(alice, over, clock).endswith("1st you, 2nd Bob.")
    Player.objects.filter(pk=bob.pk).update(username="\u0645\u062d\u0645\u062f")
    told = story_of(alice, over, clock)
    assert told.endswith("1st you, 2nd \u2068\u0645\u062d\u0645\u062f\u2069."), "a name from the right is isolated"


@pytest.mark.django_db
def test_bt6_a_mail_says_that_a_seat_can_be_taken_back_and_to_what_one_is_invited(clock, alice, bob):
    started(alice, bob, clock={"per_turn": 3600, "strikes": 1, "on_timeout": "bot"})
    clock.advance(hours=2)
    done_at(clock.at, services.sweep)
    [missed] = [one for one in all_news(bob) if one.kind == "timed_out"]
    assert story_of(bob, missed, clock).endswith("You can take your seat back at the table.")
    room = services.open_room(alice, services.Terms("castle", 3, clock=CLOCK))
    invite(room.id, alice, "bob")
    [invited] = [one for one in all_news(bob) if one.kind == "invited"]
    told = story_of(bob, invited, clock, in_full=True)
    assert told == f"{GAMES['castle'].summary} 3 seats, 1 day per turn."


def event_at(version, type_, seat, data, kind):
    meta = {"actor": {"kind": kind}}
    return log.Event("game-1", version, type_, seat, data, 1, meta, None, NOW, 0, version, b"", b"")


@pytest.mark.django_db
def test_what_the_clock_did_is_one_sentence(alice, bob, charlie):
    game = started(alice, bob, charlie)
    took = {"effect": "picked_up", "seat": 1, "cards": ["3H"] * 8}
    moves = [
        ("game.timed_out", 1, {"action": "play"}, "clock"),
        ("shedding.picked_up", 1, {"move": {"move": "pick_up"}, "effects": [took], "calls": []}, "clock"),
        ("shedding.played", 1, {"move": {"move": "play", "cards": ["4C", "4D"]}, "effects": [], "calls": []}, "clock"),
        ("shedding.played", 2, {"move": {"move": "play", "cards": ["9H"]}, "effects": [], "calls": []}, "player"),
    ]
    events = [event_at(at, *move) for at, move in enumerate(moves, 20)]
    said = "Your time was up: you took the pile (8 cards), then 4♣ and 4♦ were played for you."
    assert happened(game, 1, events, at_most=3, since="yours") == [said, "charlie played 9♥."]
    assert of_the_clock(game, 1, events) == said
    theirs = "Bob's time was up: Bob took the pile (8 cards), then 4♣ and 4♦ were played for Bob."
    assert happened(game, 2, events[:3], at_most=3, since="yours") == [theirs]
    bot = event_at(21, "game.bot_seated", 1, {"bot": {"level": "steady"}}, "clock")
    assert of_the_clock(game, 1, [events[0], bot]) == "Your time was up: a bot took your seat."
    forced = event_at(22, "shedding.played", 1, {**moves[2][2]}, "forced")
    assert happened(game, 1, [forced], at_most=3, since="yours") == ["4♣ and 4♦ were played for you."]
    assert happened(game, 2, [forced], at_most=3, since="yours") == ["Bob played 4♣ 4♦."], "a preference is one's own"


def all_news(player):
    """What a player was told, as it is stored."""
    news_of(player)
    return list(Notification.objects.filter(player=player).order_by("number"))
