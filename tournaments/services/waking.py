"""The task that is sent after a commit, so that the runner goes on at once. Losing it loses nothing."""

from __future__ import annotations

import logging
from time import monotonic

from celery import current_app
from kombu.exceptions import OperationalError
from redis import RedisError

# A broker that does not answer is left alone for so many seconds: a request must not wait for it each time.
REST = 5.0

logger = logging.getLogger(__name__)


class Waker:
    """Sends the tasks of this process."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def __call__(self) -> None:
        """Have a worker look at what is due now. Never raises for a broker that is away: the sweep comes by."""
        if monotonic() < self._silent_until:
            return
        try:
            current_app.send_task("tournaments.tasks.run", retry=False, expires=30)
        except (OperationalError, RedisError) as error:
            self._silent_until = monotonic() + REST
            logger.warning("no task for the tournaments' runner, the sweep comes by: %s", error)


wake = Waker()
