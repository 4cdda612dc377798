"""The tables of the queue and of receipts. `queue` and `receipts` write them."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q


class Work(models.Model):
    """A job: it is done once, and not before `due_at`. The row is deleted when it is done."""

    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=200, help_text="Unique among the waiting tasks of its kind.")
    lane = models.CharField(max_length=80, blank=True, help_text="Tasks in the same lane run one after another.")
    data: "models.JSONField[Any, Any]" = models.JSONField(default=dict)
    due_at = models.DateTimeField()
    queued_at = models.DateTimeField()
    tries = models.PositiveIntegerField(default=0, help_text="The number of failed tries.")
    error = models.TextField(null=True, help_text="Why the last try failed.")
    failing_since = models.DateTimeField(null=True)
    given_up_at = models.DateTimeField(null=True)
    # Until when a process holds the outbound job that it does; after that it counts as dead, and another starts over.
    held_until = models.DateTimeField(null=True)
    holder = models.UUIDField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="jobs_once")]
        indexes = [
            models.Index(fields=["kind", "due_at"], name="jobs_due", condition=Q(given_up_at__isnull=True)),
            models.Index(fields=["given_up_at"], name="jobs_given_up", condition=Q(given_up_at__isnull=False)),
        ]
        verbose_name = "task"
        verbose_name_plural = "queue"


class Receipt(models.Model):
    """The response to a request that came with an Idempotency-Key, so that a retry gets the same one."""

    id = models.UUIDField(primary_key=True, editable=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    address = models.TextField()
    key = models.CharField(max_length=255)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the request.")
    status = models.PositiveSmallIntegerField(null=True)
    headers: "models.JSONField[Any, Any]" = models.JSONField(default=dict)
    body = models.TextField(null=True, help_text="The response as JSON text, in the order of its keys.")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "address", "key"], name="receipt_once", nulls_distinct=False)
        ]
        indexes = [models.Index(fields=["created_at"], name="receipt_age")]
