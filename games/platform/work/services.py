"""The public functions of the queue; the package's docstring explains how it works."""

from games.platform.work.chores import Done, do, do_all
from games.platform.work.errands import Deliverer
from games.platform.work.figures import Figures, figures
from games.platform.work.pieces import GaveUp, Later, Piece, Stale, Wait
from games.platform.work.queue import Put, drop, find, give_again, put, put_all, remember, wait_for
from games.platform.work.registry import Do, Errand, chore, errand, kinds
from games.platform.work.retries import Retries, pause_after

__all__ = [
    "Deliverer",
    "Do",
    "Done",
    "Errand",
    "Figures",
    "GaveUp",
    "Later",
    "Piece",
    "Put",
    "Retries",
    "Stale",
    "Wait",
    "chore",
    "do",
    "do_all",
    "drop",
    "errand",
    "figures",
    "find",
    "give_again",
    "kinds",
    "pause_after",
    "put",
    "put_all",
    "remember",
    "wait_for",
]
