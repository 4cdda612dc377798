"""The common ground of seasons and rounds: all entrants in one order by total (ST1 to ST11, PT7)."""

from collections.abc import Iterator

from tournaments.rules.counting import tally
from tournaments.rules.order import Order, order
from tournaments.rules.record import Record
from tournaments.rules.rows import Row, row
from tournaments.rules.tally import Tally


def standings(record: Record) -> tuple[Row, ...]:
    """Those with a place, then those with too few games for one, then removed entrants in the order of entry."""
    counts = tally(record)
    placed: list[str] = []
    unplaced: list[str] = []
    removed: list[str] = []
    for entrant in record.entrants.values():
        group = removed if entrant.removed else placed if _has_place(record, counts, entrant.id) else unplaced
        group.append(entrant.id)
    tie_breaks = record.settings.tie_breaks
    rows = [
        *_placed(record, counts, order(counts, placed, tie_breaks)),
        *_unplaced(record, counts, order(counts, unplaced, tie_breaks, placed=False)),
    ]
    passed_over = _unplaced(record, counts, order(counts, removed, tie_breaks, placed=False))
    rows += sorted(passed_over, key=lambda row: record.entrants[row.entrant].number)
    return tuple(rows)


def _has_place(record: Record, counts: Tally, entrant: str) -> bool:
    settings = record.settings
    enough = settings.total == "sum" or len(counts.counted[entrant]) >= settings.min_games
    return enough and counts.totals[entrant] is not None


def _placed(record: Record, counts: Tally, ranked: Order) -> Iterator[Row]:
    """Rows with places 1, 2, 2, 4 (ST1)."""
    place = 1
    for group in ranked.groups:
        for at, entrant in enumerate(group.entrants):
            decided_by = group.decided_by if at == 0 else None
            yield row(record, counts, entrant, values=ranked.values[entrant], place=place, decided_by=decided_by)
        place += len(group.entrants)


def _unplaced(record: Record, counts: Tally, ranked: Order) -> Iterator[Row]:
    for group in ranked.groups:
        for entrant in group.entrants:
            yield row(record, counts, entrant, values=ranked.values[entrant], place=None)
