"""The channels of groups, and what is posted to them."""

from datetime import datetime
from typing import Any

from django.db import models

from core.accounts.models import Player
from core.notifications.models import Endpoint, State


class GroupChannel(Endpoint):
    """A group's channel: what a room posts to. The player who added it is told if it fails."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    subject = models.CharField(max_length=12, help_text="What it belongs to: a game or a tournament.")
    subject_id = models.UUIDField()
    service = models.CharField(max_length=12, help_text="A chat service, or `webhook`.")
    secret = models.TextField(null=True, help_text="Encrypted; signs webhook deliveries.")
    app = models.CharField(max_length=100, null=True, help_text="The client id of the app that added it.")
    tested_at = models.DateTimeField(null=True, help_text="When the last test was tried.")

    SEALED = ("url", "secret")

    class Meta:
        indexes = [models.Index(fields=["subject_id", "created_at"], name="group_of_subject")]
        verbose_name = "group channel"
        db_table = "notifications_groupchannel"

    def signing(self, now: datetime) -> list[str]:  # noqa: ARG002
        return [self.secret] if self.secret is not None else []


class Posting(models.Model):
    """Something that is posted to a group's channel, once for each cause, and what happened to it."""

    channel = models.ForeignKey(GroupChannel, models.CASCADE, related_name="+")
    cause = models.CharField(max_length=160)
    topic = models.CharField(max_length=12, help_text="turn, result, round or standings.")
    subject = models.CharField(max_length=12, help_text="What it is about: a game or a tournament.")
    subject_id = models.UUIDField()
    version = models.PositiveIntegerField()
    data: "models.JSONField[Any, Any]" = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    state = models.CharField(max_length=8, choices=State)
    reason = models.TextField(null=True)
    until = models.DateTimeField(null=True, help_text="When it is tried again.")
    at = models.DateTimeField(help_text="When its state last changed.")

    class Meta:
        db_table = "notifications_posting"
        constraints = [models.UniqueConstraint(fields=["channel", "cause"], name="posting_once")]
        indexes = [models.Index(fields=["created_at"], name="posting_age")]
