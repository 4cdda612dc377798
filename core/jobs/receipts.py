"""Receipts of requests with an Idempotency-Key: the response is kept for 30 days, and a retry gets it again."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import msgspec
from celery import shared_task
from django.db import connection, models, transaction

from core import clock as service_clock
from core.jobs.models import Receipt
from core.refusals import KeyReused

KEPT = timedelta(days=30)
#: The key of a body whose value is shown once; it is encrypted (`core.vault`).
SECRET = "secret"  # noqa: S105  a name
BATCH = 1000

# Waits for a concurrent duplicate to commit (then nothing is inserted) or to roll back.
_CLAIM = """
INSERT INTO jobs_receipt (id, player_id, address, key, digest, headers, created_at)
VALUES (%s, %s, %s, %s, %s, '{}', %s) ON CONFLICT (player_id, address, key) DO NOTHING RETURNING id
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a request: a new one, or the one kept for its key (`replayed`)."""

    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)
    replayed: bool = False


class Promised(Exception):  # noqa: N818  nothing is wrong
    """The same request has acted before, but its response is still missing; `what` is what it promised."""

    def __init__(self, what: Any) -> None:
        super().__init__(what)
        self.what = what


@dataclass(frozen=True, slots=True)
class Keyed:
    """The receipt (`core.log.Receipt`) of a request that came with a key, which counts for one player and one address.

    `request` (plain JSON) identifies the request. `answer` makes the response from the outcome, inside the transaction.
    """

    player: UUID | None
    address: str
    key: str
    request: Any
    answer: Callable[[Any], Answer]
    now: datetime = field(default_factory=service_clock.now)
    id: UUID = field(default_factory=uuid4)

    @property
    def digest(self) -> str:
        """SHA-256 of the request, independent of the order of its keys and of white space."""
        text = json.dumps(self.request, sort_keys=True, separators=(",", ":"), default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def claim(self) -> Answer | None:
        """The response kept for the same request. Raises KeyReused if the key came with a different one, Promised."""
        with connection.cursor() as cursor:
            cursor.execute(_CLAIM, [self.id, self.player, self.address, self.key, self.digest, self.now])
            return None if cursor.fetchone() is not None else self.known()

    def known(self) -> Answer | None:
        """The kept response, without claiming the key. Raises KeyReused, Promised."""
        before = self._same().first()
        if before is None:
            return None
        if before.digest != self.digest:
            raise KeyReused("key_reused", "This Idempotency-Key was used for another request. Use a new one.")
        if before.status is None:
            raise Promised(json.loads(before.body or "null"))
        return _kept(before)

    def keep(self, executed: Any) -> Answer:
        return self._keep(Receipt.objects.filter(pk=self.id), executed)

    def drop(self) -> None:
        """Give the key back: there is nothing to keep."""
        Receipt.objects.filter(pk=self.id).delete()

    def promise(self, what: Any) -> None:
        """After the claim: the request is answered in a later transaction; `what` (plain JSON) is for that answer."""
        Receipt.objects.filter(pk=self.id).update(body=_text(what))

    def fulfil(self, executed: Any) -> Answer:
        """Keep the response that was promised; of two at the same time the first one counts."""
        with transaction.atomic():
            row = self._same().select_for_update().get()
            return _kept(row) if row.status is not None else self._keep(self._same(), executed)

    def _keep(self, rows: models.QuerySet[Receipt], executed: Any) -> Answer:
        answer = self.answer(executed)
        rows.update(status=answer.status, body=_text(answer.body), headers=dict(answer.headers))
        return answer

    def _same(self) -> models.QuerySet[Receipt]:
        return Receipt.objects.filter(player=self.player, address=self.address, key=self.key)


def sealed_rows() -> models.QuerySet[Receipt]:
    # So begins each encrypted text. The body of a promise is no response.
    return Receipt.objects.filter(status__isnull=False, body__contains=f'"{SECRET}":"gAAAA').order_by("-created_at")


def recode(row: Receipt, code: Callable[[str], str]) -> Sequence[str]:
    """See `vault.Holder`."""
    body = json.loads(row.body or "null")
    row.body = _text({**body, SECRET: code(body[SECRET])})
    return ["body"]


@shared_task(name="work.purge_receipts")
def purge() -> int:
    """Delete the responses that have been kept for 30 days; return how many."""
    old = Receipt.objects.filter(created_at__lt=service_clock.now() - KEPT)
    done = 0
    while ids := list(old.values_list("pk", flat=True)[:BATCH]):
        done += Receipt.objects.filter(pk__in=ids).delete()[0]
    return done


def _kept(row: Receipt) -> Answer:
    return Answer(row.status or 0, json.loads(row.body or "null"), row.headers, replayed=True)


def _text(body: Any) -> str:
    return msgspec.json.encode(body).decode()
