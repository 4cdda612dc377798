"""The tables of the log, which only `append` and the subscribers write, and what the row of a stream has."""

from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class JsonAsStored(models.Field):  # type: ignore[type-arg]  # generic for the checker alone
    """PostgreSQL's `json`, which keeps the text byte for byte; `jsonb` would not, and the digest covers the bytes."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:  # noqa: ARG002  Django's signature
        return "json"


class StoredEvent(models.Model):
    """One event, as it was stored. The database refuses update, delete and truncate."""

    pk = models.CompositePrimaryKey("bucket", "stream_id", "version")
    bucket = models.SmallIntegerField()
    stream_id = models.TextField(db_collation="C")
    version = models.IntegerField()
    position = models.BigIntegerField()
    type = models.TextField()
    seat = models.SmallIntegerField(null=True)
    schema = models.SmallIntegerField()
    data = JsonAsStored()
    meta = JsonAsStored()
    command_id = models.UUIDField(null=True)
    recorded_at = models.DateTimeField()
    nonce = models.BinaryField()
    digest = models.BinaryField()

    class Meta:
        db_table = "log_event"
        constraints = [
            models.UniqueConstraint(fields=["bucket", "position"], name="log_event_position"),
            models.CheckConstraint(condition=models.Q(version__gte=1, position__gte=1), name="log_event_counts"),
        ]
        indexes = [
            # For finding out whether a stream has a command already.
            models.Index(
                fields=["bucket", "stream_id", "command_id"],
                name="log_event_command",
                condition=models.Q(command_id__isnull=False),
            )
        ]


class StreamHead(models.Model):
    """The last version and digest of a stream; the row that writers of the stream wait for."""

    pk = models.CompositePrimaryKey("bucket", "stream_id")
    bucket = models.SmallIntegerField()
    stream_id = models.TextField(db_collation="C")
    version = models.IntegerField()
    digest = models.BinaryField()

    class Meta:
        db_table = "log_stream"


class Counter(models.Model):
    """The last position of a bucket; locked from an append to its commit. It is what subscribers poll, too."""

    bucket = models.SmallIntegerField(primary_key=True)
    head = models.BigIntegerField()

    class Meta:
        db_table = "log_counter"


class Checkpoint(models.Model):
    pk = models.CompositePrimaryKey("subscriber", "bucket")
    subscriber = models.TextField(db_collation="C")
    bucket = models.SmallIntegerField()
    position = models.BigIntegerField()
    failing_since = models.DateTimeField(null=True)
    error = models.TextField()

    class Meta:
        db_table = "log_checkpoint"


class StreamRow(models.Model):
    """The current state of a stream (`core.log.rows`).

    Other columns are those by which it is found or listed; each has the name of a field or property of the state.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    version = models.PositiveIntegerField(help_text="How many events the stream has.")
    state = models.JSONField(null=True, help_text="The whole state as of `version`.")
    shape = models.CharField(
        max_length=16, default="", help_text="The digest of the state's types; if it differs, the row is rebuilt."
    )

    APART: ClassVar[frozenset[str]] = frozenset({"state", "shape"})
    """Columns that are no copies of the state's."""

    class Meta:
        abstract = True
