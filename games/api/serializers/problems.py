"""The shape of problems, for the OpenAPI document (games.api.problems writes them)."""

from typing import Any

from rest_framework import serializers


class FieldProblemSerializer(serializers.Serializer[Any]):
    field = serializers.CharField(help_text='The part of the request at fault, dotted: "options.decks".')
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """An error: RFC 9457 problem details."""

    type = serializers.CharField(help_text="A URI of the kind of problem: urn:trey:problem:<code>.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable, for programs.")
    detail = serializers.CharField(help_text="A sentence for people.")
    errors = FieldProblemSerializer(many=True, required=False)  # type: ignore[assignment]  # DRF takes this name


TYPE = "application/problem+json"


def problems(*statuses: int) -> dict[Any, Any]:
    """The entries of `responses` for these error statuses."""
    return {(status, TYPE): ProblemSerializer for status in statuses}
