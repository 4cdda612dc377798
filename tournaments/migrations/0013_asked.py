import uuid

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0012_delete_command'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='offers',
            field=models.JSONField(default=list, help_text='Who is asked to play on for an entrant.'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='set_up_by',
            field=models.UUIDField(db_index=True, default=uuid.UUID(int=0)),
            preserve_default=False,
        ),
        migrations.RunSQL('UPDATE tournaments_tournament SET set_up_by = organisers[1] WHERE cardinality(organisers) > 0'),
    ]
