"""The standings of a tournament of any kind."""

from collections.abc import Iterator
from typing import Any

from tournaments.rules import knockout
from tournaments.rules.bounds import bounds
from tournaments.rules.counting import placed, tally
from tournaments.rules.order import Order, order
from tournaments.rules.record import Record
from tournaments.rules.rows import Row, row
from tournaments.rules.tally import Tally


def standings(record: Record) -> tuple[Row, ...]:
    """The rows as of the record's last line, in the order of the standings."""
    return knockout.standings(record) if record.kind == "knockout" else _league(record)


def standings_and_bounds(record: Record) -> dict[str, Any]:
    """Return what `python -m tournaments.rules standings` prints: `{"standings": [ROW, ...], "bounds": {...}}`."""
    return {
        "standings": [row.as_json() for row in standings(record)],
        "bounds": {entrant: bound.as_json() for entrant, bound in bounds(record).items()},
    }


def _league(record: Record) -> tuple[Row, ...]:
    """Those with a place, then those without (PT7, PT9), then removed entrants in the order of entry."""
    counts = tally(record)
    with_place = placed(record, counts)
    removed = {entrant.id for entrant in record.entrants.values() if entrant.removed}
    unplaced = [entrant for entrant in record.entrants if entrant not in with_place | removed]
    tie_breaks = record.settings.tie_breaks
    rows = [
        *_placed(record, counts, order(counts, with_place, tie_breaks)),
        *_unplaced(record, counts, order(counts, unplaced, tie_breaks, placed=False)),
    ]
    passed_over = _unplaced(record, counts, order(counts, removed, tie_breaks, placed=False))
    rows += sorted(passed_over, key=lambda row: record.entrants[row.entrant].number)
    return tuple(rows)


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
