from django.db import migrations, models

# Rows that are there take it from the log: no column says whether a cancelled tournament was ever more than a draft.
FROM_THE_LOG = """
UPDATE tournaments_tournament t SET opened_at = e.recorded_at
FROM log_event e
WHERE e.type = 'tournament.opened' AND e.stream_id = 'tournament-' || t.id
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial"), ("log", "0001_initial")]

    operations = [
        migrations.AddField("tournament", "opened_at", models.DateTimeField(null=True)),
        migrations.RunSQL(FROM_THE_LOG, migrations.RunSQL.noop),
    ]
