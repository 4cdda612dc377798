from celery import shared_task

from chats.models import Posting
from core import clock
from core.notifications.services import KEPT


@shared_task(name="chats.purge")
def purge() -> int:
    """Delete what was posted more than 90 days ago; return how much."""
    return Posting.objects.filter(created_at__lt=clock.now() - KEPT).delete()[0]
