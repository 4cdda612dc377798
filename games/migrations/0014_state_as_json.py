from django.db import migrations, models


class Migration(migrations.Migration):
    """A game's row is its state as JSON: `shape` says of what; every row is made again from the log."""

    dependencies = [("games", "0013_plans_leave")]

    operations = [
        *(
            migrations.RemoveField("game", name)
            for name in (
                "asked_options", "cancel_reason", "channels", "commitment", "dealer", "options", "plans", "salts",
                "seats", "secret", "shuffles", "start", "state_schema", "talk", "voided",
            )
        ),
        *(
            migrations.RemoveField("seat", name)
            for name in ("agrees_to_cancel", "duty", "duty_turn", "misses", "played", "replaced", "salt")
        ),
        migrations.AddField(
            "game",
            "shape",
            models.CharField(
                default="",
                help_text="The digest of the state's types; if it differs, the row is rebuilt.",
                max_length=16,
            ),
        ),
        migrations.AlterField(
            "game", "state", models.JSONField(help_text="The whole state as of `version`.", null=True)
        ),
    ]
