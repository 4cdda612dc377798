"""The registry of subscribers. An app registers its own by importing them in `AppConfig.ready`."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from django.db import transaction

from core.log.event import Event
from core.log.subscriber import BatchReactor, Delivery, Projection, Reactor, Subscriber

T = TypeVar("T", bound=Subscriber)
Id = TypeVar("Id")

_subscribers: dict[str, Subscriber] = {}
_rebuildables: "dict[str, Rebuildable[Any]]" = {}
_companions: "dict[str, Companion]" = {}


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

    def behind(self) -> Iterable[Id]:
        """The ids whose rows are missing or not at the version of their stream."""

    def rebuild(self, stream_id: Id) -> Rebuilt:
        """Drop the rows of one stream and rebuild them from the log."""


def differences(kind: Rebuildable[Id], stream_id: Id) -> Rebuilt:
    """Compare the rows of one stream with the log and leave them as they are."""
    with transaction.atomic():
        rebuilt = kind.rebuild(stream_id)
        transaction.set_rollback(True)
    return rebuilt


class Companion(Protocol):
    """Rows that an export of the log carries besides the events, since the service cannot go on without them."""

    @property
    def name(self) -> str: ...

    def count(self) -> int: ...

    def dump(self) -> Iterator[Any]:
        """Its rows, each as JSON without floats."""

    def load(self, rows: Iterable[Any]) -> None:
        """Write the rows that `dump` returned.

        May be repeated. Raises DatabaseError, KeyError, TypeError or ValueError for rows that `dump` cannot have
        returned, or that conflict with existing ones.
        """


def rebuildable(kind: Rebuildable[Any]) -> None:
    _rebuildables[kind.name] = kind


def rebuildables() -> list[Rebuildable[Any]]:
    """All registered kinds of stream, by name: games before tournaments, whose rows depend on them."""
    return [_rebuildables[name] for name in sorted(_rebuildables)]


def companion(one: Companion) -> None:
    _companions[one.name] = one


def companions() -> list[Companion]:
    """All that an export carries besides the events, by name."""
    return [_companions[name] for name in sorted(_companions)]


def subscribers() -> list[Subscriber]:
    return [_subscribers[name] for name in sorted(_subscribers)]


def projection(
    name: str, *, kinds: Collection[str] | None = None, types: Collection[str] | None = None, batch: int = 500
) -> Callable[[Callable[[Sequence[Event]], None]], Projection]:
    """Register a function of a list of events as the projection `name`; returns the subscriber.

    Raises ValueError for a name that is taken, as the others do.
    """
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
