"""What can be read, and by whom: every way out of a game goes through here.

A viewer is a `Player`. What it may see of a game is a rules viewer: its seat, "public", or None (everything) once
the game is finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from games.models import Game, Player

Viewer = int | str | None


def game_for(player: Player, game_id: UUID, *, invitation: str | None = None) -> Game:
    """One game with its seats and their players loaded (two queries), if the player may see it.

    Raises:
        NotFound: none, or a private one of which the player is no member and the invitation is wrong.
        Forbidden: players_only (a game without spectators, once dealt).
    """
    raise NotImplementedError


def games_for(player: Player) -> QuerySet[Game]:
    """All games the player may find in a list (public ones and its own), seats and players loaded; in no order yet.

    Filter further with `status`, `game`; ``mine(queryset, player)`` keeps the player's own.
    """
    raise NotImplementedError


def mine(games: QuerySet[Game], player: Player) -> QuerySet[Game]:
    """Those of the games in which the player sits."""
    raise NotImplementedError


def turns_of(player: Player) -> QuerySet[Game]:
    """The games that wait for the player, most urgent first (the player's own deadline, then the longest waiting),
    seats and players loaded."""
    raise NotImplementedError


def viewer_of(game: Game, player: Player) -> Viewer:
    """As whom the player looks at the game: a seat, "public", or None (everything) once it is finished."""
    raise NotImplementedError


def view_of(game: Game, player: Player) -> dict[str, Any] | None:
    """CONTRACT's view for the player, or None before the deal. No query but where a snapshot is outdated."""
    raise NotImplementedError


def events_for(player: Player, game: Game, *, after: int = 0, limit: int | None = None) -> list[dict[str, Any]]:
    """The game's events from version `after` + 1 on, as CONTRACT's events in the player's view (`recorded_at` is a
    datetime)."""
    raise NotImplementedError


def redacted(player: Player, game: Game, events: Sequence[Any]) -> list[dict[str, Any]]:
    """Events at hand (of `Played`), as CONTRACT's events in the player's view. No query."""
    raise NotImplementedError


def history_view(player: Player, game: Game, version: int) -> Game:
    """The game as it was at a version: an unsaved `Game` whose seats are loaded, good for the same serializer and for
    `view_of`.

    Raises:
        NotFound: the game never had that version.
    """
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Legal:
    """A player's legal moves, or why there are none (``{"code", "detail"}``)."""

    version: int
    moves: list[dict[str, Any]]
    reason: dict[str, str] | None


def legal_moves(player: Player, game: Game) -> Legal:
    """What the player may do now, as CONTRACT lists it.

    Raises:
        Forbidden: not_a_player.
    """
    raise NotImplementedError


def record_of(player: Player, game: Game) -> dict[str, Any]:
    """The record (trey-record/1) of a finished game.

    Raises:
        Conflict: not_finished.
    """
    raise NotImplementedError


def rematch_of(player: Player, game: Game) -> UUID | None:
    """The room that was opened as this game's rematch and is not cancelled, if the player sits in the old game."""
    raise NotImplementedError
