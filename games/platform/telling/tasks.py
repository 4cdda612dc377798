"""The tasks that beat starts."""

from celery import shared_task

from games.platform.telling import upkeep


@shared_task(name="telling.purge")
def purge() -> int:
    """Delete notifications after 90 days."""
    return upkeep.purge()
