from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_simulations")]

    operations = [
        # As `rebuild` would write them: rows left out what 0.1.0 did not know.
        migrations.RunSQL(
            """UPDATE tournaments_tournament SET plan = '{"talk": "all", "stages": []}' || plan""",
            migrations.RunSQL.noop,
        ),
    ]
