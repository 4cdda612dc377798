"""What features can hook into tournaments, and into the page of a player in the dashboard (core/hooks.py)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from django.http import HttpRequest

from core.accounts.models import Player
from core.hooks import Hook
from tournaments.models import Tournament as Row
from tournaments.stream import Tournament

RATINGS = Hook[Callable[[str, Sequence[UUID]], Mapping[UUID, float]]]()
"""The ratings of players in a game. Players without a rating are seeded as if they had played no rated game."""
ABOUT_PLAYER = Hook[Callable[[Player], str]]()
"""A part of the page of a player in the dashboard, as HTML."""
BESIDE_MESSAGES: Hook[tuple[str, Callable[[HttpRequest, Any], Mapping[str, Any]]]] = Hook()
"""A section of the dashboard's page of messages: its template, and what it needs, of a request and a tournament."""


class Simulated(Protocol):
    """What simulated games say of a proposal: `report` as JSON, and drawn as HTML."""

    report: Any

    def drawn(self, *, is_open: bool) -> str: ...


PROPOSED = Hook[Callable[[Tournament, int, datetime], None]]()
"""Rules were proposed: the proposal's number, and when. It is called in the transaction that proposes."""
SIMULATED = Hook[Callable[[Row, Sequence[int]], Mapping[int, Simulated]]]()
"""What simulated games say of proposals, by number; of those that it knows."""


def simulated(tournament: Row, *numbers: int) -> dict[int, Simulated]:
    return {n: one for ask in SIMULATED for n, one in ask(tournament, numbers).items()}
