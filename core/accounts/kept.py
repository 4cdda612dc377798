"""Tokens and their players, cached in a web process for a second, so that not every request asks the database.

Whatever changes an account or revokes a token calls `forget`. After the commit this process drops what it has cached of
the player, and tells the others to through Redis. Without Redis they go on for the rest of the second, so a revoked
token is accepted for at most a second.
"""

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection, transaction

from core.accounts.models import Player, Token
from core.rows import array_of, instance_of, row_of
from core.wakeups import Channel, Listener

# Seconds from before a row is read until it is read again.
LIFE = 1.0
# When there are more, expired ones are dropped, and all of them if that is not enough.
MOST = 5_000
# The time (seconds) for which an unresponsive Redis is left alone.
REST = 5.0

#: A message is the id of a player whose account or tokens have changed.
changed = Channel("accounts", lost=f"other processes learn of changed accounts after {LIFE:g} s")

Row = tuple[Any, Any]

_Token, _Player = row_of(Token), row_of(Player)
_FIND = f"""
SELECT json_build_array({array_of("token", _Token)}, {array_of("player", _Player)})::text
FROM accounts_token token JOIN accounts_player player ON player.id = token.user_id WHERE token.digest = %s
"""  # noqa: S608  the models' columns
_decoder: msgspec.json.Decoder[Row] = msgspec.json.Decoder(tuple[_Token, _Player])  # type: ignore[valid-type]


class Kept:
    """The cache of this process. It stays empty until `listen` is called, because only then does it hear of changes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # By digest: when it was read, the player's id, and the row.
        self._rows: dict[str, tuple[float, str, Row]] = {}
        self._lock = threading.Lock()
        self._drops = 0
        self._stop: threading.Event | None = None

    def find(self, digest: str, *, fresh: bool = False) -> Token | None:
        """The token with its player, each an instance of the caller's own. `fresh`: ask the database in any case."""
        row = None if fresh else self._kept(digest)
        if row is None:
            row = self._read(digest)
        if row is None:
            return None
        token = instance_of(Token, row[0])
        token.user = instance_of(Player, row[1])
        return token

    def forget(self, player_id: UUID) -> None:
        """After the commit, drop what is cached of a player, here and in all other processes."""
        transaction.on_commit(partial(self._forget, str(player_id)), robust=True)

    def listen(self, stop: threading.Event | None = None) -> None:
        """Cache from now on, and drop what other processes ask to drop, until `stop` is set."""
        self._stop = stop or threading.Event()
        threading.Thread(target=self._listen, args=[self._stop], name="kept-tokens", daemon=True).start()

    def _kept(self, digest: str) -> Row | None:
        read_at, _, row = self._rows.get(digest, (-LIFE, "", None))
        return row if self._clock() - read_at < LIFE else None

    def _read(self, digest: str) -> Row | None:
        read_at, drops = self._clock(), self._drops
        with connection.cursor() as cursor:
            cursor.execute(_FIND, [digest])
            found = cursor.fetchone()
        row = _decoder.decode(found[0]) if found is not None else None
        if row is not None and self._stop is not None:
            with self._lock:
                if len(self._rows) >= MOST:
                    self._rows = {key: kept for key, kept in self._rows.items() if read_at - kept[0] < LIFE}
                if len(self._rows) >= MOST:
                    self._rows = {}
                # A row that was dropped while it was read may be older than the change.
                if drops == self._drops:
                    self._rows[digest] = (read_at, str(row[1].id), row)
        return row

    def _drop(self, player_id: str) -> None:
        with self._lock:
            self._drops += 1
            self._rows = {key: kept for key, kept in self._rows.items() if kept[1] != player_id}

    def _forget(self, player_id: str) -> None:
        self._drop(player_id)
        changed.publish(player_id)

    def _listen(self, stop: threading.Event) -> None:
        listener = Listener(changed, stop, f"so changed accounts are noticed after {LIFE:g} s")
        while not stop.is_set():
            for player_id in listener.hear(REST):
                self._drop(player_id)
        listener.close()


kept = Kept()
