"""The next round, as `seat` prints it (SE4)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tournaments.rules.exact import exact_text


@dataclass(frozen=True, slots=True)
class NextRound:
    """The tables and byes of a round that is not yet in the log, and their cost."""

    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    repeats: int
    """The number of pairs at the new tables that sat together before."""
    cost: Fraction | None = None
    """The sum of SE3; for `even`, Q with this round; None in a knockout."""
    q: int | None = None
    bound: int | None = None
    """The lower bound of Q with this round."""

    def as_json(self) -> dict[str, Any]:
        """The answer of `seat`."""
        return {
            "round": self.round,
            "tables": [list(table) for table in self.tables],
            "byes": list(self.byes),
            "repeats": self.repeats,
            "cost": None if self.cost is None else exact_text(self.cost),
            "q": self.q,
            "bound": self.bound,
        }
