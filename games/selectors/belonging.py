"""Games that belong to something else: a tournament. The games do not know what that is; their owner registers here.

A game's `belongs_to` is `{"tournament": id, "stage", "round", "table", "number"}`; a season's room has no round.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from core.accounts.models import Player
from core.refusals import Refused
from games.models import Game
from games.projections import Snapshot

BelongsTo = Mapping[str, Any]


class Owner:
    """The questions that games ask their owner. The answers here are those where nobody has registered."""

    def describe(self, games: Sequence[BelongsTo]) -> list[dict[str, Any] | None]:
        """Return what the JSON of each game shows as `tournament`: `{"id", "title", "round", "table", "number"}`."""
        return [None] * len(games)

    def where(self, belongs_to: BelongsTo) -> str:  # noqa: ARG002  an owner's
        """Return in words where at its owner's a game is played: "round 2, table 1"; empty where nobody says."""
        return ""

    def admit(self, belongs_to: BelongsTo, game_id: UUID, player: Player) -> str | None:  # noqa: ARG002  an owner's
        """The player's salt in a room that the owner has, or None to have one drawn.

        Raises Forbidden where the player may not sit down there.
        """
        return None

    def may_know(self, belongs_to: BelongsTo, player: Player | None) -> bool:  # noqa: ARG002  an owner's
        """Return whether the player may know of a private room without its invitation."""
        return False

    def may_watch(self, belongs_to: BelongsTo, player: Player | None) -> bool:  # noqa: ARG002  an owner's
        """Return whether the player may see what the public would see of a game without spectators (LI7)."""
        return False

    def door(self, belongs_to: BelongsTo, player: Player) -> str | None:  # noqa: ARG002  an owner's
        """The path by which others come in, if the player may hand it on."""
        return None

    def organised_by(self, player: Player) -> Collection[UUID]:  # noqa: ARG002  an owner's
        return ()

    def organisers(self, belongs_to: BelongsTo) -> Collection[UUID]:  # noqa: ARG002  an owner's
        """The organisers, who read what is said at the owner's tables."""
        return ()


_owners: list[Owner] = []


def register(owner: Owner) -> None:
    _owners[:] = [owner]


def owner() -> Owner:
    return _owners[-1] if _owners else Owner()


def described(games: Iterable[Game | Snapshot]) -> dict[UUID, dict[str, Any] | None]:
    """Return what the JSON of games that belong to something shows as `tournament`; the owner is asked once."""
    owned: dict[UUID, BelongsTo] = {game.id: game.belongs_to for game in games if game.belongs_to is not None}
    found = owner().describe(list(owned.values())) if owned else []
    return dict(zip(owned, found, strict=True))


def admits(game: Snapshot, player: Player) -> bool:
    """Return whether the player may take a free seat, as far as the owner is concerned."""
    try:
        if game.belongs_to is not None:
            owner().admit(game.belongs_to, game.id, player)
    except Refused:
        return False
    return True


def where(game: Game | Snapshot) -> str:
    return owner().where(game.belongs_to) if game.belongs_to is not None else ""
