"""AC6: take each right away, and look at everything that goes with it."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import UUID, uuid4

import pytest
from allauth.account.models import EmailAddress
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from django.core.cache import cache
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from knox.crypto import hash_token

from chats import services as chats
from chats.models import GroupChannel
from chats.rooms import ROOMS
from chats.tournaments import TOURNAMENTS
from core import log
from core.accounts import blocking, ending
from core.accounts import services as accounts
from core.accounts.ending import GOES_WITH, Right, What
from core.accounts.exporting import parts_of
from core.accounts.login import codes, guests, sessions, tokens, way_in
from core.accounts.models import Code, GuestLink, Player, Session, Token
from core.accounts.oauth.provider import DEVICE
from core.clock import FrozenClock, now
from core.jobs import services as work
from core.notifications import endpoints, ics, push, selectors
from core.notifications import services as telling
from core.notifications.models import Calendar, Channel, Chat, Delivery, Hook, Notification, State
from core.refusals import Forbidden, NotFound
from games import services as games
from games.live.admission import Access, still_valid
from games.notifications.following import tell_players
from games.notifications.kinds import FINISHED
from games.notifications.services import invite
from games.plans.services import next_planned
from games.projections import Snapshot, load
from games.services.lobby import kept_for
from tests import notifications
from tests.core.accounts.mailed import mails, newest_code
from tests.core.notifications.browsers import Browser
from tests.core.notifications.receivers import Receiver
from tests.games.api.client import PASSWORD, Person
from tests.games.live.conftest import live, serving  # noqa: F401  fixtures
from tests.games.plans.plan_rooms import RUMMY
from tests.games.services.service_scene import a_move, next_mover, play, started
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import Tournament
from tournaments.notifications.following import tell_entrants
from tournaments.services.entries import LEAVE_QUEUE

ROWS = [(right, what) for right, whats in GOES_WITH.items() for what in whats]

Check = Callable[[pytest.FixtureRequest], None]
CHECKS: dict[tuple[Right, What], list[Check]] = {}


@pytest.fixture(autouse=True)
def changes_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "TOGETHER", timedelta())


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.TREY_HOOKS_LOCAL = True
    with Receiver() as one:
        yield one


def check(right: Right, *whats: What) -> Callable[[Check], Check]:
    """Register a check: it makes what the right brings, takes the right away, and looks."""

    def register(one: Check) -> Check:
        for what in whats:
            CHECKS.setdefault((right, what), []).append(one)
        return one

    return register


def told(player: Player) -> list[dict[str, Any]]:
    """What the player reads of what they were told, oldest first, after all that follows from the log."""
    while tell_players.catch_up() + tell_entrants.catch_up() + work.do_all(kinds=[telling.CHANGES]).done:
        pass
    return notifications.bodies(player, list(Notification.objects.filter(player=player).order_by("number")))


def exported(player: Player) -> str:
    parts = parts_of(player, now())
    return json.dumps({key: list(part) if isinstance(part, Iterator) else part for key, part in parts}, default=str)


def sent_to(receiver: Receiver) -> list[str]:
    """What was posted by what waits now."""
    told(Player())
    work.Deliverer().do_all()
    bodies = [json.loads(body)["content"].replace("\\", "") for _, _, body in receiver.got]
    receiver.got.clear()
    return bodies


def people() -> list[Player]:
    return [Player.objects.create_user(name) for name in ("alice", "bob", "cleo", "dan")]


def private_room(*players: Player, **settings: Any) -> Snapshot:
    room = games.open_room(
        players[0], games.Terms(**{"game": "threes", "seats": 3, "visibility": "private", **settings})
    )
    for player in players[1:]:
        games.join(room.id, player, invitation=room.invitation)
    return load_now(room.id)


def load_now(game_id: UUID) -> Snapshot:
    found = load(game_id)
    assert found is not None
    return found


def private_tournament(**asked: Any) -> Club:
    club = Club(now()).set_up(visibility="private", entry="invitation", **asked)
    services.open_registration(club.id, club.olga, now=club.now)
    return club


def remove(club: Club, player: Player) -> None:
    entrant = club.t.entrant_of(player.pk)
    assert entrant is not None
    services.rule(club.id, club.olga, {"ruling": "remove", "entrant": entrant.key, "reason": "R"}, now=club.now)


@check(Right.ROOM, What.TEXTS)
def who_is_gone_does_not_read_who_sits_there_now(request: pytest.FixtureRequest) -> None:
    alice, bob, cleo, dan = people()
    room = private_room(alice, seats=4)
    for player in (bob, cleo):
        invite(room.id, alice, player.username)
        games.join(room.id, player, invitation=room.invitation)
    invite(room.id, alice, "dan")
    assert all("alice" in body["text"] and body["link"] for one in (bob, cleo, dan) for body in told(one))
    games.kick(room.id, alice, 1)
    games.leave(room.id, cleo)
    games.join(room.id, Player.objects.create_user("zoe"), invitation=load_now(room.id).invitation)
    for one in (bob, cleo):
        assert {body["text"].partition(": ")[2] for body in told(one)} == {"a private table."}
        assert {body["link"] for body in told(one)} == {None} and "zoe" not in exported(one)
    # Dan's invitation holds, with the new code, until the room is made private anew.
    assert "zoe" in told(dan)[0]["text"] and told(dan)[0]["link"] == f"/join/{load_now(room.id).invitation}"
    games.change_room(room.id, alice, {"visibility": "public"})
    games.change_room(room.id, alice, {"visibility": "private"})
    assert told(dan)[0]["text"].endswith(": a private table.") and told(dan)[0]["link"] is None
    invite(room.id, alice, "dan")
    assert "zoe" in told(dan)[-1]["text"]
    blocking.block(alice, "dan")
    assert "zoe" not in told(dan)[-1]["text"]


@check(Right.ROOM, What.TEXTS)
def who_was_replaced_does_not_either(request: pytest.FixtureRequest) -> None:
    alice, bob, cleo, _ = people()
    room = private_room(alice, bob, seats=2)
    games.start(room.id, alice)
    games.replace_player(room.id, 1, player=cleo, actor=log.Actor("staff", str(alice.pk)), reason="R")
    assert "alice" not in str([body["text"] for body in told(bob)]) and "alice" in told(cleo)[-1]["text"]


@check(Right.ROOM, What.DELIVERIES)
def what_waited_for_who_is_gone_is_not_sent(request: pytest.FixtureRequest) -> None:
    alice, bob, _, _ = people()
    receiver = request.getfixturevalue("receiver")
    room = private_room(alice, bob)
    endpoints.create_chat(bob, "discord", receiver.url)
    sent_to(receiver)
    games.change_room(room.id, alice, {"seats": 4})
    told(bob)
    games.kick(room.id, alice, 1)
    assert sent_to(receiver) == ["You were removed from the table: a private table."]
    [changed] = [body for body in told(bob) if body["kind"] == "changed"]
    assert changed["channels"]["chat"]["reason"] == "no longer yours"


@check(Right.ROOM, What.PLACES)
def a_seat_is_not_kept_for_who_is_gone(request: pytest.FixtureRequest) -> None:
    alice, bob, cleo, _ = people()
    old = private_room(alice, bob, seats=2)
    games.start(old.id, alice)
    games.play(old.id, bob, {"move": "resign"})
    room = games.rematch(old.id, alice)
    games.rematch(old.id, bob)
    games.kick(room.id, alice, 1)
    with pytest.raises(Forbidden, match="removed from this table"):
        games.rematch(old.id, bob)
    assert games.join(room.id, cleo, invitation=load_now(room.id).invitation).seat_of(cleo) == 1


@check(Right.ROOM, What.CHANNELS)
def the_channels_of_who_is_gone_go(request: pytest.FixtureRequest) -> None:
    alice, bob, cleo, _ = people()
    receiver = request.getfixturevalue("receiver")
    rooms = [private_room(alice, bob, seats=2), private_room(alice, bob, seats=2)]
    for room in rooms:
        ROOMS.add(room.id, alice, "discord", receiver.url)
        assert ROOMS.shown(load_now(room.id), alice)[0]["given_by"] == "alice"
        assert ROOMS.shown(load_now(room.id), bob)[0]["given_by"] is None
    told(bob)
    games.leave(rooms[0].id, alice)
    games.start(rooms[1].id, alice)
    told(bob)
    games.replace_player(rooms[1].id, 0, player=cleo, actor=log.Actor("staff", str(bob.pk)), reason="R")
    assert [load_now(room.id).channels for room in rooms] == [[], []] and not GroupChannel.objects.exists()
    games.join(rooms[0].id, cleo, invitation=load_now(rooms[0].id).invitation)
    games.start(rooms[0].id, bob)
    assert sent_to(receiver) == []
    assert "no longer posts to a channel" in str([body["text"] for body in told(bob)])


@check(Right.APP, What.CHANNELS)
def the_channels_that_an_app_added_go(request: pytest.FixtureRequest) -> None:
    alice, bob, _, _ = people()
    owl, receiver = "https://owl.example/in", request.getfixturevalue("receiver")
    room = private_room(alice, bob, seats=2)
    app = Person("alice", tokens.issue(alice, app=owl)[0])
    added = app.post(f"games/{room.id}/channels", {"service": "discord", "url": CHAT})
    assert added.status == 201
    ROOMS.add(room.id, alice, "slack", receiver.url)
    told(bob)
    tokens.revoke_app(alice, owl)
    work.do_all(kinds=[chats.DROP])
    assert [row.service for row in GroupChannel.objects.all()] == ["slack"]
    assert "no longer posts to a channel (discord)" in str([body["text"] for body in told(bob)])
    assert [one["service"] for one in load_now(room.id).channels] == ["slack"]
    # What it was just adding came too late.
    with pytest.raises(NotFound):
        ROOMS.add(room.id, alice, "discord", CHAT, app=owl)


@check(Right.ROOM, What.STREAMS)
def the_stream_of_who_is_gone_ends(request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("live")
    alice, bob, _, _ = people()
    room = private_room(alice, bob)
    stream = server.opens(f"games/{room.id}/live", token=tokens.issue(bob)[0])
    games.kick(room.id, alice, 1)
    assert stream.next() is None


@check(Right.TOURNAMENT, What.TEXTS)
def who_is_removed_does_not_read_the_present_title(request: pytest.FixtureRequest) -> None:
    club = private_tournament()
    ada = club.people[0]
    services.add_organiser(club.id, club.olga, "bob")
    services.invite(club.id, club.olga, "ada", now=club.now)
    services.accept(club.id, ada, "e1", now=club.now)
    services.send_message(club.id, club.olga, "Hello.")
    assert "Threes 2026" in str(told(ada))
    remove(club, ada)
    services.change(club.id, club.olga, {"title": "Secret plans"})
    texts = [body["text"] for body in told(ada)]
    assert "Threes" not in str(texts) and "Secret" not in str(texts) and "Secret" not in exported(ada)
    assert texts[-1] == "You were removed: a private tournament. Reason: R"
    assert {body["link"] for body in told(ada)} == {None}


@check(Right.TOURNAMENT, What.TEXTS)
def whose_invitation_is_withdrawn_does_not_either(request: pytest.FixtureRequest) -> None:
    club = private_tournament()
    ada = club.people[0]
    services.invite(club.id, club.olga, "ada", now=club.now)
    assert [body["text"] for body in told(ada)] == ["olga invites you to play in Threes 2026."]
    services.withdraw(club.id, club.olga, "e1", now=club.now)
    assert [body["text"] for body in told(ada)] == ["You are invited to play in a private tournament."]


@check(Right.TOURNAMENT, What.DELIVERIES)
def what_waited_for_who_is_removed_is_not_sent(request: pytest.FixtureRequest) -> None:
    club, receiver = private_tournament(), request.getfixturevalue("receiver")
    ada = club.people[0]
    services.enter(club.id, ada, invitation=club.t.invitation, now=club.now)
    endpoints.create_chat(ada, "discord", receiver.url)
    sent_to(receiver)
    services.send_message(club.id, club.olga, "Hello.")
    told(ada)
    remove(club, ada)
    assert sent_to(receiver) == ["You were removed: a private tournament. Reason: R"]


@check(Right.TOURNAMENT, What.PLACES)
def who_is_removed_waits_no_longer(request: pytest.FixtureRequest) -> None:
    club = private_tournament(limit=3)
    for player in club.people[:5]:
        services.enter(club.id, player, invitation=club.t.invitation, now=club.now)
    assert club.t.queue == ("e4", "e5")
    remove(club, club.people[3])
    assert club.t.queue == ("e5",)


@check(Right.TOURNAMENT, What.CHANNELS)
def the_channels_of_an_organiser_go(request: pytest.FixtureRequest) -> None:
    club, receiver = private_tournament(), request.getfixturevalue("receiver")
    bob, staff = club.people[1], Player.objects.create_user("stan", is_staff=True)
    services.add_organiser(club.id, club.olga, "bob")
    if bob.pk not in club.t.organisers:
        services.accept_to_organise(club.id, bob)
    for player in (bob, staff):
        TOURNAMENTS.add(club.id, player, "discord", receiver.url)
    row = Tournament.objects.get(pk=club.id)
    assert [one["given_by"] for one in TOURNAMENTS.shown(row, club.olga)] == ["bob", "stan"]
    services.remove_organiser(club.id, club.olga, "bob")
    assert [one["given_by"] for one in TOURNAMENTS.shown(Tournament.objects.get(pk=club.id), club.olga)] == ["stan"]
    staff.is_staff = False
    staff.save()
    assert club.t.channels == () and not GroupChannel.objects.exists()
    services.cancel(club.id, club.olga, "R")
    assert sent_to(receiver) == []


def link_to_a_guest(club: Club, by: Player) -> str:
    guest = guests.sign_up("gus")
    services.enter(club.id, guest, invitation=club.t.invitation, now=club.now)
    entrant = club.t.entrant_of(guest.pk)
    assert entrant is not None
    return services.new_guest_link(club.id, by, entrant.key)[0]


@check(Right.TOURNAMENT, What.LINKS)
def the_link_of_an_organiser_to_a_guest_ends(request: pytest.FixtureRequest) -> None:
    club = private_tournament(guests=True)
    bob = club.people[1]
    club.organise(bob)
    secret = link_to_a_guest(club, bob)
    assert guests.link_of(secret).player.username == "gus"
    services.remove_organiser(club.id, club.olga, "bob")
    with pytest.raises(NotFound):
        guests.use_link(secret)


@check(Right.SESSION, What.LINKS)
@check(Right.TOKEN, What.LINKS)
@check(Right.APP, What.LINKS)
@check(Right.PASSWORD, What.LINKS)
def a_link_to_a_guest_ends_with_what_made_it(request: pytest.FixtureRequest) -> None:
    club = private_tournament(guests=True)
    olga, susan, guest = club.olga, Player.objects.create_superuser("susan"), guests.sign_up("gus")
    services.enter(club.id, guest, invitation=club.t.invitation, now=club.now)
    by_all: dict[str, Callable[[Person], object]] = {
        "log-out": lambda who: who.post("auth/logout"),
        "by staff": lambda who: accounts.revoke_access(now_of(olga), susan, "R"),
        "elsewhere": lambda who: browser_as(olga).call("DELETE", "me/tokens"),
        "expired": lambda who: (Session.objects.update(expire_date=now()), Token.objects.update(expiry=now())),
    }
    of_owner = {
        "a new password": lambda who: who.post("me/password", {"new_password": PASSWORD, "password": PASSWORD}),
        "everywhere": lambda who: who.call("DELETE", "me/tokens"),
    }
    of_token = {"all": lambda who: tokens.revoke_all(now_of(olga)), "one": lambda who: tokens.revoke(olga, last().id)}
    ways = {
        "token": (lambda: Person("olga", tokens.issue(now_of(olga))[0]), {**by_all, **of_owner, **of_token}),
        "app": (
            lambda: Person("olga", tokens.issue(now_of(olga), app=OWL)[0]),
            {**by_all, **of_token, "all of the app": lambda who: tokens.revoke_app(olga, OWL)},
        ),
        "browser": (
            lambda: browser_as(olga),
            {
                **by_all,
                **of_owner,
                "others": lambda who: browser_as(olga).client.post("/accounts/sessions/end/"),
                "one": lambda who: sessions.revoke(olga, sessions.name_of(sessions.valid(olga).get())),
            },
        ),
    }
    accounts.set_password(olga, PASSWORD)
    for what, (begins, ends) in ways.items():
        for how, end in ends.items():
            who = begins()
            made = who.post(f"tournaments/{club.id}/entries/e1/link")
            secret = made.body["url"].rpartition("/")[2]
            assert guests.link_of(secret).player == guest
            end(who)
            with pytest.raises(NotFound):
                guests.use_link(secret)
            assert not GuestLink.objects.exists() or how == "expired", (what, how)
            Session.objects.all().delete()


def now_of(player: Player) -> Player:
    return Player.objects.get(pk=player.pk)


def last() -> Token:
    return Token.objects.latest("created")


def browser_as(player: Player) -> Person:
    """Somebody who calls from a page of ours."""
    browser = Client()
    browser.force_login(now_of(player))
    return Person(player.username, client=browser)


@check(Right.ACCOUNT, What.LINKS)
def a_link_to_a_guest_ends_with_either_account(request: pytest.FixtureRequest) -> None:
    club = private_tournament(guests=True)
    susan = Player.objects.create_superuser("susan")
    for suspended in ("gus", "olga"):
        secret = link_to_a_guest(club, club.olga)
        player = Player.objects.get(username=suspended)
        accounts.suspend(player, susan, "R")
        accounts.let_back(player, susan, "R")
        with pytest.raises(NotFound):
            guests.use_link(secret)
        Player.objects.filter(username="gus").update(username=f"gus-{suspended}")


@check(Right.PASSWORD, What.WAYS_IN)
@check(Right.ACCOUNT, What.WAYS_IN)
def a_way_in_ends_with_either_password_and_account(request: pytest.FixtureRequest) -> None:
    susan, sue, bob = (Player.objects.create_superuser(name) for name in ("susan", "sue", "bob"))
    for who in (susan, bob):
        for end in (accounts.log_out_everywhere, lambda one: accounts.suspend(one, sue, "R")):
            secret, _ = way_in.give(now_of(bob), now_of(susan), "R")
            assert way_in.player_of(secret) == bob
            end(now_of(who))
            Player.objects.filter(pk=who.pk).update(is_active=True)
            with pytest.raises(NotFound):
                way_in.player_of(secret)


@check(Right.TOURNAMENT, What.STREAMS)
def the_stream_of_an_organiser_ends(request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("live")
    club = private_tournament()
    services.add_organiser(club.id, club.olga, "bob")
    for player in club.people[2:5]:
        services.enter(club.id, player, invitation=club.t.invitation, now=club.now)
    services.start(club.id, club.olga, now=club.now)
    club.run()
    bob = club.people[1]
    if bob.pk not in club.t.organisers:
        services.accept_to_organise(club.id, bob)
    stream = server.opens(f"games/{club.game_id(1)}/live", token=tokens.issue(bob)[0])
    services.remove_organiser(club.id, club.olga, "bob")
    assert stream.next() is None


def test_ac6_only_rows_of_the_list_are_seen_to() -> None:
    assert ending.seen_to() <= set(ROWS)


def test_ac6_what_goes_at_once_is_called_with_who_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "_at_once", {})
    called: list[Any] = []
    ending.at_once(Right.TOKEN, What.PUSHES)(lambda **who: called.append(who))
    ending.ended(Right.TOKEN, key="k")
    ending.ended(Right.SESSION, key="s")
    assert called == [{"key": "k"}]


# Sessions, tokens, passwords, accounts


CHAT = f"https://discord.com/api/webhooks/1234567890/{'x' * 40}"


@pytest.fixture
def ada(transactional_db: None) -> Player:
    return Player.objects.create_user("ada", password=PASSWORD)


def token_of(player: Player) -> tuple[str, Token]:
    secret, _ = tokens.issue(player)
    return secret, tokens.valid(player).order_by("-created").first() or pytest.fail("no token")


def browser_of(player: Player, **owner: Any) -> None:
    one = Browser("https://push.example.org/x").subscription()
    push.subscribe(player, one["endpoint"], one["keys"]["p256dh"], one["keys"]["auth"], **owner)
    assert goes_to(player, Channel.PUSH)


def goes_to(player: Player, channel: Channel) -> bool:
    """Whether what the player is told waits for an address of the channel, and would go out now."""
    told = telling.tell([player.pk], FINISHED, f"x:{uuid4()}", subject_id=uuid4(), data={"called_off": True})
    work.Deliverer().do_all()
    states = Delivery.objects.filter(notification__in=told, channel=channel).values_list("state", flat=True)
    return not set(states) <= {State.SKIPPED}


@check(Right.SESSION, What.PUSHES, What.STREAMS)
def _session(request: pytest.FixtureRequest) -> None:
    ada = request.getfixturevalue("ada")
    ways = {
        "log-out": lambda page: page.post("/accounts/logout/"),
        "ended elsewhere": lambda page: sessions.revoke(ada, sessions.name_of(sessions.valid(ada).get())),
        "a new password": lambda page: accounts.set_password(ada, "another quiet evening"),
        "expired": lambda page: Session.objects.update(expire_date=now()),
    }
    for name, end in ways.items():
        page = Client()
        page.force_login(ada)
        key = page.session.session_key
        browser_of(ada, session=key)
        access = Access(key, False, ada.password)
        assert still_valid([access])
        end(page)
        assert not goes_to(ada, Channel.PUSH), name
        assert not still_valid([access]), name
        Session.objects.all().delete()
        ada.refresh_from_db()


@check(Right.TOKEN, What.PUSHES, What.STREAMS)
def _token(request: pytest.FixtureRequest) -> None:
    ada = request.getfixturevalue("ada")
    ways = {
        "log-out": lambda secret, token: Person("ada", secret).post("auth/logout"),
        "ended elsewhere": lambda secret, token: tokens.revoke(ada, token.id),
        "a new password": lambda secret, token: accounts.set_password(ada, "another quiet evening"),
        "expired": lambda secret, token: Token.objects.update(expiry=now()),
    }
    for name, end in ways.items():
        secret, token = token_of(ada)
        browser_of(ada, token=token)
        access = Access(token.digest, False)
        assert still_valid([access])
        end(secret, token)
        assert not goes_to(ada, Channel.PUSH), name
        assert not still_valid([access]), name
        Token.objects.all().delete()


@check(Right.APP, What.ADDRESSES)
def _app(request: pytest.FixtureRequest) -> None:
    """AP14: what an app made goes with its last token, and nothing else."""
    ada, owl, clock = request.getfixturevalue("ada"), "https://owl.example/in", request.getfixturevalue("clock")
    ways = {
        "ended elsewhere": lambda secret, token: tokens.revoke(ada, token.id),
        "by the app": lambda secret, token: Client().post("/oauth/revoke", {"token": secret, "client_id": owl}),
        "log-out": lambda secret, token: Person("ada", secret).post("auth/logout"),
        "all of the app": lambda secret, token: tokens.revoke_app(ada, owl),
        "a new password": lambda secret, token: accounts.set_password(ada, "another quiet evening"),
        "expired": lambda secret, token: (clock.advance(days=91) and None) or run_purges(),
    }
    own, _ = endpoints.create_webhook(ada, "https://hooks.example.org/own", None)
    for name, end in ways.items():
        secret, other = tokens.issue(ada, app=owl)[0], tokens.issue(ada, app=owl)[0]
        app = Person("ada", secret)
        assert app.post("me/webhooks", {"url": "https://hooks.example.org/app"}).status == 201
        address = urlsplit(app.post("me/ics").body["url"]).path
        assert Client().get(address).status_code == 200
        assert app.post("me/chat", {"service": "discord", "url": CHAT}).status == 201
        assert app.patch(f"me/webhooks/{own.pk}", {"active": True}).status == 200
        tokens.revoke_of_app(hash_token(other), owl)
        assert Hook.objects.filter(app=owl).exists() and Chat.objects.exists(), name
        token = tokens.find(secret) or pytest.fail("no token")
        end(secret, token)
        assert list(Hook.objects.all()) == [own] and not Chat.objects.exists(), name
        assert Client().get(address).status_code == 404, name
        Token.objects.all().delete()
    # One whose address an app has changed is the app's.
    app = Person("ada", tokens.issue(ada, app=owl)[0])
    assert app.patch(f"me/webhooks/{own.pk}", {"url": "https://hooks.example.org/theirs"}).status == 200
    tokens.revoke_app(ada, owl)
    assert not Hook.objects.exists()
    # What it was just making came too late.
    with pytest.raises(NotFound):
        endpoints.create_webhook(ada, "https://hooks.example.org/late", None, app=owl)
    with pytest.raises(NotFound):
        endpoints.create_chat(ada, "discord", CHAT, app=owl)
    assert not Hook.objects.exists() and not Chat.objects.exists()


@pytest.mark.django_db
def test_ap15_what_an_app_made_that_is_not_let_in_any_more_posts_nothing(receiver: Receiver, settings: Any) -> None:
    ada, owl = Player.objects.create_user("ada"), "https://owl.example/in"
    tokens.issue(ada, app=owl)
    endpoints.create_webhook(ada, receiver.url, None, app=owl)
    address = urlsplit(ics.make(ada, app=owl)).path
    assert goes_to(ada, Channel.WEBHOOK) and receiver.got
    receiver.got.clear()
    settings.TREY_APPS = ["https://fox.example/in"]
    assert not goes_to(ada, Channel.WEBHOOK) and not receiver.got
    assert Client().get(address).status_code == 404
    settings.TREY_APPS = [owl]
    assert Client().get(address).status_code == 200
    assert goes_to(ada, Channel.WEBHOOK) and receiver.got


def run_purges() -> None:
    for room in (sessions, tokens, codes):
        room.purge()
    telling.purge()


@check(Right.PASSWORD, What.LOGINS, What.ADDRESSES)
def _password(request: pytest.FixtureRequest) -> None:
    ada = request.getfixturevalue("ada")
    hook, _ = endpoints.create_webhook(ada, "https://hooks.example.org/s3cret", None)
    endpoints.create_chat(ada, "discord", "https://discord.com/api/webhooks/1/s3cret")
    address = urlsplit(ics.make(ada)).path
    (_, lost), (_, kept) = token_of(ada), token_of(ada)
    accounts.set_password(ada, "another quiet evening", token=kept)
    assert list(tokens.valid(ada)) == [kept] and lost != kept
    told = Notification.objects.filter(player=ada, data__what="password").latest("pk")
    [body] = selectors.bodies(ada, [told])
    assert "webhook hooks.example.org, discord at discord.com, the calendar's address" in body.text
    page = Client()
    page.force_login(ada)
    shown = page.get("/accounts/endpoints/").content.decode()
    assert "webhook hooks.example.org, discord at discord.com, the calendar&#x27;s address" in shown
    assert "s3cret" not in shown
    page.post("/accounts/endpoints/", {"decide": "keep"})
    assert "Your notifications still go to" not in page.get("/accounts/endpoints/").content.decode()
    page.post("/accounts/endpoints/", {"end": str(hook.pk)})
    assert not Hook.objects.exists() and Chat.objects.exists()
    accounts.set_password(ada, "yet another evening", token=kept)
    page.force_login(ada)
    assert Client().get(address).status_code == 200
    page.post("/accounts/endpoints/", {"decide": "end"})
    assert not Chat.objects.exists()
    assert Client().get(address).status_code == 404


OWL = "https://owl.example/in"


def fetched(player: Player, meanwhile: Callable[[], object]) -> bool:
    """Whether a program can fetch its token if this happens after it was granted."""
    cache.clear()
    device = Client().post("/oauth/device/code", {"client_id": OWL, "scope": "read"}).json()
    browser = Client()
    browser.force_login(player)
    address = f"/oauth/device?code={device['user_code']}"
    assert b"The program is logged in" in browser.post(address, {"action": "allow", "scopes": ["read"]}).content
    meanwhile()
    form = {"grant_type": DEVICE, "device_code": device["device_code"], "client_id": OWL}
    return bool(Client().post("/oauth/token", form).status_code == 200)


@check(Right.PASSWORD, What.GRANTS)
def _granted_before_the_password(request: pytest.FixtureRequest) -> None:
    ada = request.getfixturevalue("ada")
    assert fetched(ada, lambda: None)
    assert not fetched(ada, lambda: accounts.set_password(ada, "another quiet evening"))
    assert fetched(ada, lambda: None)


@check(Right.SESSION, What.GRANTS)
def _granted_in_a_session(request: pytest.FixtureRequest) -> None:
    ada = request.getfixturevalue("ada")
    ways: dict[str, Callable[[Client], object]] = {
        "log-out": lambda browser: browser.post("/accounts/logout/"),
        "over the API": lambda browser: Person(client=browser).post("auth/logout"),
        "one": lambda browser: sessions.revoke(ada, sessions.name_of(sessions.valid(ada).latest("expire_date"))),
        "others": lambda browser: browser_as(ada).client.post("/accounts/sessions/end/"),
        "expired": lambda browser: Session.objects.update(expire_date=now()),
    }
    for way, end in ways.items():
        for grants in (granted_to_a_device, granted_to_a_page):
            browser = browser_as(ada).client
            fetches = grants(browser)
            browser_as(ada).client.post("/accounts/logout/")
            Session.objects.exclude(pk=browser.session.session_key).delete()
            end(browser)
            assert not fetches(), (way, grants)
            browser = browser_as(ada).client
            fetches = grants(browser)
            browser_as(ada).client.post("/accounts/logout/")
            assert fetches(), "another session's end is nothing to this one"
            Session.objects.all().delete()


def granted_to_a_device(browser: Client) -> Callable[[], bool]:
    """Whether a program that was let in by this browser can fetch its token."""
    cache.clear()
    device = Client().post("/oauth/device/code", {"client_id": OWL, "scope": "read"}).json()
    address = f"/oauth/device?code={device['user_code']}"
    assert b"The program is logged in" in browser.post(address, {"action": "allow", "scopes": ["read"]}).content
    form = {"grant_type": DEVICE, "device_code": device["device_code"], "client_id": OWL}
    return lambda: bool(Client().post("/oauth/token", form).status_code == 200)


def granted_to_a_page(browser: Client) -> Callable[[], bool]:
    asked = {
        "response_type": "code", "client_id": OWL, "redirect_uri": OWL, "scope": "read", "state": "s",
        "code_challenge": create_s256_code_challenge("v" * 43), "code_challenge_method": "S256",
    }  # fmt: skip
    answer = browser.post(f"/oauth/authorize?{urlencode(asked)}", {"action": "allow", "scopes": ["read"]})
    code = dict(parse_qsl(urlsplit(answer["Location"]).query))["code"]
    form = {"code": code, "redirect_uri": OWL, "client_id": OWL, "code_verifier": "v" * 43}
    return lambda: bool(Client().post("/oauth/token", {**form, "grant_type": "authorization_code"}).status_code == 200)


@check(Right.PASSWORD, What.BEGUN)
@check(Right.ACCOUNT, What.BEGUN)
def _begun_before(request: pytest.FixtureRequest) -> None:
    """A log-in or a reset that waits for a code, or for the new password after it, by page and over the API."""
    ada, susan = request.getfixturevalue("ada"), Player.objects.create_superuser("susan")
    EmailAddress.objects.create(user=ada, email=ADA, verified=True, primary=True)
    new = "another quiet evening"

    def by_page(page: Client, **form: str) -> None:
        page.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})

    def by_reset(page: Client) -> None:
        owner, code = asks_by_page("password/reset")
        resets(owner, code, new)

    def suspended_and_let_back(page: Client) -> None:
        accounts.suspend(now_of(ada), susan, "R")
        accounts.let_back(now_of(ada), susan, "R")

    events: dict[str, Callable[[Client], object]] = {
        "page": by_page,
        "API": lambda page: Person(client=page).post("me/password", {"new_password": new, "password": PASSWORD}),
        "reset": by_reset,
        "everywhere": lambda page: Person(client=page).call("DELETE", "me/tokens"),
        "others": lambda page: page.post("/accounts/sessions/end/"),
        "staff": lambda page: accounts.revoke_access(now_of(ada), susan, "R"),
        "suspended": suspended_and_let_back,
    }
    for event, end in {"nothing": lambda page: None, **events}.items():
        accounts.set_password(now_of(ada), PASSWORD)
        Session.objects.all().delete()
        owner = browser_as(ada).client
        begun = [begins() for begins in (login_by_page, login_over_api, reset_by_page, reset_typed, reset_over_api)]
        end(owner)
        finished = [finishes() for finishes in begun]
        # Of resets that go on the first ends what waits for the others.
        assert finished == ([True, True, True, False, False] if event == "nothing" else [False] * 5), event
        assert now_of(ada).check_password(THIRD) == (event == "nothing"), event
        if event == "others":
            assert owner.get("/accounts/").status_code == 200, "it goes on here"


ADA, THIRD = "ada@example.org", "a third quiet evening"
Finish = Callable[[], bool]


def asks_by_page(page: str) -> tuple[Client, str]:
    """A browser that asked there for a code, and the code."""
    browser = Client()
    assert browser.post(f"/accounts/{page}/", {"email": ADA}).status_code == 302
    mails()
    return browser, newest_code()


def login_by_page() -> Finish:
    browser, code = asks_by_page("login/code")

    def finish() -> bool:
        browser.post("/accounts/login/code/confirm/", {"code": code})
        return "_auth_user_id" in browser.session

    return finish


def login_over_api() -> Finish:
    asked, code = asks_over_api("code")
    return lambda: Person().post("auth/code/login", {"request": asked, "code": code}).status == 200


def reset_by_page() -> Finish:
    browser, code = asks_by_page("password/reset")
    return lambda: resets(browser, code, THIRD)


def reset_typed() -> Finish:
    browser, code = asks_by_page("password/reset")
    browser.post("/accounts/password/reset/confirm/", {"code": code})
    return lambda: resets(browser, code, THIRD)


def reset_over_api() -> Finish:
    asked, code = asks_over_api("reset")
    form = {"request": asked, "code": code, "new_password": THIRD}
    return lambda: Person().post("auth/reset/password", form).status == 204


def asks_over_api(what: str) -> tuple[str, str]:
    asked = Person().post(f"auth/{what}", {"address": ADA}).body["request"]
    return asked, codes.code_of(Code.objects.get(pk=asked))


def resets(browser: Client, code: str, password: str) -> bool:
    before = Player.objects.get(username="ada").password
    browser.post("/accounts/password/reset/confirm/", {"code": code})
    browser.post("/accounts/password/reset/complete/", {"password1": password, "password2": password})
    return Player.objects.get(username="ada").password != before


@check(Right.APP, What.GRANTS)
@check(Right.ACCOUNT, What.GRANTS)
def _granted_before_a_suspension(request: pytest.FixtureRequest) -> None:
    ada, olga = request.getfixturevalue("ada"), Player.objects.create_superuser("olga")

    def suspended_and_let_back() -> None:
        accounts.suspend(ada, olga, "a test")
        accounts.let_back(ada, olga, "a test")

    assert not fetched(ada, lambda: accounts.revoke_access(ada, olga, "a test"))
    assert not fetched(ada, suspended_and_let_back)
    assert not fetched(ada, lambda: tokens.revoke_app(ada, OWL))
    assert fetched(ada, lambda: None)


def posting_at(room_id: UUID) -> None:
    """The room says something in its channels."""
    chats.post(room_id, "result", "x", subject="game", subject_id=room_id, version=1)


@check(Right.ACCOUNT, *(what for what in What if what not in (What.PLACES, What.GRANTS)))
def _account(request: pytest.FixtureRequest) -> None:
    ada, settings = request.getfixturevalue("ada"), request.getfixturevalue("settings")
    settings.TREY_HOOKS_LOCAL = True
    olga = Player.objects.create_superuser("olga")
    with Receiver() as receiver:
        endpoints.create_webhook(ada, receiver.url, None)
        room = games.open_room(ada, games.Terms("threes", 2))
        ROOMS.add(room.id, ada, "webhook", receiver.url)
        address = urlsplit(ics.make(ada)).path
        _, token = token_of(ada)
        browser_of(ada, token=token)
        access = Access(token.digest, False)
        told = telling.tell([ada.pk], FINISHED, "waits", subject_id=uuid4(), data={"called_off": True})
        receiver.got.clear()
        accounts.suspend(ada, olga, "a test")
        assert not still_valid([access]) and not tokens.valid(ada).exists()
        assert Client().get(address).status_code == 404
        assert not goes_to(ada, Channel.PUSH) and not goes_to(ada, Channel.WEBHOOK)
        posting_at(room.id)
        work.Deliverer().do_all()
        assert receiver.got == []
        assert set(Delivery.objects.filter(notification__in=told).values_list("state", flat=True)) <= {
            "skipped",
            "sent",
        }
        accounts.close(ada)
        assert not Hook.objects.exists() and not Notification.objects.filter(player=ada.pk).exists()
        assert not GroupChannel.objects.exists()


@check(Right.ACCOUNT, What.PLACES)
def _kept_seat(request: pytest.FixtureRequest) -> None:
    ada = request.getfixturevalue("ada")
    bob, olga = Player.objects.create_user("bob"), Player.objects.create_superuser("olga")
    room = games.open_room(ada, games.Terms("threes", 2))
    games.join(room.id, bob)
    games.start(room.id, ada)
    games.play(room.id, ada, {"move": "resign"})
    again = games.rematch(room.id, bob)
    assert ada.pk in kept_for(again)
    accounts.suspend(ada, olga, "a test")
    assert ada.pk not in kept_for(again)


@check(Right.ACCOUNT, What.PLACES)
def who_is_suspended_waits_no_longer(request: pytest.FixtureRequest) -> None:
    club, judge = private_tournament(limit=3), Player.objects.create_superuser("jo")
    for player in club.people[:5]:
        services.enter(club.id, player, invitation=club.t.invitation, now=club.now)
    for player in (club.people[0], club.people[3]):
        accounts.suspend(player, judge, "a test")
    work.do_all(kinds=[LEAVE_QUEUE])
    assert club.t.queue == ("e5",) and club.t.entrants["e1"].standing == "in"


# Each way in which a log-in, an app, a password or an account ends, and what goes with it


@dataclass
class Scene:
    """Ada with a browser, a token and an app, and olga, who may judge her."""

    ada: Player
    olga: Client
    page: Client
    secret: str
    token: Token
    app: Person
    clock: FrozenClock
    receiver: Receiver
    monkeypatch: pytest.MonkeyPatch

    @property
    def me(self) -> Person:
        return Person("ada", self.secret)

    @property
    def session(self) -> str:
        return str(self.page.session.session_key)

    @property
    def session_name(self) -> str:
        return sessions.name_of(Session.objects.get(player=self.ada, pk=self.page.session.session_key))

    @property
    def app_token(self) -> Token:
        return tokens.app_of(self.ada, OWL).get()

    @property
    def judged(self) -> str:
        return f"/admin/accounts/player/{self.ada.pk}"

    def judge(self, what: str) -> None:
        answer = self.olga.post(f"{self.judged}/judge/{what}/", {"reason": "a test"})
        assert answer.status_code == 302

    def expire(self) -> None:
        self.clock.advance(days=400)
        run_purges()


@pytest.fixture
def scene(transactional_db: None, clock: FrozenClock, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> Scene:
    ada, olga, page = Player.objects.create_user("ada", password=PASSWORD), Client(), Client()
    olga.force_login(Player.objects.create_superuser("olga", password=PASSWORD))
    page.force_login(ada)
    secret, token = token_of(ada)
    app = Person("ada", tokens.issue(ada, app=OWL)[0])
    return Scene(ada, olga, page, secret, token, app, clock, receiver, monkeypatch)


NEW = "another quiet evening"


def by_command(scene: Scene) -> None:
    scene.monkeypatch.setattr("getpass.getpass", lambda prompt: NEW)
    call_command("changepassword", "ada", stdout=StringIO())


def by_the_dashboard(scene: Scene) -> None:
    form = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    assert scene.olga.post(f"{scene.judged}/password/", form).status_code == 302


def by_a_code(scene: Scene) -> None:
    EmailAddress.objects.create(user=scene.ada, email="ada@example.org", verified=True, primary=True)
    asked = Person().post("auth/reset", {"address": "ada@example.org"}).body["request"]
    code = codes.code_of(Code.objects.get(pk=asked))
    body = {"request": asked, "code": code, "new_password": NEW}
    assert Person().post("auth/reset/password", body).status == 204


def other(scene: Scene) -> Person:
    """Ada by one more token."""
    return Person("ada", tokens.issue(scene.ada)[0])


def another_browser(scene: Scene) -> Client:
    page = Client()
    page.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert page.session["_auth_user_id"] == str(scene.ada.pk)
    return page


def log_out_of_a_page(scene: Scene) -> None:
    own = {"sec-fetch-site": "same-origin"}
    answer = scene.page.post("/api/v1/auth/logout", content_type="application/json", headers=own)
    assert answer.status_code == 204, answer.content


def close_on_its_page(scene: Scene) -> None:
    page = another_browser(scene)
    page.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert page.post("/accounts/close/", {"username": "ada"})["Location"] == "/accounts/login/"


Way = Callable[[Scene], object]

WAYS: dict[str, tuple[Sequence[Right], Way]] = {
    **{
        f"a session: {name}": ([Right.SESSION], way)
        for name, way in {
            "log-out": lambda scene: scene.page.post("/accounts/logout/"),
            "log-out of a page": log_out_of_a_page,
            "ended elsewhere": lambda scene: another_browser(scene).post(
                "/accounts/sessions/end/", {"session": scene.session_name}
            ),
            "all others ended": lambda scene: another_browser(scene).post("/accounts/sessions/end/"),
            "ended by staff": lambda scene: scene.olga.post(f"{scene.judged}/session/{scene.session_name}/"),
        }.items()
    },
    **{
        f"a token: {name}": ([Right.TOKEN], way)
        for name, way in {
            "log-out": lambda scene: scene.me.post("auth/logout"),
            "ended elsewhere": lambda scene: other(scene).call("DELETE", f"me/tokens/{scene.token.id}"),
            "ended on the page": lambda scene: scene.page.post(
                "/accounts/tokens/revoke/", {"token": str(scene.token.id)}
            ),
            "ended by staff": lambda scene: scene.olga.post(f"{scene.judged}/token/{scene.token.id}/"),
        }.items()
    },
    **{
        f"an app: {name}": ([Right.APP], way)
        for name, way in {
            "log-out": lambda scene: scene.app.post("auth/logout"),
            "by itself": lambda scene: Client().post("/oauth/revoke", {"token": scene.app.token, "client_id": OWL}),
            "on the page": lambda scene: scene.page.post("/accounts/tokens/revoke/", {"app": OWL}),
            "its last token": lambda scene: scene.me.call("DELETE", f"me/tokens/{scene.app_token.id}"),
            "by staff": lambda scene: scene.olga.post(f"{scene.judged}/token/{scene.app_token.id}/"),
        }.items()
    },
    "all tokens, on the page": (
        [Right.TOKEN, Right.APP],
        lambda scene: scene.page.post("/accounts/tokens/revoke/"),
    ),
    "all expire": ([Right.SESSION, Right.TOKEN, Right.APP], lambda scene: scene.expire()),
    **{
        name: ([Right.SESSION, Right.TOKEN, Right.APP, Right.PASSWORD], way)
        for name, way in {
            "a new password": lambda scene: other(scene).post(
                "me/password", {"password": PASSWORD, "new_password": NEW}
            ),
            "a new password on its page": lambda scene: another_browser(scene).post(
                "/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
            ),
            "a reset": by_a_code,
            "manage.py changepassword": by_command,
            "the dashboard's password form": by_the_dashboard,
            "log out everywhere": lambda scene: other(scene).call("DELETE", "me/tokens"),
            "logged out everywhere by staff": lambda scene: scene.judge("revoke"),
        }.items()
    },
    **{
        name: ([Right.SESSION, Right.TOKEN, Right.APP, Right.ACCOUNT], way)
        for name, way in {
            "suspended": lambda scene: scene.judge("suspend"),
            "closed": lambda scene: other(scene).post("me/close", {"password": PASSWORD}),
            "closed on its page": close_on_its_page,
            "closed by the operator": lambda scene: call_command("close_account", "ada", "--yes", stdout=StringIO()),
        }.items()
    },
}


Holds = Callable[[], bool]
Thing = Callable[[Scene, Right], Holds]


def _stream(scene: Scene, right: Right) -> Holds:
    access = Access(scene.token.digest, False)
    if right is Right.SESSION:
        access = Access(scene.session, False, scene.ada.password)
    elif right is Right.APP:
        access = Access(scene.app_token.digest, False)
    return lambda: bool(still_valid([access]))


def _push(scene: Scene, right: Right) -> Holds:
    one = Browser(f"https://push.example.org/{right.name}").subscription()
    owner = {"token": scene.app_token if right is Right.APP else scene.token}
    push.subscribe(
        scene.ada,
        one["endpoint"],
        one["keys"]["p256dh"],
        one["keys"]["auth"],
        **({"session": scene.session} if right is Right.SESSION else owner),
    )
    return lambda: reached(scene, Channel.PUSH)


def reached(scene: Scene, channel: Channel) -> bool:
    return Player.objects.filter(pk=scene.ada.pk).exists() and goes_to(scene.ada, channel)


def _log_in(scene: Scene, right: Right) -> Holds:
    return lambda: scene.me.get("me").status == 200 or scene.page.get("/accounts/").status_code == 200


def _addresses(scene: Scene, right: Right) -> Holds:
    by = scene.app if right is Right.APP else other(scene)
    assert by.post("me/webhooks", {"url": scene.receiver.url}).status == 201
    calendar = urlsplit(by.post("me/ics").body["url"]).path
    if right is Right.PASSWORD:
        return lambda: not all(one.in_question for one in endpoints.of(scene.ada) if one.app is None)
    if right is Right.APP:
        assert by.post("me/chat", {"service": "discord", "url": CHAT}).status == 201
        return lambda: (
            Hook.objects.filter(app=OWL).exists() or Chat.objects.exists() or Calendar.objects.filter(app=OWL).exists()
        )
    return lambda: reached(scene, Channel.WEBHOOK) or Client().get(calendar).status_code == 200


def _channel(scene: Scene, right: Right) -> Holds:
    room = games.open_room(scene.ada, games.Terms("threes", 2))
    ROOMS.add(room.id, scene.ada, "webhook", scene.receiver.url, app=OWL if right is Right.APP else None)

    def posts() -> bool:
        scene.receiver.got.clear()
        posting_at(room.id)
        work.Deliverer().do_all()
        return any(str(room.id) in body.decode() for _, _, body in scene.receiver.got)

    return posts


def _plan(scene: Scene, right: Right) -> Holds:
    """A game in which it is ada's turn, which her plan plays."""
    bob = Player.objects.create_user(f"bob-{right.name.lower()}")
    game = started(scene.ada, bob, game="three_thirteen", options={"rounds": 2})
    while next_mover(load_now(game.id)) == bob:
        play(game.id, bob, a_move(load_now(game.id), bob))
    by = scene.app if right is Right.APP else other(scene)
    assert by.call("PUT", f"games/{game.id}/plan", RUMMY).status == 200

    def plays() -> bool:
        with transaction.atomic():
            return next_planned(load_now(game.id), now()) is not None

    return plays


THINGS: dict[What, Thing] = {
    What.STREAMS: _stream,
    What.PUSHES: _push,
    What.LOGINS: _log_in,
    What.ADDRESSES: _addresses,
    What.CHANNELS: _channel,
    What.PLANS: _plan,
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", WAYS)
def test_ac6_whatever_ends_a_right_takes_along_all_that_goes_with_it(scene: Scene, name: str) -> None:
    rights, end = WAYS[name]
    things = {
        (right, what): THINGS[what](scene, right) for right in rights for what in GOES_WITH[right] if what in THINGS
    }
    assert [row for row, holds in things.items() if not holds()] == []
    end(scene)
    assert [row for row, holds in things.items() if holds()] == []
    kinds = Notification.objects.filter(player=scene.ada).values_list("data__what", flat=True)
    assert Right.PASSWORD not in rights or {"password", "everywhere"} & set(kinds)


@check(Right.ACCOUNT, What.ROOMS)
def a_room_of_a_suspended_player_does_not_start(request: pytest.FixtureRequest) -> None:
    ada, bob, cleo, _ = people()
    olga = Player.objects.create_superuser("olga")
    rooms = [games.open_room(ada, games.Terms("threes", 2, start="full")) for _ in range(2)]
    accounts.suspend(ada, olga, "a test")
    assert games.join(rooms[0].id, bob).status == "open"
    accounts.let_back(ada, olga, "a test")
    assert games.start(rooms[0].id, ada).status == "setup"
    assert games.join(rooms[1].id, cleo).status == "setup"


@pytest.mark.django_db
def test_ac6_an_app_renews_no_secret_but_of_its_own_webhook() -> None:
    ada, fox = Player.objects.create_user("ada"), "https://fox.example/in"
    own, _ = endpoints.create_webhook(ada, "https://hooks.example.org/own", None)
    app, another = (Person("ada", tokens.issue(ada, app=one)[0]) for one in (OWL, fox))
    made = app.post("me/webhooks", {"url": "https://hooks.example.org/app"}).body["id"]
    sealed = Hook.objects.get(pk=own.pk).secret
    for person, hook in ((app, own.pk), (another, own.pk), (another, made)):
        refused = person.post(f"me/webhooks/{hook}/rotate")
        assert (refused.status, refused.code) == (403, "forbidden")
    assert Hook.objects.get(pk=own.pk).secret == sealed
    assert app.post(f"me/webhooks/{made}/rotate").status == 200
    # It knows the secret: the webhook stays its own, whoever changes the address.
    assert other_than_an_app(ada).patch(f"me/webhooks/{made}", {"url": "https://hooks.example.org/new"}).status == 200
    tokens.revoke_app(ada, OWL)
    assert list(Hook.objects.all()) == [own]


def other_than_an_app(player: Player) -> Person:
    return Person(player.username, tokens.issue(player)[0])


@pytest.mark.parametrize(("right", "what"), ROWS, ids=str)
def test_ac6_each_row_is_seen_to_and_looked_at(right: Right, what: What) -> None:
    assert (right, what) in ending.seen_to()
    assert (right, what) in CHECKS or (any(right in ended for ended, _ in WAYS.values()) and what in THINGS)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "one",
    [
        pytest.param(
            one, id=f"{right}, {what}: {one.__name__}", marks=pytest.mark.django_db(transaction=what is What.STREAMS)
        )
        for (right, what), some in CHECKS.items()
        for one in some
    ],
)
def test_ac6_what_goes_with_a_right_goes(one: Check, request: pytest.FixtureRequest) -> None:
    one(request)
