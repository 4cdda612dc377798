"""Saved house games: each with its versions, which never change."""

import uuid

from django.db import models
from django.db.models import Q

from core.accounts.models import Player


class HouseGame(models.Model):
    class Visibility(models.TextChoices):
        LINK = "link"
        PUBLIC = "public"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    author = models.ForeignKey(
        Player, models.SET_NULL, null=True, related_name="+", help_text="Null: the account is closed."
    )
    visibility = models.CharField(max_length=6, choices=Visibility)
    version = models.PositiveSmallIntegerField(help_text="The number of the latest one.")
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    played = models.PositiveIntegerField(default=0, help_text="How many games have been dealt with its versions.")
    made_from = models.ForeignKey("Version", models.SET_NULL, null=True, related_name="+")
    made_from_game = models.CharField(max_length=32, blank=True, help_text="The game with rules of ours it began as.")
    hidden_at = models.DateTimeField(null=True, help_text="When staff hid it: it is gone for all but its author.")
    hidden_why = models.TextField(blank=True)

    class Meta:
        db_table = "house_game"
        indexes = [
            models.Index(
                fields=["played", "id"], name="house_game_public", condition=Q(visibility="public", hidden_at=None)
            ),
            models.Index(fields=["author", "changed_at"], name="house_game_mine"),
        ]


class Version(models.Model):
    game = models.ForeignKey(HouseGame, models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveSmallIntegerField()
    rules = models.JSONField(help_text="The document, complete when it was saved.")
    digest = models.CharField(max_length=64, db_index=True, help_text="SHA-256 of the canonical document.")
    at = models.DateTimeField()

    class Meta:
        db_table = "house_version"
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="house_version_once")]


class HiddenRules(models.Model):
    """The words of these rules are shown nowhere: their games have no title of their own. They may be saved no more."""

    digest = models.CharField(primary_key=True, max_length=64)

    class Meta:
        db_table = "house_hidden"


class HouseReport(models.Model):
    """What a player reported, with the title and the text as they were: its author may change them later."""

    # No constraint: its author may delete the game, the report waits for staff.
    game = models.ForeignKey(HouseGame, models.DO_NOTHING, db_constraint=False, related_name="+")
    by = models.ForeignKey(Player, models.CASCADE, related_name="+")
    author = models.UUIDField(null=True)
    why = models.CharField(max_length=8)
    text = models.CharField(max_length=500, blank=True)
    title = models.CharField(max_length=40)
    about = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decision = models.CharField(max_length=5, null=True, help_text="leave or hide.")
    reason = models.TextField(null=True)

    class Meta:
        db_table = "house_report"
        constraints = [models.UniqueConstraint(fields=["game", "by"], name="house_report_once")]
        indexes = [models.Index(fields=["at"], name="house_report_open", condition=Q(decided_at__isnull=True))]
