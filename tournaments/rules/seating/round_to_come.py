"""The next round of a tournament of rounds, from its record (SE1 to SE6)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from tournaments.rules.errors import NoRound
from tournaments.rules.lots import Numbers, drawn
from tournaments.rules.order import Row
from tournaments.rules.points import SCHEMES
from tournaments.rules.record import NextRound, Record, Round
from tournaments.rules.seating.bound import Sitting, lower_bound
from tournaments.rules.seating.even import Planner, seated_evenly
from tournaments.rules.seating.least import MOST, exchanged, least
from tournaments.rules.seating.meetings import Costs, Meetings, Tables, dealt
from tournaments.rules.seating.sizes import byes_of, table_sizes
from tournaments.rules.settings import Settings
from tournaments.rules.standings import of_stage

PENALTIES = 10
"""Under *score*, d is in units of this many penalty points per round (SE3)."""


def next_round(record: Record) -> NextRound:
    """The next tables of `rounds`, whether or not games of earlier rounds are still open. Raises NoRound."""
    number, last = record.next_round, record.last_round
    if last is not None and number > last:
        raise NoRound(f"All {record.settings.rounds} rounds have been seated.")
    if record.seed is None:
        raise NoRound("The record has no seed, so lots cannot be drawn.")
    rows = of_stage(record)
    entrants = [row.entrant for row in rows if row.status == "in"]
    sizes = table_sizes(len(entrants), record.settings.tables)
    if not sizes:
        raise NoRound(
            f"{len(entrants)} entrants cannot be seated, because a table needs at least {record.settings.tables.min}."
        )
    even = record.settings.seating == "even"
    rank = {} if even or not any(row.games for row in rows) else _ranks(rows)
    byes_so_far = Counter(entrant for seated in record.rounds.values() for entrant in seated.byes)
    byes = byes_of(entrants, len(entrants) - sum(sizes), byes_so_far, record.seed, number, rank=rank)
    seated = tuple(entrant for entrant in entrants if entrant not in byes)
    sitting = Sitting(number, seated, sizes)
    if even:
        planner = Planner(record.settings.tables, last, record.seed)
        tables = seated_evenly(planner, _rounds(record), sitting, entrants)
    else:
        meetings = Meetings(seated.tables for seated in _rounds(record))
        tables = seated_by_standing(sitting, _costs(record, rows, seated, meetings), record.seed)
    return _judged(record, rows, _listed(tables, entrants, record.seed, number), byes)


def judge(record: Record, tables: Tables, byes: Sequence[str]) -> NextRound:
    """A given seating of the next round, of entrants of the record, with the figures that `seat` prints (SE4)."""
    return _judged(record, of_stage(record), tables, byes)


def _judged(record: Record, rows: Sequence[Row], tables: Tables, byes: Sequence[str]) -> NextRound:
    meetings = Meetings(seated.tables for seated in _rounds(record))
    entrants = tuple(entrant for table in tables for entrant in table)
    sizes = tuple(sorted(map(len, tables), reverse=True))
    number = record.next_round
    bound = lower_bound(meetings, [Sitting(number, entrants, sizes)])
    again = meetings.again(tables)
    q = meetings.q + sum(again)
    if record.settings.seating == "even":
        cost = Fraction(q)
    else:
        costs = _costs(record, rows, entrants, meetings)
        position = {entrant: at for at, entrant in enumerate(entrants)}
        total = costs.total([position[entrant] for entrant in table] for table in tables)
        cost = Fraction(total, costs.unit)
    return NextRound(
        round=number,
        tables=tuple(map(tuple, tables)),
        byes=tuple(byes),
        repeats=len(again),
        cost=cost,
        q=q,
        bound=bound,
    )


def _rounds(record: Record) -> list[Round]:
    return [seated for _, seated in sorted(record.rounds.items())]


def _ranks(rows: Sequence[Row]) -> dict[str, int]:
    """1 for the best; without a place those are level whom no tie-break and no later stage's seeds separate (SG6)."""
    ranks: dict[str, int] = {}
    before = None
    for at, row in enumerate(rows, 1):
        seed = at if (row.stage or 1) > 1 else None
        level = row.place if row.place is not None else (row.total, row.tie_breaks, seed)
        ranks[row.entrant] = ranks[rows[at - 2].entrant] if at > 1 and level == before else at
        before = level
    return ranks


def _costs(record: Record, rows: Sequence[Row], entrants: Sequence[str], meetings: Meetings) -> Costs:
    most = _most(record.settings)
    totals = {row.entrant: row.total for row in rows}
    heights = [totals[entrant] for entrant in entrants]
    return Costs.of(meetings.among(entrants), [total and total / most if most else None for total in heights])


def _most(settings: Settings) -> Fraction:
    """The most that one game can give; if that is 0, totals do not matter."""
    if settings.less_is_better:
        return Fraction(PENALTIES)
    return SCHEMES[settings.scheme].least_and_most(settings.tables.max, settings.list)[1]


def _listed(tables: Tables, entrants: Sequence[str], seed: str, number: int) -> Tables:
    """SE6: by the best standing at each table, and within a table by lot."""
    position: Mapping[str, int] = {entrant: at for at, entrant in enumerate(entrants)}
    listed = sorted(tables, key=lambda table: min(position[entrant] for entrant in table))
    return [drawn(seed, "seat", number, table) for table in listed]


def seated_by_standing(sitting: Sitting, costs: Costs, seed: str) -> Tables:
    """The tables of the next round; `sitting.entrants` and `costs` are in the order of the standings (SE3, SE5).

    Up to `least.MOST` entrants, no seating costs less. With more, neighbours by total sit together at first, and no
    exchange between tables at most five apart lowers the cost in the end.
    """
    position = {entrant: at for at, entrant in enumerate(sitting.entrants)}
    by_lot = [position[entrant] for entrant in drawn(seed, "table", sitting.round, sitting.entrants)]
    if len(by_lot) <= MOST:
        tables = least(costs, by_lot, sitting.sizes)
    else:
        by_total = sorted(by_lot, key=lambda at: (costs.heights[at] is None, costs.heights[at] or 0))
        tables = exchanged(costs, dealt(by_total, sitting.sizes), Numbers(seed, "exchanges", sitting.round))
    return [[sitting.entrants[at] for at in table] for table in tables]
