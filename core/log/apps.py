from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate

_COUNTERS = """
INSERT INTO log_counter (bucket, head)
SELECT bucket, COALESCE((SELECT max(position) FROM log_event event WHERE event.bucket = number.bucket), 0)
FROM generate_series(0, %s - 1) AS number (bucket)
ON CONFLICT DO NOTHING
"""


class LogConfig(AppConfig):
    """The log's tables, and its counter rows, which must always be there."""

    name = "core.log"
    label = "log"
    verbose_name = "Event log"

    def ready(self) -> None:
        post_migrate.connect(restore_counters, sender=self)


def restore_counters(using: str, **_: Any) -> None:
    """Make the counter rows that are missing: all after the first migration, and after a test's flush."""
    from core.log.event import BUCKETS

    with connections[using].cursor() as cursor:
        if {"log_counter", "log_event"} <= set(connections[using].introspection.table_names(cursor)):
            cursor.execute(_COUNTERS, [BUCKETS])
