import django.db.models.deletion
from django.db import migrations, models

from core.hooks import moved_from


class Migration(migrations.Migration):
    initial = True

    dependencies = [("games", "0012_review_leaves"), ("contenttypes", "0002_remove_content_type_name")]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[
            migrations.CreateModel(
                name='Review',
                fields=[
                    ('game', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True, related_name='+', serialize=False, to='games.game')),
                    ('asked_at', models.DateTimeField()),
                    ('body', models.JSONField(help_text='The figures; null while they are being made.', null=True)),
                ],
                options={'db_table': 'games_review'},
            ),
        ]),
        moved_from("games", "review", "Review"),
    ]
