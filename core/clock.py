"""The one clock of the service: a test freezes it (`frozen`), a trial run shifts it (`TREY_CLOCK_AHEAD` seconds)."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from django.conf import settings


class FrozenClock:
    def __init__(self, at: datetime) -> None:
        self.at = _aware(at)

    def advance(self, by: timedelta | None = None, **parts: float) -> datetime:
        """Move forward by a timedelta or by its parts (`seconds=5`, `days=1`). Returns the new time."""
        self.at += by if by is not None else timedelta(**parts)
        return self.at

    def set(self, at: datetime) -> datetime:
        """Move to any time, also in the past. Returns the new time."""
        self.at = _aware(at)
        return self.at


# For all threads of the process, so that threads which a test starts have the test's clock.
_frozen: FrozenClock | None = None


def now() -> datetime:
    if _frozen is not None:
        return _frozen.at
    ahead: int = settings.TREY_CLOCK_AHEAD
    return datetime.now(UTC) + timedelta(seconds=ahead)


@contextmanager
def frozen(at: datetime | None = None) -> Iterator[FrozenClock]:
    """Freeze the clock of this process at `at` (default: now), for tests. Calls can be nested."""
    global _frozen
    before, clock = _frozen, FrozenClock(at if at is not None else now())
    _frozen = clock
    try:
        yield clock
    finally:
        _frozen = before


def _aware(at: datetime) -> datetime:
    if at.tzinfo is None:
        raise ValueError("the clock needs an aware datetime")
    return at.astimezone(UTC)
