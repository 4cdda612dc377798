"""The steady player of the shedding games.

It looks through its own turn (`turn`): each play, and what may be played after it. It rates the positions in which its
turn can end (`points`): what its cards cost it, and what the others can do until its next turn (`forecast`). All it
knows of the rules is what a game's variant says, so it plays every game of the family by the same reasoning.
"""

from games.bots.shedding.turn import choose

__all__ = ["choose"]
