"""Tournaments of before allow plans (PL10), as their events do now when read."""

from django.db import migrations

_COMPLETE = "UPDATE tournaments_tournament SET plan = '{\"plans\": true}'::jsonb || plan WHERE NOT plan ? 'plans'"


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_substitutes_are_asked")]

    operations = [migrations.RunSQL(_COMPLETE, migrations.RunSQL.noop)]
