"""The order of entrants: by total, then by the tie-breaks, each splitting the groups that are still tied (ST1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Literal, TypeAlias

from tournaments.rules.exact import exact_text
from tournaments.rules.record import Record
from tournaments.rules.tally import Tally
from tournaments.rules.tie_breaks import TIE_BREAKS, Value


@dataclass(frozen=True, slots=True)
class Group:
    """Entrants who share a place, the lower number first, and what set them apart from the group above (ST9)."""

    entrants: list[str]
    decided_by: str | None


@dataclass(frozen=True, slots=True)
class Order:
    """The groups, best first, and for each entrant the value of each tie-break (ST9)."""

    groups: list[Group]
    values: dict[str, dict[str, Value]]


def number(entrant: str) -> int:
    """The order of entry: 12 for e12."""
    return int(entrant[1:])


def order(
    tally: Tally,
    entrants: Iterable[str],
    tie_breaks: Sequence[str],
    *,
    placed: bool = True,
    seeds: Sequence[str] = (),
) -> Order:
    """Those without a place are not `placed`, and in no tied group (PT7); `seeds` decide what is left level (SG6)."""
    together = sorted(entrants, key=number)
    groups = _split(Group(together, None), "total", tally.totals, more_is_better=not tally.penalties)
    values: dict[str, dict[str, Value]] = {entrant: {} for entrant in together}
    for name in tie_breaks:
        tie_break = TIE_BREAKS[name]
        more_is_better = tie_break.more_is_better(tally)
        everybody = {} if tie_break.of_groups else tie_break.values(tally, together)
        after = []
        for group in groups:
            found = everybody
            if tie_break.of_groups:
                tied = placed and len(group.entrants) > 1
                found = tie_break.values(tally, group.entrants) if tied else dict.fromkeys(group.entrants)
            parts = _split(group, name, found, more_is_better=more_is_better)
            for entrant in group.entrants:
                # A tie-break that is named twice shows the value by which it decided.
                if name not in values[entrant] or len(parts) > 1:
                    values[entrant][name] = found[entrant]
            after += parts
        groups = after
    if seeds:
        rank = {entrant: at for at, entrant in enumerate(seeds)}
        groups = [part for group in groups for part in _split(group, "seed", rank, more_is_better=False)]
    return Order(groups, values)


def _split(group: Group, name: str, values: Mapping[str, Any], *, more_is_better: bool) -> list[Group]:
    """The group by values, the best first and None last; the order within stays."""
    if len(group.entrants) < 2:
        return [group]
    known = [entrant for entrant in group.entrants if values[entrant] is not None]
    known.sort(key=values.__getitem__, reverse=more_is_better)
    parts = [list(part) for _, part in groupby(known, key=values.__getitem__)]
    if len(known) < len(group.entrants):
        parts.append([entrant for entrant in group.entrants if values[entrant] is None])
    return [Group(part, name if at else group.decided_by) for at, part in enumerate(parts)]


Status: TypeAlias = Literal["in", "withdrawn", "out", "removed"]


@dataclass(frozen=True, slots=True)
class Row:
    """An entrant's row. Numbers are exact; `place` and `total` are None if the entrant has none (PT2, PT7, ST10)."""

    entrant: str
    name: str | None
    place: int | None
    total: Fraction | None
    games: int
    byes: int
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
