"""Wake workers after a commit that queued work: the processes that do errands, or a worker for chores."""

from core.wakeups import Channel, Task

TASK = "jobs.do_chores"

_LOST = "no wake-up signal for the queue; it is polled anyway"
errands = Channel("jobs", lost=_LOST)
_chores = Task(TASK, lost=_LOST)


def wake(errand: bool) -> None:
    """Wake the processes that do errands, or have a worker do chores."""
    if errand:
        errands.publish("")
    else:
        _chores.send(expires=30)
