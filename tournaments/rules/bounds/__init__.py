"""Best and worst places by total alone, over everything that can still happen (BO1 to BO4)."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tournaments.rules.bounds.field import Span, View, read_field
from tournaments.rules.bounds.prospects import NOTHING, further
from tournaments.rules.cut import going_on, still_to_play
from tournaments.rules.errors import NoStage
from tournaments.rules.record import Record

Cut: TypeAlias = Literal["through", "out", "open"]


@dataclass(frozen=True, slots=True)
class Bound:
    """Best and worst place by total alone, after the rounds seated so far and after all rounds."""

    round: Span
    final: Span | None
    """None where the number of rounds is not set."""
    needs: Mapping[int, Span] | None
    """The span that `round` would become for each place in its one open game; None without exactly one (BO4)."""
    cut: Cut | None = None
    """Whether it goes on to the next stage; None without one, or for who is not in (SG8)."""

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"round": list(self.round)}
        if self.final is not None:
            shown["final"] = list(self.final)
        if self.needs is not None:
            shown["needs"] = {str(place): list(span) for place, span in self.needs.items()}
        if self.cut is not None:
            shown["cut"] = self.cut
        return shown


def bounds(record: Record) -> dict[str, Bound]:
    """The bounds of every entrant with a place; empty but for tournaments of rounds whose total is a sum (BO2)."""
    if not _has_bounds(record):
        return {}
    field = read_field(record)
    to_come = further(record)
    now = View(field, NOTHING)
    end = now if to_come is None else View(field, to_come)
    at_the_cut = cuts(record)
    return {
        entrant: Bound(
            round=now.span(entrant),
            final=None if to_come is None else end.span(entrant),
            needs=now.needs(entrant),
            cut=at_the_cut.get(entrant),
        )
        for entrant in field.prospects
    }


def _has_bounds(record: Record) -> bool:
    return record.kind == "rounds" and record.settings.total == "sum"


def cuts(record: Record) -> dict[str, Cut]:
    """Who goes on whatever happens, counted among those who are in (SG8); empty where there are no bounds, or no cut.

    This takes a third of the time of all bounds.
    """
    take, to_come = record.take, further(record)
    if take is None or to_come is None or record.finished or not _has_bounds(record):
        return {}
    there = {entrant.id for entrant in record.entrants.values() if entrant.is_in}
    if still_to_play(record) is None:
        with suppress(NoStage):  # Where it needs a lot, and there is no seed, totals say what they can.
            seeds = going_on(record).seeds
            return {entrant: "through" if entrant in seeds else "out" for entrant in there}
    end = View(read_field(record, there), to_come)
    found: dict[str, Cut] = {}
    for entrant in end.field.prospects:
        best, worst = end.span(entrant)
        found[entrant] = "through" if worst <= take else "out" if best > take else "open"
    return found
