"""Accounts. Events name players by id alone, so that an account can be deleted and history still holds."""

import uuid
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import OpClass
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.exceptions import ValidationError
from django.core.validators import MinLengthValidator, RegexValidator
from django.db import models, transaction
from django.db.models import Q, Value
from django.db.models.functions import Lower
from knox.models import AbstractAuthToken

from core.accounts import names
from core.http.scopes import ALL


class PlayerManager(UserManager["Player"]):
    def get_by_natural_key(self, username: str | None) -> "Player":
        return self.alias(lowered=Lower("username")).get(lowered=Lower(Value(username)))


class Player(AbstractUser):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(
        max_length=40,
        unique=True,
        validators=[
            MinLengthValidator(2),
            RegexValidator(r"\A\w[\w.\-]*\Z", "Use letters, digits, dots, dashes and underscores."),
            names.in_one_script,
        ],
        help_text=(
            "2 to 40 letters of one script, digits, dots, dashes and underscores. Upper and lower case count as the "
            "same, and so do letters that look alike."
        ),
        error_messages={"unique": "This name is taken."},
    )
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(blank=True)
    preferences = models.JSONField(default=dict, blank=True)
    handles = models.JSONField(
        default=dict,
        blank=True,
        help_text="The player's handle for each service; the player consents to be mentioned by it.",
    )
    quiet_hours = models.JSONField(default=list, blank=True, help_text="Past and present time zones and quiet hours.")
    vacation = models.JSONField(default=list, blank=True, help_text="One entry per day of vacation.")

    closed_at = models.DateTimeField(
        null=True, blank=True, help_text="When closing began; the row is deleted soon after."
    )

    guest_seen_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="The day of a guest's last visit; null if the account is kept.",
    )

    logged_out = models.PositiveIntegerField(
        default=0, db_default=0, editable=False, help_text="How many times all other log-ins were ended at once."
    )
    apps_ended = models.PositiveIntegerField(
        default=0, db_default=0, editable=False, help_text="How many times all grants to apps were ended."
    )

    objects = PlayerManager()  # type: ignore[misc]

    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        permissions = [("give_way_in", "Can give players a link for setting a new password")]
        constraints = [
            models.UniqueConstraint(
                # With an operator class that also finds names by their beginning.
                OpClass(Lower("username"), name="text_pattern_ops"),
                name="player_username_any_case",
                violation_error_message="This name is taken.",
            ),
            models.UniqueConstraint(
                names.LooksLike(Lower("username")),
                name="player_username_look_alike",
                violation_error_message="This name looks like one that is taken.",
            ),
        ]
        indexes = [
            models.Index(fields=["guest_seen_at"], name="player_guests", condition=Q(guest_seen_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def calendar(self) -> dict[str, Any] | None:
        """The stored calendar, as `core.calendars.calendar` describes it; None when it is empty."""
        if not self.quiet_hours and not self.vacation:
            return None
        return {"hours": self.quiet_hours, "vacation": self.vacation}

    @property
    def zone(self) -> ZoneInfo | None:
        """Their time zone, if it is known."""
        return ZoneInfo(self.quiet_hours[-1]["time_zone"]) if self.quiet_hours else None

    @property
    def acts_as_staff(self) -> bool:
        """Whether this is staff, or a superuser, who may do all that staff may."""
        return self.is_staff or self.is_superuser

    @property
    def is_guest(self) -> bool:
        return self.guest_seen_at is not None

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """The account's standing: another one after a new password, and after all log-ins were ended.

        A session, and what waits for a code, is worth nothing any more if it has the one of before.
        """
        of_password: str = super()._get_session_auth_hash(secret)  # type: ignore[misc]  # Django's
        return f"{of_password}.{self.logged_out}" if self.logged_out else of_password

    def keep(self) -> None:
        """The account can be logged in to from now on: it is no longer a guest's."""
        if self.is_guest:
            with transaction.atomic():
                Player.objects.filter(pk=self.pk).update(guest_seen_at=None)
                GuestLink.objects.filter(player=self).delete()
            self.guest_seen_at = None

    def clean(self) -> None:
        super().clean()
        try:
            self.email = self.email and names.address(self.email)
        except ValidationError as error:
            raise ValidationError({"email": error}) from None

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username


def all_scopes() -> list[str]:
    return list(ALL)


class Token(AbstractAuthToken):  # type: ignore[misc]  # knox has no types
    """A bearer token. Only its SHA-512 digest is stored."""

    objects: "ClassVar[models.Manager[Token]]" = models.Manager()

    user = models.ForeignKey(Player, models.CASCADE, related_name="+")
    id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80, blank=True, help_text="What its owner calls it, such as a device.")
    created = models.DateTimeField()
    last_used_at = models.DateTimeField(help_text="Accurate to about an hour.")
    unanswered = models.PositiveIntegerField(
        default=0, help_text="How many pushes went to its device since its last request."
    )
    scopes = ArrayField(
        models.CharField(max_length=8), default=all_scopes, db_default=Value(list(ALL)), help_text="Its scopes."
    )
    app = models.CharField(max_length=100, null=True, help_text="The client id of the app that holds it.")

    def __str__(self) -> str:
        return self.name or str(self.id)


class SigningKey(models.Model):
    """The key with which this server says to apps who somebody is. There is one row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    private = models.TextField(help_text="Encrypted.")
    created_at = models.DateTimeField()


class Session(AbstractBaseSession):
    objects: "ClassVar[models.Manager[Session]]" = models.Manager()  # type: ignore[assignment]

    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    unanswered = models.PositiveIntegerField(
        default=0, help_text="How many pushes went to its browser since its last request."
    )

    class Meta(AbstractBaseSession.Meta):
        abstract = False


class GuestLink(models.Model):
    """A link that takes a guest to another browser, once. A newer link replaces it. Only its digest is stored."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    by = models.UUIDField(null=True, help_text="The organiser who gave the link to a guest who had lost the browser.")
    # What made it, with which it ends. It may end while the link is made, so the database does not insist on it.
    session = models.ForeignKey(Session, models.CASCADE, null=True, related_name="+", db_constraint=False)
    token = models.ForeignKey(Token, models.CASCADE, null=True, related_name="+", db_constraint=False)


class Code(models.Model):
    """A code that a client asked for (`core.accounts.login.codes`). It does not say whether a mail was sent."""

    class Purpose(models.TextChoices):
        LOGIN = "login"
        RESET = "reset"
        VERIFY = "verify"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    address = models.EmailField()
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, related_name="+", help_text="The player who verifies it."
    )
    standing = models.CharField(max_length=80, null=True, help_text="The owner's standing when the code was asked for.")
    made_at = models.DateTimeField(db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)


class Block(models.Model):
    """A player who has blocked another: no invitations from them, and no seat at private tables."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    blocked = models.ForeignKey(Player, models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "blocked"], name="block_once")]


class LoginPlace(models.Model):
    """An address or a browser from which the owner of an account has logged in, as a digest."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField(help_text="Accurate to about an hour.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "digest"], name="login_place_once")]


class Audit(models.Model):
    """An entry of the audit log. The database refuses update, delete and truncate; people are named by id."""

    at = models.DateTimeField()
    by = models.UUIDField(help_text="The account that did it.")
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=80, help_text="What it was done to, such as `game <id>`.")
    reason = models.TextField(blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["-at", "-id"], name="audit_newest"),
            models.Index(fields=["subject"], name="audit_subject"),
            models.Index(fields=["action", "-at"], name="audit_action"),
        ]
        verbose_name = "audit log entry"
        verbose_name_plural = "audit log"

    def __str__(self) -> str:
        return f"{self.action} {self.subject}"
