"""The task sent after a commit, so that the runner continues at once. If it is lost, the next sweep does the work."""

from core.wakeups import Task

_runner = Task("tournaments.tasks.run", lost="no task for the tournaments' runner; the sweep will do its work")


def wake() -> None:
    """Have a worker look at what is due. A broker that is down is not an error: the sweep does the work."""
    _runner.send(expires=30)
