"""The task sent after a commit, so that the runner continues at once. If it is lost, the next sweep does the work."""

from __future__ import annotations

import logging
from time import monotonic

from celery import current_app
from kombu.exceptions import OperationalError
from redis import RedisError

# How long (seconds) to leave a broker alone that does not respond, so that not every request waits for it.
REST = 5.0

logger = logging.getLogger(__name__)


class Waker:
    """Sends this process's tasks."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def __call__(self) -> None:
        """Have a worker look at what is due. A broker that is down is not an error: the sweep follows."""
        if monotonic() < self._silent_until:
            return
        try:
            current_app.send_task("tournaments.tasks.run", retry=False, expires=30)
        except (OperationalError, RedisError) as error:
            self._silent_until = monotonic() + REST
            logger.warning("no task for the tournaments' runner, the sweep comes by: %s", error)


wake = Waker()
