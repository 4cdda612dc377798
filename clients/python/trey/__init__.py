"""The official Python client of Trey: `Trey`, and `AsyncTrey` for asyncio. docs/build/clients.md describes it."""

from .call import Lost, Problem
from .clients import AsyncTrey, Trey, verify
from .schema import __version__

__all__ = ["AsyncTrey", "Lost", "Problem", "Trey", "__version__", "verify"]
