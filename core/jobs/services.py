"""The public functions of the queue; the package's docstring explains how it works."""

from core.jobs.handlers import Do, Errand, GaveUp, Job, Later, Retries, Wait, chore, errand, kinds, pause_after
from core.jobs.queue import Figures, drop, figures, find, give_again, put, put_all, remember, wait_for
from core.jobs.running import Deliverer, Done, do, do_all

__all__ = [
    "Deliverer",
    "Do",
    "Done",
    "Errand",
    "Figures",
    "GaveUp",
    "Job",
    "Later",
    "Retries",
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
