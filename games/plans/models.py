from django.db import models

from core.accounts.models import Player
from games.models import Game


class Plan(models.Model):
    """A player's plan for a seat's coming turns.

    It is not an event, so nobody else learns of it. It is stored as of `version`. What later events mean for it (a turn
    that began, a new deal) is worked out when somebody asks (`games.plans.services`), so that a move does not
    touch the plans of others.
    """

    # No constraint: a game's row is a cache and may be dropped, a plan may not.
    game = models.ForeignKey(Game, models.DO_NOTHING, db_constraint=False, related_name="+")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    plan = models.JSONField(help_text="The complete plan, defaults included.")
    app = models.CharField(max_length=100, null=True, help_text="The client id of the app that saved it.")
    kept_at = models.DateTimeField(help_text="If several plans can interrupt, the one saved first is tried first.")
    version = models.PositiveIntegerField(help_text="The version of the game up to which the plan has been followed.")
    in_turn = models.BooleanField(help_text="Whether the seat had to move at that version.")
    begun = models.PositiveSmallIntegerField(default=0, help_text="How many turns have begun since it was saved.")
    judged = models.IntegerField(
        default=-1, help_text="The version at which it was last tried; -1 if it has not been tried yet."
    )
    again_at = models.DateTimeField(null=True, help_text="When it is tried again, even if nothing has happened.")

    class Meta:
        db_table = "games_plan"
        constraints = [models.UniqueConstraint(fields=["game", "seat"], name="plan_once")]
