"""Whose turn it is at a table (TU1). A turn's name has the version with which it began, which the seat's duty knows."""

from dataclasses import dataclass
from uuid import UUID

from games.projections import Duty, Snapshot


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a seat, at a table as it is now."""

    game: Snapshot
    seat: int
    version: int

    @property
    def name(self) -> str:
        """The turn's name."""
        return f"turn:{self.game.id}:{self.seat}:{self.version}"

    @property
    def owner(self) -> UUID | None:
        """The player who is told of it: None while a bot plays."""
        seat = self.game.players[self.seat]
        return None if seat.bot is not None else seat.player

    @property
    def duty(self) -> Duty:
        """The seat's present duty. Raises LookupError: it has none."""
        duty = self.game.players[self.seat].duty
        if duty is None:
            raise LookupError(f"{self.name} is over")
        return duty

    @property
    def still_runs(self) -> bool:
        """Whether it runs at the version of the snapshot."""
        duty = self.game.players[self.seat].duty
        return duty is not None and duty.turn == self.version


def turn_at(game: Snapshot, seat: int) -> Turn | None:
    """The turn of a seat, if it has to act."""
    duty = game.players[seat].duty
    return Turn(game, seat, duty.turn) if duty is not None else None


def turn_of(game: Snapshot, player_id: UUID) -> Turn | None:
    """The turn of a player who plays for themselves."""
    seats = (index for index, seat in enumerate(game.players) if seat.player == player_id and seat.bot is None)
    return next((turn for index in seats if (turn := turn_at(game, index)) is not None), None)


def people(game: Snapshot) -> tuple[UUID, ...]:
    """The players who sit there, those for whom a bot plays included."""
    return tuple(seat.player for seat in game.players if seat.player is not None)
