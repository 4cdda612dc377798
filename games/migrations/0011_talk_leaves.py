from django.db import migrations


class Migration(migrations.Migration):
    """Talk is an app of its own, with the same tables."""

    dependencies = [("games", "0010_notes_leave")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name) for name in ("Mute", "Talk", "TalkMessage", "TalkReader", "TalkReport")
            ]
        )
    ]
