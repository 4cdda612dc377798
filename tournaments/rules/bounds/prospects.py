"""The totals that an entrant can still have: from its open games, and from rounds not yet seated (BO3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from tournaments.rules.counting import bye_worth
from tournaments.rules.exact import exact_sum
from tournaments.rules.points import SCHEMES
from tournaments.rules.record import Record
from tournaments.rules.tally import Tally

Gains = Iterable[tuple[Fraction, int]]
"""Points of games to come, each with the number of games."""


@dataclass(frozen=True, slots=True)
class Further:
    """The points from rounds not yet seated: the number of games or byes, and the least and the most that one gives."""

    games: int
    least: Fraction
    """At most 0, since a round can be missed."""
    most: Fraction


NOTHING = Further(0, Fraction(), Fraction())


@dataclass(frozen=True, slots=True)
class Prospect:
    """An entrant's total as it stands, ready to have games added. With `best` only the best ones are kept (PT4)."""

    fixed: Fraction
    """Adjustments, and without `best` all games and byes."""
    items: tuple[Fraction, ...]
    """With `best` the points of the kept games and byes; else empty."""
    best: int | None

    def total(self, gains: Gains) -> Fraction:
        """The total with these games added."""
        return self.lowest(gains, NOTHING)

    def lowest(self, gains: Gains, further: Further) -> Fraction:
        """The lowest total with these games and anything that further rounds can give."""
        if self.best is None:
            worth = exact_sum(points * games for points, games in gains)
            return self.fixed + worth + further.games * further.least
        items = self._with(gains)
        # Points below 0 are kept only where there is room for them.
        room = max(self.best - len(items), 0)
        return self.fixed + exact_sum(items[: self.best]) + min(further.games, room) * further.least

    def highest(self, gains: Gains, further: Further) -> Fraction:
        """The highest total with these games and anything that further rounds can give."""
        return self.total([*gains, (further.most, further.games)])

    def _with(self, gains: Gains) -> list[Fraction]:
        items = list(self.items)
        for points, games in gains:
            items += [points] * min(games, self.best or 0)
        return sorted(items, reverse=True)


def prospect(record: Record, counts: Tally, entrant: str) -> Prospect:
    """The entrant's prospect as of the record's last line."""
    settings = record.settings
    if settings.best is None:
        return Prospect(counts.totals[entrant] or Fraction(), (), None)
    played = [share.points for _, share in counts.counted[entrant]]
    byes = [bye_worth(settings)] * min(counts.byes[entrant] * settings.games_per_table, settings.best)
    items = sorted([*played, *byes], reverse=True)[: settings.best]
    return Prospect(counts.adjusted[entrant], tuple(items), settings.best)


def further(record: Record) -> Further | None:
    """Return what the rounds not yet seated can give, or None where the number of rounds is not set."""
    settings, to_come = record.settings, record.rounds_to_come
    if to_come is None:
        return None
    if record.finished:
        return NOTHING
    least, most = SCHEMES[settings.scheme].least_and_most(settings.tables.max, settings.list)
    bye = bye_worth(settings)
    return Further(
        to_come * settings.games_per_table,
        min(least, bye, Fraction()),
        max(most, bye, Fraction()),
    )
