"""Games that belong to something else: a tournament. The games do not know what that is; whoever owns them registers.

A game's `belongs_to` is `{"tournament": id, "round", "table", "number"}`; of a free game of a season the last three are
null.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from games.accounts.models import Player

BelongsTo = Mapping[str, Any]


class Owner(Protocol):
    """What the games ask of those they belong to."""

    def describe(self, games: Sequence[BelongsTo]) -> list[dict[str, Any] | None]:
        """What a game's JSON shows as `tournament`, for each of these (`{"id", "title", "round", "table"}`)."""

    def check_entry(self, belongs_to: BelongsTo, player: Player) -> None:
        """Raises Forbidden where the player may not sit down in a room that belongs to it."""


class Nobody:
    """The owner as long as nobody has registered."""

    def describe(self, games: Sequence[BelongsTo]) -> list[dict[str, Any] | None]:
        """Nothing to show."""
        return [None] * len(games)

    def check_entry(self, belongs_to: BelongsTo, player: Player) -> None:
        """Everybody may."""


_owners: list[Owner] = []


def register(owner: Owner) -> None:
    """Make `owner` the one that is asked; called once, in `AppConfig.ready`."""
    _owners[:] = [owner]


def owner() -> Owner:
    """Whom the games belong to."""
    return _owners[-1] if _owners else Nobody()
