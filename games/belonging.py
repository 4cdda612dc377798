"""Games that belong to something else: a tournament. The games do not know what that is; their owner registers here.

A game's `belongs_to` is `{"tournament": id, "round", "table", "number"}`; a season's room has a number only.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

from core.accounts.models import Player

BelongsTo = Mapping[str, Any]


class Belongs(Protocol):
    """A game, as its row or its snapshot."""

    @property
    def id(self) -> UUID:
        """The game's id."""

    @property
    def belongs_to(self) -> BelongsTo | None:
        """A reference to the game's owner, or None."""


class Owner(Protocol):
    """The questions that games ask their owner."""

    def describe(self, games: Sequence[BelongsTo]) -> list[dict[str, Any] | None]:
        """Return what the JSON of each game shows as `tournament`: `{"id", "title", "round", "table", "number"}`."""

    def admit(self, belongs_to: BelongsTo, game_id: UUID, player: Player) -> str | None:
        """The player's salt in a room that the owner has, or None to have one drawn.

        Raises Forbidden where the player may not sit down there.
        """

    def may_know(self, belongs_to: BelongsTo, player: Player | None) -> bool:
        """Return whether the player may know of a private room without its invitation."""

    def may_watch(self, belongs_to: BelongsTo, player: Player | None) -> bool:
        """Return whether the player may see what the public would see of a game without spectators (LI7)."""

    def organised_by(self, player: Player) -> Collection[UUID]:
        """The tournaments that name the player as an organiser."""


class Nobody:
    """The owner as long as nobody has registered."""

    def describe(self, games: Sequence[BelongsTo]) -> list[dict[str, Any] | None]:
        return [None] * len(games)

    def admit(self, belongs_to: BelongsTo, game_id: UUID, player: Player) -> str | None:  # noqa: ARG002
        """Return None: everybody may join, with any salt."""
        return None

    def may_know(self, belongs_to: BelongsTo, player: Player | None) -> bool:  # noqa: ARG002  the protocol's
        """Return False: nobody has rights beyond those in any room."""
        return False

    def may_watch(self, belongs_to: BelongsTo, player: Player | None) -> bool:  # noqa: ARG002  the protocol's
        """Return False: nobody has rights beyond those in any game."""
        return False

    def organised_by(self, player: Player) -> Collection[UUID]:  # noqa: ARG002  the protocol's
        return ()


_owners: list[Owner] = []


def register(owner: Owner) -> None:
    _owners[:] = [owner]


def owner() -> Owner:
    return _owners[-1] if _owners else Nobody()


def described(games: Iterable[Belongs]) -> dict[UUID, dict[str, Any] | None]:
    """Return what the JSON of games that belong to something shows as `tournament`; the owner is asked once."""
    owned: dict[UUID, BelongsTo] = {game.id: game.belongs_to for game in games if game.belongs_to is not None}
    found = owner().describe(list(owned.values())) if owned else []
    return dict(zip(owned, found, strict=True))
