"""Tie-breaks by meetings: head_to_head (ST3) and opponents_strength (ST4)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from tournaments.rules.exact import exact_sum
from tournaments.rules.tally import Tally
from tournaments.rules.tie_breaks.tie_break import Value


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
