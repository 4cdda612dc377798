"""A tournament as it would be after facts that are not recorded."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournaments.stream.evolve import evolve
from tournaments.stream.facts import Fact
from tournaments.stream.state import Tournament


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A fact in the form of its event."""

    type: str
    data: Mapping[str, Any]
    version: int
    recorded_at: datetime


def events_after(t: Tournament, facts: Iterable[Fact], now: datetime) -> Iterator[Foreseen]:
    """The facts in the form of the events that would follow."""
    return (Foreseen(fact.type, fact.data, version, now) for version, fact in enumerate(facts, t.version + 1))


def folded(t: Tournament, facts: Iterable[Fact], now: datetime) -> Tournament:
    """The tournament after these facts."""
    for event in events_after(t, facts, now):
        t = evolve(t.id, t, event)
    return t
