"""Playing a move: by a person, a bot, a clock that ran out, or an organiser, all the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from games.models import Game, Player


@dataclass(frozen=True, slots=True)
class Cause:
    """Who is behind a move: kept in the events' meta as ``actor``."""

    kind: Literal["player", "bot", "timeout", "organiser"]
    id: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """A move that was applied: the game after it (seats and their players loaded) and its events, oldest first."""

    game: Game
    seat: int
    events: Sequence[Any]

    @property
    def version(self) -> int:
        return self.game.version


@dataclass(frozen=True, slots=True)
class Outcome:
    """What to answer: `body` is what `answer` made of the move, or what was stored when the key came first."""

    status: int
    body: Any
    replayed: bool


def play(
    game_id: UUID,
    player: Player | None,
    move: Any,
    *,
    answer: Callable[[Played], Any],
    key: str | None = None,
    if_version: int | None = None,
    invitation: str | None = None,
    seat: int | None = None,
    cause: Cause | None = None,
    now: datetime | None = None,
) -> Outcome:
    """Play one move, once.

    `answer` makes the body of the answer (plain JSON data) inside the transaction; with a `key` it is stored with the
    move, and the same key with the same move gives it again for 30 days. `seat` plays for a seat without a player
    (bots, timeouts), with a `cause`.

    Raises:
        NotFound, Forbidden (not_a_player), Stale (if_version), Conflict (not_started, game_cancelled, race_lost),
        Invalid (malformed, or a bad key), Illegal (the rules' code), KeyReused.
    """
    raise NotImplementedError
