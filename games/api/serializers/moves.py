"""Legal moves, events and played moves."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.serializers.games import GameSerializer
from games.platform.http.openapi import ref


@extend_schema_field(ref("LegalMove"))
class LegalMoveField(serializers.DictField):
    """A legal move, as the rules list it."""


@extend_schema_field(ref("ProblemCode"))
class CodeField(serializers.CharField):
    """A code of docs/errors.md."""


class ReasonSerializer(serializers.Serializer[Any]):
    """Why there is no legal move."""

    code = CodeField()
    detail = serializers.CharField()


class LegalMovesSerializer(serializers.Serializer[Any]):
    """The caller's legal moves."""

    version = serializers.IntegerField()
    moves = serializers.ListField(child=LegalMoveField())
    reason = ReasonSerializer(allow_null=True)


class LayOutSerializer(serializers.Serializer[Any]):
    """The caller's hand, arranged into sets and runs at the least penalty."""

    penalty = serializers.IntegerField(help_text="What the cards left over cost.")
    melds = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Sets and runs; wild cards in their places.",
    )
    left = serializers.ListField(child=serializers.CharField())


class EventSerializer(serializers.Serializer[Any]):
    """What happened. Parts that the caller may not see are null."""

    version = serializers.IntegerField()
    type = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    data = serializers.DictField()  # type: ignore[assignment]  # a name that DRF uses too
    recorded_at = serializers.DateTimeField()


class PlayedSerializer(serializers.Serializer[Any]):
    """A move that was applied: its events and the game after it."""

    version = serializers.IntegerField()
    events = EventSerializer(many=True)
    game = GameSerializer()
