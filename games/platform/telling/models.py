"""Notifications, what became of them, and where they go."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from games.platform.accounts.models import Player


class Channel(models.TextChoices):
    """The ways to a player (NT3)."""

    LIVE = "live"
    PUSH = "push"
    MAIL = "mail"
    WEBHOOK = "webhook"
    CHAT = "chat"


class State(models.TextChoices):
    """What became of a notification on one channel (NT8)."""

    SENT = "sent"
    HELD = "held"
    SKIPPED = "skipped"
    FAILED = "failed"
    GIVEN_UP = "given_up"


class Inbox(models.Model):
    """One player's notifications as a whole. Its row is locked while one is added, so numbers rise without gaps."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="+")
    last = models.PositiveBigIntegerField(default=0, help_text="The number of the newest notification.")
    read_up_to = models.PositiveBigIntegerField(default=0)
    # What the player chose; what is missing is as `settings.DEFAULTS` has it.
    choices: models.JSONField[Any, Any] = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"inbox of {self.player_id}"


class Notification(models.Model):
    """Something a player is told. It names things by id; its text is composed when it is read."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    number = models.PositiveBigIntegerField(help_text="Rises by one for each player.")
    kind = models.CharField(max_length=16)
    cause = models.CharField(max_length=160)
    subject = models.CharField(max_length=12, help_text="What it is about: a game, a tournament, the account.")
    subject_id = models.UUIDField(null=True, help_text="Its id.")
    version = models.PositiveIntegerField(null=True, help_text="The version of the subject that it is about.")
    data: models.JSONField[Any, Any] = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    lost = models.CharField(max_length=20, null=True, help_text="Why it has no point any more: seen, played, ...")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "kind", "cause"], name="notification_once"),
            models.UniqueConstraint(fields=["player", "number"], name="notification_number"),
        ]
        indexes = [
            models.Index(fields=["subject_id", "player"], name="notification_open", condition=Q(lost__isnull=True)),
            models.Index(fields=["created_at"], name="notification_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.cause}"


class Hook(models.Model):
    """A webhook: where a player's notifications are posted to. Address and secrets are encrypted (`vault`)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    url = models.TextField(help_text="Encrypted: it may hold a token.")
    host = models.CharField(max_length=255, help_text="What its owner is shown of the address.")
    secret = models.TextField(help_text="Encrypted.")
    old_secret = models.TextField(null=True, help_text="Encrypted; signs too until `old_secret_until`.")
    old_secret_until = models.DateTimeField(null=True)
    types = ArrayField(models.CharField(max_length=40))
    created_at = models.DateTimeField()
    failing_since = models.DateTimeField(null=True)
    error = models.TextField(null=True)
    off_since = models.DateTimeField(null=True, help_text="Switched off since then; null: it works.")
    off_because = models.TextField(null=True)

    class Meta:
        indexes = [models.Index(fields=["player", "created_at"], name="hook_of_player")]
        verbose_name = "webhook"

    def __str__(self) -> str:
        return f"webhook {self.host}"


class Delivery(models.Model):
    """What became of a notification on one channel, and why. A webhook has one for each notification it gets."""

    notification = models.ForeignKey(Notification, models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=8, choices=Channel)
    hook = models.ForeignKey(Hook, models.SET_NULL, null=True, related_name="deliveries")
    state = models.CharField(max_length=8, choices=State)
    reason = models.TextField(null=True)
    until = models.DateTimeField(null=True, help_text="Held until then, or the next try of what failed.")
    at = models.DateTimeField(help_text="When it came to this.")

    class Meta:
        indexes = [
            models.Index(fields=["channel", "until"], name="delivery_held", condition=Q(state="held")),
            models.Index(fields=["at"], name="delivery_dead", condition=Q(state="given_up")),
        ]
        verbose_name_plural = "deliveries"

    def __str__(self) -> str:
        return f"{self.channel} {self.state}"


class Seen(models.Model):
    """Up to which version of a game a player has said to have seen it (TU2)."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    subject_id = models.UUIDField()
    version = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "subject_id"], name="seen_once")]
        indexes = [models.Index(fields=["at"], name="seen_age")]

    def __str__(self) -> str:
        return f"{self.player_id} saw {self.version}"
