"""The rating of a position for a seat that gives way, so that a game that stands still makes progress again (S13).

Two players that defend well can make each other pick up the same cards for ever. So a seat that does not lead stops
defending: it plays what lets the others, and itself, go on, until hands are empty and cards leave the table.
"""

from functools import cache, partial

from games.bots.shedding.forecast import Forecast, chance_to_fail
from games.bots.shedding.position import Position
from games.bots.shedding.table import Table

PROGRESS = 10.0
"""What progress counts for: more than any number of pick-ups that it may lead to."""
CARD = 1e-3
"""What a card fewer counts for, between positions that are otherwise equal."""


class Yielding:
    """Rates positions of one seat at one table: by progress, then by how few pick-ups are likely in the next round."""

    def __init__(self, table: Table) -> None:
        self.made = 0
        self._table = table
        self._forecast = cache(partial(Forecast, table))
        self._on_table = table.position.on_table
        self._in_play = _in_play(table.position)

    def of(self, position: Position) -> float:
        """Return the rating of a position in which the others are to move."""
        self.made += 1
        rating = -CARD * position.cards
        if position.on_table < self._on_table:
            rating += PROGRESS
        if _in_play(position) < self._in_play:
            rating += PROGRESS
        ahead = self._forecast(position.direction).round_from(
            self._table.rules.to_beat(position.pile, position.laid_on_empty)
        )
        stuck = chance_to_fail(self._table, position.active, position.drawn, ahead.asked.items())
        return rating - sum(ahead.stuck) - stuck


def _in_play(position: Position) -> int:
    """Return the number of the seat's cards and those of the pile: they are fewer only once the pile is closed."""
    return position.cards + len(position.pile)
