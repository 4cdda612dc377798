"""The interface of a tie-break: a value for each entrant, and which value comes first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tournaments.rules.tally import Tally

Value: TypeAlias = Fraction | tuple[Fraction, ...] | str | None
"""An exact number, a list of them, or the lot's hex; None comes last, and if all are None nothing is split."""

OfEntrant: TypeAlias = Callable[[Tally, str], Value]
OfGroup: TypeAlias = Callable[[Tally, Sequence[str]], dict[str, Value]]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """Values for a group of entrants who are tied. `of_groups`: a value has a meaning within its group only."""

    values: OfGroup
    more_is_better: Callable[[Tally], bool]
    of_groups: bool = False


def more(value: OfEntrant) -> TieBreak:
    """A tie-break of which more is better."""
    return TieBreak(_each(value), lambda _: True)


def less(value: OfEntrant) -> TieBreak:
    """A tie-break of which less is better."""
    return TieBreak(_each(value), lambda _: False)


def like_points(value: OfEntrant) -> TieBreak:
    """A tie-break made of points: more is better, unless they are penalties."""
    return TieBreak(_each(value), lambda tally: not tally.penalties)


def in_group(values: OfGroup) -> TieBreak:
    """A tie-break among those who are tied; more is better."""
    return TieBreak(values, lambda _: True, of_groups=True)


def _each(value: OfEntrant) -> OfGroup:
    return lambda tally, group: {entrant: value(tally, entrant) for entrant in group}
