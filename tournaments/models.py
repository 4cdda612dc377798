"""The current picture of every tournament: a cache of their streams that only `tournaments.projections` writes."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4, uuid5

import msgspec
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Deferrable, Q
from django.urls import reverse
from django.utils.text import capfirst

from core.accounts.models import Player
from tournaments.stream import Begun, Ending, InStages, Outcome, Standing, Status

ROW_IDS = UUID("1b0a4e58-31a1-5d0c-9a40-52b8a1d6e7c3")


def choices(words: type[Status | Standing | Outcome | Ending]) -> list[tuple[str, str]]:
    return [(word.value, word.value) for word in words]


WAS_OPENED = ~Q(status="draft") & ~Q(status="cancelled", opened_at=None)
"""`Tournament.was_opened` as a condition of a query."""


class Tournament(InStages, models.Model):
    """A tournament as of the last event of its stream; its entrants, rounds, tables and games are rows of their own."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=100)
    game = models.CharField(max_length=32)
    kind = models.CharField(max_length=8)
    visibility = models.CharField(max_length=8)
    status = models.CharField(max_length=12, choices=choices(Status))
    version = models.PositiveIntegerField(help_text="How many events the stream has.")
    plan = models.JSONField(help_text="Everything that was set up, defaults included.")
    asked = models.JSONField(help_text="The same as asked for, without defaults.")
    seed = models.CharField(max_length=64, help_text="What all lots are drawn from (hex). Secret until `seed_shown`.")
    commitment = models.CharField(max_length=64, help_text="What was published of the seed.")
    seed_shown = models.BooleanField(default=False)
    invitation = models.CharField(max_length=32)
    organisers = ArrayField(models.UUIDField())
    asked_organisers = ArrayField(models.UUIDField(), default=list, help_text="Asked, and not accepted yet.")
    set_up_by = models.UUIDField(db_index=True)
    offers = models.JSONField(default=list, help_text="Who is asked to play on for an entrant.")
    after = models.UUIDField(null=True, db_index=True, help_text="The tournament that it follows.")

    numbers = models.PositiveIntegerField(default=0, help_text="How many entrants were ever named.")
    bots = models.PositiveIntegerField(default=0, help_text="How many of them were bots.")
    places = models.PositiveIntegerField(default=0, help_text="How many entrants hold a place.")
    queue = models.JSONField(default=list, help_text="The waiting list.")
    seated = models.PositiveIntegerField(default=0, help_text="The last round that was seated.")
    open_rounds = models.JSONField(default=list)
    draft = models.JSONField(null=True)
    begun = models.JSONField(
        default=list,
        db_default=[],
        help_text='[{"seeds", "seated", "since"}]: the stages after the first that have begun.',
    )
    break_ends = models.DateTimeField(null=True, help_text="When the next stage begins: the present one is over.")
    seeds = models.JSONField(null=True, help_text="A knockout's entrants, the best seed first.")
    deals = models.JSONField(
        default=list,
        help_text='[{"secret", "commitment", "since", "opened_at"}], the last one in force: the secrets of its games '
        "follow from it.",
    )
    rooms = models.PositiveIntegerField(default=0, help_text="The number of a season's last room.")
    reopened = models.BooleanField(default=False)
    unorganised_at = models.DateTimeField(null=True, help_text="Since when it has no organiser.")
    put_off = models.BooleanField(default=False, help_text="Too few had entered at the start.")

    set_up_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_why = models.TextField(null=True)

    proposed = models.PositiveIntegerField(default=0, help_text="How many proposals were ever made.")
    open_proposals = models.JSONField(default=list)
    ratified = models.JSONField(default=list, help_text="The rules that were ratified, oldest first.")

    channels = models.JSONField(default=list, help_text='What it posts to: [{"id", "service"}] (NT7).')
    messages = ArrayField(models.DateTimeField(), default=list, help_text="When all entrants were last written to.")

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
    def stream(self) -> str:
        return stream_of(self.id)

    @property
    def was_opened(self) -> bool:
        """Whether people could ever enter: what is only a draft, or was called off as one, is its organisers' own."""
        return self.status != Status.DRAFT and (self.status != Status.CANCELLED or self.opened_at is not None)

    @property
    def stages_begun(self) -> tuple[Begun, ...]:
        return msgspec.convert(self.begun, tuple[Begun, ...])

    @property
    def stages_planned(self) -> Sequence[Mapping[str, Any]]:
        return self.plan.get("stages") or ()

    @property
    def drafted(self) -> str | None:
        """The name of the round that is drafted."""
        draft = self.draft
        return draft and self.round_name(draft["round"], begins_stage=draft.get("staged") is not None)

    @property
    def shown_seed(self) -> str | None:
        return self.seed if self.seed_shown else None


class Entrant(models.Model):
    id = models.UUIDField(primary_key=True, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entrants")
    number = models.PositiveIntegerField()
    # No constraint: the row keeps the id of an account that was deleted, as the events do.
    player = models.ForeignKey(Player, models.DO_NOTHING, null=True, db_constraint=False, related_name="entries")
    bot = models.JSONField(null=True, help_text='{"level": ...}')
    salt = models.CharField(max_length=64)
    standing = models.CharField(max_length=10, choices=choices(Standing))
    since = models.DateTimeField()
    entered_at = models.DateTimeField(null=True)
    checked_in = models.BooleanField(default=False)
    missed = models.BooleanField(default=False, help_text="Has missed the check-in.")
    withdrew = models.BooleanField(default=False)
    resigns = models.BooleanField(default=False)
    absences = models.PositiveSmallIntegerField(default=0)
    asked = models.JSONField(default=list, help_text="Who was asked to stand in for it.")
    asked_for = models.CharField(max_length=10, null=True, help_text="The entrant for whom it is asked to stand in.")
    asked_game = models.UUIDField(null=True)
    asked_until = models.DateTimeField(null=True)
    former = ArrayField(models.UUIDField(), default=list, help_text="Who played for it before.")

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
    byes = models.JSONField()
    tables = models.PositiveIntegerField()
    open_tables = models.PositiveIntegerField()
    seated_at = models.DateTimeField()
    deadline_at = models.DateTimeField(null=True, help_text="Outages of the service not counted.")
    overdue = models.BooleanField(default=False)
    closed_at = models.DateTimeField(null=True)
    proposal = models.PositiveIntegerField(null=True, help_text="Whose rules it is played by; null: the first ones.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="round_number")]

    @property
    def title(self) -> str:
        return capfirst(self.tournament.round_name(self.number))


class Table(models.Model):
    id = models.UUIDField(primary_key=True, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="tables")
    round = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    entrants = models.JSONField()
    games = models.JSONField(help_text="The ids of its games, in the order of their numbers.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "round", "number"], name="table_number")]


class TournamentGame(models.Model):
    """A game of a tournament, or a result without one. One game may count for several seasons."""

    id = models.UUIDField(primary_key=True, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="games")
    game = models.UUIDField(help_text="The id of the game, or of the result.")
    round = models.PositiveSmallIntegerField(null=True)
    table = models.PositiveIntegerField(null=True)
    number = models.PositiveSmallIntegerField(null=True)
    entrants = models.JSONField()
    outcome = models.CharField(max_length=6, choices=choices(Outcome))
    source = models.CharField(max_length=6, null=True)
    result = models.JSONField(null=True)
    absent = models.JSONField(default=list)
    since = models.DateTimeField(help_text="When the tournament first knew of it.")
    ended_at = models.DateTimeField(null=True)
    proposal = models.PositiveIntegerField(null=True, help_text="Whose rules it is played by; null: the first ones.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "game"], name="tournament_game_once")]
        indexes = [
            models.Index(fields=["game"], name="tournament_game_by_game"),
            models.Index(fields=["tournament", "since", "id"], name="tournament_game_newest"),
            models.Index(fields=["tournament", "round", "table", "number"], name="tournament_game_by_table"),
            models.Index(fields=["tournament"], name="tournament_game_open", condition=Q(outcome="open")),
        ]


class Proposal(models.Model):
    """Rules that somebody proposes to put in place of a tournament's (RT1)."""

    id = models.UUIDField(primary_key=True, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="proposals")
    n = models.PositiveIntegerField()
    by = models.UUIDField(help_text="The player who made it.")
    entrant = models.CharField(max_length=8, null=True, help_text="Whom the player played for; null: an organiser.")
    title = models.CharField(max_length=100)
    reason = models.TextField()
    ruleset = models.CharField(max_length=32)
    options = models.JSONField()
    opened_at = models.DateTimeField()
    first_day_ends = models.DateTimeField(help_text="The votes decide nothing earlier.")
    closes_at = models.DateTimeField()
    changed_at = models.DateTimeField(help_text="When a vote was last cast, changed or lost.")
    counts = models.JSONField(help_text="Secret until it has ended.")
    status = models.CharField(max_length=9, choices=choices(Ending))
    ended_at = models.DateTimeField(null=True)
    ended_why = models.TextField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "n"], name="proposal_n")]


class Elector(models.Model):
    """An entrant who may vote on a proposal (RT2), and its vote, which is secret until the proposal has ended."""

    id = models.UUIDField(primary_key=True, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="+")
    proposal = models.PositiveIntegerField()
    number = models.PositiveIntegerField(help_text="The entrant's.")
    vote = models.CharField(max_length=7, null=True)
    lost = models.BooleanField(default=False, help_text="Is no elector any more.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "proposal", "number"], name="elector_once")]


class Result(models.Model):
    """A game or tournament that ended, in the one order of all readers (AP25); they compose what it says."""

    class Kind(models.TextChoices):
        GAME = "game"
        TOURNAMENT = "tournament"

    n = models.PositiveBigIntegerField(primary_key=True, help_text="Rises in the order in which they become visible.")
    type = models.CharField(max_length=10, choices=Kind)
    subject = models.UUIDField(help_text="The id of the game or of the tournament.")
    game = models.CharField(max_length=32)
    at = models.DateTimeField(help_text="When what is counted here was recorded.")
    public = models.BooleanField(help_text="Whether anybody might read it then; it does not change after the end.")
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
