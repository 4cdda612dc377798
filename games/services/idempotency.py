"""Idempotency-Key: the answer to a move is kept with it, and a retry gets the same one."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import connection

from games.accounts.models import Player
from games.models import Command
from games.refusals import Invalid, KeyReused

MAX_KEY = 255
_KEY = re.compile(r"[\x21-\x7e]+( +[\x21-\x7e]+)*")

# Waits for a doublet in flight: until that one is kept (then nothing is inserted) or rolled back (then ours is).
_CLAIM = """
INSERT INTO games_command (id, player_id, game_id, key, digest, created_at)
VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (player_id, game_id, key) DO NOTHING
RETURNING id
"""


class Claim:
    """One command's claim on its key; `take` comes first in the move's transaction."""

    class Answered(Exception):  # noqa: N818 (an answer, not an error)
        """The command was carried out before; here is its answer."""

        def __init__(self, status: int, body: Any) -> None:
            super().__init__("answered before")
            self.status = status
            self.body = body

    def __init__(self, player: Player, game_id: UUID, key: str, move: Any, now: datetime) -> None:
        check_key(key)
        self.id = uuid4()
        self._player = player
        self._game_id = game_id
        self._key = key
        self._digest = digest_of(move)
        self._now = now

    def take(self) -> None:
        """Claim the key. Raises Answered when the same command was carried out before, KeyReused when another was."""
        with connection.cursor() as cursor:
            cursor.execute(_CLAIM, [self.id, self._player.pk, self._game_id, self._key, self._digest, self._now])
            if cursor.fetchone() is not None:
                return
        before = Command.objects.get(player=self._player, game_id=self._game_id, key=self._key)
        if before.digest != self._digest:
            raise KeyReused("key_reused", "This Idempotency-Key came with another move before; use a new one.")
        raise self.Answered(before.status or 0, json.loads(before.body or "null"))

    def keep(self, status: int, body: Any) -> None:
        """Keep the answer, in the same transaction."""
        Command.objects.filter(pk=self.id).update(status=status, body=json.dumps(body))


def check_key(key: object) -> None:
    """Raises Invalid (bad_key) for what is no key: 1 to 255 printable ASCII characters, blanks only between others."""
    if not isinstance(key, str) or len(key) > MAX_KEY or not _KEY.fullmatch(key):
        raise Invalid("bad_key", f"An Idempotency-Key is 1 to {MAX_KEY} printable ASCII characters, a UUID say.")


def digest_of(move: Any) -> str:
    """SHA-256 of a move, whatever the order of its keys and its white space."""
    return hashlib.sha256(json.dumps(move, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
