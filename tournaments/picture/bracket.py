"""A knockout as a drawing: a column for each round, a box for each table, and a line for each entrant that goes on."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from statistics import fmean

from tournaments.picture.tables import RoundLine, TableLine
from tournaments.picture.wording import shortened
from tournaments.rules.settings import Settings

# Two columns fit a phone of 390 px.
COLUMN, BETWEEN, ROW, HEAD, APART, TOP = 164, 28, 24, 24, 18, 30
# A column has at most this many entrants; the page of the round shows the rest.
MOST_IN_COLUMN = 72
MOST_LETTERS, LEAST_LETTERS = 12, 4


@dataclass(frozen=True, slots=True)
class Seat:
    name: str
    place: str
    y: float
    goes_on: bool
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """A table; `state` is closed, open, not_played (everybody advances) or to_come."""

    title: str
    state: str
    x: float
    y: float
    seats: Sequence[Seat]
    game: str | None
    width: float = COLUMN

    @property
    def height(self) -> float:
        return _height(len(self.seats))

    @property
    def right(self) -> float:
        return self.x + self.width - 10


@dataclass(frozen=True, slots=True)
class Bracket:
    width: float
    height: float
    columns: Sequence[tuple[str, float]]
    boxes: Sequence[Box]
    lines: Sequence[str]
    label: str


def bracket_of(
    rounds: Sequence[RoundLine],
    settings: Settings,
    first: Collection[str],
    *,
    seeds: Sequence[str] = (),
    before: int = 0,
) -> Bracket | None:
    """The drawing of rounds, oldest first, and of those to come (KO1); None before the first is seated.

    `first` are the entrants in first place: those who go on, or can (KO3, KO4). `seeds` begins with the best one.
    Columns are numbered from the round after `before`, the last one of the stages before.
    """
    shown = _untangled([one for one in rounds if sum(len(table.names) for table in one.tables) <= MOST_IN_COLUMN])
    if not shown:
        return None
    to_come = _to_come(shown[-1], settings, first)
    stacks = [[len(table.names) for table in one.tables] for one in shown] + to_come
    highest = max(map(_stack, stacks))
    boxes, lines = list[Box](), list[str]()
    led: Mapping[str, float] = {}
    seed_of = {key: number for number, key in enumerate(seeds, 1)}
    for number, sizes in enumerate(stacks):
        x, y = number * (COLUMN + BETWEEN), TOP + (highest - _stack(sizes)) / 2
        if number < len(shown):
            after = shown[number + 1] if number + 1 < len(shown) else None
            on = _going_on(shown[number], after, first)
            here = dict[str, float]()
            for table in shown[number].tables:
                boxes.append(_box(table, x, y, on, seed_of, final=len(sizes) == 1))
                here |= {name.key: seat.y - 5 for name, seat in zip(table.names, boxes[-1].seats, strict=True)}
                y += boxes[-1].height + APART
            lines += [_path(x - BETWEEN, led[key], x, at) for key, at in here.items() if key in led]
            led = here
        else:
            boxes += _expected(sizes, x, y)
    lowest = shown[0].number - before
    return Bracket(
        width=len(stacks) * (COLUMN + BETWEEN) - BETWEEN + 2,
        height=TOP + highest + 2,
        columns=[(f"Round {lowest + at}", at * (COLUMN + BETWEEN)) for at in range(len(stacks))],
        boxes=boxes,
        lines=lines,
        label=f"The knockout: {len(shown)} of {len(stacks)} rounds are seated. Their tables are listed below.",
    )


def _untangled(rounds: Sequence[RoundLine]) -> list[RoundLine]:
    """The rounds, with tables in the order of the tables that they lead to, so that few lines cross."""
    found = list(rounds[-1:])
    for one in reversed(rounds[:-1]):
        at = {name.key: number for number, table in enumerate(found[0].tables) for name in table.names}
        # Where those who go on from each table sit next, on average.
        leads = [fmean([at[name.key] for name in table.names if name.key in at] or [inf]) for table in one.tables]
        order = sorted(range(len(leads)), key=leads.__getitem__)
        found.insert(0, replace(one, tables=[one.tables[index] for index in order]))
    return found


def _expected(sizes: Sequence[int], x: float, y: float) -> list[Box]:
    found = []
    for number, size in enumerate(sizes, 1):
        title = "Final" if len(sizes) == 1 else f"Table {number}"
        found.append(Box(title, "to_come", x, y, _seats(y, [("", "", False, None)] * size), None))
        y += found[-1].height + APART
    return found


def _seats(y: float, rows: Sequence[tuple[str, str, bool, int | None]]) -> list[Seat]:
    return [Seat(name, place, y + HEAD + at * ROW + 16, on, seed) for at, (name, place, on, seed) in enumerate(rows)]


def _height(seats: int) -> float:
    return HEAD + seats * ROW + 6


def _stack(sizes: Sequence[int]) -> float:
    return sum(map(_height, sizes)) + APART * (len(sizes) - 1)


def _to_come(last: RoundLine, settings: Settings, first: Collection[str]) -> list[list[int]]:
    """The sizes of the tables of the rounds after the last one seated (KO1), if all come and nobody withdraws."""
    size, advance, found = settings.tables.size, settings.advance or 1, list[list[int]]()
    tables = [len(table.names) for table in last.tables]
    left = len(_going_on(last, None, first)) + sum(
        min(advance, len(table.names)) for table in last.tables if table.is_open
    )
    while len(tables) > 1 and left > 1:
        count = 1 if left <= size else -(-left // size)
        tables = [left // count + (at < left % count) for at in range(count)]
        found.append(tables)
        left = sum(min(advance, table) for table in tables)
    return found


def _going_on(one: RoundLine, after: RoundLine | None, first: Collection[str]) -> set[str]:
    if after is not None:
        return {name.key for table in after.tables for name in table.names}
    return {name.key for table in one.tables if not table.is_open for name in table.names if name.key in first}


def _box(table: TableLine, x: float, y: float, on: set[str], seed_of: Mapping[str, int], *, final: bool) -> Box:
    places: dict[str, list[str]] = {}
    for result in table.results:
        for name, place in result.places if result.counts else ():
            places.setdefault(name.key, []).append(place)
    # Each further place takes the room of two letters.
    games = max(map(len, places.values()), default=1)
    letters = max(LEAST_LETTERS, MOST_LETTERS - 2 * (games - 1))
    rows = [
        (shortened(name.text, letters), " ".join(places.get(name.key, ())), name.key in on, seed_of.get(name.key))
        for name in table.names
    ]
    title = "Final" if final else f"Table {table.number}"
    return Box(title, table.status, x, y, _seats(y, rows), next(iter(table.replays), None))


def _path(x1: float, y1: float, x2: float, y2: float) -> str:
    middle = (x1 + x2) / 2
    return f"M{x1:.0f} {y1:.0f}C{middle:.0f} {y1:.0f} {middle:.0f} {y2:.0f} {x2:.0f} {y2:.0f}"
