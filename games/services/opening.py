"""Opening a room."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from games.models import Game, Player


def open_room(
    player: Player,
    *,
    game: str,
    ruleset: str | None = None,
    options: Mapping[str, Any] | None = None,
    seats: int,
    visibility: str = "public",
    rated: bool = True,
    clock: Mapping[str, Any] | None = None,
    salt: str | None = None,
    rematch_of: UUID | None = None,
    now: datetime | None = None,
) -> Game:
    """Open a room and sit down in it; the caller is its opener.

    A private room gets an invitation code (``Game.invitation``). `salt` is the player's own part of the shuffle (1 to
    64 characters); one is drawn where none is given.

    Raises:
        Invalid: bad game, ruleset, options, seats, visibility, clock or salt; `field` names it.
        Conflict: room_limit, where the server caps the rooms of a game.
    """
    raise NotImplementedError
