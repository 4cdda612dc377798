"""Checks that the parts of the service work: web, sweeper, bots, followers, the queue, the tournaments' runner."""

import smtplib
from collections.abc import Iterator
from datetime import timedelta

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.mail import get_connection
from django.db.models import Count, Min

from config.ops.doctor.finding import BAD, OK, WARN, Finding, length
from core import clock, log, vault
from core.accounts import second_factor
from core.jobs import services as work
from core.jobs.models import Work
from core.notifications.models import (
    Channel,
    Chat,
    Delivery,
    Endpoint,
    GroupChannel,
    Hook,
    PushKey,
    State,
    Subscription,
)
from games.models import Seat
from games.selectors import clock_status, heartbeats, recent_outages
from games.services.outages import SWEEPER, WEB
from tournaments.models import Tournament
from tournaments.services import runners_work

_LATE = timedelta(minutes=1)
_VERY_LATE = timedelta(minutes=10)
_RECENTLY = timedelta(days=7)
_TOLD = 5
_LOOKED_AT = 50
_SECONDS_OF_MAIL = 5

_AWAY = {
    WEB: "No web process reaches the database. Nobody is timed out meanwhile. Look at the web's last lines.",
    SWEEPER: "No turn ends: beat, the worker or Redis is away. Look at their last lines.",
}


def heartbeats_() -> Iterator[Finding]:
    """The heartbeat of each part. From a minute on, silence is an outage."""
    now, last = clock.now(), heartbeats()
    for part, advice in _AWAY.items():
        if part not in last:
            yield Finding(BAD, part, "has had no heartbeat yet", "Start Trey.")
            continue
        age = max(now - last[part], timedelta())
        detail = f"last seen {length(age)} ago"
        yield Finding(BAD, part, detail, advice) if age > timedelta(seconds=30) else Finding(OK, part, detail)


def turns() -> Iterator[Finding]:
    """Turns past their deadline that no sweep has ended."""
    status = clock_status()
    if status.oldest_overdue > _LATE:
        level = BAD if status.oldest_overdue > _VERY_LATE else WARN
        detail = f"{status.due} are overdue, the oldest by {length(status.oldest_overdue)}"
        yield Finding(
            level, "turns", detail, "Sweeps do not keep up, or fail. Start another worker; read the worker's log."
        )
    else:
        yield Finding(OK, "turns", f"{status.due} are due now, none for long")


def bots() -> Iterator[Finding]:
    """Bots that owe a move."""
    late = Seat.objects.filter(bot__isnull=False, due_at__lt=clock.now() - _LATE)
    found = late.aggregate(count=Count("pk"), oldest=Min("due_at"))
    if found["count"]:
        detail = f"{found['count']} owe a move, the longest for {length(clock.now() - found['oldest'])}"
        yield Finding(WARN, "bots", detail, "Workers do not keep up. Start another one, or lower TREY_BOTS_PER_PLAYER.")
    else:
        yield Finding(OK, "bots", "none owes a move for long")


def followers() -> Iterator[Finding]:
    """Find out how far each follower lags behind the log, and what holds it up."""
    lags = log.lags([subscriber.name for subscriber in log.subscribers()])
    now = clock.now()
    for stuck in log.stuck_buckets():
        since = length(now - stuck.since)
        detail = f"{stuck.subscriber} has been stuck in bucket {stuck.bucket} for {since}: {stuck.error}"
        yield Finding(
            BAD, "followers", detail, "The log of `follow` has the traceback. docs/log.md: an event that fails."
        )
    late = [lag for lag in lags if lag.age(now) > _LATE and not lag.stuck]
    for lag in late:
        detail = f"{lag.subscriber} is {lag.events} events behind, the oldest waits for {length(lag.age(now))}"
        advice = "`manage.py follow` does not run, or does not keep up: standings and ratings are behind."
        yield Finding(BAD if lag.age(now) > _VERY_LATE else WARN, "followers", detail, advice)
    if not late and not any(lag.stuck for lag in lags):
        yield Finding(OK, "followers", f"all {len(lags)} keep up with the log")


def queue() -> Iterator[Finding]:
    """The queue: what was given up, and what is due but not done."""
    given_up = Work.objects.filter(given_up_at__isnull=False)
    for piece in given_up.order_by("-given_up_at")[:_TOLD]:
        detail = f"{piece.kind} {piece.key} was given up after {piece.tries} tries: {piece.error}"
        yield Finding(WARN, "queue", detail, f"`manage.py work --retry {piece.pk}` starts it again.")
    late = [row for row in work.figures() if row.oldest > _LATE]
    for row in late:
        detail = f"{row.due} pieces of {row.kind} are due, the oldest for {length(row.oldest)}"
        advice = "Mails and webhooks are sent by `follow`, everything else is done by the worker: look at their logs."
        yield Finding(BAD if row.oldest > _VERY_LATE else WARN, "queue", detail, advice)
    if not late and not given_up.exists():
        yield Finding(OK, "queue", "nothing waits for long")


def addresses() -> Iterator[Finding]:
    """Check that the addresses people gave can be read. The state of the receivers is up to their owners."""
    for name, model in _ADDRESSES.items():
        newest = list(model.objects.order_by("-created_at")[:_LOOKED_AT])
        unreadable = sum(1 for row in newest if not _readable(row))
        if unreadable:
            detail = f"{unreadable} of the newest {len(newest)} are encrypted by a key that is not set"
            yield Finding(BAD, name, detail, _OLD_KEY)
            continue
        off = model.objects.filter(off_since__isnull=False).count()
        failing = model.objects.filter(off_since__isnull=True, failing_since__isnull=False).count()
        yield Finding(OK, name, f"{model.objects.count()} are there; {failing} fail at the moment, {off} are off")


def mail() -> Iterator[Finding]:
    """Check that the mail server lets us in. No mail is sent; `manage.py tell PLAYER` sends one."""
    if settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        detail = "are printed among the lines of `follow`: no mail server is set"
        advice = "Set TREY_MAIL_URL to that of a mail server (docs/running.md). Until then players get no mails."
        yield Finding(WARN, "mail", f"mails {detail}", advice) if settings.PRODUCTION else Finding(OK, "mail", detail)
        return
    try:
        connection = get_connection(fail_silently=False, timeout=_SECONDS_OF_MAIL)
        connection.open()
        connection.close()
    except (smtplib.SMTPException, OSError) as error:
        detail = f"the mail server cannot be used: {type(error).__name__}: {error}"
        yield Finding(
            BAD, "mail", detail, "Look at TREY_MAIL_URL and at the server. What waits is tried for three days."
        )
        return
    refused = Delivery.objects.filter(channel=Channel.MAIL, state=State.GIVEN_UP, at__gt=clock.now() - _RECENTLY)
    yield Finding(OK, "mail", f"the mail server lets us in; {refused.count()} mails were given up in the last week")


def push_key() -> Iterator[Finding]:
    """The key that every browser's subscription is bound to: without it no browser can be reached."""
    key = PushKey.objects.first()
    refusing = Subscription.objects.filter(off_since__isnull=True, error__regex=r"^It answered 40[13][.:]")
    for row in refusing.order_by("host", "-failing_since").distinct("host")[:_TOLD]:
        detail = f"{row.host} refuses our pushes: {row.error}"
        yield Finding(BAD, "push", detail, "Read what it says. Is the clock right, and TREY_SITE_URL set?")
    if key is not None and not _readable(key):
        yield Finding(BAD, "push key", "it is encrypted by a key that is not set", _OLD_KEY)
    else:
        yield Finding(OK, "push key", "it can be read" if key is not None else "it is made when the first browser asks")


def second_factors() -> Iterator[Finding]:
    """The secrets of apps for one-time codes: without their key nobody who uses one can log in."""
    newest = list(Authenticator.objects.order_by("-pk")[:_LOOKED_AT])
    unreadable = sum(1 for row in newest if not second_factor.is_readable(row))
    if unreadable:
        detail = f"{unreadable} of the newest {len(newest)} are encrypted by a key that is not set"
        yield Finding(BAD, "second factors", detail, _OLD_KEY)
    else:
        yield Finding(OK, "second factors", f"{Authenticator.objects.count()} are there")


_OLD_KEY = "Add the previous key to TREY_VAULT_KEYS (it was TREY_SECRET_KEY if that was unset)."
_ADDRESSES: dict[str, type[Hook] | type[Subscription] | type[Chat] | type[GroupChannel]] = {
    "webhooks": Hook,
    "push": Subscription,
    "chat": Chat,
    "channels": GroupChannel,
}


def _readable(row: Endpoint | PushKey) -> bool:
    try:
        for column in row.SEALED:
            if (sealed := getattr(row, column)) is not None:
                vault.unseal(sealed)
    except vault.Unreadable:
        return False
    return True


def tournaments() -> Iterator[Finding]:
    """The runner: which of its work fails, and which steps are due but not taken."""
    failing = Work.objects.filter(kind__in=runners_work(), tries__gt=0)
    for piece in failing.order_by("-tries")[:_TOLD]:
        detail = f"{piece.kind} of {piece.key} failed {piece.tries} times: {piece.error}"
        yield Finding(
            BAD, "tournaments", detail, "It is tried again at least every hour. The worker's log has the traceback."
        )
    steps = Tournament.objects.filter(look_at__lt=clock.now() - _LATE).count()
    if steps:
        detail = f"{steps} steps are overdue"
        yield Finding(
            WARN, "tournaments", detail, "The runner does not keep up or does not run: look at beat and the worker."
        )
    elif not failing.exists():
        yield Finding(OK, "tournaments", "the runner has done all that was due")


def outages() -> Iterator[Finding]:
    """Outages of the last days, which have moved deadlines."""
    since = clock.now() - _RECENTLY
    recent = [outage for outage in recent_outages() if outage.ended_at > since]
    for outage in recent[:_TOLD]:
        lasted = length(outage.ended_at - outage.began_at)
        detail = f"the {outage.part} was out for {lasted} from {outage.began_at:%Y-%m-%d %H:%M} UTC"
        yield Finding(
            WARN, "outages", detail, "Nothing to do if it was meant, such as an upgrade. Deadlines moved with it."
        )
    if not recent:
        yield Finding(OK, "outages", f"none in the last {_RECENTLY.days} days")
