import logging
from datetime import timedelta
from pathlib import Path

from celery import shared_task
from django.conf import settings

from config.ops import models
from config.ops.models import Upkeep
from core import clock, log

logger = logging.getLogger("trey.upkeep")

# A little less than a day, so that the time of day does not drift.
EVERY = timedelta(hours=23, minutes=30)


@shared_task(name="ops.publish_heads")
def publish_heads() -> int | None:
    """Append the heads of the log to TREY_HEADS_FILE once a day, after a failure in an hour; return how many."""
    if not settings.TREY_HEADS_FILE:
        return None
    last = Upkeep.objects.filter(pk=models.HEADS).first()
    now = clock.now()
    if last is not None and last.failed_at is None and last.done_at is not None and now - last.done_at < EVERY:
        return None
    file = Path(settings.TREY_HEADS_FILE)
    try:
        published = log.publish_heads(file, now)
    except (OSError, log.CannotPublish) as error:
        logger.error("the heads of the log cannot be written: %s", error)
        models.failed(models.HEADS, str(error))
        return None
    models.done(models.HEADS, f"{published.heads} heads to {file}")
    return published.heads
