"""Moves with an Idempotency-Key."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from core.jobs.receipts import Keyed
from games.models import Command


@dataclass(frozen=True, slots=True)
class KeyedMove(Keyed):
    """The receipt of a move. Each game has keys of its own."""

    rows = Command

    game_id: UUID = field(kw_only=True)

    @property
    def within(self) -> Mapping[str, UUID]:
        """The game."""
        return {"game_id": self.game_id}
