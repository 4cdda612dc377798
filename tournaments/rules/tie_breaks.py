"""The tie-breaks (ST2 to ST7). A new tie-break is a function and a line in `TIE_BREAKS`."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeAlias

from tournaments.rules import lots
from tournaments.rules.exact import exact_sum
from tournaments.rules.tally import Tally

Value: TypeAlias = Fraction | tuple[Fraction, ...] | str | None
"""An exact number, a list of them, or the lot's hex; None comes last, and if all are None nothing is split."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A value of an entrant or, `of_groups`, of all who are tied. `more` is better; None: unless they are penalties."""

    value: Callable[[Tally, Any], Any]
    more: bool | None = True
    of_groups: bool = False

    def values(self, tally: Tally, group: Sequence[str]) -> dict[str, Value]:
        if self.of_groups:
            return dict(self.value(tally, group))
        return {entrant: self.value(tally, entrant) for entrant in group}

    def more_is_better(self, tally: Tally) -> bool:
        return not tally.penalties if self.more is None else self.more


def wins(tally: Tally, entrant: str) -> Fraction:
    """ST2: kept games with place 1, a place shared by k counting 1/k."""
    shared_by = Counter(share.shared_by for _, share in tally.kept[entrant] if share.place == 1)
    return exact_sum(Fraction(times, players) for players, times in shared_by.items())


def countback(tally: Tally, entrant: str) -> tuple[Fraction, ...]:
    """ST5: how many firsts in kept games, how many seconds, and so on, without zeros at the end."""
    filled = Counter[tuple[int, int]]()
    for _, share in tally.kept[entrant]:
        if share.place is not None:
            filled[share.place, share.shared_by] += 1
    counts = [Fraction()] * max((place + shared_by - 1 for place, shared_by in filled), default=0)
    for (place, shared_by), times in filled.items():
        for at in range(place - 1, place + shared_by - 1):
            counts[at] += Fraction(times, shared_by)
    return tuple(counts)


def head_to_head(tally: Tally, group: Sequence[str]) -> dict[str, Value]:
    """ST3: an entrant's share of the meetings within the group; None for all if any two of the group never met."""
    members = set(group)
    half_wins = dict.fromkeys(group, 0)
    meetings = dict.fromkeys(group, 0)
    met = set[tuple[str, str]]()
    games = {game.id: game for entrant in group for game, _ in tally.counted[entrant]}
    for game in games.values():
        there = [share for share in game.present if share.entrant in members]
        for one, other in combinations(there, 2):
            met.add((min(one.entrant, other.entrant), max(one.entrant, other.entrant)))
            difference = (other.place or 0) - (one.place or 0)
            half_wins[one.entrant] += 1 + (difference > 0) - (difference < 0)
            half_wins[other.entrant] += 1 - (difference > 0) + (difference < 0)
            meetings[one.entrant] += 1
            meetings[other.entrant] += 1
    if len(met) < len(group) * (len(group) - 1) // 2:
        return dict.fromkeys(group)
    return {entrant: Fraction(half_wins[entrant], 2 * meetings[entrant]) for entrant in group}


def opponents_strength(tally: Tally, entrant: str) -> Fraction | None:
    """ST4: the mean of the opponents' points per game, each meeting counting once; without one, an average game's."""
    strengths: list[Fraction] = []
    for game, share in tally.counted[entrant]:
        if share.place is not None:
            strengths += [tally.average(other.entrant) for other in game.present if other is not share]
    if strengths:
        return exact_sum(strengths) / len(strengths)
    return None if tally.penalties else tally.average_game


def timeouts(tally: Tally, entrant: str) -> Fraction:
    """ST6: turns missed in kept games."""
    return Fraction(sum(share.timeouts for _, share in tally.kept[entrant]))


def lot(tally: Tally, entrant: str) -> str | None:
    """ST7: SHA-256 of `SEED/lot/ENTRANT` in hex; None, which decides nothing, before the seed is public."""
    return None if tally.seed is None else lots.lot(tally.seed, "lot", entrant)


TIE_BREAKS: dict[str, TieBreak] = {
    "opponents_strength": TieBreak(opponents_strength, more=None),
    "wins": TieBreak(wins),
    "head_to_head": TieBreak(head_to_head, of_groups=True),
    "countback": TieBreak(countback),
    "timeouts": TieBreak(timeouts, more=False),
    "lot": TieBreak(lot, more=False),
}
