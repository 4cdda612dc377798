"""An empty database again, for less than `flush` takes."""

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
        # As TRUNCATE does: what a thread of the test has not committed yet is waited for.
        cursor.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
        cursor.execute(" UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for table in tables))
        for (table,) in cursor.fetchall():
            cursor.execute(f"{'TRUNCATE' if table in APPEND_ONLY else 'DELETE FROM'} {table}")
        restore_counters(connection.alias)
