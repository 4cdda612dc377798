from django.db import models

from core.accounts.models import Player
from games.models import Game


class Note(models.Model):
    """A player's note to oneself in a game. It is no event, so nobody else learns of it. It outlives the seat."""

    # No constraint: a game's row is a cache and may be dropped, a note may not.
    game = models.ForeignKey(Game, models.DO_NOTHING, db_constraint=False, related_name="+")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    text = models.TextField()
    version = models.PositiveIntegerField(help_text="The version of the game when it was written.")
    at = models.DateTimeField()

    class Meta:
        db_table = "games_note"
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="note_once")]
