"""A row of the standings."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from tournaments.rules.exact import exact_text
from tournaments.rules.record import Record
from tournaments.rules.tally import Tally
from tournaments.rules.tie_breaks import Value

Status: TypeAlias = Literal["in", "withdrawn", "out", "removed"]


@dataclass(frozen=True, slots=True)
class Row:
    """An entrant's row. Numbers are exact; `place` and `total` are None if the entrant has none (PT2, PT7, ST10)."""

    entrant: str
    name: str | None
    place: int | None
    total: Fraction | None
    games: int
    """Its counted games."""
    byes: int
    """Its byes, kept or not."""
    adjusted: Fraction
    kept: tuple[str, ...]
    """The ids of its kept games, in the order of lines."""
    tie_breaks: Mapping[str, Value]
    decided_by: str | None
    """The criterion between it and the row above: `total` or a tie-break; None for a shared place or the first row."""
    status: Status
    stage: int | None = None
    """The last stage that it is in; None in a tournament of a kind (SG7)."""

    def as_json(self) -> dict[str, Any]:
        stage = {} if self.stage is None else {"stage": self.stage}
        return {
            "entrant": self.entrant,
            "name": self.name,
            "place": self.place,
            "total": None if self.total is None else exact_text(self.total),
            "games": self.games,
            "byes": self.byes,
            "adjusted": exact_text(self.adjusted),
            "kept": list(self.kept),
            "tie_breaks": {name: _value(value) for name, value in self.tie_breaks.items()},
            "decided_by": self.decided_by,
            "status": self.status,
            **stage,
        }


def row(
    record: Record,
    tally: Tally,
    entrant: str,
    *,
    values: Mapping[str, Value],
    place: int | None,
    decided_by: str | None = None,
) -> Row:
    """An entrant's row with the entrant's own status, which a knockout refines."""
    who = record.entrants[entrant]
    return Row(
        entrant=entrant,
        name=who.name,
        place=place,
        total=tally.totals[entrant],
        games=len(tally.counted[entrant]),
        byes=tally.byes[entrant],
        adjusted=tally.adjusted[entrant],
        kept=tuple(game.id for game, _ in tally.kept[entrant]),
        tie_breaks=values,
        decided_by=decided_by,
        status="removed" if who.removed else "withdrawn" if who.withdrawn else "in",
        stage=record.stage if record.stages else None,
    )


def _value(value: Value) -> str | list[str] | None:
    if isinstance(value, tuple):
        return [exact_text(number) for number in value]
    return exact_text(value) if isinstance(value, Fraction) else value
