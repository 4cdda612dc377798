"""The explained clock of a game."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.platform.http.openapi import ref


class GameClockSerializer(serializers.Serializer[Any]):
    """The deadlines of a game, to the second."""

    version = serializers.IntegerField()
    at = serializers.DateTimeField(help_text="The time of the service when this was computed.")
    clock = serializers.SerializerMethodField()
    seats = serializers.SerializerMethodField()

    @extend_schema_field(ref("Clock"))
    def get_clock(self, explained: dict[str, Any]) -> Any:
        return explained["clock"]

    @extend_schema_field(
        {
            "type": "object",
            "additionalProperties": ref("TurnClock"),
            "description": "By seat number, for each seat that has a deadline.",
        }
    )
    def get_seats(self, explained: dict[str, Any]) -> Any:
        return explained["seats"]
