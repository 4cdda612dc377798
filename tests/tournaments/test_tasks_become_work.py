"""The tasks of a release before are carried over into the queue, in a database and in a rolling release."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from core.jobs.models import Work

TOURNAMENT, GAME = UUID(int=1), UUID(int=2)
_OLD_INSERT = """
INSERT INTO tournaments_task (id, kind, tournament, data, due_at, tries, error)
VALUES (%s, %s, %s, %s::jsonb, %s, %s, %s) ON CONFLICT DO NOTHING
"""


def migrate(*targets: tuple[str, str]) -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(list(targets) or executor.loader.graph.leaf_nodes())


def insert(number: int, kind: str, data: str, due_at: object, tries: int = 0, error: str | None = None) -> None:
    """As processes of the release before queue a task."""
    with connection.cursor() as cursor:
        cursor.execute(_OLD_INSERT, [UUID(int=number), kind, TOURNAMENT, data, due_at, tries, error])


def queued() -> set[tuple[str, str, str | None, int]]:
    return set(Work.objects.values_list("kind", "key", "data__game", "tries"))


@pytest.mark.django_db(transaction=True)
def test_open_tasks_are_carried_over_and_those_of_a_rolling_release_follow(clock):
    later = clock.at + timedelta(hours=1)
    migrate(("tournaments", "0010_channels"))
    try:
        insert(7, "outcome", f'{{"game": "{GAME}", "ruling": {{"by": "x"}}}}', clock.at)
        insert(8, "resign", '{"entrant": "e1"}', later, tries=3, error="boom")
    finally:
        migrate()
    carried = {
        ("tournament.outcome", f"{TOURNAMENT}/{GAME}", str(GAME), 0),
        ("tournament.resign", f"{TOURNAMENT}/{UUID(int=8)}", None, 3),
    }
    assert queued() == carried
    failing = Work.objects.get(kind="tournament.resign")
    assert (failing.error, failing.due_at, failing.failing_since is not None) == ("boom", later, True)
    assert failing.data == {"tournament": str(TOURNAMENT), "entrant": "e1"}

    insert(9, "outcome", f'{{"game": "{GAME}"}}', clock.at)
    insert(10, "watch", f'{{"game": "{GAME}"}}', later)
    assert queued() == {*carried, ("tournament.watch", f"{TOURNAMENT}/{GAME}", str(GAME), 0)}
    assert Work.objects.get(kind="tournament.outcome").data["ruling"] == {"by": "x"}, "it stays as it was"
    with connection.cursor() as cursor:
        # As the runner of the release before looks for what is due.
        cursor.execute("SELECT id FROM tournaments_task WHERE due_at <= now() FOR UPDATE SKIP LOCKED")
        assert cursor.fetchall() == []
