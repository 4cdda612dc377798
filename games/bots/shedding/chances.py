"""The rating of a position for a seat whose turn ends with it: its chance to win, as the game's networks estimate it.

They were trained to take a little off for each turn that winning takes, so that a bot that is sure to win does not take
its time, and to count a stalemate (S13) as lost.
"""

from games.bots.shedding.features import Features
from games.bots.shedding.network import Networks
from games.bots.shedding.position import Position
from games.bots.shedding.table import Table


class Chances:
    """Rates positions of one seat at one table by the networks of its game."""

    def __init__(self, table: Table, networks: Networks) -> None:
        self.made = 0
        self._features = Features(table)
        self._networks = networks
        self._tables: dict[tuple[bool, int], int] = {}
        """The sums of the table's features, by whether there is a stock and by direction."""

    def of(self, position: Position) -> float:
        """Return the chance to win in a position in which the others are to move, or with a choice of face-up cards."""
        self.made += 1
        if position.is_out:
            return 1.0
        network = self._networks.stock if position.stock else self._networks.no_stock
        at = (position.stock > 0, position.direction)
        if at not in self._tables:
            self._tables[at] = network.add(network.bias, self._features.of_table(position.direction))
        return network.chance(network.add(self._tables[at], self._features.of_position(position)))
