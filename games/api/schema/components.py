"""JSON Schemas of what serializers cannot describe: cards, moves, events and views.

`core.http.openapi.ref` points to one of them.
"""

from typing import Any

from django.conf import settings

from games.api.schema.clocks import CLOCKS
from games.api.schema.events import EVENTS
from games.api.schema.moves import MOVES
from games.api.schema.plans import PLANS
from games.api.schema.records import RECORDS
from games.api.schema.views import VIEWS
from games.bots import BOTS
from games.clocks import clock_schema

CARDS: dict[str, Any] = {
    "Card": {
        "type": "string",
        "pattern": "^([2-9TJQKA][SHDC]|X[RB])$",
        "description": 'Rank and suit: "TH" is the ten of hearts. Jokers: "XR", "XB".',
        "examples": ["TH", "XR"],
    },
    "Bot": {
        "type": "object",
        "required": ["level"],
        "properties": {"level": {"type": "string", "enum": sorted(BOTS)}},
        "additionalProperties": False,
        "description": "The bot that plays in this seat, its own or in place of a player.",
    },
}

COMPONENTS: dict[str, Any] = {
    **CARDS,
    **MOVES,
    **EVENTS,
    **VIEWS,
    **RECORDS,
    **PLANS,
    **CLOCKS,
    "Clock": clock_schema(minimum_per_turn=settings.TREY_MIN_TURN),
}
