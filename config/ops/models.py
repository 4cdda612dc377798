from django.db import models

from core import clock

BACKUP = "backup"
HEADS = "heads"


class Upkeep(models.Model):
    """The last success and the last failure of a recurring job, for `doctor` and the metrics."""

    job = models.CharField(primary_key=True, max_length=16, help_text="backup or heads.")
    done_at = models.DateTimeField(null=True)
    detail = models.TextField(blank=True, help_text="What was done.")
    failed_at = models.DateTimeField(null=True, help_text="When it last failed, unless it has succeeded since.")
    error = models.TextField(blank=True)


def done(job: str, detail: str) -> None:
    fields = {"done_at": clock.now(), "detail": detail, "failed_at": None, "error": ""}
    Upkeep.objects.update_or_create(pk=job, defaults=fields)


def failed(job: str, error: str) -> None:
    """The job failed; its last success stays."""
    Upkeep.objects.update_or_create(pk=job, defaults={"failed_at": clock.now(), "error": error[:500]})
