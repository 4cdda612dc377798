"""NT3 to NT5, NT8, NT9, NT11: mails in a real SMTP server, as it takes them, refuses them and loses them."""

import re
from datetime import UTC, datetime, timedelta
from io import StringIO
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.urls import reverse

from config.ops.management.commands import tell as tell_module
from core.accounts.models import Player
from core.jobs import services as work
from core.jobs.models import Work
from core.notifications import channels, endpoints, preferences
from core.notifications import services as telling
from core.notifications.kinds import ACCOUNT, SECURITY, the_kind
from core.notifications.models import Delivery, Hook, Notification
from games.notifications.kinds import FINISHED, FULL, SEAT, STARTED, TIMED_OUT, TURN
from tests import notifications
from tests.core.notifications.mail_server import bodies

OVER = {"called_off": True}


@pytest.fixture
def ada(db) -> Player:
    return Player.objects.create_user("ada")


@pytest.fixture
def open_turns(monkeypatch):
    """Turns of no game, which go on until the test takes them out."""
    from games.notifications.subject import Games

    monkeypatch.setattr(Games, "lost", lambda *_: {})


def tell(player, kind=FINISHED, cause=None, subject_id=None, **data):
    cause = cause or f"game:{uuid4()}:{kind.name}"
    [told] = telling.tell([player.pk], kind, cause, subject_id=subject_id or uuid4(), data=data or OVER)
    return told


def turn(player):
    return tell(player, TURN, f"turn:{uuid4()}:0:7", turn="t")


def deliver():
    return work.Deliverer().do_all()


def fate(told):
    [body] = notifications.bodies(told.player, [told])
    return body["channels"]["mail"]


def test_nt3_a_full_table_is_mailed_as_a_turn_is(ada, address, mails, clock, settings, open_turns):
    told = tell(ada, FULL)
    assert fate(told) == {"state": "held", "at": clock.at, "until": clock.at + timedelta(minutes=15)}
    clock.advance(minutes=14, seconds=59)
    assert deliver() == 0
    clock.advance(seconds=1)
    assert deliver() == 1


def test_nt11_a_mail_has_text_and_html_and_the_headers_of_the_ruling(ada, address, mails, clock):
    told = tell(ada)
    assert deliver() == 1
    [mail] = mails.got
    plain, html = bodies(mail)
    assert mail["To"] == address and mail["Subject"] == "The game was called off: A game that no longer exists"
    assert (
        "called off" in plain and "called off" in html and mail["Message-ID"] == f"<notification-{told.pk}@localhost>"
    )
    assert mail["References"] == mail["In-Reply-To"] == f"<game-{told.subject_id}@localhost>"
    assert (mail["X-Trey-Kind"], mail["X-Trey-Cause"]) == ("finished", told.cause)
    assert mail["Auto-Submitted"] == "auto-generated" and mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(r"<http://localhost:8000/mail/stop/\S+>", mail["List-Unsubscribe"].strip())
    for forbidden in ("<img", "url(", "@import", "<script", "src="):
        assert forbidden not in html
    assert fate(told)["state"] == "sent"


def test_nt11_without_a_verified_address_there_is_no_mail(ada, mails, clock):
    assert fate(tell(ada))["reason"] == "no address"
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=False, primary=True)
    assert fate(tell(ada))["reason"] == "not verified"
    EmailAddress.objects.update(verified=True)
    told = tell(ada)
    EmailAddress.objects.update(verified=False)
    deliver()
    assert (fate(told)["reason"], mails.got) == ("not verified", [])


def test_nt3_nt4_the_first_unseen_turn_starts_the_grace_and_one_mail_carries_all_that_are_open(
    ada, address, mails, clock, open_turns
):
    first = turn(ada)
    assert fate(first) == {"state": "held", "at": clock.at, "until": clock.at + timedelta(minutes=15)}
    clock.advance(minutes=10)
    second, played = turn(ada), turn(ada)
    Notification.objects.filter(pk=played.pk).update(lost="played")
    clock.advance(minutes=4, seconds=59)
    assert deliver() == 0
    clock.advance(seconds=1)
    deliver()
    [mail] = mails.got
    assert mail.get_all("X-Trey-Cause") == [first.cause, second.cause] and mail["Subject"] == "Your turn at 2 tables"
    assert mail["References"] is None  # it is about two games
    assert fate(first)["state"] == "sent"
    assert (fate(second)["state"], fate(second)["reason"]) == ("skipped", "bundled")
    clock.advance(hours=1)
    deliver()
    assert len(mails.got) == 1 and not Work.objects.filter(kind="notifications.mail").exists()
    assert fate(Notification.objects.get(pk=played.pk))["reason"] == "played"


def test_eight_games_in_which_the_clock_played_are_one_mail(ada, address, mails, clock):
    told = []
    for _ in range(8):
        told.append(tell(ada, TIMED_OUT, action="play"))
        clock.advance(minutes=1)
    assert fate(told[0])["state"] == "held"
    other = tell(ada)
    assert deliver() == 1 and fate(other)["state"] == "sent", "what is of another kind does not wait"
    clock.advance(minutes=7)
    deliver()
    [_, mail] = mails.got
    assert mail["Subject"] == "You ran out of time at 8 tables"
    assert mail.get_all("X-Trey-Cause") == [one.cause for one in told]
    assert [fate(one)["state"] for one in told] == ["sent", *["skipped"] * 7]
    clock.advance(hours=1)
    deliver()
    assert len(mails.got) == 2


def test_nt4_a_turn_that_was_played_in_its_grace_starts_none_for_the_next(ada, address, mails, clock, open_turns):
    first = turn(ada)
    clock.advance(minutes=10)
    second = turn(ada)
    Notification.objects.filter(pk=first.pk).update(lost="played")
    clock.advance(minutes=5)
    deliver()
    assert mails.got == [] and fate(Notification.objects.get(pk=first.pk))["reason"] == "played"
    clock.advance(minutes=10)
    deliver()
    assert [mail["X-Trey-Cause"] for mail in mails.got] == [second.cause]


def test_nt3_turns_are_mailed_only_where_no_webhook_works(ada, address, mails, receiver, clock, open_turns):
    hook, _ = endpoints.create_webhook(ada, receiver.url, ["game.turn"])
    assert fate(turn(ada))["reason"] == "told by webhook"
    deliver()
    receiver.status = 500
    told = turn(ada)
    deliver()  # it fails: now nothing else reaches her, and the mail begins to wait
    assert (fate(told)["state"], fate(told)["until"]) == ("held", clock.at + timedelta(minutes=15))
    assert fate(turn(ada))["state"] == "held"  # and at once while it fails
    clock.advance(minutes=15)
    deliver()
    assert len(mails.got) == 1 and len(mails.got[0].get_all("X-Trey-Cause")) == 2
    # What the player switched on goes out besides.
    preferences.prefer(ada, {"matrix": {"turn": {"mail": True}}})
    receiver.status = 204
    endpoints.change(Hook, ada, hook.pk, active=True)
    assert fate(turn(ada))["state"] == "held"


@pytest.mark.sampled
def test_nt4_more_than_20_mails_in_an_hour_become_one_that_says_how_many(ada, address, mails, clock):
    sent = []
    for _ in range(20):
        clock.advance(seconds=60)
        sent.append(tell(ada))
        deliver()
    assert len(mails.got) == 20
    more = [tell(ada), tell(ada, STARTED), tell(ada, SEAT, how="back")]
    deliver()
    oldest = Delivery.objects.get(notification=sent[0], channel="mail").at
    assert [fate(one) for one in more] == [{"state": "held", "at": clock.at, "until": oldest + timedelta(hours=1)}] * 3
    urgent = telling.tell([ada.pk], the_kind(SECURITY, ACCOUNT), "test:1", data={"what": "test"})
    deliver()
    assert len(mails.got) == 21 and fate(urgent[0])["state"] == "sent"
    clock.set(oldest + timedelta(hours=1))
    deliver()
    assert len(mails.got) == 22 and mails.got[-1]["Subject"] == "3 notifications are waiting for you"
    text = " ".join(mails.got[-1].get_body(("plain",)).get_content().split())
    about = "games that have ended, changes to your seats and games that have started."
    assert f"because you have turned on emails about {about}" in text
    assert sorted(mails.got[-1].get_all("X-Trey-Cause")) == sorted(one.cause for one in more)
    assert [fate(one)["state"] for one in more] == ["sent", "skipped", "skipped"] and fate(more[1])[
        "reason"
    ] == "bundled"


@pytest.mark.sampled
def test_nt4_thirty_at_once_are_one_mail(ada, address, mails, clock):
    for _ in range(30):
        tell(ada)
    deliver()
    [mail] = mails.got
    assert mail["Subject"] == "30 notifications are waiting for you" and "Games that have ended: 30" in bodies(mail)[0]


@pytest.mark.sampled
def test_nt5_quiet_hours_hold_mail_back_until_they_end_and_then_look_again(ada, address, mails, clock, open_turns):
    ada.quiet_hours = [
        {"since": "2026-01-01T00:00:00Z", "time_zone": "Europe/Berlin", "quiet_hours": ["22:00", "07:00"]}
    ]
    ada.save()
    clock.set(datetime(2026, 11, 21, 20, 50, tzinfo=UTC))  # 21:50 in Berlin: the grace ends in the quiet hours
    early, told = turn(ada), tell(ada)
    deliver()
    assert fate(told)["state"] == "sent"
    clock.advance(minutes=15)
    deliver()
    morning = datetime(2026, 11, 22, 6, tzinfo=UTC)
    assert fate(early) == {"state": "held", "at": clock.at, "until": morning}
    late, seen = tell(ada), tell(ada)
    assert [fate(one)["until"] for one in (late, seen)] == [morning] * 2
    [urgent] = telling.tell([ada.pk], the_kind(SECURITY, ACCOUNT), "test:1", data={"what": "test"})
    deliver()
    assert fate(urgent)["state"] == "sent" and len(mails.got) == 2
    Notification.objects.filter(pk=seen.pk).update(lost="seen")
    clock.set(morning)
    deliver()
    assert len(mails.got) == 4 and {fate(one)["state"] for one in (early, late)} == {"sent"}
    assert fate(Notification.objects.get(pk=seen.pk))["reason"] == "seen"


def test_nt9_a_refused_address_is_final_and_has_to_be_verified_again(ada, address, mails, clock):
    mails.rcpt = "550 5.1.1 no ADDRESS here"
    told = tell(ada)
    deliver()
    assert (fate(told)["state"], fate(told)["error"]) == (
        "given_up",
        "The address was refused: 550 5.1.1 no the address here",
    )
    assert not EmailAddress.objects.get().verified
    newest = Notification.objects.filter(player=ada).latest("number")
    [body] = notifications.bodies(ada, [newest])
    assert (
        body["kind"] == "security" and "Verify it again" in body["text"] and body["channels"]["live"]["state"] == "sent"
    )
    assert body["channels"]["mail"]["reason"] == "not verified"


@pytest.mark.parametrize("fault", ["refused for now", "lost in mid-message", "no server", "data refused"])
def test_nt9_other_faults_are_tried_again_with_the_same_id(ada, address, mails, clock, settings, fault):
    port = settings.EMAIL_PORT
    if fault == "no server":
        settings.EMAIL_PORT = 1
    mails.rcpt = "450 later" if fault == "refused for now" else None
    mails.data = "554 no" if fault == "data refused" else None
    mails.loses = 1 if fault == "lost in mid-message" else 0
    told = tell(ada)
    deliver()
    failed = fate(told)
    assert failed["state"] == "failed" and "ada@" not in failed["error"]
    assert timedelta(seconds=5) <= failed["next_try"] - clock.at <= timedelta(seconds=7)
    mails.rcpt = mails.data = None
    settings.EMAIL_PORT = port
    clock.set(failed["next_try"])
    deliver()
    assert [mail["Message-ID"] for mail in mails.got] == [f"<notification-{told.pk}@localhost>"]
    assert fate(told)["state"] == "sent"


@pytest.mark.sampled
def test_nt15_a_server_that_hangs_in_mid_message_holds_up_nobody_else(address, ada, mails, settings):
    settings.EMAIL_TIMEOUT = 1
    mails.hangs = 1
    others = [Player.objects.create_user(f"p{number}") for number in range(8)]
    for one in others:
        EmailAddress.objects.create(user=one, email=f"{one.username}@example.org", verified=True, primary=True)
    told = [tell(one) for one in (ada, *others)]
    assert deliver() == 9
    states = [fate(one)["state"] for one in told]
    assert (states.count("failed"), states.count("sent")) == (1, 8)
    [hung] = [one for one in told if fate(one)["state"] == "failed"]
    assert "time" in fate(hung)["error"].lower()
    assert len(mails.got) == 8


def test_nt11_a_slow_server_gets_each_mail_once(ada, address, mails, clock):
    mails.slow = 0.5
    told = tell(ada)
    assert deliver() == 1
    assert fate(told)["state"] == "sent"
    assert (len(mails.got), mails.tries) == (1, 1)


def test_nt9_a_lost_answer_makes_a_double_of_the_same_id_and_the_same_turns(ada, address, mails, clock, open_turns):
    mails.loses_answers = 1
    first, second = turn(ada), turn(ada)
    clock.advance(minutes=15)
    deliver()
    assert fate(first)["state"] == fate(second)["state"] == "failed"
    third = turn(ada)  # it joins no mail that may be there already
    clock.advance(minutes=1)
    deliver()
    assert len({mail["Message-ID"] for mail in mails.got}) == 1 and len(mails.got) == 2
    assert [mail.get_all("X-Trey-Cause") for mail in mails.got] == [[first.cause, second.cause]] * 2
    clock.advance(minutes=15)
    deliver()
    assert mails.got[-1].get_all("X-Trey-Cause") == [third.cause]


@pytest.mark.sampled
def test_nt9_after_three_days_it_is_given_up(ada, address, mails, clock):
    mails.rcpt = "450 never"
    told = tell(ada)
    for _ in range(400):
        deliver()
        if fate(told)["state"] == "given_up":
            break
        clock.set(fate(told)["next_try"])
    assert timedelta(days=3) <= clock.at - told.created_at < timedelta(days=3, hours=1)
    assert EmailAddress.objects.get().verified  # nobody said that it is not there


def test_nt11_one_click_stops_that_kind_and_looking_at_the_link_does_not(
    ada, address, mails, clock, client, open_turns
):
    tell(ada)
    deliver()
    page = mails.got[0]["List-Unsubscribe"].strip("<> \r\n").removeprefix("http://localhost:8000")
    shown = client.get(page)
    assert (
        shown.status_code == 200
        and b"Stop these emails</button>" in shown.content
        and b"Games that have ended" in shown.content
    )
    assert preferences.preferences_of(ada.pk).matrix["finished"]["mail"] is True
    waits = tell(ada)
    assert client.post(page, {"List-Unsubscribe": "One-Click"}).status_code == 200
    matrix = preferences.preferences_of(ada.pk).matrix
    assert (
        matrix["finished"]["mail"] is False
        and matrix["started"]["mail"] is True
        and matrix["turn"]["mail"] == "fallback"
    )
    deliver()
    assert fate(waits)["reason"] == "switched off" and len(mails.got) == 1
    assert client.post(page[:-3] + "abc").status_code == 404
    assert client.get(reverse("stop-mails", args=["x"])).status_code == 404


def test_nt11_mails_about_security_have_no_link_that_stops_them(ada, address, mails, clock):
    telling.tell([ada.pk], the_kind(SECURITY, ACCOUNT), "test:1", data={"what": "test"})
    deliver()
    [mail] = mails.got
    assert mail["List-Unsubscribe"] is None and "cannot be turned\noff" in bodies(mail)[0]
    assert "Go to your account: http://localhost:8000/accounts/\n" in bodies(mail)[0]


def test_nt8_every_skip_has_one_of_the_reasons():
    assert {channels.SWITCHED_OFF, channels.NO_ADDRESS, channels.NOT_VERIFIED, channels.BUNDLED} == {
        "switched off", "no address", "not verified", "bundled",
    }  # fmt: skip


@pytest.fixture(autouse=True)
def followed(monkeypatch):
    """While the command waits, everything is delivered."""
    monkeypatch.setattr(tell_module, "sleep", lambda _: deliver())


def tell_command():
    out = StringIO()
    try:
        call_command("tell", "ada", stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error}"
    return out.getvalue()


def test_tell_sends_a_mail_and_says_what_became_of_it(ada, address, mails, settings):
    assert "mail     sent\n" in tell_command()
    assert "This is a test of your notifications" in mails.got[0]["Subject"] and not Work.objects.exists()
    mails.data = "554 too much"
    assert tell_command().endswith(
        "mail     failed: The mail server answered 554 too much\nwebhook  skipped: no address\n1 of 1 addresses failed."
    )
    mails.rcpt = "550 gone"
    assert "failed: The address was refused: 550 gone" in tell_command() and not EmailAddress.objects.get().verified
    assert "mail     skipped: not verified" in tell_command()


def test_doctor_looks_at_the_mail_server(db, mails, settings):
    from config.ops import doctor

    [found] = doctor.mail()
    assert (found.level.name, found.detail) == ("OK", "the mail server accepts our login")
    settings.EMAIL_PORT = 1
    [found] = doctor.mail()
    assert found.level.name == "BAD" and "cannot be used: ConnectionRefusedError" in found.detail
    settings.EMAIL_BACKEND, settings.PRODUCTION = "django.core.mail.backends.console.EmailBackend", True
    [found] = doctor.mail()
    assert found.level.name == "WARN" and "TREY_MAIL_URL" in found.advice
