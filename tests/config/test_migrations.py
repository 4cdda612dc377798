"""Two releases run side by side for an hour, so the release before must run on the new schema (CONTRIBUTING.md).

What the code before still needs goes in a second step, one release later: a migration that says `second_step = "why"`.
"""

import re

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

TAKES_AWAY = (
    migrations.RemoveField,
    migrations.DeleteModel,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
)
SQL_TAKES_AWAY = re.compile(
    r"\b(DROP\s+(TABLE|COLUMN)|RENAME|SET\s+NOT\s+NULL|ALTER\s+COLUMN\s+\w+\s+TYPE)\b", re.IGNORECASE
)


def refused(operation):
    """Why the release before would not run after it, or None."""
    match operation:
        case migrations.SeparateDatabaseAndState():
            return next((why for each in operation.database_operations if (why := refused(each))), None)
        case migrations.AddField(field=field):
            # Django writes its own default into each INSERT; the code before does not know the column.
            without = isinstance(field, models.ManyToManyField) or field.null or field.has_db_default()
            return None if without else f"{operation.name} needs null=True or a db_default"
        case migrations.AddConstraint():
            return "rows that the code before writes may not satisfy it"
        case migrations.AlterField(field=field) if not field.null:
            return f"{operation.name} may become narrower than the code before writes it"
        case migrations.RunSQL(sql=sql) if SQL_TAKES_AWAY.search(str(sql)):
            return "its SQL takes something away"
    if isinstance(operation, TAKES_AWAY):
        return f"{type(operation).__name__} takes away what the code before uses"
    return None


def ours():
    """Every migration of Trey's but the first of each app."""
    for (app, name), migration in sorted(MigrationLoader(None).disk_migrations.items()):
        room = apps.get_app_config(app).name.partition(".")[0]
        if room in ("config", "core", "games", "tournaments") and name > "0001_initial":
            yield app, name, migration


def test_the_release_before_runs_on_the_schema_of_each_migration():
    for app, name, migration in ours():
        made = {each.name.lower() for each in migration.operations if isinstance(each, migrations.CreateModel)}
        for operation in migration.operations:
            if getattr(operation, "model_name", "").lower() in made or getattr(migration, "second_step", ""):
                continue
            why = refused(operation)
            assert why is None, f"{app} {name}: {why}. CONTRIBUTING.md has the rule."


@pytest.mark.parametrize(
    ("operation", "allowed"),
    [
        (migrations.AddField("game", "mood", models.TextField(null=True)), True),
        (migrations.AddField("game", "mood", models.TextField(db_default="")), True),
        (migrations.AddField("game", "mood", models.TextField(default="")), False),
        (migrations.RemoveField("game", "mood"), False),
        (migrations.RenameField("game", "mood", "temper"), False),
        (migrations.AlterField("game", "mood", models.TextField()), False),
        (migrations.RunSQL("ALTER TABLE games_game DROP COLUMN mood"), False),
        (migrations.RunSQL("CREATE INDEX game_mood ON games_game (mood)"), True),
        (migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("game", "mood")]), True),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, bool) else str(value),
)
def test_what_the_rule_lets_pass(operation, allowed):
    assert (refused(operation) is None) is allowed
