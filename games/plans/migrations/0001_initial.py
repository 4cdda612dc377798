import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from core.hooks import moved_from


class Migration(migrations.Migration):
    """The table is there: migrations of games made it."""

    initial = True
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("games", "0013_plans_leave"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Plan',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('seat', models.PositiveSmallIntegerField()),
                        ('plan', models.JSONField(help_text='The complete plan, defaults included.')),
                        ('app', models.CharField(help_text='The client id of the app that saved it.', max_length=100, null=True)),
                        ('kept_at', models.DateTimeField(help_text='If several plans can interrupt, the one saved first is tried first.')),
                        ('version', models.PositiveIntegerField(help_text='The version of the game up to which the plan has been followed.')),
                        ('in_turn', models.BooleanField(help_text='Whether the seat had to move at that version.')),
                        ('begun', models.PositiveSmallIntegerField(default=0, help_text='How many turns have begun since it was saved.')),
                        ('judged', models.IntegerField(default=-1, help_text='The version at which it was last tried; -1 if it has not been tried yet.')),
                        ('again_at', models.DateTimeField(help_text='When it is tried again, even if nothing has happened.', null=True)),
                        ('game', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='games.game')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'db_table': 'games_plan',
                        'constraints': [models.UniqueConstraint(fields=('game', 'seat'), name='plan_once')],
                    },
                ),
            ]
        ),
        moved_from("games", "plans", "Plan"),
    ]
