"""What a league knows of one player in one period: a fold of the results, in the league's order. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from tournaments.leagues.rating import Rating, rated

ENOUGH_OPPONENTS = 3
ALL = "all"


@dataclass(frozen=True, slots=True)
class Finisher:
    """One player of a result. `score` is the penalty total in games that have one."""

    player: UUID
    place: int
    score: int | None = None
    lost_on_time: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """A rated game as its league counts it; `number` is its place in the league's order."""

    number: int
    game_id: UUID
    finished_at: datetime
    rounds: int | None
    players: tuple[Finisher, ...]

    @property
    def periods(self) -> tuple[str, str, str]:
        """The periods in which it counts, in UTC (RA5): all, its year, its month."""
        return ALL, f"{self.finished_at:%Y}", f"{self.finished_at:%Y-%m}"


@dataclass(slots=True)
class Tally:
    """One player's results in a period, added up.

    `beaten` is the sum of the shares of opponents beaten (PT1). `streak` counts the first places in a row up to now,
    `best_streak` the most there ever were. `opponents` holds the first three different ones, which is all that RA2
    asks. `reached` holds for each board its score and the number of the result that brought it there.
    """

    rating: Rating = field(default_factory=Rating)
    games: int = 0
    wins: int = 0
    beaten: Fraction = Fraction(0)
    streak: int = 0
    best_streak: int = 0
    penalty: int = 0
    rounds: int = 0
    lost_on_time: int = 0
    opponents: tuple[UUID, ...] = ()
    last_at: datetime | None = None
    reached: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def mean_beaten(self) -> Fraction:
        """The mean share of opponents beaten."""
        return self.beaten / self.games if self.games else Fraction(0)

    @property
    def mean_penalty(self) -> Fraction | None:
        """Penalty points per round; None without a scored round."""
        return Fraction(self.penalty, self.rounds) if self.rounds else None

    def add(self, result: Result, finisher: Finisher, rating: Rating) -> None:
        """Count one result; `rating` is the player's after it."""
        others = [other for other in result.players if other.player != finisher.player]
        self.rating = rating
        self.games += 1
        self.beaten += share_beaten(finisher.place, [other.place for other in others])
        won = finisher.place == 1
        self.wins += won
        self.streak = self.streak + 1 if won else 0
        self.best_streak = max(self.best_streak, self.streak)
        if result.rounds and finisher.score is not None:
            self.penalty += finisher.score
            self.rounds += result.rounds
        self.lost_on_time += finisher.lost_on_time
        if len(self.opponents) < ENOUGH_OPPONENTS:
            new = sorted(other.player for other in others if other.player not in self.opponents)
            self.opponents = (*self.opponents, *new)[:ENOUGH_OPPONENTS]
        self.last_at = max(self.last_at, result.finished_at) if self.last_at else result.finished_at


def share_beaten(place: int, others: Sequence[int]) -> Fraction:
    """The share of opponents beaten, those on the same place counting half (PT1)."""
    beaten = sum(2 * (other > place) + (other == place) for other in others)
    return Fraction(beaten, 2 * len(others))


def ratings_after(result: Result, tallies: dict[UUID, Tally]) -> dict[UUID, Rating]:
    """The ratings of a result's players after it, from their tallies of one period."""
    return rated({one.player: (one.place, tallies[one.player].rating) for one in result.players})
