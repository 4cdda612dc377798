from typing import Any

from django.db import models


class Figures(models.Model):
    """Simulated games by some rules: they were asked for, and are played once."""

    digest = models.CharField(primary_key=True, max_length=64)
    counted: "models.JSONField[Any, Any]" = models.JSONField(default=list, help_text="The figures of each game so far.")
    asked_at = models.DateTimeField()
    seconds = models.FloatField(default=0, help_text="How long it has taken so far.")
    is_done = models.BooleanField(default=False)

    class Meta:
        db_table = "games_figures"
