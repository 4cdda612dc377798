"""The rights to know of a game, and to look at it."""

import hmac
from collections.abc import Mapping
from typing import Any, Protocol

from core.accounts.models import Player
from games import belonging
from games.models import Game
from games.rules import GAMES


class Room(Protocol):
    """The facts of a room on which access to it depends."""

    @property
    def game(self) -> str:
        """The game that is played, a key of GAMES."""

    @property
    def dealt(self) -> bool:
        """True if cards were dealt."""

    @property
    def belongs_to(self) -> Mapping[str, Any] | None:
        """The tournament and table it belongs to."""

    @property
    def visibility(self) -> str:
        """`public` or `private`."""

    @property
    def invitation(self) -> str | None:
        """The code that lets people into a private room."""

    def seat_of(self, player: Player | None) -> int | None:
        """Return the seat of a player, or None."""


def may_know(game: Room, player: Player | None, invitation: object = None) -> bool:
    """Return whether the player (None: anybody) may know of the room: it is public, theirs, or they are invited."""
    if game.visibility == Game.Visibility.PUBLIC or game.seat_of(player) is not None:
        return True
    if game.belongs_to is not None and belonging.owner().may_know(game.belongs_to, player):
        return True
    if not isinstance(invitation, str) or game.invitation is None:
        return False
    return hmac.compare_digest(_code(invitation), _code(game.invitation))


def may_watch(game: Room, player: Player | None) -> bool:
    """Return whether the player may see the table: without spectators, only players may once cards are dealt."""
    if GAMES[game.game].spectators or not game.dealt or game.seat_of(player) is not None:
        return True
    return game.belongs_to is not None and belonging.owner().may_watch(game.belongs_to, player)


def _code(invitation: str) -> bytes:
    return invitation.strip().upper().encode("utf-8", "replace")
