"""An empty database again, for less than `flush` takes."""

import time
from collections.abc import Sequence

PATIENCE = 60.0
# What `migrate` itself writes once it is done, and `flush` writes again.
WRITTEN_BY_MIGRATE = {"django_content_type", "auth_permission"}
APPEND_ONLY = {"log_event", "accounts_audit"}


def empty_tables() -> None:
    """Do what `manage.py flush` does, only for the tables that have rows.

    `flush` makes the files of all tables and of their indexes anew, and writes the permissions of all models again: a
    third of a second of processor time, where most tests have written to a few tables.
    """
    from django.db import connection, transaction

    from core.log.apps import restore_counters

    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = sorted(set(names) - WRITTEN_BY_MIGRATE)
    with transaction.atomic(), connection.cursor() as cursor:
        lock(tables)
        cursor.execute(" UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for table in tables))
        for (table,) in cursor.fetchall():
            cursor.execute(f"{'TRUNCATE' if table in APPEND_ONLY else 'DELETE FROM'} {table}")
        restore_counters(connection.alias)


def lock(tables: Sequence[str]) -> None:
    """Lock the tables, all or none of them: what a thread of the test has not committed yet is waited for.

    A page that a test has left may still be read from the database. Taken one after the other, the locks of the two
    could wait for each other.
    """
    from django.db import OperationalError, connection, transaction

    until = time.monotonic() + PATIENCE
    while True:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE NOWAIT")
        except OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
