"""Tournaments of before take no guests (PLAY AC2), as their events say now when read."""

from django.db import migrations

_COMPLETE = "UPDATE tournaments_tournament SET plan = '{\"guests\": false}'::jsonb || plan WHERE NOT plan ? 'guests'"


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_without_organiser")]

    operations = [migrations.RunSQL(_COMPLETE, migrations.RunSQL.noop)]
