"""Requests about tournaments with an Idempotency-Key."""

from dataclasses import dataclass

from core.jobs import receipts
from tournaments.models import Command


@dataclass(frozen=True, slots=True)
class Keyed(receipts.Keyed):
    """The receipt of a request: `request` has its path and its body."""

    rows = Command
