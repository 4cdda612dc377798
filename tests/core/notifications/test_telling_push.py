"""NT12: Web Push to a push service of the tests' own, which decrypts what it gets."""

import json
from datetime import timedelta
from io import StringIO
from time import time
from unittest.mock import ANY
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode

from config.ops.management.commands import tell as tell_module
from core import vault
from core.accounts.login import tokens
from core.accounts.models import Player, Token
from core.chatting import Message
from core.jobs import services as work
from core.jobs.models import Work
from core.notifications import push
from core.notifications import services as telling
from core.notifications.models import Notification, PushKey, Subscription
from core.refusals import Invalid
from games.notifications.kinds import FINISHED, RULING, TURN
from games.notifications.subject import Games
from tests import notifications
from tests.core.notifications.browsers import Browser
from tests.games.api.client import Person

OWN = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
LOCAL = "http://127.0.0.1:9/send/x"


def tell(player, kind=FINISHED, subject_id=None, **data):
    cause = f"game:{uuid4()}:finished"
    about = subject_id or uuid4()
    telling.tell([player.pk], kind, cause, subject_id=about, version=1, data=data or {"called_off": True})
    return about


def deliver():
    return work.Deliverer().do_all()


def fate(player):
    [body] = notifications.bodies(player, Notification.objects.filter(player=player).order_by("-number")[:1])
    return body["channels"]["push"]


@pytest.fixture
def me(ada) -> Person:
    return Person("ada", tokens.issue(ada)[0])


@pytest.fixture
def browser(me, receiver) -> Browser:
    receiver.status = 201
    one = Browser(receiver.url)
    assert me.post("me/push", one.subscription()).status == 201
    return one


def test_nt12_a_push_is_encrypted_for_the_browser_and_declarative(ada, browser, receiver, settings):
    settings.TREY_SITE_URL = "https://trey.example"
    game = tell(ada)
    assert deliver() == 1
    [(path, headers, body)] = receiver.got
    assert path == "/hook/s3cret-token" and headers["Content-Encoding"] == "aes128gcm"
    message = browser.read(body)
    shown = message["notification"]
    told = Notification.objects.get()
    assert (message["web_push"], message["app_badge"]) == (8030, 0)
    assert shown["title"].startswith("The game was called off") and shown["navigate"].startswith(
        "https://trey.example/"
    )
    assert shown["tag"] == headers["Topic"] == game.hex and len(game.hex) == 32
    assert shown["data"] == {
        "number": 1, "kind": "finished", "cause": told.cause, "link": "/", "game": str(game), "version": 1,
    }  # fmt: skip
    assert headers["TTL"] == str(28 * 86400) and headers["Urgency"] == "normal"
    assert fate(ada)["state"] == "sent"


def test_nt12_the_server_has_one_key_made_once_and_kept_encrypted(ada, me, browser, receiver):
    key = me.get("me/push/key").body["key"]
    assert len(b64urldecode(key.encode())) == 65 and me.get("me/push/key").body["key"] == key
    tell(ada)
    deliver()
    authorization = receiver.got[0][1]["Authorization"]
    assert Vapid02.verify(authorization) and authorization.endswith(f"k={key}")
    claims = json.loads(b64urldecode(authorization.split("t=")[1].split(",")[0].split(".")[1].encode()))
    assert claims["aud"] == f"http://127.0.0.1:{receiver.port}" and claims["sub"].startswith("https://")
    assert time() < claims["exp"] <= time() + 86400
    stored = PushKey.objects.get()
    assert "PRIVATE KEY" not in stored.private and "PRIVATE KEY" in vault.unseal(stored.private)


def test_nt12_the_address_and_the_secret_are_never_shown_again(ada, me, browser, receiver, caplog):
    tell(ada)
    receiver.status = 500
    deliver()
    with connection.cursor() as cursor:
        cursor.execute("SELECT notifications_subscription::text FROM notifications_subscription")
        stored = str(cursor.fetchall())
    everything = stored + caplog.text + str(me.get("me/push").body) + str(fate(ada)) + str(Work.objects.values())
    assert "s3cret-token" not in everything
    assert browser.subscription()["keys"]["auth"] not in everything


@pytest.mark.parametrize("status", [404, 410])
def test_nt9_a_subscription_that_is_gone_is_deleted(ada, browser, receiver, status):
    receiver.status = status
    tell(ada)
    deliver()
    assert not Subscription.objects.exists() and not Work.objects.exists()
    assert (fate(ada)["state"], fate(ada)["error"]) == ("given_up", f"It answered {status}: it is gone.")
    tell(ada)
    assert fate(ada)["reason"] == "no address"


def test_nt9_a_push_service_that_is_busy_is_asked_again_when_it_says(ada, browser, receiver, clock):
    receiver.status, receiver.headers = 429, {"Retry-After": "120"}
    tell(ada)
    deliver()
    assert fate(ada)["state"] == "failed" and fate(ada)["next_try"] >= clock.at + timedelta(seconds=120)
    clock.advance(seconds=119)
    assert deliver() == 0
    receiver.status, receiver.headers = 201, {}
    clock.advance(hours=1)
    assert deliver() == 1
    assert fate(ada)["state"] == "sent" and Subscription.objects.get().failing_since is None


def test_nt9_one_that_fails_for_three_days_is_switched_off_and_the_player_told(ada, browser, receiver, clock):
    receiver.status = 500
    tell(ada)
    for _ in range(200):
        deliver()
        clock.advance(hours=5)
        if Subscription.objects.get().off_since is not None:
            break
    assert Subscription.objects.get().off_because == "failing"
    [body] = notifications.bodies(ada, Notification.objects.filter(player=ada, kind="security"))
    assert body["text"] == "Your browser's push service 127.0.0.1 failed for three days and was switched off."
    assert body["channels"]["push"]["reason"] == "no address"


def test_nt12_a_browser_has_one_subscription_whoever_uses_it(ada, me, browser, receiver):
    again = me.post("me/push", browser.subscription())
    assert again.status == 200 and Subscription.objects.count() == 1
    bob = Player.objects.create_user("bob")
    other = Person("bob", tokens.issue(bob)[0])
    assert other.post("me/push", browser.subscription()).body["id"] == again.body["id"]
    assert me.get("me/push").body["results"] == []
    assert me.call("DELETE", f"me/push/{again.body['id']}").status == 404
    assert other.call("DELETE", f"me/push/{again.body['id']}").status == 204
    assert not Subscription.objects.exists()


def test_ac6_a_browser_that_was_ended_is_known_as_such_until_it_is_begun_again(ada, me, browser, receiver):
    row = me.get("me/push").body["results"][0]
    assert me.get("me/push").body["ended"] == []
    assert me.call("DELETE", f"me/push/{row['id']}").status == 204
    listed = me.get("me/push").body
    assert (listed["results"], listed["ended"]) == ([], [row["digest"]])
    bob = Person("bob", tokens.issue(Player.objects.create_user("bob"))[0])
    assert bob.get("me/push").body["ended"] == []
    assert me.post("me/push", browser.subscription()).status == 201
    assert me.get("me/push").body["ended"] == []


def test_nt12_the_newest_browsers_stay(ada, local, clock):
    for number in range(push.MOST + 2):
        clock.advance(seconds=1)
        one = Browser(f"{LOCAL}{number}").subscription()
        push.subscribe(ada, one["endpoint"], one["keys"]["p256dh"], one["keys"]["auth"], token=Token.objects.first())
    assert Subscription.objects.count() == push.MOST
    assert min(Subscription.objects.values_list("created_at", flat=True)) == clock.at - timedelta(seconds=push.MOST - 1)


def test_nt13_the_rule_on_addresses_holds_for_endpoints(ada):
    good = Browser("https://push.example.org/x").subscription()["keys"]
    with pytest.raises(Invalid) as refused:
        push.subscribe(ada, "http://127.0.0.1/", "short", "short")
    assert [field for field, _ in refused.value.errors] == ["endpoint", "keys.p256dh", "keys.auth"]
    with pytest.raises(Invalid, match="not a public address"):
        push.subscribe(ada, "https://[::1]/", good["p256dh"], good["auth"])
    off_the_curve = "BA" + "A" * 85
    with pytest.raises(Invalid, match="public key of P-256"):
        push.subscribe(ada, "https://push.example.org/", off_the_curve, good["auth"])


def test_nt12_a_long_reason_is_cut_not_refused(ada, browser, receiver):
    tell(ada, RULING, what="voided", reason="Ü" * 5000)
    deliver()
    message = browser.read(receiver.got[0][2])
    assert message["notification"]["title"].endswith("…") and len(receiver.got[0][2]) <= 4096


def test_nt12_what_no_cutting_makes_short_enough_is_left_as_it_is(ada):
    [told] = telling.tell([ada.pk], RULING, "ruling", subject_id=uuid4())
    text = push.message(told, Message(("A reason. " * 50,), "/" + "long" * 2000))
    assert json.loads(text)["notification"]["title"].startswith("A r")


def test_nt12_tell_and_doctor_look_at_browsers(ada, browser, receiver, settings, monkeypatch):
    monkeypatch.setattr(tell_module, "sleep", lambda _: deliver())
    out = StringIO()
    call_command("tell", "ada", stdout=out)
    assert f"push     127.0.0.1 ({Subscription.objects.get().pk}) sent\n" in out.getvalue()
    assert deliver() == 0
    assert browser.read(receiver.got[0][2])["notification"]["title"].startswith("This is a test")
    settings.TREY_VAULT_KEYS = ["lost"]
    from config.ops import doctor

    assert [one.detail for one in doctor.sealed()] == [
        f"the newest {kind} is encrypted with a key that is not set" for kind in ("push subscription", "push key")
    ]


def test_nt3_mail_is_for_those_whom_no_push_reaches(ada, browser):
    ada.email = "ada@example.org"
    ada.save()
    tell(ada, TURN, turn="turn:x")
    [body] = notifications.bodies(ada, Notification.objects.all())
    assert body["channels"]["mail"]["reason"] == "told by push"


def test_nt3_what_was_switched_off_while_it_was_held_is_not_pushed(ada, me, browser, receiver, clock):
    ada.quiet_hours = [
        {"since": "2026-01-01T00:00:00Z", "time_zone": "UTC", "quiet_hours": [f"{hour:02}:00" for hour in (11, 13)]}
    ]
    ada.save()
    tell(ada)
    assert fate(ada)["state"] == "held"
    me.patch("me/notifications/settings", {"matrix": {"finished": {"push": False}}})
    clock.advance(hours=2)
    deliver()
    assert receiver.got == []
    assert (fate(ada)["state"], fate(ada)["reason"]) == ("skipped", "switched off")


def pushed_turns(player, count):
    """So many turns were pushed to the player; returns the fate of the last one by mail."""
    for _ in range(count):
        told = telling.tell([player.pk], TURN, f"turn:{uuid4()}", subject_id=uuid4(), data={"turn": "t"})
        deliver()
    [body] = notifications.bodies(player, told)
    return body["channels"]["mail"]


@pytest.fixture
def open_turns(monkeypatch):
    monkeypatch.setattr(Games, "lost", lambda *_: {})


def test_nt3_after_five_pushes_without_a_request_mails_come(ada, me, address, browser, receiver, open_turns):
    deliver()
    receiver.got.clear()
    me.get("me")
    assert pushed_turns(ada, 5) == {"state": "skipped", "at": ANY, "reason": "told by push"}
    assert pushed_turns(ada, 1)["state"] == "held" and len(receiver.got) == 6
    me.get("me")
    assert pushed_turns(ada, 1)["reason"] == "told by push"


def test_nt3_a_request_of_the_session_answers_its_pushes(ada, address, receiver, open_turns):
    page = Client()
    page.force_login(ada)
    receiver.status = 201
    body = Browser(receiver.url).subscription()
    assert page.post("/api/v1/me/push", body, "application/json", headers=OWN).status_code == 201
    deliver()
    assert page.get("/me/settings").status_code == 200
    assert pushed_turns(ada, 6)["state"] == "held"
    assert page.get("/me/settings").status_code == 200
    assert pushed_turns(ada, 1)["reason"] == "told by push"


def test_nt9_what_a_push_service_says_of_our_key_is_kept_and_mails_come(ada, address, browser, receiver, open_turns):
    deliver()
    receiver.status, receiver.body = 403, b'{"reason": "BadJwtToken"}'
    assert pushed_turns(ada, 1)["state"] == "held"
    assert fate(ada)["error"] == 'It answered 403: {"reason": "BadJwtToken"}'
    from config.ops import doctor

    [found] = doctor.pushes()
    assert found.detail == '127.0.0.1 refuses our pushes: It answered 403: {"reason": "BadJwtToken"}'


def test_nt9_what_goes_to_an_address_waits_as_long_as_it_asks(ada, browser, receiver, clock):
    deliver()
    receiver.got.clear()
    receiver.status, receiver.headers = 429, {"Retry-After": "120"}
    tell(ada)
    tell(ada)
    deliver()
    assert len(receiver.got) == 1
    assert (fate(ada)["state"], fate(ada)["until"]) == ("held", clock.at + timedelta(seconds=120))
    receiver.status, receiver.headers = 201, {}
    clock.advance(seconds=119)
    tell(ada)
    assert deliver() == 0
    clock.advance(seconds=1)
    deliver()
    assert len(receiver.got) >= 3 and fate(ada)["state"] == "sent"


def test_ac6_what_waits_for_a_browser_that_was_logged_out_goes_by_mail(ada, me, address, browser, receiver, open_turns):
    deliver()
    receiver.got.clear()
    told = telling.tell([ada.pk], TURN, "turn:x", subject_id=uuid4(), data={"turn": "t"})
    assert me.post("auth/logout").status == 204
    assert not Subscription.objects.exists()
    deliver()
    [body] = notifications.bodies(ada, told)
    assert body["channels"]["push"]["reason"] == "no address" and receiver.got == []
    assert body["channels"]["mail"]["state"] == "held"


def test_ac6_a_session_with_a_new_key_keeps_its_browser(ada, browser):
    page = Client()
    page.force_login(ada)
    session = page.session
    Subscription.objects.update(token=None, session=session.session_key)
    before = session.session_key
    session.cycle_key()
    assert session.session_key != before
    assert Subscription.objects.get().session_id == session.session_key
    page.cookies["sessionid"] = session.session_key
    session.flush()
    assert not Subscription.objects.exists()


def test_ac5_the_export_and_the_closing_cover_browsers(ada, me, browser):
    exported = me.get("me/export").body["push"]
    assert [one["host"] for one in exported] == ["127.0.0.1"] and UUID(exported[0]["id"])
    ada.delete()
    assert not Subscription.objects.exists()


def test_nt8_each_browser_has_its_own_fate(ada, browser, local):
    one = Browser(LOCAL).subscription()
    push.subscribe(ada, one["endpoint"], one["keys"]["p256dh"], one["keys"]["auth"], token=Token.objects.get())
    tell(ada)
    deliver()
    assert sorted(one["state"] for one in fate(ada)) == ["failed", "sent"]
    assert {one["push"] for one in fate(ada)} == {str(pk) for pk in Subscription.objects.values_list("pk", flat=True)}
