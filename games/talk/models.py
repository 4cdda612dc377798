"""What is said at tables, and what was decided about it."""

from django.db import models
from django.db.models import Q

from core.accounts.models import Player
from games.models import Game


class Talk(models.Model):
    """What is said at a table. It is no event, and nothing else depends on it."""

    # No constraint: a game's row is a cache and may be dropped, a talk may not; nor have its messages and readers.
    game = models.OneToOneField(Game, models.DO_NOTHING, db_constraint=False, primary_key=True, related_name="+")
    last = models.PositiveIntegerField(default=0, help_text="The number of the newest message.")
    changes = models.PositiveIntegerField(default=0, help_text="The number of messages and removals.")

    class Meta:
        db_table = "games_talk"


class TalkMessage(models.Model):
    class Gone(models.TextChoices):
        AUTHOR = "author"
        ORGANISER = "organiser"
        STAFF = "staff"

    game = models.ForeignKey(Game, models.DO_NOTHING, db_constraint=False, related_name="+")
    number = models.PositiveIntegerField()
    player = models.ForeignKey(Player, models.DO_NOTHING, db_constraint=False, related_name="+")
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=500, null=True)
    sign = models.CharField(max_length=16, null=True)
    at = models.DateTimeField()
    version = models.PositiveIntegerField(help_text="The version of the game when it was written.")
    gone = models.CharField(
        max_length=9, choices=Gone, null=True, help_text="Who removed it; then text and sign are null."
    )
    changed = models.PositiveIntegerField(help_text="The number of the change that added or removed it.")

    class Meta:
        db_table = "games_talkmessage"
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="talk_message_once")]
        indexes = [models.Index(fields=["player", "at"], name="talk_of_player")]


class TalkReader(models.Model):
    """How far a player has read a talk, and of what they were told."""

    game = models.ForeignKey(Game, models.DO_NOTHING, db_constraint=False, related_name="+")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    read = models.PositiveIntegerField(default=0)
    quiet = models.BooleanField(default=False, help_text="New messages are neither counted nor notified.")
    told = models.PositiveIntegerField(default=0, help_text="The first message in the last notification.")

    class Meta:
        db_table = "games_talkreader"
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="talk_reader_once")]


class TalkReport(models.Model):
    """What a player reported of a talk, with a copy: its author may take it back later."""

    game = models.ForeignKey(Game, models.DO_NOTHING, db_constraint=False, related_name="+")
    number = models.PositiveIntegerField()
    by = models.ForeignKey(Player, models.CASCADE, related_name="+")
    author = models.UUIDField()
    why = models.CharField(max_length=8)
    text = models.CharField(max_length=500, blank=True)
    copied = models.JSONField(help_text="The message and the ten before it, as the reporter saw them.")
    at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decided_by = models.UUIDField(null=True)
    decision = models.CharField(max_length=5, null=True, help_text="leave, hide, mute or both.")
    reason = models.TextField(null=True)

    class Meta:
        db_table = "games_talkreport"
        constraints = [models.UniqueConstraint(fields=["game", "number", "by"], name="talk_report_once")]
        indexes = [models.Index(fields=["at"], name="talk_report_open", condition=Q(decided_at__isnull=True))]


class Mute(models.Model):
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    game = models.ForeignKey(
        Game,
        models.DO_NOTHING,
        db_constraint=False,
        null=True,
        related_name="+",
        help_text="The game in which it began.",
    )
    tournament = models.UUIDField(
        null=True, help_text="Applies only at the tables of this tournament; null means everywhere."
    )
    until = models.DateTimeField(null=True, help_text="Null means until it is taken back.")
    reason = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, help_text="When it was taken back.")

    class Meta:
        db_table = "games_mute"
