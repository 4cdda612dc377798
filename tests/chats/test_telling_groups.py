"""NT7: what a room's channels say, to whom, and when they do not; NT12: pushes of real turns."""

import json
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from standardwebhooks import Webhook

from chats.models import GroupChannel, Posting
from chats.rooms import ROOMS
from core.accounts import services as accounts
from core.accounts.login import tokens
from core.accounts.models import Player
from core.jobs import services as work
from core.notifications import push
from core.notifications.models import Seen, Watching
from core.refusals import Conflict, Forbidden, Invalid, NotFound, TooMany
from games.notifications.following import tell_players
from games.services import Terms, cancel, join, open_room, start
from tests.core.notifications.browsers import Browser
from tests.core.notifications.receivers import Receiver
from tests.games.notifications.telling_scene import dealt, handed_over, move, news_of
from tests.games.services.service_scene import game_now, next_mover, play


@pytest.fixture
def local(settings):
    settings.TREY_HOOKS_LOCAL = True


@pytest.fixture
def receiver(local):
    with Receiver() as one:
        yield one


@pytest.fixture
def table(alice, bob, receiver):
    """A private game of Alice and Bob that posts to a Discord channel."""
    room = open_room(alice, Terms("threes", 2, visibility="private"))
    ROOMS.add(room.id, alice, "discord", receiver.url)
    join(room.id, bob, invitation=room.invitation)
    start(room.id, alice)
    while game_now(room.id).status == "setup":
        move(game_now(room.id))
    said(receiver)
    return game_now(room.id)


def be_at_the_table(game, *players, at):
    """They have its stream open, and had its first version before their eyes."""
    for player in players:
        Watching.objects.create(player=player, subject_id=game.id, process=UUID(int=1), until=at + timedelta(hours=1))
        Seen.objects.update_or_create(player=player, subject_id=game.id, defaults={"version": 1, "at": at})


def subscribed(player, receiver):
    """A browser of the player's that gets pushes."""
    browser = Browser(f"{receiver.url}/{player.username}")
    keys = browser.subscription()["keys"]
    tokens.issue(player)
    token = tokens.valid(player).get()
    push.subscribe(player, browser.endpoint, keys["p256dh"], keys["auth"], token=token)
    return browser


def said(receiver):
    """What the channels say now, after all that follows from the log."""
    tell_players.catch_up()
    work.Deliverer().do_all()
    bodies = [json.loads(body) for _, _, body in receiver.got]
    receiver.got.clear()
    return bodies


def test_nt7_a_turn_is_one_message_and_names_only(table, alice, bob, receiver):
    who = handed_over(table)
    [body] = said(receiver)
    assert body["content"].startswith(f"{who.username}, it is your turn\\: Threes with alice and Bob\\.")
    assert body["allowed_mentions"] == {"parse": [], "users": []}
    assert f"/games/{table.id}" in body["content"]
    assert said(receiver) == []


def test_nt14_a_channel_of_a_service_that_the_operator_lists_no_more_gets_nothing(table, receiver, settings):
    settings.TREY_CHAT_SERVICES = ["slack"]
    handed_over(table)
    assert said(receiver) == []
    settings.TREY_CHAT_SERVICES = ["discord"]
    handed_over(table)
    assert len(said(receiver)) == 1


@pytest.mark.sampled
def test_nt7_only_who_consented_is_mentioned(table, alice, bob, receiver):
    accounts.change_profile(bob, handles={"discord": "12345678901234567", "telegram": "@bob_t"})
    assert Player.objects.get(pk=bob.pk).handles == {"discord": "12345678901234567", "telegram": "bob_t"}
    seen = {}
    for _ in range(4):
        who = handed_over(table)
        [body] = said(receiver)
        seen[who.username] = body
    assert seen["Bob"]["content"].startswith("<@12345678901234567>, it is your turn")
    assert seen["Bob"]["allowed_mentions"]["users"] == ["12345678901234567"]
    assert seen["alice"]["content"].startswith("alice, ")
    accounts.change_profile(bob, handles={"discord": None})
    assert "discord" not in Player.objects.get(pk=bob.pk).handles


def test_nt7_whose_account_is_closed_is_somebody_not_a_bot(table, alice, bob, receiver):
    accounts.close(bob)
    assert game_now(table.id).status == "finished"
    [body] = said(receiver)
    assert body["content"].startswith(
        "The game is over\\: Threes with alice and somebody\\. 1\\. alice, 2\\. somebody\\."
    )


def test_nt7_bots_are_counted(clock, alice, receiver):
    room = open_room(alice, Terms("threes", 4), bots=["random"] * 3)
    ROOMS.add(room.id, alice, "discord", receiver.url)
    cancel(room.id, alice)
    [body] = said(receiver)
    assert body["content"].startswith("The game was called off\\: Threes with alice and three bots\\.")


@pytest.mark.parametrize(
    ("service", "handle"),
    [
        ("discord", "bob"),
        ("slack", "<!channel>"),
        ("mattermost", "all"),
        ("telegram", "b"),
        ("matrix", "bob"),
        ("matrix", "@room:example.org"),
        ("icq", "1"),
    ],
)
def test_nt7_a_handle_is_checked_against_its_services_form(bob, service, handle):
    with pytest.raises(Invalid) as refused:
        accounts.change_profile(bob, handles={service: handle})
    assert [field for field, _ in refused.value.errors] == [f"handles.{service}"]


def test_nt4_a_turn_that_was_played_is_not_said(table, receiver):
    handed_over(table)
    tell_players.catch_up()
    handed_over(table)
    assert len(said(receiver)) == 1
    assert sorted(Posting.objects.values_list("state", "reason").order_by("-pk")[:2]) == [
        ("sent", None), ("skipped", "played"),
    ]  # fmt: skip


def test_nt7_while_all_are_present_only_results_are_said(table, alice, bob, receiver, clock):

    be_at_the_table(table, alice, bob, at=clock.at)
    handed_over(table)
    assert said(receiver) == []
    assert Posting.objects.latest("pk").reason == "present"
    mover = next_mover(game_now(table.id))
    play(table.id, mover, {"move": "resign"})
    [body] = said(receiver)
    winner = "Bob" if mover.username == "alice" else "alice"
    assert (
        f"The game is over\\: Threes with alice and Bob\\. 1\\. {winner}, 2\\. {mover.username}\\." in body["content"]
    )


def test_nt7_a_webhook_gets_it_signed(alice, bob, receiver):
    room = open_room(alice, Terms("threes", 2))
    _, secret = ROOMS.add(room.id, alice, "webhook", receiver.url)
    join(room.id, bob)
    cancel(room.id, alice)
    tell_players.catch_up()
    work.Deliverer().do_all()
    [(_, headers, raw)] = receiver.got
    event = Webhook(secret).verify(raw, headers)
    assert event["type"] == "game.finished" and event["data"]["topic"] == "result"
    assert event["data"]["text"].startswith("The game was called off: Threes with alice")
    assert event["data"]["game"] == str(room.id)


def test_nt7_it_is_an_event_shown_before_one_sits_down_and_told_to_all(clock, alice, bob, charlie, receiver):
    room = open_room(alice, Terms("threes", 3))
    join(room.id, bob)
    row, secret = ROOMS.add(room.id, alice, "slack", receiver.url)
    assert secret is None
    game = game_now(room.id)
    assert [dict(one) for one in game.channels] == [{"id": str(row.pk), "service": "slack"}]
    assert ROOMS.shown(game, charlie) == [{"id": str(row.pk), "service": "slack", "own": None, "given_by": None}]
    assert ROOMS.shown(game, alice)[0]["own"] == row and ROOMS.shown(game, alice)[0]["given_by"] == "alice"
    [told] = news_of(bob, "changed")
    assert told["text"].startswith("This table now posts to a channel (slack): Threes with")
    assert news_of(alice, "changed") == []
    ROOMS.remove(room.id, alice, row.pk)
    assert game_now(room.id).channels == [] and not GroupChannel.objects.exists()
    clock.advance(minutes=1)
    assert news_of(bob, "changed")[1]["text"].startswith("The table no longer posts to a channel (slack)")


def test_nt7_the_opener_gives_up_to_five_and_nobody_else_any(alice, bob, charlie, local):
    room = open_room(alice, Terms("threes", 3, visibility="private"))
    join(room.id, bob, invitation=room.invitation)
    for who, error in ((bob, Forbidden), (charlie, NotFound)):
        with pytest.raises(error):
            ROOMS.add(room.id, who, "ntfy", "http://127.0.0.1:9/x")
    for _ in range(5):
        row, _ = ROOMS.add(room.id, alice, "ntfy", "http://127.0.0.1:9/x")
    with pytest.raises(TooMany):
        ROOMS.add(room.id, alice, "ntfy", "http://127.0.0.1:9/x")
    with pytest.raises(Invalid):
        ROOMS.add(room.id, alice, "discord", "https://127.0.0.1")
    with pytest.raises(NotFound):
        ROOMS.test(room.id, bob, row.pk)
    with pytest.raises(Forbidden):
        ROOMS.remove(room.id, bob, row.pk)
    assert len(game_now(room.id).channels) == GroupChannel.objects.count() == 5
    cancel(room.id, alice)
    with pytest.raises(Conflict):
        ROOMS.add(room.id, alice, "ntfy", "http://127.0.0.1:9/x")


def test_nt14_its_address_is_in_no_event_and_never_shown(table, alice, receiver, caplog):
    receiver.status = 500
    handed_over(table)
    said(receiver)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT json_agg(e)::text FROM log_event e), one::text FROM notifications_groupchannel one"
        )
        stored = str(cursor.fetchall())
    assert "channels_changed" in stored and "s3cret" not in stored + caplog.text
    assert Posting.objects.latest("pk").state == "failed"


def test_ac5_closing_the_account_takes_its_channels_away(alice, bob, receiver):
    room = open_room(alice, Terms("threes", 3))
    join(room.id, bob)
    join(room.id, Player.objects.create_user("cleo"))
    ROOMS.add(room.id, alice, "discord", receiver.url)
    start(room.id, alice)
    accounts.close(alice)
    assert game_now(room.id).channels == [] and not GroupChannel.objects.exists()


def test_ac5_a_room_that_is_gone_does_not_keep_the_account_open(alice, receiver, caplog):
    room = open_room(alice, Terms("threes", 2))
    ROOMS.add(room.id, alice, "discord", receiver.url)
    GroupChannel.objects.update(subject_id=UUID(int=1))
    accounts.close(alice)
    assert not GroupChannel.objects.exists() and not Player.objects.exists()
    assert "still names the channels" in caplog.text


def test_nt14_a_test_is_posted(alice, receiver):
    room = open_room(alice, Terms("threes", 2))
    row, _ = ROOMS.add(room.id, alice, "mattermost", receiver.url)
    ROOMS.test(room.id, alice, row.pk)
    work.Deliverer().do_all()
    row.refresh_from_db()
    assert row.tested_at is not None and row.error is None
    assert json.loads(receiver.got[0][2])["text"].startswith("This is a test: Trey can post here")


def test_nt12_a_push_of_a_turn_is_kept_until_its_deadline_and_counts_the_turns(alice, bob, receiver, clock):
    games = [dealt(alice, bob, clock={"per_turn": 86_400}) for _ in range(2)]
    said(receiver)
    awaited = {handed_over(game) for game in games}
    browsers = {player: subscribed(player, receiver) for player in (alice, bob)}
    tell_players.catch_up()
    clock.advance(hours=1)
    work.Deliverer().do_all()
    turns = {player: sum(next_mover(game_now(game.id)) == player for game in games) for player in (alice, bob)}
    pushed = [(path.rpartition("/")[2], headers, body) for path, headers, body in receiver.got]
    assert {name for name, *_ in pushed} == {player.username for player in awaited}
    for player in awaited:
        for headers, body in [(headers, body) for name, headers, body in pushed if name == player.username]:
            assert (headers["TTL"], headers["Urgency"]) == (str(23 * 3600), "high")
            assert browsers[player].read(body)["app_badge"] == turns[player]


def test_nt12_a_push_waits_ten_seconds_for_who_is_at_the_table(alice, bob, receiver, clock):
    game = dealt(alice, bob, visibility="private")
    said(receiver)
    be_at_the_table(game, alice, bob, at=clock.at)
    for player in (alice, bob):
        subscribed(player, receiver)
    awaited = handed_over(game)
    push_of = news_of(awaited, "turn")[-1]["channels"]["push"]
    assert (push_of["state"], push_of["until"]) == ("held", clock.at + timedelta(seconds=10))
    clock.advance(seconds=9)
    assert work.Deliverer().do_all() == 0
    clock.advance(seconds=1)
    assert work.Deliverer().do_all() == 1
    [(path, _, _)] = receiver.got
    assert path.endswith(f"/{awaited.username}")
