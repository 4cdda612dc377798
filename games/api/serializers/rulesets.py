"""The games and their rulesets, from which a client can draw the forms for a room and for a plan."""

from typing import Any

from rest_framework import serializers

from games.plans import schema_of


class RulesetSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    description = serializers.CharField()
    options = serializers.DictField(help_text="A JSON Schema (2020-12) with ranges, defaults and descriptions.")


class GameRulesSerializer(serializers.Serializer[Any]):
    """One of the games, its rulesets and their options."""

    game = serializers.CharField(help_text="Its name in this API.")
    title = serializers.CharField()
    summary = serializers.CharField(help_text="The game in one sentence.")
    min_seats = serializers.IntegerField()
    max_seats = serializers.IntegerField()
    default_ruleset = serializers.CharField()
    rulesets = RulesetSerializer(many=True)
    plan = serializers.DictField(help_text="A JSON Schema (2020-12) of a plan: its moves and conditions.")


def rules_of(rules: Any) -> dict[str, Any]:
    """A game of games.rules for the serializer."""
    return {
        "game": rules.name,
        "title": rules.title,
        "summary": rules.summary,
        "min_seats": rules.min_seats,
        "max_seats": rules.max_seats,
        "default_ruleset": rules.default_ruleset,
        "rulesets": [
            {"name": name, "description": text, "options": rules.options_schema(name)}
            for name, text in rules.rulesets.items()
        ],
        "plan": schema_of(rules),
    }
