import django.db.models.deletion
from django.db import migrations, models

from core.hooks import moved_from


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("tournaments", "0007_simulation_moves"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[
            migrations.CreateModel(
                name='Simulation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('proposal', models.PositiveIntegerField()),
                    ('counted', models.JSONField(default=list, help_text='The figures of the pairs played so far; empty after it is done.')),
                    ('seconds', models.FloatField(default=0, help_text='How long it has taken so far.')),
                    ('report', models.JSONField(help_text='The result; null until it is done, or if there were too few games.', null=True)),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='simulations', to='tournaments.tournament')),
                ],
                options={
                    'db_table': 'tournaments_simulation',
                    'constraints': [models.UniqueConstraint(fields=('tournament', 'proposal'), name='simulation_once')],
                },
            ),
        ]),
        moved_from("tournaments", "simulations", "Simulation"),
    ]
