"""Idempotency-Key: keep the response to a move, and return it again to a retry."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import msgspec
from django.db import connection

from games.models import Command
from games.platform import log
from games.platform.accounts.models import Player
from games.platform.refusals import KeyReused

# Waits for a concurrent duplicate to commit (nothing is inserted) or to roll back (this row is).
_CLAIM = """
INSERT INTO games_command (id, player_id, game_id, key, digest, created_at)
VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (player_id, game_id, key) DO NOTHING
RETURNING id
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The response to a request: a new one, or the one kept for its key (`replayed`)."""

    status: int
    body: Any
    replayed: bool


@dataclass(frozen=True, slots=True)
class KeyedMove:
    """The receipt (`games.platform.log.Receipt`) of a move with an Idempotency-Key."""

    player: Player
    game_id: UUID
    key: str
    move: Any
    now: datetime
    answer: Callable[[log.Executed[Any, Any]], Any]
    id: UUID = field(default_factory=uuid4)

    def claim(self) -> Outcome | None:
        """The response kept for the same move. Raises KeyReused if the key came with a different one."""
        digest = digest_of(self.move)
        with connection.cursor() as cursor:
            cursor.execute(_CLAIM, [self.id, self.player.pk, self.game_id, self.key, digest, self.now])
            if cursor.fetchone() is not None:
                return None
        before = Command.objects.get(player=self.player, game_id=self.game_id, key=self.key)
        if before.digest != digest:
            raise KeyReused("key_reused", "This Idempotency-Key came with another move before; use a new one.")
        return Outcome(before.status or 0, json.loads(before.body or "null"), replayed=True)

    def keep(self, executed: log.Executed[Any, Any]) -> Outcome:
        """Keep the response, in the move's transaction."""
        outcome = Outcome(201, self.answer(executed), replayed=False)
        Command.objects.filter(pk=self.id).update(
            status=outcome.status, body=msgspec.json.encode(outcome.body).decode()
        )
        return outcome


def digest_of(move: Any) -> str:
    """SHA-256 of a move, independent of the order of its keys and of white space."""
    return hashlib.sha256(json.dumps(move, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
