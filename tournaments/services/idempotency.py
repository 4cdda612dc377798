"""Idempotency-Key: keep the response to a request, and return it again to a retry."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import msgspec
from django.db import connection, transaction

from games.platform import clock as service_clock
from games.platform import log
from games.platform.accounts.models import Player
from games.platform.refusals import KeyReused
from tournaments.models import Command

KEPT = timedelta(days=30)
BATCH = 1000

# Waits for a concurrent duplicate to commit (nothing is inserted) or to roll back (this row is).
_CLAIM = """
INSERT INTO tournaments_command (id, player_id, key, digest, created_at)
VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (player_id, key) DO NOTHING
RETURNING id
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a request: a new one, or the one kept for its key (`replayed`)."""

    status: int
    body: Any
    replayed: bool = False


class Promised(Exception):  # noqa: N818  nothing is wrong
    """The same request has acted before, and its response is still to be given; `what` is what it promised."""

    def __init__(self, what: Any) -> None:
        super().__init__(what)
        self.what = what


@dataclass(frozen=True, slots=True)
class Keyed:
    """The receipt of a request that came with a key.

    `asked` identifies the request: its path and body. `answer` makes the response body from the outcome,
    inside the transaction.
    """

    player: Player
    key: str
    asked: Any
    answer: Callable[[log.Executed[Any, Any]], Any]
    now: datetime
    status: int = 201
    id: UUID = field(default_factory=uuid4)

    def claim(self) -> Answer | None:
        """The response kept for the same request. Raises KeyReused if the key came with a different one, Promised."""
        with connection.cursor() as cursor:
            cursor.execute(_CLAIM, [self.id, self.player.pk, self.key, self.digest, self.now])
            if cursor.fetchone() is not None:
                return None
        return self.known()

    def known(self) -> Answer | None:
        """The kept response, without claiming the key. Raises KeyReused, Promised."""
        before = Command.objects.filter(player=self.player, key=self.key).first()
        if before is None:
            return None
        if before.digest != self.digest:
            raise KeyReused("key_reused", "This Idempotency-Key came with another request before; use a new one.")
        if before.status is None:
            raise Promised(json.loads(before.body or "null"))
        return Answer(before.status, json.loads(before.body or "null"), replayed=True)

    def promise(self, what: Any) -> None:
        """After the claim: the request acts now, in this transaction, and is answered in a later one.

        `what` (plain JSON) is what a retry needs to give the answer, should that later transaction never come.
        """
        Command.objects.filter(pk=self.id).update(body=json.dumps(what))

    def fulfil(self, executed: log.Executed[Any, Any]) -> Answer:
        """Keep the response to what was promised; of two that do at once the first one counts."""
        with transaction.atomic():
            row = Command.objects.select_for_update().get(player=self.player, key=self.key)
            if row.status is not None:
                return Answer(row.status, json.loads(row.body or "null"), replayed=True)
            row.status, row.body = self.status, json_of(self.answer(executed))
            row.save(update_fields=["status", "body"])
            return Answer(row.status, json.loads(row.body))

    @property
    def digest(self) -> str:
        """SHA-256 of the request, independent of the order of its keys."""
        text = json.dumps(self.asked, sort_keys=True, separators=(",", ":"), default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def keep(self, executed: log.Executed[Any, Any]) -> Answer:
        """Keep the response, in the command's transaction."""
        body = json_of(self.answer(executed))
        Command.objects.filter(pk=self.id).update(status=self.status, body=body)
        return Answer(self.status, json.loads(body))


def json_of(body: Any) -> str:
    """A body as JSON text."""
    return msgspec.json.encode(body).decode()


def purge_commands(*, now: datetime | None = None) -> int:
    """Delete the responses kept for Idempotency-Keys older than 30 days; return how many."""
    old = Command.objects.filter(created_at__lt=(now or service_clock.now()) - KEPT)
    done = 0
    while ids := list(old.values_list("pk", flat=True)[:BATCH]):
        done += Command.objects.filter(pk__in=ids).delete()[0]
    return done
