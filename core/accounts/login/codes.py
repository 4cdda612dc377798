"""Codes sent by mail for clients: six letters, ten minutes, five tries.

The response, and the time it takes, are the same whether or not the address has an account. A code is not stored; it
is derived from its row's id and the secret key.
"""

import hmac
from datetime import datetime, timedelta
from uuid import UUID

from celery import shared_task
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac
from rest_framework.request import Request

from core import clock as service_clock
from core.accounts import addresses, ending, mails
from core.accounts.ending import Right, What
from core.accounts.login import attempts
from core.accounts.models import Code, Player
from core.jobs import services as work
from core.refusals import Forbidden

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
LENGTH = 6
LASTS = mails.CODE_LASTS
TRIES = 5
JOB = "accounts.code"


def ask(request: Request, purpose: str, address: str, player: Player | None = None) -> Code:
    """Have a code sent: `login` and `reset` to the address's owner, `verify` to the player. Raises Throttled."""
    attempts.count_code(request, address)
    with transaction.atomic():
        standing = standing_of(player or addresses.owner_of(address))
        row = Code(purpose=purpose, address=address, player=player, standing=standing, made_at=service_clock.now())
        row.save(force_insert=True)
        work.put(JOB, str(row.pk), {}, lane=f"{JOB} {row.pk.int % 8}")
    return row


def use(purpose: str, request: UUID, text: str, player: Player | None = None) -> Code:
    """The code that was asked for; it cannot be used again. Raises Forbidden (wrong_code)."""
    since = service_clock.now() - LASTS
    rows = Code.objects.filter(pk=request, purpose=purpose, player=player, made_at__gt=since, tries__lt=TRIES)
    # The try is counted first, whatever follows.
    if not rows.update(tries=F("tries") + 1):
        raise wrong()
    row = Code.objects.get(pk=request)
    plain = "".join(letter for letter in text.upper() if letter.isalnum())
    if not hmac.compare_digest(plain.encode(), code_of(row).encode()):
        raise wrong()
    if not Code.objects.filter(pk=request).delete()[0]:
        raise wrong()
    return row


@ending.on_the_way_out(Right.ACCOUNT, What.BEGUN)
def owner_of(row: Code) -> Player:
    """Whom a code lets in: the owner of the address, unless all that was begun has ended. Raises Forbidden."""
    owner = addresses.owner_of(row.address)
    if owner is None or not _lets_in(row, owner):
        raise wrong()
    return owner


def _lets_in(row: Code, owner: Player | None) -> bool:
    return owner is not None and row.standing == standing_of(owner)


def standing_of(owner: Player | None) -> str:
    return "" if owner is None else owner.get_session_auth_hash()


def code_of(row: Code) -> str:
    number = int.from_bytes(salted_hmac("trey.code", str(row.pk), algorithm="sha256").digest())
    return "".join(LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(LENGTH))


@shared_task(name="accounts.purge_codes")
def purge() -> None:
    at = service_clock.now()
    Code.objects.filter(made_at__lt=at - timedelta(hours=1)).delete()
    mails.purge(at)


def wrong() -> Forbidden:
    detail = "This code is wrong, used or expired, or was tried five times. Ask for a new one."
    return Forbidden("wrong_code", detail, field="code")


def _written(job: work.Job, now: datetime) -> EmailMessage | None:
    row = Code.objects.select_related("player").filter(pk=job.key, made_at__gt=now - LASTS).first()
    if row is None:
        return None
    owner = addresses.owner_of(row.address)
    if row.player is None and not _lets_in(row, owner):
        return None
    if row.player is not None and owner is not None and owner.pk != row.player.pk:
        return mails.written("taken", row.address, f"code-{row.pk}")
    return mails.written(row.purpose, row.address, f"code-{row.pk}", code_of(row))


_RETRIES = work.Retries(first=timedelta(seconds=5), longest=timedelta(minutes=1), give_up=LASTS)


work.outbound(
    JOB,
    work.Outbound(
        prepare=lambda jobs, now: [_written(job, now) for job in jobs], send=mails.deliver, retries=lambda: _RETRIES
    ),
)
