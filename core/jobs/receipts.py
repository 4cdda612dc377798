"""Receipts of requests with an Idempotency-Key: the response is kept for 30 days, and a retry gets it again.

An app has a table for them: `id`, `player`, `key`, `digest`, `status` (null: still to be answered), `body` (JSON text)
and `created_at`, with a unique constraint on the player, the key, and whatever `within` adds.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID, uuid4

import msgspec
from django.db import connection, models, transaction

from core import clock as service_clock
from core.refusals import KeyReused

KEPT = timedelta(days=30)
BATCH = 1000


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a request: a new one, or the one kept for its key (`replayed`)."""

    status: int
    body: Any
    replayed: bool = False


class Promised(Exception):  # noqa: N818  nothing is wrong
    """The same request has acted before, but its response is still missing; `what` is what it promised."""

    def __init__(self, what: Any) -> None:
        super().__init__(what)
        self.what = what


@dataclass(frozen=True, slots=True)
class Keyed:
    """The receipt (`core.log.Receipt`) of a request that came with a key.

    `request` (plain JSON) identifies the request. `answer` makes the response body from the outcome, inside the
    transaction.
    """

    rows: ClassVar[Any]

    player: models.Model
    key: str
    request: Any
    answer: Callable[[Any], Any]
    now: datetime
    status: int = 201
    id: UUID = field(default_factory=uuid4)

    @property
    def within(self) -> Mapping[str, UUID]:
        """The columns that, with the player, scope a key."""
        return {}

    @property
    def digest(self) -> str:
        """SHA-256 of the request, independent of the order of its keys and of white space."""
        text = json.dumps(self.request, sort_keys=True, separators=(",", ":"), default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def claim(self) -> Answer | None:
        """The response kept for the same request. Raises KeyReused if the key came with a different one, Promised.

        Waits for a concurrent duplicate to commit (then nothing is inserted) or to roll back.
        """
        once = {"player_id": self.player.pk, **self.within, "key": self.key}
        row = {"id": self.id, **once, "digest": self.digest, "created_at": self.now}
        statement = (
            f"INSERT INTO {self.rows._meta.db_table} ({', '.join(row)}) VALUES ({', '.join(['%s'] * len(row))})"  # noqa: S608, SLF001  names of columns
            f" ON CONFLICT ({', '.join(once)}) DO NOTHING RETURNING id"
        )
        with connection.cursor() as cursor:
            cursor.execute(statement, list(row.values()))
            return None if cursor.fetchone() is not None else self.known()

    def known(self) -> Answer | None:
        """The kept response, without claiming the key. Raises KeyReused, Promised."""
        before = self._same().first()
        if before is None:
            return None
        if before.digest != self.digest:
            raise KeyReused("key_reused", "This Idempotency-Key came with another request before; use a new one.")
        if before.status is None:
            raise Promised(json.loads(before.body or "null"))
        return Answer(before.status, json.loads(before.body or "null"), replayed=True)

    def keep(self, executed: Any) -> Answer:
        """Keep the response, in the command's transaction."""
        answer = Answer(self.status, self.answer(executed))
        self.rows.objects.filter(pk=self.id).update(status=answer.status, body=_text(answer.body))
        return answer

    def promise(self, what: Any) -> None:
        """After the claim: the request acts in this transaction, and is answered in a later one.

        `what` (plain JSON) is what a retry needs for the answer, in case that later transaction never happens.
        """
        self.rows.objects.filter(pk=self.id).update(body=_text(what))

    def fulfil(self, executed: Any) -> Answer:
        """Keep the response that was promised; of two at the same time the first one counts."""
        with transaction.atomic():
            row = self._same().select_for_update().get()
            if row.status is not None:
                return Answer(row.status, json.loads(row.body or "null"), replayed=True)
            answer = Answer(self.status, self.answer(executed))
            row.status, row.body = answer.status, _text(answer.body)
            row.save(update_fields=["status", "body"])
            return answer

    def _same(self) -> models.QuerySet[Any]:
        found: models.QuerySet[Any] = self.rows.objects.filter(player=self.player, key=self.key, **self.within)
        return found

    @classmethod
    def purge(cls, *, now: datetime | None = None) -> int:
        """Delete the responses that have been kept for 30 days; return how many."""
        old = cls.rows.objects.filter(created_at__lt=(now or service_clock.now()) - KEPT)
        done = 0
        while ids := list(old.values_list("pk", flat=True)[:BATCH]):
            done += cls.rows.objects.filter(pk__in=ids).delete()[0]
        return done


def _text(body: Any) -> str:
    return msgspec.json.encode(body).decode()
