"""The task that beat starts: deleting notifications after 90 days (NT8)."""

from datetime import datetime, timedelta

from celery import shared_task

from core import clock as service_clock
from core.jobs.models import Work
from core.notifications.models import BusyAddress, Gathering, Notification, Posting, Seen

KEPT = timedelta(days=90)


@shared_task(name="notifications.purge")
def purge(*, now: datetime | None = None) -> int:
    """Delete notifications, their deliveries, and what was seen, after 90 days; return the number of notifications."""
    before = (now or service_clock.now()) - KEPT
    Seen.objects.filter(at__lt=before).delete()
    BusyAddress.objects.filter(until__lt=before).delete()
    Posting.objects.filter(created_at__lt=before).delete()
    Gathering.objects.filter(at__lt=before).delete()
    # These pieces of work have nothing left to send.
    Work.objects.filter(kind__startswith="notifications.", given_up_at__lt=before).delete()
    deleted = Notification.objects.filter(created_at__lt=before).delete()[1]
    return deleted.get("notifications.Notification", 0)
