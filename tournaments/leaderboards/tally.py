"""One player's totals in one period: a fold of the results, in the league's order.

Ratings are openskill's Plackett-Luce, with the order of players and the rounding fixed (RA2). The last bits of the
model depend on the order in which players are handed in, so they come in order of place, then player id; and mu and
sigma are rounded to six decimals, stored so, and used as stored. The same results give the same ratings everywhere.

Source: Weng and Lin, A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), algorithm 4.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple
from uuid import UUID

from openskill.models import PlackettLuce

DECIMALS = 6
_MODEL = PlackettLuce()


class Rating(NamedTuple):
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


ENOUGH_OPPONENTS = 3
ALL = "all"
# The unit of shares of opponents beaten: exact for up to 32 players, and integers are fast.
SHARE = 2 * lcm(*range(1, 32))


@dataclass(frozen=True, slots=True)
class Finisher:
    """One player of a result. `score` is the penalty total in games that have one; `never_came`: rated for itself."""

    player: UUID
    place: int
    score: int | None = None
    lost_on_time: bool = False
    never_came: bool = False


@dataclass(frozen=True)
class Result:
    """A rated game as its league counts it; `number` is its place in the league's order."""

    number: int
    game_id: UUID
    finished_at: datetime
    rounds: int | None
    players: tuple[Finisher, ...]

    @cached_property
    def periods(self) -> tuple[str, str, str]:
        """The periods in which it counts, in UTC (RA5): all, its year, its month."""
        return ALL, f"{self.finished_at:%Y}", f"{self.finished_at:%Y-%m}"

    @cached_property
    def came(self) -> tuple[Finisher, ...]:
        """Those for whom it is a game without the seats that never came (RA1)."""
        return tuple(one for one in self.players if not one.never_came)

    @cached_property
    def counted(self) -> tuple[Finisher, ...]:
        """Those for whom it is a game: of those who came, at least two."""
        return tuple(one for one in self.players if one.never_came or len(self.came) > 1)

    @cached_property
    def places(self) -> dict[UUID, int]:
        """Each player's place: among those who came; those who did not share the last."""
        places = [one.place for one in self.came]
        return {
            one.player: 1 + (len(places) if one.never_came else sum(place < one.place for place in places))
            for one in self.players
        }

    def others(self, finisher: Finisher) -> tuple[Finisher, ...]:
        return self.players if finisher.never_came else self.came

    @cached_property
    def beaten(self) -> dict[UUID, int]:
        """For each player the share of opponents beaten, those on the same place counting half, in 1/SHARE (PT1)."""
        places = [one.place for one in self.came]
        each = SHARE // (2 * max(len(places) - 1, 1))
        return {
            one.player: 0
            if one.never_came
            else each * (2 * sum(place > one.place for place in places) + places.count(one.place) - 1)
            for one in self.players
        }


@dataclass(slots=True)
class Tally:
    """One player's totals in a period.

    `beaten` is the sum of the shares of opponents beaten, in 1/SHARE. `streak` is the present run of first places,
    `best_streak` the longest ever. `opponents` holds the first three different ones, which is all that RA2 needs.
    `reached` holds for each board its score and the number of the result that brought it there.
    """

    rating: Rating = field(default_factory=Rating)
    games: int = 0
    wins: int = 0
    beaten: int = 0
    streak: int = 0
    best_streak: int = 0
    penalty: int = 0
    rounds: int = 0
    lost_on_time: int = 0
    never_came: int = 0
    opponents: tuple[UUID, ...] = ()
    last_at: datetime | None = None
    reached: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def mean_beaten(self) -> Fraction:
        return Fraction(self.beaten, SHARE * self.games) if self.games else Fraction(0)

    @property
    def mean_penalty(self) -> Fraction | None:
        """Penalty points per round; None without a scored round."""
        return Fraction(self.penalty, self.rounds) if self.rounds else None

    def add(self, result: Result, finisher: Finisher, rating: Rating) -> None:
        self.rating = rating
        self.games += 1
        self.beaten += result.beaten[finisher.player]
        won = result.places[finisher.player] == 1
        self.wins += won
        self.streak = self.streak + 1 if won else 0
        self.best_streak = max(self.best_streak, self.streak)
        if result.rounds and finisher.score is not None:
            self.penalty += finisher.score
            self.rounds += result.rounds
        self.lost_on_time += finisher.lost_on_time and not finisher.never_came
        self.never_came += finisher.never_came
        if len(self.opponents) < ENOUGH_OPPONENTS:
            known = {finisher.player, *self.opponents}
            new = sorted(other.player for other in result.others(finisher) if other.player not in known)
            self.opponents = (*self.opponents, *new)[:ENOUGH_OPPONENTS]
        self.last_at = max(self.last_at, result.finished_at) if self.last_at else result.finished_at


def ratings_after(result: Result, before: dict[UUID, Rating]) -> dict[UUID, Rating]:
    """The ratings of a result's players after it, from those before it.

    Those who never came have what the whole game makes of theirs, the others what it makes without these (RA1).
    """
    whole = rated({one.player: (result.places[one.player], before[one.player]) for one in result.players})
    if len(result.came) == len(result.players):
        return whole
    came = {one.player: (result.places[one.player], before[one.player]) for one in result.came}
    return whole | (rated(came) if len(came) > 1 else {})
