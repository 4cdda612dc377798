"""What features can hook into tournaments, and into the page of a player in the dashboard (core/hooks.py)."""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from core.accounts.models import Player
from core.hooks import Hook

RATINGS: Hook[Callable[[str, Sequence[UUID]], Mapping[UUID, float]]] = Hook()
"""The ratings of players in a game. Who has none is seeded as a player without a rated game is."""
ABOUT_PLAYER: Hook[Callable[[Player], str]] = Hook()
"""A part of the page of a player in the dashboard, as HTML."""
