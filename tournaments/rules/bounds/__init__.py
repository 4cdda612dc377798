"""Best and worst places by total alone, over everything that can still happen (BO1 to BO4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.rules.bounds.field import Span, View, read_field
from tournaments.rules.bounds.prospects import NOTHING, further
from tournaments.rules.record import Record


@dataclass(frozen=True, slots=True)
class Bound:
    """Best and worst place by total alone, after the rounds seated so far and after all rounds."""

    round: Span
    final: Span | None
    """None where the number of rounds is not set."""
    needs: Mapping[int, Span] | None
    """The span that `round` would become for each place in its one open game; None without exactly one (BO4)."""

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"round": list(self.round)}
        if self.final is not None:
            shown["final"] = list(self.final)
        if self.needs is not None:
            shown["needs"] = {str(place): list(span) for place, span in self.needs.items()}
        return shown


def bounds(record: Record) -> dict[str, Bound]:
    """The bounds of every entrant with a place; empty but for tournaments of rounds whose total is a sum (BO2)."""
    if record.kind != "rounds" or record.settings.total != "sum":
        return {}
    field = read_field(record)
    to_come = further(record)
    now = View(field, NOTHING)
    end = now if to_come is None else View(field, to_come)
    return {
        entrant: Bound(
            round=now.span(entrant),
            final=None if to_come is None else end.span(entrant),
            needs=now.needs(entrant),
        )
        for entrant in field.prospects
    }
