"""Rows that an upgrade has outdated: those of what is over are made again behind the running service, in slices."""

import logging
from collections.abc import Iterator
from datetime import datetime
from time import monotonic
from typing import Any

from core import clock as service_clock
from core import log
from core.jobs import services as work

JOB = "log.rebuild"
SLICE = 5.0
"""For how many seconds one transaction makes rows."""

logger = logging.getLogger(__name__)


def behind(*, running: bool = False) -> Iterator[tuple[log.Rebuildable[Any], Any]]:
    """Each stream whose rows are to be made again, by its kind; or those that are not over."""
    for kind in log.rebuildables():
        for stream_id in kind.behind(running=running):
            yield kind, stream_id


def make_the_others() -> None:
    if next(behind(), None) is not None:
        work.put(JOB, "all")


@work.local(JOB)
def _make_some(_: work.Job, __: datetime) -> datetime | None:
    until = monotonic() + SLICE
    for kind, stream_id in behind():
        if monotonic() > until:
            return service_clock.now()
        try:
            kind.rebuild(stream_id)
        except (log.LogError, LookupError, ValueError):
            logger.exception("the rows of %s-%s cannot be made again", kind.name, stream_id)
    return None
