import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from core.hooks import moved_from


class Migration(migrations.Migration):
    """The table is there: migrations of games made it."""

    initial = True
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("games", "0010_notes_leave"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Note',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('text', models.TextField()),
                        ('version', models.PositiveIntegerField(help_text='The version of the game when it was written.')),
                        ('at', models.DateTimeField()),
                        ('game', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='games.game')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'db_table': 'games_note',
                        'constraints': [models.UniqueConstraint(fields=('player', 'game'), name='note_once')],
                    },
                ),
            ]
        ),
        moved_from("games", "notes", "Note"),
    ]
