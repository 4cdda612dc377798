"""Reading the events of a game with all facts that their types have today."""

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from core import log
from games.projections.snapshot import Snapshot, evolve
from games.projections.vocabulary import is_of_rules, rules_event
from games.rules import GAMES

E = TypeVar("E", bound=Any)


def read_events(stream: str, *, after: int = 0, upto: int | None = None) -> list[log.Event]:
    """The events of a game's stream after a version, up to another one.

    One query. Events that were stored when their type had fewer facts are completed, for which the game is read from
    its beginning: one more query, unless the caller asked for that anyway.
    """
    events = log.read(stream, after=after, upto=upto)
    if not any(map(_lacks_facts, events)):
        return events
    whole = events if events[0].version == 1 else log.read(stream, upto=events[-1].version)
    return completed(whole)[events[0].version - 1 :]


def completed(events: Iterable[E]) -> list[E]:
    """All events of a game from the first one, each with all facts (`Game.complete`)."""
    snapshot: Snapshot | None = None
    found = []
    for event in events:
        found.append(_completed(snapshot, event))
        snapshot = evolve(snapshot, found[-1])
    return found


def _completed(before: Snapshot | None, event: E) -> E:
    if before is None or not is_of_rules(event) or not _lacks_facts(event):
        return event
    whole = GAMES[before.game].complete(before.state, rules_event(event))
    return replace(event, data={**event.data, **whole["data"]})


def _lacks_facts(event: log.Happened) -> bool:
    return event.data.get("calls", ()) is None
