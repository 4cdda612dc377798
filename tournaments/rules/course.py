"""How totals came about: what they were after each round, or after each part of a season."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from tournaments.rules.counting import counted_games, tally_of
from tournaments.rules.record import Record
from tournaments.rules.tally import Game


class Step(NamedTuple):
    """The totals after the round of this number, or after this number of a season's games; None without one (PT2)."""

    number: int
    totals: Sequence[Fraction | None]


def course(record: Record, entrants: Sequence[str], most: int) -> list[Step]:
    """The totals of some entrants before the first counted game and after each round, or after each part of a season.

    A season has at most `most` parts. What was voided never counts, and the last step has the totals of the standings.
    """
    if record.kind == "knockout":
        return []
    games = counted_games(record)
    parts = [(0, games[:0]), *_parts(record, games, most)]
    steps = [Step(number, _totals(record, played, entrants, number)) for number, played in parts[:-1]]
    return [*steps, Step(parts[-1][0], _totals(record, games, entrants))]


def _parts(record: Record, games: list[Game], most: int) -> list[tuple[int, list[Game]]]:
    """Return the games up to the end of each round that has one, or of each part of a season."""
    if record.kind == "season":
        each = max(1, -(-len(games) // most))
        ends = [*range(each, len(games), each), *([len(games)] if games else [])]
        return [(end, games[:end]) for end in ends]
    rounds = {game.id: record.results[game.id].round or 0 for game in games}
    return [(end, [game for game in games if rounds[game.id] <= end]) for end in sorted(set(rounds.values()))]


def _totals(
    record: Record, games: Sequence[Game], entrants: Sequence[str], upto: int | None = None
) -> list[Fraction | None]:
    """Return the totals by these games, the byes of the rounds `upto` one, and the adjustments made before the last.

    Without `upto`, all byes and adjustments are in them.
    """
    byes: dict[str, list[int]] = {entrant: [] for entrant in entrants}
    for number, seated in record.rounds.items():
        for entrant in seated.byes:
            if entrant in byes and (upto is None or number <= upto):
                byes[entrant].append(seated.line)
    if upto is not None:
        newest = max((game.line for game in games), default=0)
        record = replace(record, adjustments=tuple(one for one in record.adjustments if one.n < newest))
    totals = tally_of(record, games, byes).totals
    return [totals[entrant] for entrant in entrants]
