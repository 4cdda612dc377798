"""The queue's Celery task: it does chores, after each commit that queued one and at every sweep."""

from celery import shared_task

from core.jobs import chores
from core.jobs.signals import TASK


@shared_task(name=TASK)
def do_chores() -> int:
    """Do the chores that are due."""
    return chores.do_all().done
