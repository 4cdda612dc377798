"""The queue's Celery task: it does chores, after each commit that queued one and at every sweep."""

from celery import shared_task

from games.platform.work import chores
from games.platform.work.signals import TASK


@shared_task(name=TASK)
def do_chores() -> int:
    """Do the chores that are due."""
    return chores.do_all().done
