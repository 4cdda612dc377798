from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_results")]

    operations = [
        migrations.AddField(
            "tournament",
            "begun",
            models.JSONField(
                default=list,
                db_default=[],
                help_text='[{"seeds", "seated", "since"}]: the stages after the first that have begun.',
            ),
        ),
        migrations.AddField(
            "tournament",
            "break_ends",
            models.DateTimeField(null=True, help_text="When the next stage begins, if the current one is over."),
        ),
    ]
