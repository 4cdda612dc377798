"""The entrants in a season's room: its rows name players and bots, not entrants (SN1)."""

from collections.abc import Callable, Sequence
from uuid import UUID


def entrants_by_seat(
    players: Sequence[UUID | None], bots: Sequence[str], entrant_of: Callable[[UUID], str | None]
) -> list[str | None]:
    """The entrant in each seat, or None where no entrant of the season sits.

    `players` are the accounts by seat, None for a bot. `bots` are the room's entrants that are bots, in the order of
    their seats. `entrant_of` gives the entrant that a player plays or played for.
    """
    left = list(bots)
    return [(left.pop(0) if left else None) if player is None else entrant_of(player) for player in players]
