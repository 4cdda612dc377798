"""Who logs in, which games one finds, hidden cards; who may open what is in test_dashboard_table.py."""

import re
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.db import connection, transaction
from django.db.utils import DatabaseError
from django.test import Client

from core.accounts.login import sessions, tokens
from core.accounts.login.tokens import issue
from core.accounts.models import Audit, Player
from core.log import Actor
from games import services
from games.models import Game
from games.projections import load
from tests.games.services.service_scene import started
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def tournament_game(*players):
    tournament = Tournament.objects.get(title="Cup of organiser")
    belongs_to = {"tournament": str(tournament.pk), "round": 1, "table": 1, "number": 1}
    entries = [services.Entry(player=player) for player in players]
    game = services.open_table(
        uuid4(),
        entries,
        services.Terms("threes", len(entries), visibility="private"),
        actor=Actor("tournament"),
        belongs_to=belongs_to,
    )
    return Game.objects.get(pk=game.id)


@pytest.fixture
def places(alice, bob, cast):
    issue(bob)
    entry = Audit.objects.create(at="2026-01-01T00:00Z", by=bob.pk, action="suspended", subject="player x")
    return {
        "mine": tournament_game(alice, bob).id,
        "free": started(alice, bob).id,
        "bob": bob.pk,
        "susan": Player.objects.get(username="susan").id,
        "token": uuid4(),
        "entry": entry.pk,
    }


def test_an_organiser_enters_without_being_staff_and_a_player_does_not(cast):
    for name, enters in (("olga", True), ("alice", False)):
        person = Player.objects.get(username=name)
        person.set_password("a quiet evening")
        person.save()
        browser = Client()
        way_in = browser.get("/admin/", follow=True)
        assert way_in.redirect_chain[-1][0].startswith("/accounts/login/?next=")
        asked = {"login": name, "password": "a quiet evening", "next": "/admin/"}
        answer = browser.post("/accounts/login/", asked, follow=True)
        assert answer.status_code == (200 if enters else 403)
        assert ("The dashboard is for organisers" in answer.content.decode()) is not enters


@pytest.mark.parametrize("page", ["/admin/", "/accounts/login/"])
def test_a_wrong_password_is_said_once_where_the_focus_is(cast, page):
    browser = Client()
    way_in = browser.get(page, follow=True)
    at = way_in.redirect_chain[-1][0] if way_in.redirect_chain else page
    answer = browser.post(at, {"login": "olga", "password": "not hers"}, follow=True)
    said = answer.content.decode()
    assert said.count("The name or the password is wrong.") == 1
    [alert] = re.findall(r'<[^>]* role="alert"[^>]*>(?=<p>)', said)
    assert " autofocus" in alert
    assert 'class="errorlist"' not in said and 'class="messages"' not in said
    assert 'autocomplete="username"' in said and "not hers" not in said


def test_organisers_list_only_their_own_games(cast, places):
    for who, count in (("other", 0), ("organiser", 1), ("staff", 2)):
        text = cast[who].get("/admin/games/game/").content.decode()
        assert sum(str(places[name]) in text for name in ("mine", "free")) == count


def cards_in(view):
    return [player["hand"] for player in view["players"]]


def test_hidden_cards_are_a_right_of_their_own_with_a_reason_and_an_audit_entry(cast, places):
    staff = Player.objects.get(username="stan")
    page = f"/admin/games/game/{places['free']}/"
    newest = Game.objects.get(pk=places["free"]).version
    assert cards_in(cast["staff"].get(f"{page}table/{newest}/").json()["view"]) == [None, None]
    assert cast["staff"].post(f"{page}look/", {"reason": "x"}).status_code == 403
    staff.user_permissions.add(Permission.objects.get(codename="see_hidden_cards"))
    assert cards_in(cast["staff"].get(f"{page}table/{newest}/").json()["view"]) == [None, None], (
        "off until it is opened"
    )
    cast["staff"].post(f"{page}look/", {"reason": " "})
    assert not Audit.objects.filter(action="opened hidden cards").exists(), "not without a reason"
    cast["staff"].post(f"{page}look/", {"reason": "a complaint"})
    assert None not in cards_in(cast["staff"].get(f"{page}table/{newest}/").json()["view"])
    told = list(Audit.objects.order_by("id").values_list("action", "reason", "by")[1:])
    assert told == [
        ("opened hidden cards", "a complaint", staff.pk),
        ("saw hidden cards", f"version {newest}", staff.pk),
    ]
    cast["staff"].post(f"{page}look/", {"close": "1"})
    assert cards_in(cast["staff"].get(f"{page}table/{newest}/").json()["view"]) == [None, None]


def test_who_plays_sees_no_more_than_a_player_whatever_their_rights(bob, cast):
    susan = Player.objects.get(username="susan")
    game = started(susan, bob)
    page = f"/admin/games/game/{game.id}/"
    assert cast["superuser"].post(f"{page}look/", {"reason": "curious"}).status_code == 403
    session = cast["superuser"].session
    session["looks_at"] = str(game.id)
    session.save()
    own, other = cards_in(cast["superuser"].get(f"{page}table/{game.version}/").json()["view"])
    assert own is not None
    assert other is None
    seen = cast["superuser"].get(f"{page}change/").content.decode()
    assert seen.count('"hand": null') == 1


def test_the_event_log_shows_no_hidden_cards_of_a_running_game(cast, places):
    game = Game.objects.get(pk=places["free"])
    text = cast["superuser"].get(f"/admin/log/?stream={game.stream}").content.decode()
    assert "dealt" in text
    hidden = [game.state["secret"], *load(game.pk).state.stock]
    assert not [card for card in hidden if f"&quot;{card}&quot;" in text]


def test_the_event_log_shows_of_unknown_kinds_nothing_but_the_type(cast, places):
    tournament = Tournament.objects.get(title="Cup of organiser")
    text = cast["superuser"].get(f"/admin/log/?stream={tournament.stream}").content.decode()
    assert "tournament.set_up" in text
    assert tournament.state.seed not in text
    assert tournament.invitation not in text


def test_the_event_log_pages_by_keys(cast, alice, bob):
    game = started(alice, bob)
    first = cast["staff"].get(f"/admin/log/?stream={game.stream}&before=4").content.decode()
    assert [f'<td class="number">{version}</td>' in first for version in (1, 2, 3, 4)] == [True, True, True, False]
    assert cast["staff"].get("/admin/log/?bucket=999").status_code == 200
    assert cast["staff"].get("/admin/log/?kind=game&type=game.opened").status_code == 200


@pytest.mark.parametrize("statement", ["UPDATE accounts_audit SET reason = ''", "DELETE FROM accounts_audit"])
def test_the_database_keeps_the_audit_log_append_only(places, statement):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_suspension_ends_tokens_and_sessions_and_can_be_taken_back(cast, places, alice):
    staff = Player.objects.get(username="stan")
    cast["staff"].post(f"/admin/accounts/player/{alice.pk}/judge/suspend/", {"reason": "insults"})
    alice.refresh_from_db()
    assert not alice.is_active
    assert cast["player"].session.get("_auth_user_id") is None, "the session is gone"
    cast["staff"].post(f"/admin/accounts/player/{alice.pk}/judge/let_back/", {"reason": "apologised"})
    alice.refresh_from_db()
    assert alice.is_active
    told = Audit.objects.filter(subject=f"player {alice.pk}").order_by("id").values_list("action", "reason", "by")
    assert list(told) == [("suspended", "insults", staff.pk), ("let back", "apologised", staff.pk)]


def test_staff_give_nobody_rights(cast, places):
    stan = Player.objects.get(username="stan")
    stan.user_permissions.add(Permission.objects.get(codename="change_player"))
    fields = {"username": "bobby", "is_superuser": "on", "is_staff": "on"}
    answer = cast["staff"].post(f"/admin/accounts/player/{places['bob']}/edit/", fields)
    assert answer.status_code == 302
    row = Player.objects.get(pk=places["bob"])
    assert (row.username, row.is_staff, row.is_superuser) == ("bobby", False, False)
    assert cast["staff"].get(f"/admin/accounts/player/{places['susan']}/edit/").status_code == 403
    assert cast["staff"].get(f"/admin/accounts/player/{stan.pk}/password/").status_code == 403


def test_ac3_no_page_of_an_account_shows_its_address(cast, alice):
    Player.objects.filter(pk=alice.pk).update(email="alice@owl.example")
    account = f"/admin/accounts/player/{alice.pk}"
    for page in (f"{account}/change/", f"{account}/edit/", "/admin/accounts/player/"):
        shown = cast["superuser"].get(page).content.decode()
        assert alice.username in shown
        assert "owl.example" not in shown


def test_no_right_makes_staff_give_rights_through_a_group(cast):
    stan = Player.objects.get(username="stan")
    stan.user_permissions.set(Permission.objects.filter(codename__endswith="_group"))
    assert cast["staff"].get("/admin/auth/group/").status_code == 403
    assert cast["staff"].post("/admin/auth/group/add/", {"name": "helpers"}).status_code == 403


@pytest.mark.parametrize("page", ["log/", "games/game/{mine}/change/", "accounts/player/{bob}/change/"])
def test_the_times_of_a_page_are_the_readers_own_and_say_utc_without_script(cast, places, page):
    text = cast["staff"].get(f"/admin/{page.format(**places)}").content.decode()
    times = re.findall(r"<time ([^>]*)>([^<]*)</time>", text)
    assert times and all("data-form" in given and said.endswith(" UTC") for given, said in times)
    # A place in the log, such as 52:10, is a number.
    bare = re.sub(r'<time.*?</time>|<td class="number">.*?</td>|<[^>]*>', "", text)
    assert not re.search(r"\d\d:\d\d|\d [A-Z][a-z]{2} \d{4}", bare), "a time outside of <time>"


@pytest.mark.sampled
def test_sessions_and_tokens_are_ended_one_by_one_and_the_audit_log_says_so(cast, places, bob):
    browser = Client()
    browser.force_login(bob)
    token = tokens.valid(bob).get()
    page = f"/admin/accounts/player/{bob.pk}/"
    text = cast["staff"].get(f"{page}change/").content.decode()
    [key] = [one.pk for one in sessions.valid(bob)]
    assert key not in text, "who knows a session's key is in"
    [name] = [sessions.name_of(one) for one in sessions.valid(bob)]
    assert name in text
    cast["staff"].post(f"{page}session/{name}/")
    assert not sessions.valid(bob).exists()
    cast["staff"].post(f"{page}token/{token.id}/")
    assert not tokens.valid(bob).exists()
    told = list(Audit.objects.order_by("id").values_list("action", "subject")[1:])
    assert told == [("ended a session", f"player {bob.pk}"), ("revoked a token", f"player {bob.pk}")]
