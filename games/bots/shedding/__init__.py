"""The steady player of the shedding games.

It looks through its own turn (`turn`): each play, and what may be played after it. Of the positions in which its turn
can end it takes the one that rates best, by what it has and what the others are likely to do until its next turn
(`forecast`). Of their hands it knows what everybody at the table does (`memory`). A game that has networks (`network`)
is rated by the chance to win that these estimate (`Chances`), any other by weights that hold for the whole family
(`Points`). In a game that stands still a seat may give way (`Yielding`). All that the search, the points and what the
networks read (`features`) know of the rules is what a game's variant says.
"""

from games.bots.shedding.memory import Memory, remember
from games.bots.shedding.turn import choose

__all__ = ["Memory", "choose", "remember"]
