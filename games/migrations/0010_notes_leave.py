from django.db import migrations


class Migration(migrations.Migration):
    """Notes are an app of their own, with the same table."""

    dependencies = [("games", "0009_remove_told_at")]

    operations = [migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Note")])]
