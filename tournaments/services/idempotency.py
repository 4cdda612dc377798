"""Idempotency-Key: the answer to a request is kept under it, and a retry gets the same one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import connection

from games import clock as service_clock
from games import log
from games.accounts.models import Player
from games.refusals import KeyReused
from tournaments.models import Command

KEPT = timedelta(days=30)
BATCH = 1000

# Waits for a concurrent duplicate: until that one is kept (then nothing is inserted) or rolled back (then ours is).
_CLAIM = """
INSERT INTO tournaments_command (id, player_id, key, digest, created_at)
VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (player_id, key) DO NOTHING
RETURNING id
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a request is answered: now, or as it was when its key first came (`replayed`)."""

    status: int
    body: Any
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Keyed:
    """The receipt of a request that came with a key.

    `asked` is all that tells the request from others: its path and its body. `answer` makes the body of the answer
    (plain JSON) out of what was carried out, inside the transaction.
    """

    player: Player
    key: str
    asked: Any
    answer: Callable[[log.Executed[Any, Any]], Any]
    now: datetime
    status: int = 201
    id: UUID = field(default_factory=uuid4)

    def claim(self) -> Answer | None:
        """The answer that was kept for the same request. Raises KeyReused where the key came with another one."""
        with connection.cursor() as cursor:
            cursor.execute(_CLAIM, [self.id, self.player.pk, self.key, self.digest, self.now])
            if cursor.fetchone() is not None:
                return None
        return self.known()

    def known(self) -> Answer | None:
        """The answer that was kept, without a claim. Raises KeyReused."""
        before = Command.objects.filter(player=self.player, key=self.key, status__isnull=False).first()
        if before is None:
            return None
        if before.digest != self.digest:
            raise KeyReused("key_reused", "This Idempotency-Key came with another request before; use a new one.")
        return Answer(before.status or 0, json.loads(before.body or "null"), replayed=True)

    @property
    def digest(self) -> str:
        """SHA-256 of what is asked for, whatever the order of its keys."""
        text = json.dumps(self.asked, sort_keys=True, separators=(",", ":"), default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def keep(self, executed: log.Executed[Any, Any]) -> Answer:
        """Keep the answer, in the command's transaction."""
        answer = Answer(self.status, self.answer(executed))
        Command.objects.filter(pk=self.id).update(status=answer.status, body=json.dumps(answer.body))
        return answer


def purge_commands(*, now: datetime | None = None) -> int:
    """Forget the answers kept for Idempotency-Keys after 30 days; returns how many."""
    old = Command.objects.filter(created_at__lt=(now or service_clock.now()) - KEPT)
    done = 0
    while ids := list(old.values_list("pk", flat=True)[:BATCH]):
        done += Command.objects.filter(pk__in=ids).delete()[0]
    return done
