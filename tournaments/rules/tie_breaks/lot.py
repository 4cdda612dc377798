"""The lot (ST7)."""

from tournaments.rules import lots
from tournaments.rules.tally import Tally


def lot(tally: Tally, entrant: str) -> str | None:
    """ST7: SHA-256 of `SEED/lot/ENTRANT` in hex; None, which decides nothing, before the seed is public."""
    return None if tally.seed is None else lots.lot(tally.seed, "lot", entrant)
