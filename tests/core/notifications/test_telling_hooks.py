"""NT9, NT13: webhooks against real receivers, signed so that the public library verifies them."""

import json
import logging
from datetime import timedelta
from io import StringIO
from threading import Event, Thread
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from jsonschema_rs import Draft202012Validator
from standardwebhooks import Webhook

from chats import services as chats
from chats.rooms import Rooms
from config.ops.management.commands import tell as tell_module
from core import vault
from core.accounts.models import Player
from core.jobs import services as work
from core.jobs.models import Work
from core.jobs.receipts import Keyed, Promised
from core.notifications import endpoints, senders
from core.notifications import services as telling
from core.notifications.kinds import HOOK_TYPES
from core.notifications.models import Delivery, Hook, Notification
from core.notifications.posting import busy_until
from core.refusals import Invalid, NotFound, TooMany
from games.notifications.kinds import FINISHED, INVITED, TURN
from tests import notifications
from tests.core.notifications.receivers import Receiver, wait_until
from tests.openapi import DOCUMENT
from tournaments.notifications.kinds import END

OVER = {"called_off": True}


class Anywhere(Rooms):
    """Rooms to which anybody may give a channel."""

    def change(self, *_):
        """Nothing names it."""


def tell(player, kind=FINISHED, cause=None, **data):
    telling.tell([player.pk], kind, cause or f"game:{uuid4()}:finished", subject_id=uuid4(), data=data or OVER)


def deliver():
    return work.Deliverer().do_all()


def fates(player):
    rows = Notification.objects.filter(player=player).order_by("number")
    return [body["channels"]["webhook"] for body in notifications.bodies(player, list(rows))]


def test_nt13_a_delivery_is_verified_by_the_public_library(ada, receiver):
    hook, secret = endpoints.create_webhook(ada, receiver.url, ["game.finished"])
    tell(ada)
    assert deliver() == 1
    path, headers, body = receiver.got[0]
    assert path == "/hook/s3cret-token"
    event = Webhook(secret).verify(body, headers)
    told = Notification.objects.get()
    assert (event["type"], event["data"]["cause"], event["data"]["number"]) == ("game.finished", told.cause, 1)
    assert event["data"]["game"] == str(told.subject_id) and event["data"]["text"].startswith("The game was called off")
    assert headers["webhook-id"] == f"msg_{told.pk}"
    [fate] = fates(ada)
    assert (fate["webhook"], fate["state"]) == (str(hook.pk), "sent")


def test_ap30_the_document_has_each_type_with_body_headers_and_answers(ada, receiver):
    assert set(DOCUMENT["webhooks"]) == set(HOOK_TYPES)
    endpoints.create_webhook(ada, receiver.url, None)
    for kind in (FINISHED, END):
        tell(ada, kind, what="finished", called_off=True)
    row, _ = Anywhere().add(uuid4(), ada, "webhook", receiver.url)
    chats.post(row.subject_id, "result", "x", subject="game", subject_id=uuid4(), version=3)
    deliver()
    posted = [(headers, json.loads(body)) for _, headers, body in receiver.got]
    assert sorted(event["type"] for _, event in posted) == ["game.finished", "game.finished", "tournament.finished"]
    for headers, event in posted:
        described = DOCUMENT["webhooks"][event["type"]]["post"]
        assert [one["name"] for one in described["parameters"]] == [
            name for name in ("webhook-id", "webhook-timestamp", "webhook-signature") if name in headers
        ]
        assert set(described["responses"]) == {"2XX", "410"}
        schema = described["requestBody"]["content"]["application/json"]["schema"]
        judge = Draft202012Validator({**DOCUMENT, **schema})
        assert judge.is_valid(event), event
        for broken in ({**event, "type": "game.moved"}, {**event, "data": {}}, {"type": event["type"]}):
            assert not judge.is_valid(broken)


def test_nt13_two_secrets_sign_while_one_is_rotated(ada, receiver, clock):
    import standardwebhooks.webhooks as library

    hook, first = endpoints.create_webhook(ada, receiver.url, None)
    _, second = endpoints.rotate(ada, hook.pk)
    tell(ada)
    deliver()
    _, headers, body = receiver.got[0]
    for secret in (first, second):
        Webhook(secret).verify(body, headers)
    clock.advance(hours=24)
    tell(ada)
    deliver()
    _, headers, body = receiver.got[1]
    Webhook(second).verify(body, headers)
    with pytest.raises(library.WebhookVerificationError):
        Webhook(first).verify(body, headers)


def test_nt3_only_what_was_subscribed_to_is_posted(ada, receiver):
    endpoints.create_webhook(ada, receiver.url, ["game.turn"])
    tell(ada)
    tell(ada, INVITED, "game:x:invited", by=str(uuid4()))
    assert deliver() == 0 and receiver.got == []
    assert {fate["reason"] for fate in fates(ada)} == {"no address"}


def test_nt9_a_failure_is_tried_again_with_the_same_id_and_says_when(ada, receiver, clock):
    endpoints.create_webhook(ada, receiver.url, None)
    receiver.status = 500
    tell(ada)
    deliver()
    [fate] = fates(ada)
    assert (fate["state"], fate["error"]) == ("failed", "It answered 500.")
    assert timedelta(seconds=5) <= fate["next_try"] - clock.at <= timedelta(seconds=7)
    receiver.status = 200
    clock.set(fate["next_try"])
    deliver()
    ids = [headers["webhook-id"] for _, headers, _ in receiver.got]
    assert len(ids) == 2 and len(set(ids)) == 1
    assert fates(ada)[0]["state"] == "sent"
    assert Hook.objects.get().failing_since is None and not Work.objects.exists()


@pytest.mark.parametrize("wish", ["120", "date"])
def test_nt9_retry_after_is_heeded(ada, receiver, clock, wish):
    from datetime import UTC, datetime
    from email.utils import format_datetime

    endpoints.create_webhook(ada, receiver.url, None)
    if wish == "date":
        wish = format_datetime(datetime.now(UTC) + timedelta(seconds=120), usegmt=True)
    receiver.status, receiver.headers = 503, {"Retry-After": wish}
    tell(ada)
    deliver()
    pause = fates(ada)[0]["next_try"] - clock.at
    assert timedelta(seconds=110) <= pause <= timedelta(seconds=121)


@pytest.mark.parametrize(("wish", "waits"), [("90.5", 90.5), ("9" * 400, 6 * 3600), ("1e999", 6 * 3600)])
def test_nt9_a_retry_after_with_a_fraction_is_heeded_and_an_absurd_one_bounded(ada, receiver, clock, wish, waits):
    endpoints.create_webhook(ada, receiver.url, None)
    receiver.status, receiver.headers = 429, {"Retry-After": wish}
    tell(ada)
    deliver()
    assert (fates(ada)[0]["next_try"] - clock.at).total_seconds() == waits
    assert busy_until([Hook.objects.get()], clock.at) == {Hook.objects.get().pk: fates(ada)[0]["next_try"]}


@pytest.mark.parametrize("wish", ["soon", "nan", "-5", "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"])
def test_nt9_a_retry_after_that_says_nothing_leaves_what_was_answered(ada, receiver, clock, wish):
    endpoints.create_webhook(ada, receiver.url, None)
    receiver.status, receiver.headers = 503, {"Retry-After": wish}
    tell(ada)
    deliver()
    fate = fates(ada)[0]
    assert fate["error"] == "It answered 503." and fate["next_try"] - clock.at < timedelta(seconds=20)


def test_nt9_an_endpoint_that_is_gone_is_switched_off_and_its_owner_told(ada, receiver):
    hook, _ = endpoints.create_webhook(ada, receiver.url, None)
    receiver.status = 410
    tell(ada)
    tell(ada)
    deliver()
    hook.refresh_from_db()
    assert hook.off_because == "gone" and len(receiver.got) == 1
    first, second, told = notifications.bodies(ada, list(Notification.objects.order_by("number")))
    assert first["channels"]["webhook"]["state"] == "given_up"
    assert second["channels"]["webhook"]["reason"] == "switched off"
    assert (told["kind"], told["channels"]["live"]["state"]) == ("security", "sent")
    assert told["text"] == "Your webhook 127.0.0.1 answered that it no longer exists and was switched off."
    endpoints.change(Hook, ada, hook.pk, active=True)
    receiver.status = 200
    tell(ada)
    deliver()
    assert len(receiver.got) == 2


def test_nt9_an_endpoint_that_fails_for_three_days_is_switched_off(ada, receiver, clock):
    hook, _ = endpoints.create_webhook(ada, receiver.url, None)
    receiver.status = 500
    tell(ada)
    begun = clock.at
    while deliver():
        piece = Work.objects.get()
        if piece.given_up_at is not None:
            break
        clock.set(piece.due_at)
    assert clock.at - begun == timedelta(days=3)
    hook.refresh_from_db()
    assert (hook.off_because, fates(ada)[0]["state"]) == ("failing", "given_up")
    assert Notification.objects.filter(kind="security").count() == 1


def test_nt9_a_replay_sends_everything_again_with_the_ids_of_the_first_time(ada, receiver, clock):
    hook, _ = endpoints.create_webhook(ada, receiver.url, None)
    tell(ada)
    clock.advance(minutes=1)
    since = clock.at
    tell(ada)
    receiver.status = 410
    deliver()
    receiver.status = 200
    endpoints.change(Hook, ada, hook.pk, active=True)
    first = [headers["webhook-id"] for _, headers, _ in receiver.got]
    receiver.got.clear()
    assert endpoints.replay(ada, hook.pk, since) == 1
    deliver()
    assert endpoints.replay(ada, hook.pk, since - timedelta(minutes=1)) == 2
    deliver()
    ids = [headers["webhook-id"] for _, headers, _ in receiver.got]
    numbers = [f"msg_{one.pk}" for one in Notification.objects.filter(kind="finished").order_by("number")]
    assert ids == [numbers[1], *numbers] and first == numbers[:1]
    assert [fate["state"] for fate in fates(ada)[:2]] == ["sent", "sent"]
    assert not Work.objects.exists()


def test_nt4_what_lost_its_point_before_it_went_out_is_not_posted(ada, receiver):
    endpoints.create_webhook(ada, receiver.url, None)
    tell(ada, TURN, "turn:x", turn="turn:x")  # of a game that there is not: its turn cannot run
    assert deliver() == 0 and receiver.got == []
    assert fates(ada)[0]["reason"] == "played"


def test_nt15_a_hanging_receiver_delays_nobody_else(ada, receiver, local):
    with Receiver(behaviour="hangs") as slow:
        for _ in range(5):
            endpoints.create_webhook(ada, slow.url, None)
        endpoints.create_webhook(ada, receiver.url, None)
        stop = Event()
        thread = Thread(target=_deliver, args=(stop,))
        thread.start()
        try:
            for _ in range(3):
                tell(ada)
            wait_until(lambda: len(receiver.got) == 3, seconds=8)
            assert len(slow.got) == 5  # one each, and no more while that hangs
        finally:
            slow.released.set()
            stop.set()
            thread.join()


def test_nt2_deliverers_that_die_at_any_point_forget_nothing(ada, receiver, clock):
    """What a dead process held is sent by the next one, under the same id."""
    from core.jobs import queue

    endpoints.create_webhook(ada, receiver.url, None)
    for _ in range(3):
        tell(ada)
    # It dies before it sends; then it sends, and dies before it says so.
    queue.claim(queue.OUTBOUND, clock.at, hold=timedelta(minutes=2), busy=(), limit=1)
    clock.advance(minutes=2)
    [piece] = queue.claim(queue.OUTBOUND, clock.at, hold=timedelta(minutes=2), busy=(), limit=1)
    [letter] = senders.WEBHOOKS.prepare([piece], clock.at)
    senders.WEBHOOKS.send(letter)
    assert len(receiver.got) == 1
    clock.advance(minutes=2)
    deliver()
    ids = [headers["webhook-id"] for _, headers, _ in receiver.got]
    assert sorted(set(ids)) == sorted(f"msg_{one.pk}" for one in Notification.objects.all())
    assert len(ids) == 4
    assert [fate["state"] for fate in fates(ada)] == ["sent"] * 3


def test_tokens_and_secrets_are_encrypted_at_rest_and_never_logged(ada, receiver, caplog):
    hook, secret = endpoints.create_webhook(ada, receiver.url, None)
    receiver.status = 500
    with caplog.at_level(logging.DEBUG):
        tell(ada)
        deliver()
    with connection.cursor() as cursor:
        cursor.execute("SELECT notifications_hook::text FROM notifications_hook")
        stored = str(cursor.fetchall())
    for one in ("s3cret-token", secret):
        assert one not in stored
        assert one not in caplog.text
        assert one not in str(fates(ada)) + str(Work.objects.values())
    assert vault.unseal(hook.url) == receiver.url


def test_keys_are_rotated_by_a_command(ada, settings):
    settings.TREY_VAULT_KEYS = ["old"]
    hook, secret = endpoints.create_webhook(ada, "https://example.org/x", None)
    settings.TREY_VAULT_KEYS = ["new", "old"]
    out = StringIO()
    call_command("rotate_vault", stdout=out)
    assert out.getvalue() == "1 secrets are encrypted by the newest key\n"
    settings.TREY_VAULT_KEYS = ["new"]
    hook.refresh_from_db()
    assert vault.unseal(hook.secret) == secret
    settings.TREY_VAULT_KEYS = ["lost"]
    with pytest.raises(CommandError, match="1 are encrypted by a key that is not among"):
        call_command("rotate_vault", stdout=out)


def test_keys_are_rotated_in_kept_responses_too(ada, settings):
    from core.accounts.login import tokens
    from tests.games.api.client import Person

    settings.TREY_VAULT_KEYS = ["old"]
    me, retried = Person("ada", tokens.issue(ada)[0]), {"Idempotency_Key": "k"}
    made = me.post("me/webhooks", {"url": "https://example.org/x"}, **retried)
    promised = Keyed(ada.pk, "/", "k", {}, lambda answer: answer)
    promised.claim()
    promised.promise({"secret": "gAAAA"})
    settings.TREY_VAULT_KEYS = ["new", "old"]
    out = StringIO()
    call_command("rotate_vault", stdout=out)
    assert out.getvalue() == "2 secrets are encrypted by the newest key\n"
    settings.TREY_VAULT_KEYS = ["new"]
    assert me.post("me/webhooks", {"url": "https://example.org/x"}, **retried).body == made.body
    with pytest.raises(Promised):
        promised.known()


def test_bad_webhooks_are_refused_field_by_field(ada):
    with pytest.raises(Invalid) as refused:
        endpoints.create_webhook(ada, "http://example.org/", ["game.gossip"])
    assert [field for field, _ in refused.value.errors] == ["url", "types"]
    for _ in range(Hook.MOST):
        hook, _ = endpoints.create_webhook(ada, "https://example.org/x", None)
    with pytest.raises(TooMany, match="You have 10 webhooks"):
        endpoints.create_webhook(ada, "https://example.org/x", None)
    endpoints.find(Hook, ada, hook.pk).delete()
    with pytest.raises(NotFound):
        endpoints.find(Hook, ada, hook.pk)


def test_the_api_shows_host_and_state_and_the_secret_once(ada):
    from core.accounts.login import tokens
    from tests.games.api.client import Person

    me = Person("ada", tokens.issue(ada)[0])
    made = me.post("me/webhooks", {"url": "https://example.org/hook/s3cret-token", "types": ["game.turn"]})
    assert made.status == 201 and made.body["secret"].startswith("whsec_")
    path = f"me/webhooks/{made.body['id']}"
    shown = me.get(path).body
    assert (shown["host"], shown["types"], shown["active"]) == ("example.org", ["game.turn"], True)
    assert "secret" not in shown and "s3cret" not in json.dumps(me.get("me/webhooks").body)
    assert me.patch(path, {"active": False}).body["off_because"] == "by you"
    rotated = me.post(f"{path}/rotate").body["secret"]
    assert rotated.startswith("whsec_") and rotated != made.body["secret"]
    assert me.post(f"{path}/replay", {"since": "2026-01-01T00:00:00Z"}).body == {"queued": 0}
    assert me.post("me/webhooks", {"url": "https://localhost.example/", "types": []}).code == "invalid"
    assert me.post("me/webhooks", {"url": "https://169.254.169.254/x"}).code == "bad_webhook"
    assert me.call("DELETE", path).status == 204
    assert me.get(path).status == 404
    assert not Delivery.objects.filter(hook__isnull=False).exists()


@pytest.fixture(autouse=True)
def followed(monkeypatch):
    """While the command waits, everything is delivered."""
    monkeypatch.setattr(tell_module, "sleep", lambda _: deliver())


def tell_command(name):
    out = StringIO()
    try:
        call_command("tell", name, stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error}"
    return out.getvalue()


def test_tell_sends_a_test_down_every_channel_and_says_what_became_of_it(ada, receiver):
    assert "webhook  skipped: no address" in tell_command("ada")
    hook, secret = endpoints.create_webhook(ada, receiver.url, ["game.turn"])
    said = tell_command("ADA")
    assert "list     number 2: This is a test of your notifications, by the operator." in said
    assert "live     sent" in said and "mail     skipped: no address" in said
    assert f"webhook  127.0.0.1 ({hook.pk}) sent: it answered 204" in said
    [(_, headers, body)] = receiver.got
    assert Webhook(secret).verify(body, headers)["type"] == "test"
    receiver.status = 500
    assert tell_command("ada").endswith("failed: It answered 500.\n1 of 1 addresses failed.")
    assert tell_command("nobody") == "There is no player 'nobody'."


def _deliver(stop):
    try:
        work.Deliverer().run(stop, poll_seconds=0.05)
    finally:
        connection.close()


def test_nt9_retry_after_holds_for_everybody_who_gave_the_address(ada, receiver, clock):
    bob = Player.objects.create_user("bob")
    endpoints.create_webhook(ada, receiver.url, None)
    receiver.status, receiver.headers = 429, {"Retry-After": "600"}
    tell(ada)
    deliver()
    assert len(receiver.got) == 1
    endpoints.create_webhook(bob, receiver.url.replace("http:", "HTTP:") + "#mine", None)
    row, _ = Anywhere().add(uuid4(), bob, "webhook", receiver.url)
    tell(bob)
    senders.put_test(row)
    clock.advance(seconds=599)
    deliver()
    assert len(receiver.got) == 1
    [fate] = fates(bob)
    assert (fate["state"], fate["until"]) == ("held", clock.at + timedelta(seconds=1))
    row.refresh_from_db()
    assert row.error.startswith("It asked us to wait until ")
    # Another address of the same host asked for nothing.
    endpoints.create_webhook(bob, f"{receiver.url}/other", None)
    tell(bob)
    deliver()
    assert [path for path, _, _ in receiver.got[1:]] == ["/hook/s3cret-token/other"]


def test_nt9_a_test_that_is_asked_to_wait_holds_back_the_rest(ada, receiver, clock):
    endpoints.create_webhook(ada, receiver.url, None)
    row, _ = Anywhere().add(uuid4(), ada, "webhook", receiver.url)
    receiver.status, receiver.headers = 429, {"Retry-After": "600"}
    senders.put_test(row)
    deliver()
    tell(ada)
    deliver()
    assert len(receiver.got) == 1
    assert fates(ada)[0]["until"] == clock.at + timedelta(seconds=600)
