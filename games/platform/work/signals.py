"""Wake workers after a commit that put work into the queue: those who do errands, or a worker who does chores."""

from games.platform.wakeups import Channel, Task

TASK = "work.do_chores"

_LOST = "no wake-up signal for the queue, it is looked at regardless"
errands = Channel("work", lost=_LOST)
_chores = Task(TASK, lost=_LOST)


def wake(errand: bool) -> None:
    """Wake those who do errands, or have a worker do chores."""
    if errand:
        errands.publish("")
    else:
        _chores.send(expires=30)
