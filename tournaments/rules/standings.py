"""The standings of a tournament of any kind."""

from typing import Any

from tournaments.rules.bounds import bounds
from tournaments.rules.formats import FORMATS
from tournaments.rules.record import Record
from tournaments.rules.rows import Row


def standings(record: Record) -> tuple[Row, ...]:
    """The rows as of the record's last line, in the order of the standings."""
    return FORMATS[record.kind].standings(record)


def standings_and_bounds(record: Record) -> dict[str, Any]:
    """Return what `python -m tournaments.rules standings` prints: `{"standings": [ROW, ...], "bounds": {...}}`."""
    return {
        "standings": [row.as_json() for row in standings(record)],
        "bounds": {entrant: bound.as_json() for entrant, bound in bounds(record).items()},
    }
