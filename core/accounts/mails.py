"""Mails about accounts: codes, and news for an address that a player no longer has. The queue delivers them."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

from django.core.mail import EmailMessage

from core import mail
from core.jobs import services as work
from core.jobs.models import Work

logger = logging.getLogger(__name__)

JOB = "accounts.mail"
# After this time a code is no longer valid, so its mail is not sent any more.
CODE_LASTS = timedelta(minutes=10)
# For this long operators can see what was given up, because the mail server took nothing.
SHOWN = timedelta(days=7)

_IGNORE = "If you did not ask for this, ignore this email: nobody can log in without the code."


_LASTS = "It is valid for ten minutes, and you have five tries."
_RESET = mail.Link("Reset the password", "/accounts/password/reset/")
#: The mails, by name; those with a code get it as they are written.
_BLOCKS = {
    "login": mail.Block(
        "Your code to log in", (f"To log in, enter this code where you asked for it. {_LASTS}", _IGNORE)
    ),
    "reset": mail.Block(
        "Your code to reset the password",
        (f"Enter this code where you asked for it, then choose a new password. {_LASTS}", _IGNORE),
    ),
    "verify": mail.Block(
        "Confirm your email address",
        (f"Enter this code to confirm your address, so that Trey can reach you. {_LASTS}", _IGNORE),
    ),
    "taken": mail.Block(
        "You already have an account",
        (
            "Somebody, perhaps you, tried to add this address to an account. It already belongs to another account.",
            "You can log in to that account with a code.",
        ),
        link=mail.Link("Log in with a code", "/accounts/login/code/"),
    ),
    "address_changed": mail.Block(
        "Your email address at Trey has changed",
        ("Emails go to the new address from now on. If this was not you, reset your password and tell the operator.",),
        link=_RESET,
    ),
    "address_removed": mail.Block(
        "This address was removed from your account at Trey",
        ("You won't get any more emails here. If this was not you, log in and change your password.",),
        link=mail.Link("Log in", "/accounts/login/"),
    ),
}


def written(what: str, to: str, name: str, code: str | None = None) -> EmailMessage:
    """The mail; `name` gives its Message-ID."""
    block = replace(_BLOCKS[what], code=code)
    return mail.Letter(to=to, id=name, subject=block.heading, blocks=(block,)).message()


def send(what: str, to: str, code: str = "") -> None:
    work.put(JOB, str(uuid4()), {"what": what, "to": to, "code": code}, lane=_lane(to))


def send_to_nobody() -> None:
    """Queue a mail to nobody, so that the response takes as long as with a recipient."""
    work.put(JOB, str(uuid4()), {"what": "login", "to": None, "code": ""}, lane=_lane(""))


def _lane(to: str) -> str:
    return f"{JOB} {sum(to.encode()) % 8}"


def _written(job: work.Job, now: datetime) -> EmailMessage | None:
    what, to, code = job.data["what"], job.data["to"], job.data.get("code", "")
    if to is None or (code and job.queued_at < now - CODE_LASTS):
        return None
    return written(what, to, f"account-{job.key}", code or None)


def deliver(message: EmailMessage) -> None:
    """Send it. If its server refuses the address, that is logged and no alarm: most likely it was mistyped."""
    try:
        mail.send(message)
    except mail.Refused as refusal:
        logger.warning("a mail of an account is not delivered: %s", refusal)


def purge(now: datetime) -> None:
    Work.objects.filter(kind__startswith="accounts.", given_up_at__lt=now - SHOWN).delete()


_RETRIES = work.Retries(first=timedelta(seconds=5), longest=timedelta(minutes=30), give_up=timedelta(days=1))
work.outbound(
    JOB,
    work.Outbound(
        prepare=lambda jobs, now: [_written(job, now) for job in jobs], send=deliver, retries=lambda: _RETRIES
    ),
)
