"""What tests ask of a tournament written in the notation, by names instead of entrants."""

from typing import Any

from tests.tournaments.rules.notation import document
from tournaments.rules import Record, read_record
from tournaments.rules.standings import standings_and_bounds


class Table:
    """The standings and bounds of a tournament in notation."""

    def __init__(self, text: str, stage: int | None = None) -> None:
        self.record: Record = read_record(document(text))
        answer = standings_and_bounds(self.record, stage)
        self.rows: dict[str, dict[str, Any]] = {row["name"]: row for row in answer["standings"]}
        self.order = list(self.rows)
        names = {row["entrant"]: name for name, row in self.rows.items()}
        self.bounds = {names[entrant]: bound for entrant, bound in answer["bounds"].items()}

    def __getattr__(self, field: str) -> dict[str, Any]:
        """A field of every row: `table.place["ada"]`; of the bounds: `table.final["ada"]`."""
        if field in ("round", "final", "needs", "cut"):
            return {name: bound.get(field) for name, bound in self.bounds.items()}
        return {name: row[field] for name, row in self.rows.items()}

    def value(self, tie_break: str) -> dict[str, Any]:
        """A tie-break of every row."""
        return {name: row["tie_breaks"][tie_break] for name, row in self.rows.items()}
