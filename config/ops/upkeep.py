"""Recording when a recurring job was done, and when it failed."""

from config.ops.models import Upkeep
from core import clock

BACKUP = "backup"
HEADS = "heads"


def done(job: str, detail: str) -> None:
    """The job succeeded; earlier failures are forgotten."""
    Upkeep.objects.update_or_create(
        pk=job, defaults={"done_at": clock.now(), "detail": detail, "failed_at": None, "error": ""}
    )


def failed(job: str, error: str) -> None:
    """The job failed; its last success stays."""
    Upkeep.objects.update_or_create(pk=job, defaults={"failed_at": clock.now(), "error": error[:500]})
