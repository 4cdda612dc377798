"""The lobby: sitting down, leaving, starting, calling it off."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from games.models import Game, Player


def join(
    game_id: UUID,
    player: Player,
    *,
    invitation: str | None = None,
    salt: str | None = None,
    now: datetime | None = None,
) -> Game:
    """Sit down in an open room, in the next seat.

    Raises:
        NotFound: no such room, or a private one and the invitation is wrong.
        Conflict: room_full, already_joined, already_started, game_cancelled, game_over.
        Invalid: a salt that is none.
    """
    raise NotImplementedError


def leave(game_id: UUID, player: Player, *, now: datetime | None = None) -> Game:
    """Leave an open room: those behind move up, the opener's part passes to the next, an empty room is cancelled.

    Raises:
        NotFound, Forbidden (not_a_player), Conflict (already_started: resign instead; game_cancelled, game_over).
    """
    raise NotImplementedError


def kick(game_id: UUID, player: Player, seat: int, *, now: datetime | None = None) -> Game:
    """The opener sends somebody else out of an open room, by seat.

    Raises:
        NotFound, Forbidden (not_a_player, not_the_opener), Invalid (seat), Conflict as `leave`.
    """
    raise NotImplementedError


def start(game_id: UUID, player: Player, *, now: datetime | None = None) -> Game:
    """The opener starts the game with those who are there: the dealer is drawn by lot and the cards are dealt.

    Raises:
        NotFound, Forbidden (not_a_player, not_the_opener), Conflict (already_started, too_few_players,
        game_cancelled, game_over), Invalid (options that do not go with so many seats).
    """
    raise NotImplementedError


def cancel(game_id: UUID, player: Player, *, now: datetime | None = None) -> Game:
    """Call a game off. An open room: the opener's call. A running game: the caller's agreement, and it is cancelled
    once all people still in it agree (one's agreement lapses with one's next move).

    Raises:
        NotFound, Forbidden (not_a_player, not_the_opener), Conflict (game_cancelled, game_over).
    """
    raise NotImplementedError


def rematch(game_id: UUID, player: Player, *, salt: str | None = None, now: datetime | None = None) -> Game:
    """The next game among the same people: a new room with the same settings. The first to ask opens it, the others
    who ask sit down in it. Answers the new room; ``rematch_of`` links it to the old one.

    Raises:
        NotFound, Forbidden (not_a_player), Conflict (not_finished; room_full, already_started ... of the new room).
    """
    raise NotImplementedError
