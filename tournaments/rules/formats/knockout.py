"""A knockout: the best of each table go on until one table is left, the final (KO1 to KO4)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from tournaments.rules.counting import tally, tally_of
from tournaments.rules.errors import NoRound
from tournaments.rules.formats.bracket import Bracket, Table, bracket
from tournaments.rules.formats.format import Format
from tournaments.rules.next_round import NextRound
from tournaments.rules.order import number, order
from tournaments.rules.record import Record
from tournaments.rules.rows import Row, Status, row


def standings(record: Record) -> tuple[Row, ...]:
    """By place, then by the order of entry; removed entrants at the end (KO3, ST10)."""
    found = bracket(record)
    last = {entrant: table for stage in found.stages for table in stage.tables for entrant in table.values}
    places = _places(record, found, last)
    overall = tally(record)
    unseated = tally_of(record, [], {entrant: [] for entrant in record.entrants if entrant not in last})
    nothing = order(unseated, list(unseated.counted), record.settings.tie_breaks, placed=False)
    rows = []
    for entrant in record.entrants:
        table = last.get(entrant)
        own = row(
            record,
            table.tally if table else unseated,
            entrant,
            values=table.values[entrant] if table else nothing.values[entrant],
            place=places.get(entrant),
        )
        games, byes = len(overall.counted[entrant]), overall.byes[entrant]
        rows.append(replace(own, games=games, byes=byes, status=_status(record, found, last, entrant)))
    return tuple(sorted(rows, key=lambda row: (row.place is None, row.place or 0, number(row.entrant))))


def next_round(record: Record) -> NextRound:
    """The next tables, the snake by seed (KO1). Raises NoRound."""
    found = bracket(record)
    if not record.seeds or set(record.seeds) != set(record.entrants):
        raise NoRound("A knockout is seated once all its entrants are seeded.")
    if found.stages and found.stages[-1].final:
        raise NoRound("The final has been seated.")
    if found.stages and not all(table.complete for table in found.stages[-1].tables):
        raise NoRound(f"Round {found.stages[-1].number} has an open table.")
    left = [entrant for entrant in record.seeds if entrant in found.still_in]
    if len(left) < 2:
        raise NoRound(f"{left[0]} has won: nobody else is left." if left else "Nobody is left.")
    tables = _snake(left, record.settings.tables.size)
    return NextRound(
        round=1 + max(record.rounds, default=0),
        tables=tuple(map(tuple, tables)),
        byes=(),
        repeats=_repeats(record, tables),
    )


def _snake(entrants: Sequence[str], size: int) -> list[list[str]]:
    """As few tables as possible, filled 1 to t, then t to 1, and so on; up to `size` entrants are the final table."""
    count = -(-len(entrants) // size)
    tables: list[list[str]] = [[] for _ in range(count)]
    for at, entrant in enumerate(entrants):
        turn, step = divmod(at, count)
        tables[count - 1 - step if turn % 2 else step].append(entrant)
    return tables


def _repeats(record: Record, tables: Sequence[Sequence[str]]) -> int:
    def pairs(tables: Sequence[Sequence[str]]) -> set[frozenset[str]]:
        return {frozenset(pair) for table in tables for pair in combinations(table, 2)}

    met = set[frozenset[str]]().union(*(pairs(seated.tables) for seated in record.rounds.values()))
    return len(met & pairs(tables))


def _places(record: Record, found: Bracket, last: Mapping[str, Table]) -> dict[str, int]:
    """KO3: those still in share first place; others follow by round, the last one first, then by rank at the table."""
    groups: list[list[str]] = [list(found.still_in)]
    for stage in reversed(found.stages):
        by_rank = defaultdict[int, list[str]](list)
        for table in stage.tables:
            for entrant in table.values:
                if last[entrant] is table and entrant not in found.still_in and not record.entrants[entrant].removed:
                    # Without a winner all of the last round share the second place (KO4).
                    level = found.nobody_left and stage is found.stages[-1]
                    by_rank[0 if level else table.rank(entrant)].append(entrant)
        groups += [by_rank[rank] for rank in sorted(by_rank)]
    groups.append(
        [
            entrant.id
            for entrant in record.entrants.values()
            if entrant.id not in last and entrant.id not in found.still_in and not entrant.removed
        ]
    )
    places: dict[str, int] = {}
    first = 2 if found.nobody_left else 1
    for group in groups:
        places |= dict.fromkeys(group, len(places) + first)
    return places


def _status(record: Record, found: Bracket, last: Mapping[str, Table], entrant: str) -> Status:
    who = record.entrants[entrant]
    if who.removed:
        return "removed"
    if entrant in found.still_in:
        return "in"
    table = last.get(entrant)
    if table is None or entrant in table.left:
        return "withdrawn" if who.withdrawn else "out"
    if table is not found.final or entrant not in table.ranked:
        return "out"
    return "withdrawn" if who.withdrawn else "in"


KNOCKOUT = Format(standings=standings, next_round=next_round)
