"""The one clock of the service.

Nothing else in Trey asks what time it is, so that a test can hold the clock (`frozen`) and a trial run can set it
ahead (`TREY_CLOCK_AHEAD`, in seconds; for tests only: a system check refuses it in production).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from django.conf import settings


class Held:
    """A clock that stands still until it is moved."""

    def __init__(self, at: datetime) -> None:
        self.at = _aware(at)

    def advance(self, by: timedelta | None = None, **parts: float) -> datetime:
        """Move on by a timedelta or by its parts (`seconds=5`, `days=1`); returns the new time."""
        self.at += by if by is not None else timedelta(**parts)
        return self.at

    def set(self, at: datetime) -> datetime:
        """Move to a time, back in time too; returns it."""
        self.at = _aware(at)
        return self.at


# For all threads of the process, on purpose: a test's clock holds for the threads that the test starts.
_held: Held | None = None


def now() -> datetime:
    """The time of the service: aware, in UTC."""
    if _held is not None:
        return _held.at
    ahead: int = settings.TREY_CLOCK_AHEAD
    return datetime.now(UTC) + timedelta(seconds=ahead)


@contextmanager
def frozen(at: datetime | None = None) -> Iterator[Held]:
    """Hold the clock of this process at `at` (now, when not given) for the tests; nested holds go back to the outer."""
    global _held
    before, held = _held, Held(at if at is not None else now())
    _held = held
    try:
        yield held
    finally:
        _held = before


def _aware(at: datetime) -> datetime:
    if at.tzinfo is None:
        raise ValueError("the clock needs a time with its zone")
    return at.astimezone(UTC)
