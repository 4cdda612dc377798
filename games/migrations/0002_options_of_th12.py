"""Games of Threes that were opened before the options of TH12 have them off, as their events do now when read."""

from django.db import migrations

_COMPLETE = """
UPDATE games_game SET options = '{"ten_obeys_seven": false, "powerless_on_empty": false}'::jsonb || options
WHERE game = 'threes' AND NOT options ? 'powerless_on_empty'
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [migrations.RunSQL(_COMPLETE, migrations.RunSQL.noop)]
