"""The counted games of a tournament, entrant by entrant: those kept, and their points."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from tournaments.rules.exact import exact_sum


@dataclass(frozen=True, slots=True)
class Share:
    """A counted game of one of its entrants."""

    entrant: str
    points: Fraction
    place: int | None
    """The place among those who were there; None for the absent (PT8)."""
    shared_by: int
    """The number of players who have this place; 0 for the absent."""
    timeouts: int


@dataclass(frozen=True, slots=True)
class Game:
    """A counted game. `line` is its result's line, `rounds` how many were scored, in Three Thirteen."""

    id: str
    line: int
    rounds: int | None
    shares: tuple[Share, ...]

    @property
    def present(self) -> list[Share]:
        """The shares of those who were there, who count as opponents (PT8)."""
        return [share for share in self.shares if share.place is not None]


Played = tuple[Game, Share]
"""A counted game with the share of the entrant in question."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The counted games of a tournament, or of one table of a knockout."""

    games: tuple[Game, ...]
    """In the order of lines."""
    counted: Mapping[str, list[Played]]
    """The counted games of everybody who played in one, in the order of lines."""
    kept: Mapping[str, list[Played]]
    """Those counted games that its total is made of (PT4)."""
    totals: Mapping[str, Fraction | None]
    """Each entrant's total (PT2); None under *score* for an entrant without a kept game."""
    byes: Mapping[str, int]
    """The number of each entrant's byes, kept or not."""
    adjusted: Mapping[str, Fraction]
    average_game: Fraction
    """The points of an average game (PT3)."""
    penalties: bool
    """True if points are penalties: lower is better."""
    seed: str | None
    """The seed from which lots are drawn, once it is public (ST7)."""
    _averages: dict[str, Fraction] = field(default_factory=dict, repr=False, compare=False)

    def average(self, entrant: str) -> Fraction:
        """The entrant's points per game over all its counted games, or penalties per round; 0 without one."""
        if entrant not in self._averages:
            played = self.counted[entrant]
            games = sum(game.rounds or 0 for game, _ in played) if self.penalties else len(played)
            self._averages[entrant] = exact_sum(share.points for _, share in played) / max(games, 1)
        return self._averages[entrant]
