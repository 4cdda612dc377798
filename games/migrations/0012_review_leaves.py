from django.db import migrations


class Migration(migrations.Migration):
    """Reviews are an app of their own, with the same table."""

    dependencies = [("games", "0011_talk_leaves")]

    operations = [migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Review")])]
