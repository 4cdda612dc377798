"""Rows of boards have no generation any more: a rebuild writes them in the place of those before."""

from django.db import migrations, models
from django.db.models import F, Q

# Dropping a column drops the keys and indexes that it is in.
LIVE_ROWS = """
DELETE FROM {table} one USING leaderboards_league league
WHERE league.game = one.game AND one.generation <> league.generation;
ALTER TABLE {table} DROP COLUMN generation;
ALTER TABLE {table} ADD PRIMARY KEY ({key});
"""
KEYS = {
    "playertally": "game, period, player",
    "entry": "game, period, board, player",
    "count": "game, period, board, bucket",
    "point": "game, number, player",
}
INDEXES = """
CREATE INDEX entry_order ON leaderboards_entry (game, period, board, (score * -1), (games * -1), reached, player);
CREATE INDEX point_of_player ON leaderboards_point (player, game, number);
"""
STATEMENTS = "".join(LIVE_ROWS.format(table=f"leaderboards_{name}", key=key) for name, key in KEYS.items())


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0001_initial")]

    operations = [
        migrations.DeleteModel("BoardState"),
        # Django does not alter a composite key: the models are declared again, and their tables are altered.
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(STATEMENTS + INDEXES)],
            state_operations=[
                *(migrations.DeleteModel(name) for name in KEYS),
                migrations.CreateModel(
                    name="PlayerTally",
                    fields=[
                        ("pk", models.CompositePrimaryKey("game", "period", "player", blank=True, editable=False, primary_key=True, serialize=False)),
                        ("game", models.CharField(max_length=32)),
                        ("period", models.CharField(help_text="all, 2026 or 2026-11.", max_length=7)),
                        ("player", models.UUIDField()),
                        ("mu", models.FloatField()),
                        ("sigma", models.FloatField()),
                        ("games", models.PositiveIntegerField()),
                        ("wins", models.PositiveIntegerField()),
                        ("beaten", models.DecimalField(decimal_places=0, help_text="The sum of the shares of opponents beaten, in 1/SHARE.", max_digits=40)),
                        ("streak", models.PositiveIntegerField()),
                        ("best_streak", models.PositiveIntegerField()),
                        ("penalty", models.IntegerField()),
                        ("rounds", models.PositiveIntegerField()),
                        ("lost_on_time", models.PositiveIntegerField()),
                        ("never_came", models.PositiveIntegerField(default=0)),
                        ("opponents", models.JSONField(help_text="The first three different opponents.")),
                        ("last_at", models.DateTimeField()),
                        ("reached", models.JSONField(help_text='For each board, the score and the number of the result that led to it.')),
                    ],
                    options={"indexes": [models.Index(fields=["player", "game"], name="tally_of_player")]},
                ),
                migrations.CreateModel(
                    name="Entry",
                    fields=[
                        ("pk", models.CompositePrimaryKey("game", "period", "board", "player", blank=True, editable=False, primary_key=True, serialize=False)),
                        ("game", models.CharField(max_length=32)),
                        ("period", models.CharField(max_length=7)),
                        ("board", models.CharField(max_length=16)),
                        ("player", models.UUIDField()),
                        ("score", models.BigIntegerField(help_text='What the board is sorted by, highest first.')),
                        ("games", models.PositiveIntegerField(help_text="Within a rank: more games first,")),
                        ("reached", models.PositiveIntegerField(help_text='then whoever reached the score first (by the number of the result).')),
                        ("expires_at", models.DateTimeField(help_text='When the last game will be too old to be ranked.', null=True)),
                    ],
                    options={
                        "indexes": [
                            models.Index("game", "period", "board", F("score") * -1, F("games") * -1, "reached", "player", name="entry_order"),
                            models.Index(condition=Q(expires_at__isnull=False), fields=["expires_at"], name="entry_expiry"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Count",
                    fields=[
                        ("pk", models.CompositePrimaryKey("game", "period", "board", "bucket", blank=True, editable=False, primary_key=True, serialize=False)),
                        ("game", models.CharField(max_length=32)),
                        ("period", models.CharField(max_length=7)),
                        ("board", models.CharField(max_length=16)),
                        ("bucket", models.BigIntegerField(help_text="The score divided by the board's width, rounded down.")),
                        ("entries", models.IntegerField()),
                    ],
                ),
                migrations.CreateModel(
                    name="Point",
                    fields=[
                        ("pk", models.CompositePrimaryKey("game", "number", "player", blank=True, editable=False, primary_key=True, serialize=False)),
                        ("game", models.CharField(max_length=32)),
                        ("number", models.PositiveIntegerField(help_text="The result's number in the league's order.")),
                        ("player", models.UUIDField()),
                        ("game_id", models.UUIDField()),
                        ("at", models.DateTimeField(help_text="When the game finished.")),
                        ("place", models.PositiveSmallIntegerField()),
                        ("players", models.PositiveSmallIntegerField()),
                        ("mu", models.FloatField()),
                        ("sigma", models.FloatField()),
                        ("never_came", models.BooleanField(default=False, help_text="The game was rated for this player alone (RA1).")),
                    ],
                    options={"indexes": [models.Index(fields=["player", "game", "number"], name="point_of_player")]},
                ),
            ],
        ),
        migrations.RemoveField(model_name="league", name="generation"),
    ]
