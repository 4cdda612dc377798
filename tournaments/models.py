"""The current picture of every tournament: a cache of their streams that only `tournaments.projections` writes."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid5

import msgspec
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Deferrable, Q
from django.db.models.fields.json import KeyTransform
from django.urls import reverse
from django.utils.text import capfirst

from core.accounts.models import Player
from core.log.models import StreamRow
from tournaments import stream
from tournaments.stream import Outcome, Standing, Status

ROW_IDS = UUID("1b0a4e58-31a1-5d0c-9a40-52b8a1d6e7c3")


def choices(words: type[Status | Standing | Outcome]) -> list[tuple[str, str]]:
    return [(word.value, word.value) for word in words]


WAS_OPENED = ~Q(status="draft") & ~Q(status="cancelled", opened_at=None)
"""`Tournament.was_opened` as a condition of a query."""


class Stated(models.JSONField):
    """A value of the stream as JSON, which its row shows as that value."""

    def __init__(self, kind: Any = dict, **options: Any) -> None:
        self.kind = kind
        super().__init__(**options)

    def deconstruct(self) -> Any:
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.JSONField", args, options

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value is None or isinstance(expression, KeyTransform):
            return super().from_db_value(value, expression, connection)
        return msgspec.json.decode(value, type=self.kind)


class Tournament(StreamRow):
    """A tournament as of the last event of its stream; its entrants, rounds, tables and games are rows of their own."""

    state: "models.JSONField[Any, stream.Tournament]" = Stated(stream.Tournament, null=True)
    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=100)
    game = models.CharField(max_length=32)
    kind = models.CharField(max_length=8)
    visibility = models.CharField(max_length=8)
    status = models.CharField(max_length=12, choices=choices(Status))
    invitation = models.CharField(max_length=32)
    organisers = ArrayField(models.UUIDField())
    asked_organisers = ArrayField(
        models.UUIDField(), default=list, help_text="Invited to organise, but have not accepted yet."
    )
    set_up_by = models.UUIDField(db_index=True)
    offers = models.JSONField(default=list, help_text="Who has been asked to replace an entrant.")
    after = models.UUIDField(null=True, db_index=True, help_text="The tournament that it follows.")
    open_proposals = models.JSONField(default=list)
    set_up_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    APART = StreamRow.APART | {"look_at"}
    # Not part of the picture: when the runner has to look at the tournament next.
    look_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["set_up_at", "id"], name="tournament_newest"),
            models.Index(fields=["game", "status", "set_up_at"], name="tournament_by_status"),
            GinIndex(fields=["organisers"], name="tournament_organisers"),
            models.Index(fields=["invitation"], name="tournament_invitation"),
            models.Index(fields=["look_at"], name="tournament_look", condition=Q(look_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("tournament-page", args=[self.slug])

    @property
    def shared_url(self) -> str:
        """The address of the page for those who may pass it on: of a private one, with the invitation."""
        secret = f"?invitation={self.invitation}" if self.visibility == "private" else ""
        return self.get_absolute_url() + secret

    @property
    def door(self) -> str:
        """The path by which people come in, for those who may pass it on."""
        return reverse("join-page", args=[self.invitation])

    @property
    def stream(self) -> str:
        return stream_of(self.id)

    @property
    def was_opened(self) -> bool:
        """Whether people could ever enter: what is only a draft, or was called off as one, is its organisers' own."""
        return self.status != Status.DRAFT and (self.status != Status.CANCELLED or self.opened_at is not None)

    @property
    def drafted(self) -> str | None:
        """The name of the round that is drafted."""
        draft = self.state.draft
        return self.state.round_name(draft.round, begins_stage=draft.staged is not None) if draft else None

    @property
    def channels(self) -> Sequence[Mapping[str, str]]:
        return self.state.channels

    @property
    def shown_seed(self) -> str | None:
        return self.state.seed if self.state.seed_shown else None


class Entrant(models.Model):
    id = models.UUIDField(primary_key=True, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entrants")
    number = models.PositiveIntegerField()
    # No constraint: the row keeps the id of an account that was deleted, as the events do.
    player = models.ForeignKey(Player, models.DO_NOTHING, null=True, db_constraint=False, related_name="entries")
    standing = models.CharField(max_length=10, choices=choices(Standing))
    since = models.DateTimeField()
    entered_at = models.DateTimeField(null=True)
    former = ArrayField(models.UUIDField(), default=list, help_text="Who played for this entrant before.")
    state: "models.JSONField[Any, stream.Entrant]" = Stated(stream.Entrant)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="entrant_number"),
            # Deferred: a substitute leaves one entrant for another.
            models.UniqueConstraint(
                fields=["tournament", "player"], name="entrant_player_once", deferrable=Deferrable.DEFERRED
            ),
        ]
        indexes = [models.Index(fields=["player"], name="entrant_player", condition=Q(player__isnull=False))]

    def __str__(self) -> str:
        return self.key

    @property
    def key(self) -> str:
        return f"e{self.number}"


class Round(models.Model):
    id = models.UUIDField(primary_key=True, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    deadline_at = models.DateTimeField(null=True, help_text="The deadline, without outages of the service.")
    overdue = models.BooleanField(default=False)
    closed_at = models.DateTimeField(null=True)
    state: "models.JSONField[Any, stream.Round]" = Stated(stream.Round)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="round_number")]

    @property
    def title(self) -> str:
        return capfirst(self.tournament.state.round_name(self.number))


class Part(models.Model):
    """A table, proposal or elector of a tournament by its key, of which only its tournament is searched."""

    id = models.UUIDField(primary_key=True, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="parts")
    part = models.CharField(max_length=8)
    key = models.CharField(max_length=20)
    state = models.JSONField()

    class Meta:
        indexes = [models.Index(fields=["tournament", "part"], name="part_of_tournament")]


class TournamentGame(models.Model):
    """A game of a tournament, or a result without one. One game may count for several seasons."""

    id = models.UUIDField(primary_key=True, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="games")
    game = models.UUIDField(help_text="The id of the game, or of the result.")
    round = models.PositiveSmallIntegerField(null=True)
    table = models.PositiveIntegerField(null=True)
    number = models.PositiveSmallIntegerField(null=True)
    outcome = models.CharField(max_length=6, choices=choices(Outcome))
    source = models.CharField(max_length=6, null=True)
    since = models.DateTimeField(help_text="When the tournament first heard of it.")
    state: "models.JSONField[Any, stream.TournamentGame]" = Stated(stream.TournamentGame)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "game"], name="tournament_game_once")]
        indexes = [
            models.Index(fields=["game"], name="tournament_game_by_game"),
            models.Index(fields=["tournament", "since", "id"], name="tournament_game_newest"),
            models.Index(fields=["tournament", "round", "table", "number"], name="tournament_game_by_table"),
            models.Index(fields=["tournament"], name="tournament_game_open", condition=Q(outcome="open")),
        ]


class Result(models.Model):
    """A game or tournament that ended, in the one order of all readers; they compose what it says."""

    class Kind(models.TextChoices):
        GAME = "game"
        TOURNAMENT = "tournament"

    n = models.PositiveBigIntegerField(
        primary_key=True, help_text="Counts up in the order in which results become visible."
    )
    type = models.CharField(max_length=10, choices=Kind)
    subject = models.UUIDField(help_text="The id of the game or of the tournament.")
    game = models.CharField(max_length=32)
    at = models.DateTimeField(help_text="When the result was recorded.")
    public = models.BooleanField(help_text="Whether anyone could read it then; it does not change after the end.")
    places: "models.JSONField[Any, Any]" = models.JSONField(
        null=True, help_text="The placements that a ruling gave; null: the game's own."
    )

    class Meta:
        indexes = [
            models.Index(fields=["n"], name="result_public", condition=Q(public=True)),
            models.Index(fields=["subject", "n"], name="result_of_subject"),
        ]


def stream_of(tournament_id: UUID) -> str:
    return f"tournament-{tournament_id}"


def row_id(tournament_id: UUID, *names: object) -> UUID:
    """A row's primary key: the same however often the row is made again."""
    return uuid5(ROW_IDS, "/".join(str(name) for name in (tournament_id, *names)))
