"""Moves with an Idempotency-Key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from games.models import Command
from games.platform.work.receipts import Keyed


@dataclass(frozen=True, slots=True)
class KeyedMove(Keyed):
    """The receipt of a move. Each game has keys of its own."""

    rows = Command

    game_id: UUID = field(kw_only=True)

    @property
    def within(self) -> Mapping[str, UUID]:
        """The game."""
        return {"game_id": self.game_id}
