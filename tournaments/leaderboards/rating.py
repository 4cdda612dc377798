"""Ratings: openskill's Plackett-Luce, with the order of players and the rounding fixed (RA2).

The last bits of the model depend on the order in which players are handed in, so they come in order of place, then
player id; and mu and sigma are rounded to six decimals, stored so, and used as stored. The same results therefore give
the same ratings everywhere.

Source: Weng and Lin, A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), algorithm 4.
"""

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from openskill.models import PlackettLuce

DECIMALS = 6
_MODEL = PlackettLuce()


class Rating(NamedTuple):
    """The estimate of a player's strength: mean and standard deviation, rounded to six decimals."""

    mu: float = 25.0
    sigma: float = round(25 / 3, DECIMALS)

    @property
    def shown(self) -> int:
        """The rating as people see it: a newcomer has 1500."""
        return round(1500 + 24 * (self.mu - 25))

    @property
    def deviation(self) -> int:
        """The deviation as people see it: a newcomer has 400."""
        return round(48 * self.sigma)


def rated(players: Mapping[UUID, tuple[int, Rating]]) -> dict[UUID, Rating]:
    """Return the ratings after a game, from each player's place (1 is best; shared places are equal) and rating."""
    order = sorted(players, key=lambda player: (players[player][0], player))
    teams = [[_MODEL.create_rating([players[player][1].mu, players[player][1].sigma])] for player in order]
    after = _MODEL.rate(teams, ranks=[players[player][0] for player in order])
    return {
        player: Rating(round(team[0].mu, DECIMALS), round(team[0].sigma, DECIMALS))
        for player, team in zip(order, after, strict=True)
    }
