from django.db import migrations


class Migration(migrations.Migration):
    """Plans are an app of their own, with the same table."""

    dependencies = [("games", "0012_review_leaves")]

    operations = [migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Plan")])]
