"""The current snapshot of every game.

Everything about a game in here is a cache of its event stream: ``manage.py rebuild`` drops it and makes the same
bytes again. Only `games.projections` writes to `Game` and `Seat`.
"""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Deferrable, Q

from core.accounts.models import Player
from core.log.models import StreamRow

SEAT_IDS = uuid.UUID("6f6fbb3e-9a0f-5b0e-8f0c-7a3f6c0f5b1d")


class Game(StreamRow):
    """One room and its game, as of the last event of its stream."""

    class Status(models.TextChoices):
        OPEN = "open"
        SETUP = "setup"
        PLAYING = "playing"
        FINISHED = "finished"
        CANCELLED = "cancelled"

    class Visibility(models.TextChoices):
        PUBLIC = "public"
        PRIVATE = "private"

    class Start(models.TextChoices):
        FULL = "full"
        OPENER = "opener"

    class Talk(models.TextChoices):
        ALL = "all"
        SIGNS = "signs"
        OFF = "off"

    game = models.CharField(max_length=32, help_text="A key of games.rules.PLAYED.")
    title = models.CharField(max_length=40, null=True, help_text="The title of a house game.")
    digest = models.CharField(max_length=64, null=True, help_text="The digest of a house game's rules.")
    ruleset = models.CharField(max_length=32)
    visibility = models.CharField(max_length=8, choices=Visibility)
    rated = models.BooleanField()
    clock = models.JSONField(help_text="The complete clock policy.")
    named_clock = models.BooleanField(
        default=True, db_default=True, help_text="Whether the opener chose a clock; a practice game has none otherwise."
    )
    invitation = models.CharField(max_length=32, null=True, help_text="The invitation code of a private room.")
    status = models.CharField(max_length=10, choices=Status)

    opener = models.ForeignKey(
        Player,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        related_name="+",
        help_text="Who starts the game.",
    )
    rematch_of = models.ForeignKey("self", models.DO_NOTHING, null=True, db_constraint=False, related_name="rematches")

    result = models.JSONField(null=True)
    belongs_to = models.JSONField(
        null=True, help_text='{"tournament", "round", "table", "number"} of a game of a tournament.'
    )
    tournament = models.UUIDField(null=True, help_text="The tournament's id, to find its games.")

    opened_at = models.DateTimeField()
    moved_at = models.DateTimeField(help_text="When the last event was recorded.")
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True, help_text="When it was finished or cancelled.")

    class Meta:
        permissions = [("see_hidden_cards", "Can look at the hidden cards of a running game")]
        indexes = [
            models.Index(fields=["opened_at", "id"], name="game_newest"),
            models.Index(fields=["game", "status", "opened_at"], name="game_by_status"),
            models.Index(fields=["visibility", "opened_at"], name="game_by_visibility"),
            models.Index(fields=["digest", "opened_at"], name="game_by_digest", condition=Q(digest__isnull=False)),
            models.Index(fields=["rated", "opened_at"], name="game_by_rated"),
            # Not moved_at: with it every move would change all indexes of its row.
            models.Index(fields=["opened_at"], name="game_idle_rooms", condition=Q(status="open")),
            models.Index(
                fields=["opened_at"],
                name="game_idle_practice",
                condition=Q(named_clock=False, status__in=("setup", "playing")),
            ),
            models.Index(fields=["invitation"], name="game_invitation", condition=Q(invitation__isnull=False)),
            models.Index(
                fields=["tournament", "opened_at"], name="game_of_tournament", condition=Q(tournament__isnull=False)
            ),
        ]
        constraints = [
            # Two players who ask for a rematch at the same time get one room.
            models.UniqueConstraint(
                fields=["rematch_of"],
                name="game_one_rematch",
                condition=Q(rematch_of__isnull=False) & ~Q(status="cancelled"),
            )
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.id}"

    @property
    def stream(self) -> str:
        return stream_of(self.id)

    @property
    def dealt(self) -> bool:
        return self.started_at is not None

    def seat_rows(self) -> "list[Seat]":
        return sorted(self.players.all(), key=lambda seat: seat.index)

    def seat_of(self, player: Player | None) -> int | None:
        if player is None:
            return None
        return next((seat.index for seat in self.players.all() if seat.player_id == player.pk), None)


class Seat(models.Model):
    """One seat of a game: who sits there and what the game waits for."""

    id = models.UUIDField(primary_key=True, editable=False)
    # The constraint `seat_index` has the index.
    game = models.ForeignKey(Game, models.CASCADE, related_name="players", db_index=False)
    index = models.PositiveSmallIntegerField()
    # No constraint: the row keeps the id of an account that was deleted, as the events do.
    player = models.ForeignKey(Player, models.DO_NOTHING, null=True, db_constraint=False, related_name="sitting")
    bot = models.JSONField(null=True, help_text='{"level": ...} of the bot that plays here.')
    joined_at = models.DateTimeField()
    to_act = models.BooleanField(default=False)
    duty_since = models.DateTimeField(null=True)
    duty_extra = models.PositiveIntegerField(default=0, help_text="Seconds an organiser added to the turn.")
    due_at = models.DateTimeField(null=True, help_text="The deadline, without outages of the service.")
    bank = models.PositiveIntegerField(default=0, help_text="Seconds of reserve left when the turn began.")
    resigned = models.BooleanField(default=False)
    timeouts = models.PositiveIntegerField(default=0, help_text="The total number of missed turns.")
    moved = models.BooleanField(default=False, help_text="Whether the player has made a move.")
    lost_on_time = models.BooleanField(
        default=False, help_text="Whether the clock gave the seat to a bot or resigned for it."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "index"], name="seat_index"),
            # Deferred: those after them move up when someone leaves.
            models.UniqueConstraint(fields=["game", "player"], name="seat_player_once", deferrable=Deferrable.DEFERRED),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="seat_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["player", "due_at"], name="seat_turns", condition=Q(to_act=True)),
        ]


class Heartbeat(models.Model):
    """The last time at which a part of the service (the web, the sweeper) said that it lives."""

    part = models.CharField(primary_key=True, max_length=16)
    at = models.DateTimeField()
    ahead = models.IntegerField(default=0, help_text="How far TREY_CLOCK_AHEAD had set the clock then, in seconds.")

    @property
    def moment(self) -> datetime:
        return beaten_at(self.at, self.ahead)


def beaten_at(at: datetime, ahead: int) -> datetime:
    """The time of a heartbeat by the clock as it is set now: setting it ahead is not silence."""
    return at + timedelta(seconds=settings.TREY_CLOCK_AHEAD - ahead)


class Outage(models.Model):
    part = models.CharField(max_length=16)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["part", "began_at"], name="outage_once")]
        indexes = [models.Index(fields=["ended_at"], name="outage_age")]


def stream_of(game_id: uuid.UUID) -> str:
    return f"game-{game_id}"


def seat_id(game_id: uuid.UUID, index: int) -> uuid.UUID:
    """A seat's primary key: the same however often the row is rebuilt."""
    return uuid.uuid5(SEAT_IDS, f"{game_id}/{index}")
