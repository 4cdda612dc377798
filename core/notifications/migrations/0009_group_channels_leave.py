from django.db import migrations


class Migration(migrations.Migration):
    """The channels of groups are an app of their own, with the same tables."""

    dependencies = [("notifications", "0008_remove_quiet_until")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel("Posting"), migrations.DeleteModel("GroupChannel")]
        )
    ]
