"""What the totals of all entrants can become, and how many entrants can be above or level with a total."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TypeAlias

from tournaments.rules.bounds.outcomes import Handouts, Outcomes, outcomes
from tournaments.rules.bounds.prospects import Further, Prospect, prospect
from tournaments.rules.counting import placed, tally
from tournaments.rules.points import SCHEMES
from tournaments.rules.record import Record, Seat
from tournaments.rules.tally import Tally

Span: TypeAlias = tuple[int, int]
"""The best and the worst place."""

LARGEST_WEIGHED = 8
"""Up to this size, the outcomes of a table are considered together; at a larger table, each player's points alone."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table with one open game whose entrants sit at no other open one."""

    entrants: tuple[str, ...]
    """Those with a place; a removed entrant plays, but is passed over."""
    outcomes: Outcomes


@dataclass(frozen=True, slots=True)
class Field:
    """Everybody with a place, and the games that are open."""

    prospects: Mapping[str, Prospect]
    tables: Mapping[str, OpenTable]
    """By entrant, for tables whose outcomes are considered together."""
    loose: Mapping[str, list[tuple[int, int]]]
    """By entrant, its other open games that will count: players of the table, and how many games."""
    needs: Mapping[str, int]
    """The entrants with exactly one open game, and how many play in it (BO4)."""
    least_and_most: Callable[[int], tuple[Fraction, Fraction]]
    by_place: Callable[[int, int], Fraction]
    """Returns the points of an unshared place in a game of that many players."""


def read_field(record: Record, among: Collection[str] | None = None) -> Field:
    """The field as of the record's last line: all with a place, or those `among` them."""
    counts = tally(record)
    seats = {
        (seated.number, number): table
        for seated in record.rounds.values()
        for number, table in enumerate(seated.tables, 1)
    }
    with_place = placed(record, counts)
    if among is not None:
        with_place &= set(among)
    counting = _counting(record, counts, seats)
    at = Counter(entrant for seat in counting for entrant in seats[seat])
    scheme, numbers = SCHEMES[record.settings.scheme], record.settings.list
    tables: dict[str, OpenTable] = {}
    loose = defaultdict[str, list[tuple[int, int]]](list)
    for seat, games in counting.items():
        entrants = seats[seat]
        if games == 1 and len(entrants) <= LARGEST_WEIGHED and all(at[entrant] == 1 for entrant in entrants):
            present = tuple(entrant for entrant in entrants if entrant in with_place)
            table = OpenTable(present, outcomes(scheme, len(entrants), numbers))
            tables |= dict.fromkeys(present, table)
        else:
            for entrant in entrants:
                loose[entrant].append((len(entrants), games))
    return Field(
        prospects={entrant: prospect(record, counts, entrant) for entrant in record.entrants if entrant in with_place},
        tables=tables,
        loose=loose,
        needs=_needs(record, seats),
        least_and_most=lambda players: scheme.least_and_most(players, numbers),
        by_place=lambda place, players: scheme.points(tuple(range(1, players + 1)), numbers)[place - 1],
    )


def _counting(record: Record, counts: Tally, seats: Mapping[Seat, tuple[str, ...]]) -> dict[Seat, int]:
    """The open games that will count of each table that has any (PT5)."""
    met = Counter(frozenset(share.entrant for share in game.shares) for game in counts.games)
    limit = record.settings.same_table
    found = {}
    for seat, entrants in seats.items():
        games = record.open_games(seat)
        if limit is not None:
            games = min(games, max(limit - met[frozenset(entrants)], 0))
            met[frozenset(entrants)] += games
        if games:
            found[seat] = games
    return found


def _needs(record: Record, seats: Mapping[Seat, tuple[str, ...]]) -> dict[str, int]:
    games, players = Counter[str](), {}
    for seat, entrants in seats.items():
        if still_open := record.open_games(seat):
            for entrant in entrants:
                games[entrant] += still_open
                players[entrant] = len(entrants)
    return {entrant: players[entrant] for entrant, count in games.items() if count == 1}


class _Steps:
    """A sum of counts, each of which falls in steps as a total rises."""

    def __init__(self) -> None:
        self._first = 0
        self._changes = Counter[Fraction]()

    def add(self, first: int, steps: Iterable[tuple[Fraction, int]]) -> None:
        """Adds a count: `first` below all steps, and from each step on the number given with it."""
        self._first += first
        for at, count in steps:
            self._changes[at] += count - first
            first = count

    def done(self) -> "_Count":
        at = sorted(self._changes)
        return _Count(at, list(accumulate((self._changes[step] for step in at), initial=self._first)))


@dataclass(frozen=True, slots=True)
class _Count:
    steps: list[Fraction]
    counts: list[int]

    def after(self, total: Fraction) -> int:
        """The count at a total, the step at this total included."""
        return self.counts[bisect_right(self.steps, total)]

    def before(self, total: Fraction) -> int:
        """The count at a total, the step at this total left out."""
        return self.counts[bisect_left(self.steps, total)]


class View:
    """Everybody's lowest and highest total after the open games and further rounds."""

    def __init__(self, field: Field, further: Further) -> None:
        self.field = field
        self.low: dict[str, list[Fraction]] = {}
        """By level of the points in the one open game at the entrant's table; else one total."""
        self.high: dict[str, list[Fraction]] = {}
        for entrant, own in field.prospects.items():
            if entrant in field.tables:
                gains = [[(points, 1)] for points in field.tables[entrant].outcomes.values]
                self.low[entrant] = [own.lowest(gain, further) for gain in gains]
                self.high[entrant] = [own.highest(gain, further) for gain in gains]
            else:
                games = [(*field.least_and_most(players), count) for players, count in field.loose.get(entrant, ())]
                self.low[entrant] = [own.lowest([(least, count) for least, _, count in games], further)]
                self.high[entrant] = [own.highest([(most, count) for _, most, count in games], further)]
        self._count_steps()

    def span(self, entrant: str) -> Span:
        """The entrant's best and worst place (BO1)."""
        table = self.field.tables.get(entrant)
        if table is None:
            return self._span_of(self.high[entrant][0], self.low[entrant][0])
        return self._span_at(table, entrant, table.outcomes.besides.items())

    def needs(self, entrant: str) -> dict[int, Span] | None:
        """Return the span after each place of its own, for an entrant with exactly one open game (BO4)."""
        players = self.field.needs.get(entrant)
        if players is None:
            return None
        table = self.field.tables.get(entrant)
        if table is not None:
            return {place: self._span_at(table, entrant, [left]) for place, left in table.outcomes.alone.items()}
        spans = {}
        for place in range(1, players + 1):
            gains = [(self.field.by_place(place, players), 1)] if entrant in self.field.loose else []
            total = self.field.prospects[entrant].total(gains)
            spans[place] = self._span_of(total, total)
        return spans

    def _span_of(self, highest: Fraction, lowest: Fraction) -> Span:
        return 1 + self._above.after(highest), self._level.before(lowest)

    def _span_at(self, table: OpenTable, entrant: str, outcomes: Iterable[tuple[int, Handouts]]) -> Span:
        """The span over some outcomes of its table: the level it gets, and what is left for the others."""
        others = [other for other in table.entrants if other != entrant]
        best, worst = [], []
        for level, left in outcomes:
            high, low = self.high[entrant][level], self.low[entrant][level]
            elsewhere = self._above.after(high) - self._fewest_above(table.entrants, table.outcomes.all, high)
            best.append(1 + elsewhere + self._fewest_above(others, left, high))
            elsewhere = self._level.before(low) - self._most_level(table.entrants, table.outcomes.all, low)
            worst.append(1 + elsewhere + self._most_level(others, left, low))
        return min(best), max(worst)

    def _fewest_above(self, entrants: Iterable[str], handouts: Handouts, total: Fraction) -> int:
        limits = [bisect_right(self.low[entrant], total) for entrant in entrants]
        return len(limits) - handouts.most_below(limits)

    def _most_level(self, entrants: Iterable[str], handouts: Handouts, total: Fraction) -> int:
        return handouts.most_from(bisect_left(self.high[entrant], total) for entrant in entrants)

    def _count_steps(self) -> None:
        """Both counts over everybody, as steps, so that looking up a total does not go through every table."""
        above, level = _Steps(), _Steps()
        for entrant in self.field.prospects:
            if entrant not in self.field.tables:
                above.add(1, [(self.low[entrant][0], 0)])
                level.add(1, [(self.high[entrant][0], 0)])
        for table in {id(table): table for table in self.field.tables.values()}.values():
            entrants, every = table.entrants, table.outcomes.all
            lows = sorted({low for entrant in entrants for low in self.low[entrant]})
            above.add(len(entrants), [(low, self._fewest_above(entrants, every, low)) for low in lows])
            highs = sorted({high for entrant in entrants for high in self.high[entrant]})
            counts = [self._most_level(entrants, every, after) for after in highs[1:]]
            level.add(len(entrants), list(zip(highs, [*counts, 0], strict=True)))
        self._above, self._level = above.done(), level.done()
