"""Requests about tournaments with an Idempotency-Key."""

from __future__ import annotations

from dataclasses import dataclass

from games.platform.work import receipts
from tournaments.models import Command


@dataclass(frozen=True, slots=True)
class Keyed(receipts.Keyed):
    """The receipt of a request: `request` has its path and its body."""

    rows = Command
