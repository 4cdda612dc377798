"""The order of entrants: by total, then by the tie-breaks, each splitting the groups that are still tied (ST1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from tournaments.rules.tally import Tally
from tournaments.rules.tie_breaks import TIE_BREAKS, TieBreak, Value


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
    """The order of some entrants. Those without a place are not `placed`: they belong to no tied group (PT7).

    `seeds`, the best first, decide what the tie-breaks leave level (SG6).
    """
    together = sorted(entrants, key=number)
    groups = _split(Group(together, None), "total", tally.totals, more_is_better=not tally.penalties)
    values: dict[str, dict[str, Value]] = {entrant: {} for entrant in together}
    for name in tie_breaks:
        tie_break = TIE_BREAKS[name]
        more_is_better = tie_break.more_is_better(tally)
        everybody = {} if tie_break.of_groups else tie_break.values(tally, together)
        after = []
        for group in groups:
            found = _of_group(tie_break, tally, group, placed=placed) if tie_break.of_groups else everybody
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


def _of_group(tie_break: TieBreak, tally: Tally, group: Group, *, placed: bool) -> Mapping[str, Value]:
    tied = placed and len(group.entrants) > 1
    return tie_break.values(tally, group.entrants) if tied else dict.fromkeys(group.entrants)


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
