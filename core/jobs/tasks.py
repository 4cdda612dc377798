"""The tasks that do local jobs, after each commit that queued one and at every sweep, and that purge receipts."""

from celery import shared_task

from core.jobs import receipts, running
from core.jobs.queue import TASK


@shared_task(name=TASK)
def do_local_jobs() -> int:
    return running.do_all().done


@shared_task(name="work.purge_receipts")
def purge_receipts() -> int:
    return receipts.purge()
