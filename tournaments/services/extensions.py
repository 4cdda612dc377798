"""Recording the time that an organiser added to a turn of a running game."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from core import log
from games.selectors import row_of
from tournaments.services.commands import Done, carry_out
from tournaments.stream import By, Fact, Tournament, rulings


def record_extension(tournament_id: UUID, said: Mapping[str, Any], *, now: datetime) -> Done[None]:
    """Record an extension that the game has accepted. `said` has the game, seat, entrant, reason and `by`."""
    row = row_of(UUID(said["game"]))
    seat = row.seat_rows()[said["seat"]] if row is not None else None
    until = seat.due_at if seat is not None and seat.due_at is not None else now

    def decide(t: Tournament) -> tuple[None, Sequence[Fact]]:
        if t.is_over:
            return None, ()
        by = By(UUID(said["by"]), staff=True)
        return None, rulings.extend_turn(t, by, said["game"], said["entrant"], until=until, reason=said["reason"])

    return carry_out(tournament_id, decide, actor=log.Actor("organiser", said["by"]), reason=said["reason"], now=now)
