"""The schemas of events, told apart by their type. Hidden parts are null; after the end nothing is hidden.

`dealt`, `drew` and `resigned` happen in both families of games, with data of their own in each.
"""

from typing import Any

from core.http.openapi import ref
from games.api.schema.effects import EFFECTS
from games.api.schema.parts import (
    ANY_OBJECT,
    CALLS,
    CARD,
    CARD_LISTS,
    CARDS,
    HIDDEN_CARD,
    HIDDEN_CARDS,
    MAYBE_TEXT,
    MAYBE_TIME,
    MAYBE_WHOLE,
    SEATS,
    TEXT,
    TIME,
    TRUTH,
    WHOLE,
    const,
    one_of,
    shape,
)

_PLAYER = {"type": ["string", "null"], "format": "uuid"}
_BOT = ref("Bot", nullable=True)
_RESULT = ref("Result", nullable=True)
_PLACES = {"type": ["array", "null"], "items": ref("Placement")}
_SALTS = {"type": "array", "items": TEXT}
_BELONGS_TO = {"type": ["object", "null"], "additionalProperties": True, "description": "Its tournament."}
_HANDS = {"type": "array", "items": HIDDEN_CARDS, "description": "By seat; null: hidden."}
_REASON = {"reason": TEXT}
_SEAT_AT_END = shape(
    "A seat as it was at the end.",
    {
        "seat": WHOLE,
        "player": _PLAYER,
        "bot": {**MAYBE_TEXT, "description": "The level of the bot that plays there, also for a player."},
        "timeouts": {**WHOLE, "description": "Turns missed."},
        "moved": {**TRUTH, "description": "Whether its player made a move."},
        "resigned": TRUTH,
        "lost_on_time": TRUTH,
        "replaced": TRUTH,
    },
)
_OVER: dict[str, Any] = {
    "game": TEXT,
    "ruleset": TEXT,
    "options": ANY_OBJECT,
    "rounds": {**MAYBE_WHOLE, "description": "Three Thirteen: how many were scored."},
    "started_at": MAYBE_TIME,
    "belongs_to": _BELONGS_TO,
    "rated": TRUTH,
    "seats": {"type": "array", "items": ref("SeatAtEnd")},
}
_TURN = {
    "to_act": SEATS,
    "step": {"type": "string", "enum": ["draw", "discard"]},
    "turn_number": WHOLE,
    "final_turns": {"type": ["array", "null"], "items": WHOLE, "description": "The seats with a last turn left."},
}
_OPENED = {
    "game": TEXT,
    "ruleset": TEXT,
    "options": ANY_OBJECT,
    "asked_options": {**ANY_OBJECT, "description": "Those that were sent, before the defaults."},
    "seats": WHOLE,
    "visibility": {"type": "string", "enum": ["public", "private"]},
    "rated": TRUTH,
    "plans": {**TRUTH, "description": "Whether players may leave plans for their next turns."},
    "clock": ref("Clock"),
    "opener": _PLAYER,
    "rematch_of": _PLAYER,
    "belongs_to": _BELONGS_TO,
    "commitment": {**TEXT, "description": "SHA-256 over the secret of the shuffles."},
    "secret": MAYBE_TEXT,
    "invitation": {**MAYBE_TEXT, "description": "Always null here; the game has it for its players."},
}
_PLANNED = {
    "planned": {
        "type": "boolean",
        "const": True,
        "description": "There if a plan made the move: for the seat alone, until the game is over.",
    }
}
# For each type: what happened, and what its data holds, always and sometimes.
_SERVICE: dict[str, tuple[str, dict[str, Any]]] = {
    "opened": ("The room was opened.", _OPENED),
    "joined": ("A player or a bot sat down.", {"player": _PLAYER, "bot": _BOT, "salt": TEXT, "rated": TRUTH}),
    "left": ("Somebody left the room; the players after them moved up.", {"player": _PLAYER, "opener": _PLAYER}),
    "kicked": (
        "The opener sent somebody out.",
        {"player": _PLAYER, "opener": _PLAYER, "invitation": _OPENED["invitation"]},
    ),
    "changed": (
        "The opener changed the room: its new state, and which parts of it are new.",
        {
            "changes": {
                "type": "array",
                "items": {"type": "string", "enum": ["ruleset", "options", "seats", "clock", "visibility"]},
            },
            **{name: _OPENED[name] for name in ("ruleset", "options", "asked_options", "seats", "clock", "visibility")},
            "invitation": _OPENED["invitation"],
        },
    ),
    "channels_changed": (
        "The room posts to one more chat service or webhook, or to one fewer.",
        {
            "channels": {
                "type": "array",
                "description": "All that it posts to now.",
                "items": {
                    "type": "object",
                    "required": ["id", "service"],
                    "properties": {"id": {"type": "string", "format": "uuid"}, "service": TEXT},
                },
            },
            "added": {**MAYBE_TEXT, "description": "The service that is new."},
            "removed": {**MAYBE_TEXT, "description": "The service that is gone."},
        },
    ),
    "started": (
        "The game has started.",
        {"seats": WHOLE, "options": ANY_OBJECT, "dealer": WHOLE, "salts": _SALTS},
    ),
    "bot_seated": ("A bot plays for the seat from now on.", {"bot": _BOT, **_REASON, "lost_on_time": TRUTH}),
    "player_returned": ("The player took the seat back.", {}),
    "player_replaced": (
        "A ruling: somebody else plays there now.",
        {"player": _PLAYER, "bot": _BOT, "was": _PLAYER, **_REASON, "rated": TRUTH, "bank": WHOLE},
    ),
    "timed_out": (
        "A turn ran out.",
        {
            "deadline_at": TIME,
            "action": {"type": "string", "enum": ["play", "bot", "resign"]},
            "misses": {**WHOLE, "description": "Turns missed in a row."},
            "timeouts": {**WHOLE, "description": "Turns missed in all."},
        },
    ),
    "deadline_moved": ("A calendar was changed, so a turn ends at another time.", {"deadline_at": TIME}),
    "turn_extended": (
        "A ruling: the turn has more time.",
        {"deadline_at": TIME, "seconds": WHOLE, "extra": WHOLE, **_REASON},
    ),
    "cancel_agreed": ("A player agrees to call the game off.", {}),
    "called_off": (
        "The room or game was called off. Always the last event.",
        {**_REASON, "placements": _PLACES, **_OVER},
    ),
    "finished": ("The game is over. Always the last event of a game.", {"result": ref("Result"), **_OVER}),
    "voided": ("Staff declared the finished game void.", _REASON),
    "restored": ("The game counts again.", _REASON),
}
# The shedding games: the move that makes the type, and what happened.
_SHEDDING: dict[str, tuple[str, str]] = {
    "played": ("PlayMove", "Cards were played."),
    "flipped": ("FlipMove", "A face-down card was turned over."),
    "picked_up": ("PickUpMove", "The pile was picked up."),
    "turn_ended": ("EndTurnMove", "A bonus play was declined."),
    "settled": ("SettleMove", "A player agreed to end the game as it stands, or took that back."),
}
_THREE_THIRTEEN: dict[str, tuple[str, dict[str, Any]]] = {
    "discarded": ("A turn ended with a discard.", {"move": ref("DiscardMove"), **_TURN}),
    "went_out": ("A player went out.", {"move": ref("GoOutMove"), "melds": CARD_LISTS, **_TURN}),
    "round_scored": (
        "The round was scored.",
        {
            "round": WHOLE,
            "went_out": MAYBE_WHOLE,
            "scores": {"type": "array", "items": ref("RoundScore"), "description": "By seat."},
            "totals": {"type": "array", "items": WHOLE, "description": "By seat."},
            "result": _RESULT,
        },
    ),
}


def _effects_of(move: dict[str, Any], description: str = "The move, and what followed from it.") -> dict[str, Any]:
    effects = {"type": "array", "items": ref("Effect")}
    return shape(description, {"move": move, "effects": effects, "calls": CALLS}, _PLANNED)


DATA: dict[str, Any] = {
    "SeatAtEnd": _SEAT_AT_END,
    "SheddingDealt": shape(
        "The cards of a shedding game.",
        {
            "ruleset": TEXT,
            "options": ANY_OBJECT,
            "seats": WHOLE,
            "dealer": WHOLE,
            "direction": {**WHOLE, "enum": [1, -1]},
            "hands": _HANDS,
            "face_up": {**CARD_LISTS, "description": "By seat."},
            "turned_up": {**CARDS, "description": "The pile to begin with."},
            "stock_count": WHOLE,
            "face_down": {"type": ["array", "null"], "items": CARDS},
            "stock": HIDDEN_CARDS,
            "shuffle": HIDDEN_CARDS,
            "calls": CALLS,
            "who_dealt": {
                "type": ["array", "null"],
                "items": WHOLE,
                "description": "Three Card: the seats that were dealt nothing but 3s to 8s.",
            },
        },
    ),
    "ThreeThirteenDealt": shape(
        "The cards of a round of Three Thirteen. The first deal also has `ruleset`, `options` and `seats`.",
        {
            "round": WHOLE,
            "wild": {**TEXT, "description": "The rank that is wild in this round."},
            "dealer": WHOLE,
            "hands": _HANDS,
            "discard_top": CARD,
            "stock_count": WHOLE,
            "to_act": SEATS,
            "shuffle": HIDDEN_CARDS,
        },
        {"ruleset": TEXT, "options": ANY_OBJECT, "seats": WHOLE},
    ),
    "SheddingDrew": _effects_of(ref("DrawMove"), "A draw in Three Card or Castle."),
    "ThreeThirteenDrew": shape(
        "The first half of a turn of Three Thirteen.",
        {
            "move": ref("DrawMove"),
            "card": {**HIDDEN_CARD, "description": "From the stock: only for the player who drew it."},
            "stock_count": WHOLE,
            "discard_count": WHOLE,
            "renewed": {**WHOLE, "description": "How often the stock was renewed in this round."},
            "idle": {**WHOLE, "description": "Turns in a row in which the stock was not used."},
            "shuffle": HIDDEN_CARDS,
        },
        _PLANNED,
    ),
    "SheddingResigned": _effects_of(ref("ResignMove"), "A resignation in a shedding game."),
    "ThreeThirteenResigned": shape(
        "A resignation in Three Thirteen.",
        {"move": ref("ResignMove"), "place": WHOLE, "result": _RESULT, "idle": WHOLE, **_TURN},
    ),
}
_BOTH = {
    "dealt": ("Cards were dealt.", "SheddingDealt", "ThreeThirteenDealt"),
    "drew": ("A card was drawn.", "SheddingDrew", "ThreeThirteenDrew"),
    "resigned": ("A player left the game for good.", "SheddingResigned", "ThreeThirteenResigned"),
}
_ARRANGED = shape(
    "The choice; null for others before the setup ends.", {"move": const("arrange"), "face_up": HIDDEN_CARDS}
)


def _data() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return what happened and the schema of the data, by type."""
    found = {
        kind: (text, shape(text, facts, _PLANNED if "move" in facts else None))
        for kind, (text, facts) in {**_SERVICE, **_THREE_THIRTEEN}.items()
    }
    found["arranged"] = ("Somebody chose the face-up cards.", _effects_of(_ARRANGED))
    found |= {kind: (text, _effects_of(ref(move))) for kind, (move, text) in _SHEDDING.items()}
    return found | {kind: (text, {"oneOf": [ref(name) for name in names]}) for kind, (text, *names) in _BOTH.items()}


def _name(kind: str) -> str:
    return "".join(word.capitalize() for word in kind.split("_")) + "Event"


def _event(kind: str, description: str, data: dict[str, Any]) -> dict[str, Any]:
    return shape(
        description,
        {
            "version": {**WHOLE, "description": "The game's version after it."},
            "type": const(kind),
            "seat": {**MAYBE_WHOLE, "description": "Whose event it is."},
            "data": data,
            "recorded_at": TIME,
        },
    )


EVENTS: dict[str, Any] = {
    **EFFECTS,
    **DATA,
    **{_name(kind): _event(kind, text, data) for kind, (text, data) in _data().items()},
    "Event": one_of(
        "What happened. Parts that the caller may not see are null.", "type", {kind: _name(kind) for kind in _data()}
    ),
}
