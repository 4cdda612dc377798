"""The registry: subscribers, and kinds of stream whose rows are made from events."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from django.db import transaction

from core.log.event import Event
from core.log.subscriber import BatchReactor, Delivery, Projection, Reactor, Subscriber

T = TypeVar("T", bound=Subscriber)
Id = TypeVar("Id")

_subscribers: dict[str, Subscriber] = {}
_rebuildables: "dict[str, Rebuildable[Any]]" = {}


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The result of a rebuild: the number of events, and a line for each row that differed from the log."""

    events: int
    differences: tuple[str, ...]


class Rebuildable(Protocol[Id]):
    """A kind of stream that `manage.py rebuild` can rebuild."""

    @property
    def name(self) -> str: ...

    def ids(self) -> Iterable[Id]: ...

    def parse(self, key: str) -> Id: ...

    def behind(self, *, running: bool = False) -> Iterable[Id]:
        """The ids whose rows are missing, not at the version of their stream, or of before an upgrade.

        `running`: only of those that are not over.
        """

    def rebuild(self, stream_id: Id) -> Rebuilt:
        """Drop the rows of one stream and rebuild them from the log."""


def differences(kind: Rebuildable[Id], stream_id: Id) -> Rebuilt:
    """Compare the rows of one stream with the log and leave them as they are."""
    with transaction.atomic():
        rebuilt = kind.rebuild(stream_id)
        transaction.set_rollback(True)
    return rebuilt


def rebuildable(kind: Rebuildable[Any]) -> None:
    _rebuildables[kind.name] = kind


def rebuildables() -> list[Rebuildable[Any]]:
    """All registered kinds of stream, by name: games before tournaments, whose rows depend on them."""
    return [_rebuildables[name] for name in sorted(_rebuildables)]


def subscribers() -> list[Subscriber]:
    return [_subscribers[name] for name in sorted(_subscribers)]


def projection(
    name: str, *, kinds: Collection[str] | None = None, types: Collection[str] | None = None, batch: int = 500
) -> Callable[[Callable[[Sequence[Event]], None]], Projection]:
    """Register a function of events as the projection `name`. Raises ValueError for a name that is taken."""
    return lambda handler: _register(Projection(name, kinds, types, handler=handler, batch=batch))


def reactor(
    name: str, *, kinds: Collection[str] | None = None, types: Collection[str] | None = None
) -> Callable[[Callable[[Delivery], None]], Reactor]:
    return lambda handler: _register(Reactor(name, kinds, types, handler=handler))


def batch_reactor(
    name: str, *, kinds: Collection[str], types: Collection[str] | None = None, batch: int
) -> Callable[[Callable[[Sequence[Event]], None]], BatchReactor]:
    return lambda handler: _register(BatchReactor(name, kinds, types, handler=handler, batch=batch))


def _register(subscriber: T) -> T:
    if subscriber.name in _subscribers:
        raise ValueError(f"there is a subscriber {subscriber.name!r} already")
    _subscribers[subscriber.name] = subscriber
    return subscriber
