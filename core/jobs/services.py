"""The public functions of the queue; the package's docstring explains how it works."""

from core.jobs.chores import Done, do, do_all
from core.jobs.errands import Deliverer
from core.jobs.figures import Figures, figures
from core.jobs.pieces import GaveUp, Later, Piece, Stale, Wait
from core.jobs.queue import Put, drop, find, give_again, put, put_all, remember, wait_for
from core.jobs.registry import Do, Errand, chore, errand, kinds
from core.jobs.retries import Retries, pause_after

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
