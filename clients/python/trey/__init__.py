"""The official Python client of Trey: `Trey`, and `AsyncTrey` for asyncio. docs/clients.md describes it."""

from .call import Problem
from .clients import AsyncTrey, Trey
from .flows import LiveEvent
from .signing import verify

__all__ = ["AsyncTrey", "LiveEvent", "Problem", "Trey", "verify"]
