"""The interface of a kind of tournament."""

from collections.abc import Callable
from dataclasses import dataclass

from tournaments.rules.next_round import NextRound
from tournaments.rules.record import Record
from tournaments.rules.rows import Row


@dataclass(frozen=True, slots=True)
class Format:
    """The way a kind of tournament orders its entrants and seats its next round. `next_round` raises NoRound."""

    standings: Callable[[Record], tuple[Row, ...]]
    next_round: Callable[[Record], NextRound]
