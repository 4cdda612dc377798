"""Ratings and leaderboards as rows: all of it is a projection of the leagues' streams and can be rebuilt from them.

Players are kept as bare ids, as in the log, so that an account can be deleted and its opponents' ratings stay.
"""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q


class League(models.Model):
    """The league of one game: how far its stream goes, and how far the boards have come."""

    game = models.CharField(primary_key=True, max_length=32, help_text="A key of games.rules.GAMES.")
    version = models.PositiveIntegerField(default=0, help_text="How many events the league's stream has.")
    counted = models.PositiveIntegerField(default=0, help_text="The last event that is counted on the boards.")
    as_of = models.DateTimeField(null=True, help_text="When that event was recorded.")
    recompute = models.PositiveIntegerField(
        null=True, help_text="The last voided or restored result that is not counted yet."
    )


class LeagueGame(models.Model):
    """A game in a league's stream, so that no game is counted twice, and only games that count are voided."""

    id = models.UUIDField(primary_key=True, editable=False, help_text="The game's id.")
    league = models.CharField(max_length=32)
    number = models.PositiveIntegerField(help_text="The version of its result in the league's stream.")


class PlayerTally(models.Model):
    pk = models.CompositePrimaryKey("game", "period", "player")
    game = models.CharField(max_length=32)
    period = models.CharField(max_length=7, help_text="all, 2026 or 2026-11.")
    player = models.UUIDField()
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    beaten = models.DecimalField(
        max_digits=40, decimal_places=0, help_text="The sum of the shares of opponents beaten, in 1/SHARE."
    )
    streak = models.PositiveIntegerField()
    best_streak = models.PositiveIntegerField()
    penalty = models.IntegerField()
    rounds = models.PositiveIntegerField()
    lost_on_time = models.PositiveIntegerField()
    never_came = models.PositiveIntegerField(default=0)
    opponents = models.JSONField(help_text="The first three different opponents.")
    last_at = models.DateTimeField()
    reached = models.JSONField(help_text="For each board, the score and the number of the result that led to it.")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["player", "game"], name="tally_of_player")]


class _OfBoard(models.Model):
    game = models.CharField(max_length=32)
    period = models.CharField(max_length=7)
    board = models.CharField(max_length=16)

    class Meta:
        abstract = True


class Entry(_OfBoard):
    """A player with a rank on a board; players without a rank have no row."""

    pk = models.CompositePrimaryKey("game", "period", "board", "player")
    player = models.UUIDField()
    score = models.BigIntegerField(help_text="What the board is sorted by, highest first.")
    games = models.PositiveIntegerField(help_text="Within a rank: more games first,")
    reached = models.PositiveIntegerField(
        help_text="then whoever reached the score first (by the number of the result)."
    )
    expires_at = models.DateTimeField(null=True, help_text="When the last game will be too old to be ranked.")

    class Meta:
        indexes: ClassVar = [
            models.Index(
                "game", "period", "board", F("score") * -1, F("games") * -1, "reached", "player",
                name="entry_order",  # negative, so that one comparison of rows continues from a position
            ),
            models.Index(fields=["expires_at"], name="entry_expiry", condition=Q(expires_at__isnull=False)),
        ]  # fmt: skip


class Count(_OfBoard):
    """The number of a board's entries whose score is in a bucket, so that a rank is a sum over few rows."""

    pk = models.CompositePrimaryKey("game", "period", "board", "bucket")
    bucket = models.BigIntegerField(help_text="The score divided by the board's width, rounded down.")
    # Not a positive type: PostgreSQL would check a change of -1 before adding it to the existing row.
    entries = models.IntegerField()


class Point(models.Model):
    """A player's rating (of all times) after one result: the history, and who met whom."""

    pk = models.CompositePrimaryKey("game", "number", "player")
    game = models.CharField(max_length=32)
    number = models.PositiveIntegerField(help_text="The result's number in the league's order.")
    player = models.UUIDField()
    game_id = models.UUIDField()
    at = models.DateTimeField(help_text="When the game finished.")
    place = models.PositiveSmallIntegerField()
    players = models.PositiveSmallIntegerField()
    mu = models.FloatField()
    sigma = models.FloatField()
    never_came = models.BooleanField(default=False, help_text="The game was rated for this player alone (RA1).")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["player", "game", "number"], name="point_of_player")]
