"""Notifications, what happened to them, and where they go."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from core.accounts.models import Player, Session, Token


class Channel(models.TextChoices):
    LIVE = "live"
    PUSH = "push"
    MAIL = "mail"
    WEBHOOK = "webhook"
    CHAT = "chat"


class State(models.TextChoices):
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
    # The player's choices; missing ones have their defaults (`preferences.default`).
    choices: "models.JSONField[Any, Any]" = models.JSONField(default=dict)


class Notification(models.Model):
    """Something a player is told. It names things by id; its text is composed when it is read."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    number = models.PositiveBigIntegerField(help_text="Counts up by one for each player.")
    kind = models.CharField(max_length=16)
    cause = models.CharField(max_length=160)
    subject = models.CharField(max_length=12, help_text="What it is about: a game, a tournament or the account.")
    subject_id = models.UUIDField(null=True, help_text="The subject's id.")
    version = models.PositiveIntegerField(null=True, help_text="The version of the subject that it is about.")
    data: "models.JSONField[Any, Any]" = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    lost = models.CharField(max_length=20, null=True, help_text="Why it is no longer relevant: seen, played and so on.")
    skipped: "models.JSONField[Any, Any]" = models.JSONField(
        null=True, help_text="By channel, why it was not sent there; null if it was sent on every channel."
    )
    by = models.UUIDField(null=True, help_text="Who caused it, if it counts towards that player's limit.")
    # Until when channels wait with it while it is planned; it is not stored.
    after: Mapping[str, datetime] = MappingProxyType({})

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "kind", "cause"], name="notification_once"),
            models.UniqueConstraint(fields=["player", "number"], name="notification_number"),
        ]
        indexes = [
            models.Index(fields=["subject_id", "player"], name="notification_open", condition=Q(lost__isnull=True)),
            models.Index(fields=["created_at"], name="notification_age"),
            models.Index(fields=["by", "created_at"], name="notification_by", condition=Q(by__isnull=False)),
        ]


class Endpoint(models.Model):
    """An address that somebody gave for posting to. It may hold a token, so it is encrypted (`vault`)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    url = models.TextField(help_text="Encrypted: it may hold a token.")
    host = models.CharField(max_length=255, help_text="The part of the address that its owner can see.")
    created_at = models.DateTimeField()
    failing_since = models.DateTimeField(null=True)
    error = models.TextField(null=True)
    off_since = models.DateTimeField(null=True, help_text="When it was switched off; null if it works.")
    off_because = models.TextField(null=True)
    in_question = models.BooleanField(default=False, help_text="Whether its owner has been asked to keep or remove it.")

    # The encrypted fields; `manage.py rotate_vault` goes by them.
    SEALED: tuple[str, ...] = ("url",)

    class Meta:
        abstract = True

    @property
    def active(self) -> bool:
        return self.off_since is None

    def switch_on(self) -> None:
        """Have it tried again. The caller saves it."""
        self.off_since, self.off_because, self.failing_since, self.error = None, None, None, None

    def signing(self, now: datetime) -> list[str]:  # noqa: ARG002  webhooks have secrets
        """The secrets, encrypted, that sign what it gets; none: it is a chat, or a browser."""
        return []


class BusyAddress(models.Model):
    """An address whose receiver asks to be left alone (`Retry-After`), whoever gave it and for whatever goes there."""

    digest = models.CharField(primary_key=True, max_length=64, help_text="HMAC-SHA-256 of the address.")
    until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "busy addresses"


class Hook(Endpoint):
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    secret = models.TextField(help_text="Encrypted.")
    old_secret = models.TextField(null=True, help_text="Encrypted; also signs until `old_secret_until`.")
    old_secret_until = models.DateTimeField(null=True)
    types = ArrayField(models.CharField(max_length=40))
    app = models.CharField(max_length=100, null=True, help_text="The client id of the app that made it.")

    SEALED = ("url", "secret", "old_secret")
    WORD = service = "webhook"
    MOST = 10

    class Meta:
        indexes = [models.Index(fields=["player", "created_at"], name="hook_of_player")]
        verbose_name = "webhook"

    def __str__(self) -> str:
        return f"webhook {self.host}"

    def signing(self, now: datetime) -> list[str]:
        old = self.old_secret if self.old_secret_until is not None and self.old_secret_until > now else None
        return [self.secret, *([old] if old is not None else [])]


class PushKey(models.Model):
    """The VAPID key with which this server introduces itself to push services (RFC 8292). There is one row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    private = models.TextField(help_text="Encrypted.")
    public = models.CharField(
        max_length=100, help_text="In the form for browsers: base64url of the uncompressed point."
    )
    created_at = models.DateTimeField()

    SEALED = ("private",)


class Subscription(Endpoint):
    """A browser of a player's that wants pushes (RFC 8030)."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    # It belongs to the session or the token that made it, and ends with it.
    session = models.ForeignKey(Session, models.CASCADE, null=True, related_name="+")
    token = models.ForeignKey(Token, models.CASCADE, null=True, related_name="+")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the address; each browser has one.")
    p256dh = models.CharField(max_length=100, help_text="The browser's public key.")
    auth = models.TextField(help_text="Encrypted: the browser's authentication secret.")

    SEALED = ("url", "auth")

    class Meta:
        indexes = [models.Index(fields=["player", "created_at"], name="subscription_of_player")]
        verbose_name = "push subscription"


class EndedSubscription(models.Model):
    """A browser whose pushes its player ended, perhaps from elsewhere: its page does not begin them again by itself."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, help_text="The subscription's address.")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "digest"], name="ended_subscription_once")]


class Chat(Endpoint):
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    service = models.CharField(max_length=12)
    app = models.CharField(max_length=100, null=True, help_text="The client id of the app that made it.")
    tested_at = models.DateTimeField(null=True, help_text="When the last test was tried.")

    WORD = "chat"
    MOST = 5

    class Meta:
        indexes = [models.Index(fields=["player", "created_at"], name="chat_of_player")]
        verbose_name = "chat address"

    def __str__(self) -> str:
        return f"{self.service} at {self.host}"


class Calendar(models.Model):
    """The address at which programs read a player's calendar. Of its secret only a digest is kept."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="+")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the secret in the address.")
    created_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, help_text="When it was last read.")
    in_question = models.BooleanField(default=False, help_text="Whether its owner has been asked to keep or remove it.")

    app = models.CharField(max_length=100, null=True, help_text="The client id of the app that made it.")

    WORD = "calendar"
    # As a page shows it beside webhooks and chats.
    off_since = error = None

    def __str__(self) -> str:
        return "the calendar's address"


# Those that outlive a new password, until their owner says whether they stay.
LASTING: tuple[type[Hook] | type[Chat] | type[Calendar], ...] = (Hook, Chat, Calendar)


class Delivery(models.Model):
    """The fate of a notification at one address, and why. Channels that it never went to are in its `skipped`."""

    notification = models.ForeignKey(Notification, models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=8, choices=Channel)
    hook = models.ForeignKey(Hook, models.SET_NULL, null=True, related_name="deliveries")
    subscription = models.ForeignKey(Subscription, models.SET_NULL, null=True, related_name="+")
    chat = models.ForeignKey(Chat, models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=8, choices=State)
    reason = models.TextField(null=True)
    until = models.DateTimeField(null=True, help_text="When it is sent, or tried again.")
    at = models.DateTimeField(help_text="When its state last changed.")
    # A mail may carry several notifications: this is the delivery whose mail carries it, perhaps itself; null
    # before the mail is put together.
    carrier = models.ForeignKey("self", models.SET_NULL, null=True, related_name="carried")

    class Meta:
        indexes = [
            models.Index(fields=["channel", "until"], name="delivery_held", condition=Q(state="held")),
            # For metrics, which count the last hour.
            models.Index(fields=["at", "channel", "state"], name="delivery_outcomes"),
        ]
        verbose_name_plural = "deliveries"


class Seen(models.Model):
    """The version of a game up to which a player has seen it."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    subject_id = models.UUIDField()
    version = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "subject_id"], name="seen_once")]
        indexes = [models.Index(fields=["at"], name="seen_age")]


class Watching(models.Model):
    """A player who sits at a table has it open in a live stream of one process."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    subject_id = models.UUIDField()
    process = models.UUIDField(help_text="The process of live streams that reports it.")
    until = models.DateTimeField(help_text="The process must renew it before then, or counts as dead.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["subject_id", "player", "process"], name="watching_once")]
        indexes = [models.Index(fields=["until"], name="watching_age")]


class Gathering(models.Model):
    """The state of a table that is needed to say `together` once."""

    subject_id = models.UUIDField(primary_key=True)
    armed = models.BooleanField(help_text="Whether to announce it when everyone is there.")
    last: "models.JSONField[Any, Any]" = models.JSONField(help_text="When each player was last at the table.")
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["at"], name="gathering_age")]
