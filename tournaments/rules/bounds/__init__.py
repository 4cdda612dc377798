"""Bounds: which places an entrant can still reach (BO1 to BO4)."""

from tournaments.rules.bounds.bounds import Bound, bounds

__all__ = ["Bound", "bounds"]
