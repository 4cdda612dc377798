"""The tasks that beat starts."""

from celery import shared_task

from core.notifications import upkeep


@shared_task(name="notifications.purge")
def purge() -> int:
    """Delete notifications after 90 days."""
    return upkeep.purge()
