from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    """A tournament's row and those of its parts are state as JSON: all of them are made again from the log."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0007_simulation_moves"),
    ]

    operations = [
        *(
            migrations.DeleteModel(name)
            for name in ("Elector", "Proposal", "Table", "Round", "TournamentGame", "Entrant")
        ),
        *(
            migrations.RemoveField("tournament", name)
            for name in (
                "plan", "asked", "seed", "commitment", "seed_shown", "numbers", "bots", "places", "queue", "seated",
                "open_rounds", "draft", "begun", "break_ends", "seeds", "deals", "rooms", "reopened", "unorganised_at",
                "put_off", "ended_why", "proposed", "ratified", "channels", "messages",
            )
        ),
        migrations.AddField("tournament", "state", models.JSONField(null=True)),
        migrations.AddField(
            "tournament",
            "shape",
            models.CharField(
                default="",
                help_text="The digest of the state's types; if it differs, the row is rebuilt.",
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name='Entrant',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('tournament', models.ForeignKey(on_delete=models.CASCADE, related_name='entrants', to='tournaments.tournament')),
                ('number', models.PositiveIntegerField()),
                ('player', models.ForeignKey(db_constraint=False, null=True, on_delete=models.DO_NOTHING, related_name='entries', to=settings.AUTH_USER_MODEL)),
                ('standing', models.CharField(choices=[('invited', 'invited'), ('waiting', 'waiting'), ('registered', 'registered'), ('in', 'in'), ('withdrawn', 'withdrawn'), ('removed', 'removed'), ('gone', 'gone')], max_length=10)),
                ('since', models.DateTimeField()),
                ('entered_at', models.DateTimeField(null=True)),
                ('former', ArrayField(base_field=models.UUIDField(), default=list, help_text='Who played for this entrant before.', size=None)),
                ('state', models.JSONField()),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('player__isnull', False)), fields=['player'], name='entrant_player')],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='entrant_number'), models.UniqueConstraint(deferrable=models.Deferrable.DEFERRED, fields=('tournament', 'player'), name='entrant_player_once')],
            },
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('tournament', models.ForeignKey(on_delete=models.CASCADE, related_name='rounds', to='tournaments.tournament')),
                ('number', models.PositiveSmallIntegerField()),
                ('deadline_at', models.DateTimeField(help_text='The deadline, without outages of the service.', null=True)),
                ('overdue', models.BooleanField(default=False)),
                ('closed_at', models.DateTimeField(null=True)),
                ('state', models.JSONField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='round_number')],
                'indexes': [],
            },
        ),
        migrations.CreateModel(
            name='TournamentGame',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('tournament', models.ForeignKey(on_delete=models.CASCADE, related_name='games', to='tournaments.tournament')),
                ('game', models.UUIDField(help_text='The id of the game, or of the result.')),
                ('round', models.PositiveSmallIntegerField(null=True)),
                ('table', models.PositiveIntegerField(null=True)),
                ('number', models.PositiveSmallIntegerField(null=True)),
                ('outcome', models.CharField(choices=[('open', 'open'), ('result', 'result'), ('void', 'void'), ('none', 'none')], max_length=6)),
                ('source', models.CharField(max_length=6, null=True)),
                ('since', models.DateTimeField(help_text='When the tournament first heard of it.')),
                ('state', models.JSONField()),
            ],
            options={
                'indexes': [models.Index(fields=['game'], name='tournament_game_by_game'), models.Index(fields=['tournament', 'since', 'id'], name='tournament_game_newest'), models.Index(fields=['tournament', 'round', 'table', 'number'], name='tournament_game_by_table'), models.Index(condition=models.Q(('outcome', 'open')), fields=['tournament'], name='tournament_game_open')],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'game'), name='tournament_game_once')],
            },
        ),
        migrations.CreateModel(
            name='Part',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('tournament', models.ForeignKey(on_delete=models.CASCADE, related_name='parts', to='tournaments.tournament')),
                ('part', models.CharField(max_length=8)),
                ('key', models.CharField(max_length=20)),
                ('state', models.JSONField()),
            ],
            options={
                'indexes': [models.Index(fields=['tournament', 'part'], name='part_of_tournament')],
                'constraints': [],
            },
        ),
    ]
