"""What time takes away: rooms in which nothing happens, and answers nobody will ask for again."""

from __future__ import annotations

from datetime import datetime


def expire_rooms(*, now: datetime | None = None, limit: int = 500) -> int:
    """Cancel open rooms in which nothing happened for ``TREY_ROOM_IDLE_SECONDS``; answers how many."""
    raise NotImplementedError


def purge_commands(*, now: datetime | None = None) -> int:
    """Delete the answers kept for Idempotency-Keys older than 30 days; answers how many."""
    raise NotImplementedError
