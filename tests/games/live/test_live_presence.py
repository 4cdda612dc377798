"""LV4: who is at the table, and that all are there; in the live stream only."""

import json
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import clock as service_clock
from core.accounts.models import Player
from core.notifications.models import Gathering, Seen, Watching
from games.live.presence import Company
from games.notifications import presence
from games.notifications.following import tell_players
from tests.games.live.conftest import plays

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
ADA, BOB = uuid4(), uuid4()


@pytest.fixture
def private(alice, bob):
    """A private game of Alice and Bob, just dealt."""
    room = alice.opens(visibility="private")
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
    return dict(alice.post(f"games/{room['id']}/start").body)


def sees(who, game):
    assert who.post(f"games/{game['id']}/seen", {"version": who.sees(game)["version"]}).status == 204


def said(stream):
    """The next event, and the names in it."""
    event = stream.next()
    return event["event"], [one["player"]["username"] for one in event["data"]["present"]]


def test_lv4_the_stream_says_who_is_there_and_once_that_all_are(live, alice, bob, private):
    before = alice.call("GET", f"games/{private['id']}")
    mine = live.opens(f"games/{private['id']}/live", alice.token)
    sees(alice, private)
    assert said(mine) == ("present", ["alice"])
    his = live.opens(f"games/{private['id']}/live", bob.token)
    assert said(his) == ("present", ["alice"])
    sees(bob, private)
    for stream in (mine, his):
        assert said(stream) == ("present", ["alice", "bob"])
        event = stream.next()
        assert (event["event"], event["id"]) == ("together", None)
        assert [one["seat"] for one in event["data"]["present"]] == [0, 1]
    game_id = Gathering.objects.get().subject_id
    assert presence.are_together(game_id, service_clock.now())
    # In no body, no ETag and no log.
    after = alice.call("GET", f"games/{private['id']}")
    assert after.body == before.body and after.headers["etag"] == before.headers["etag"]
    assert "present" not in json.dumps(alice.get(f"games/{private['id']}/events").body)
    his.close()
    assert said(mine) == ("present", ["alice"])
    # Whoever comes back soon makes no second "together", also after a restart of the process.
    again = live.opens(f"games/{private['id']}/live", bob.token)
    assert said(mine) == ("present", ["alice", "bob"]) and said(again)[0] == "present"
    played = plays(*((alice, private) if alice.sees(private)["to_act"] == [0] else (bob, private)))
    assert mine.next()["event"] == again.next()["event"] == "moved" and played["version"] > private["version"]


def test_lv4_seen_holds_for_two_minutes_and_saying_it_again_renews(alice, bob, private, clock):
    watch(private, alice, until=clock.at + timedelta(hours=1))
    assert here(private) == set()
    sees(alice, private)
    assert here(private) == {"alice"}
    clock.advance(seconds=119)
    sees(alice, private)
    clock.advance(seconds=119)
    assert here(private) == {"alice"}
    clock.advance(seconds=2)
    assert here(private) == set()


def test_lv4_a_move_by_hand_says_that_one_has_seen_it(alice, bob, private, clock):
    who = alice if alice.sees(private)["to_act"][0] == 0 else bob
    watch(private, who, until=clock.at + timedelta(hours=1))
    plays(who, private)
    tell_players.catch_up()
    assert here(private) == {who.username}


@pytest.mark.parametrize(
    ("visibility", "wish", "shown"),
    [
        ("private", None, True),
        ("private", "always", True),
        ("private", "never", False),
        ("public", None, False),
        ("public", "private", False),
        ("public", "always", True),
    ],
)
def test_lv4_presence_is_known_as_the_player_prefers(alice, bob, clock, visibility, wish, shown):
    room = alice.opens(visibility=visibility)
    if wish is not None:
        answer = alice.patch("me", {"preferences": {"presence": wish}})
        assert answer.body["preferences"]["presence"] == wish
    watch(room, alice, until=clock.at + timedelta(minutes=1))
    sees(alice, room)
    assert here(room) == ({"alice"} if shown else set())
    clock.advance(seconds=61)
    assert here(room) == set(), "without a stream nobody is there"


def test_lv4_who_only_watches_is_not_at_the_table(alice, bob, charlie, clock):
    room = alice.opens(visibility="public")
    charlie.patch("me", {"preferences": {"presence": "always"}})
    watch(room, charlie, until=clock.at + timedelta(minutes=1))
    Seen.objects.create(player=account(charlie), subject_id=room["id"], version=1, at=clock.at)
    assert here(room) == set()


@given(st.lists(st.tuples(st.integers(1, 900), st.sets(st.sampled_from([ADA, BOB]))), max_size=40))
def test_lv4_together_comes_once_until_somebody_was_away_for_ten_minutes(steps):
    company, now, last = Company(), AT, {}
    away_since_together = True
    for seconds, there in steps:
        now += timedelta(seconds=seconds)
        for player in there:
            if player not in last or now - last[player] >= timedelta(minutes=10):
                away_since_together = True
            last[player] = now
        said_now = company.step({ADA, BOB}, frozenset(there), now)
        assert said_now == (there == {ADA, BOB} and away_since_together)
        if said_now:
            away_since_together = False


def test_lv4_a_single_person_and_bots_are_never_together():
    assert not Company().step({ADA}, frozenset({ADA}), AT)


def watch(game, who, until):
    Watching.objects.create(player=account(who), subject_id=game["id"], process=uuid4(), until=until)


def account(who) -> Player:
    return Player.objects.get(username=who.username)


def here(game):
    found = presence.present(game["id"], service_clock.now())
    return set(Player.objects.filter(pk__in=found).values_list("username", flat=True))
