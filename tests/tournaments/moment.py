"""The commands of tournaments, which a test may give at a moment of its own: `services.start(..., now=later)`."""

from collections.abc import Callable
from contextvars import ContextVar
from datetime import datetime
from functools import partial
from inspect import signature
from typing import Any

from core import clock
from tournaments import services as commands

_moment: ContextVar[datetime | None] = ContextVar("moment", default=None)
_now = clock.now
clock.now = lambda: _moment.get() or _now()


def _at(command: Callable[..., Any], *args: Any, now: datetime | None = None, **named: Any) -> Any:
    before = _moment.set(now)
    try:
        return command(*args, **named)
    finally:
        _moment.reset(before)


class _Services:
    def __getattr__(self, name: str) -> Any:
        found = getattr(commands, name)
        if isinstance(found, type) or not callable(found) or "now" in signature(found).parameters:
            return found
        return partial(_at, found)


services = _Services()
