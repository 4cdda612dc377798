"""Accounts, where they touch games."""

from __future__ import annotations

from datetime import datetime

from games.models import Player


def delete_player(player: Player, *, now: datetime | None = None) -> None:
    """Delete an account. It leaves the open rooms and resigns its running games; history keeps its bare id."""
    raise NotImplementedError
