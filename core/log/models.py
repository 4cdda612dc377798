"""The tables of the log. Only `append` and the subscribers write them; the models serve queries and migrations."""

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
