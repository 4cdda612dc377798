from django.db import models

from games.models import Game


class Review(models.Model):
    """The review of a finished game: made once, and kept as it is when the bot learns more."""

    # No constraint: a game's row is a cache and may be dropped, a review may not.
    game = models.OneToOneField(Game, models.DO_NOTHING, db_constraint=False, primary_key=True, related_name="+")
    asked_at = models.DateTimeField()
    body = models.JSONField(null=True, help_text="The figures; null while they are being made.")

    class Meta:
        db_table = "games_review"
