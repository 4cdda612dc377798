"""The record of a tournament as JSON Schema: every type of line with its keys (COMPETITION, The record)."""

from typing import Any

from games.api.schema.parts import ANY_OBJECT, MAYBE_TEXT, TEXT, TIME, const, one_of, shape
from games.rules import GAMES
from tournaments.rules.lines import SOURCES
from tournaments.rules.settings import KINDS

COUNT = {"type": "integer", "minimum": 1}
ENTRANT = {"type": "string", "pattern": "^e[1-9][0-9]*$"}
_ENTRANTS = {"type": "array", "items": ENTRANT}
_REASON = {"reason": TEXT}
_EXACT: dict[str, Any] = {
    "anyOf": [{"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}, {"type": "integer"}],
    "description": "An exact number.",
}
_MAYBE_EXACT = {"anyOf": [*_EXACT["anyOf"], {"type": "null"}], "description": "An exact number, or null for none."}

PLAYER = shape(
    "How a game ended for one of its entrants.",
    {"entrant": ENTRANT},
    {
        "place": {
            "type": ["integer", "null"],
            "minimum": 1,
            "description": "1 + the number of better ones; an absent entrant may have none.",
        },
        "score": _MAYBE_EXACT,
        "timeouts": {"type": "integer", "minimum": 0},
        "absent": {"type": "boolean", "description": "It never made a move of its own and was ruled absent (PT8)."},
    },
)


def _line(kind: str, description: str, required: dict[str, Any] | None = None, **optional: Any) -> dict[str, Any]:
    always = {"n": COUNT, "at": TIME, "type": const(kind)}
    return shape(description, {**always, **(required or {})}, optional)


def _of_entrant(kind: str, description: str) -> dict[str, Any]:
    return _line(kind, description, {"entrant": ENTRANT}, **_REASON)


LINES: dict[str, dict[str, Any]] = {
    "entered": _line("entered", "Somebody takes part from here on.", {"entrant": ENTRANT}, name=MAYBE_TEXT),
    "withdrew": _of_entrant("withdrew", "An entrant withdrew and is not seated any more."),
    "returned": _of_entrant("returned", "An entrant who had withdrawn plays again."),
    "removed": _of_entrant("removed", "An organiser removed an entrant."),
    "reinstated": _of_entrant("reinstated", "A removal was taken back."),
    "replaced": _line(
        "replaced", "Somebody else plays for the entrant.", {"entrant": ENTRANT}, name=MAYBE_TEXT, **_REASON
    ),
    "seeded": _line("seeded", "The seeds of a knockout, the best first (KO2).", {"order": _ENTRANTS}),
    "seated": _line(
        "seated",
        "A round's tables and byes.",
        {"round": COUNT, "tables": {"type": "array", "items": _ENTRANTS}},
        byes=_ENTRANTS,
    ),
    "result": _line(
        "result",
        "How a game ended.",
        {"id": TEXT, "players": {"type": "array", "items": {"$ref": "#/components/schemas/RecordPlayer"}}},
        round=COUNT,
        table=COUNT,
        source={"type": "string", "enum": list(SOURCES), "description": "game where it is missing."},
        rounds={**COUNT, "description": "How many rounds were scored (Three Thirteen)."},
        rules={**COUNT, "description": "The n of the ratified line whose rules it was played by (RT4)."},
    ),
    "voided": _line(
        "voided",
        "A result, named by its id, no longer counts; or a game of a table, named by round and table, will have none.",
        id=TEXT,
        round=COUNT,
        table=COUNT,
        **_REASON,
    ),
    "restored": _line("restored", "A voided result counts again.", {"id": TEXT}, **_REASON),
    "adjusted": _line("adjusted", "Points were added or taken.", {"entrant": ENTRANT, "points": _EXACT}, **_REASON),
    "ratified": _line("ratified", "These rules hold from here on (RT4).", {"ruleset": TEXT, "options": ANY_OBJECT}),
    "finished": _line("finished", "It is over.", why=TEXT),
    "reopened": _line("reopened", "The tournament goes on after all.", **_REASON),
}
_NAMES = {kind: f"Record{kind.capitalize()}" for kind in LINES}

RECORD = shape(
    "Everything from which the standings follow; `python -m tournaments.rules standings` reads it.",
    {
        "format": const("trey-tournament/1"),
        "title": TEXT,
        "game": {"type": "string", "enum": sorted(GAMES)},
        "kind": {"type": "string", "enum": list(KINDS)},
        "seed": MAYBE_TEXT,
        "settings": {"$ref": "#/components/schemas/TournamentSettings"},
        "log": {"type": "array", "items": {"$ref": "#/components/schemas/RecordLine"}},
    },
    {
        "ruleset": {**TEXT, "description": "The rules that the tournament began with."},
        "options": {**ANY_OBJECT, "description": "As they were set up; the others have the game's defaults."},
    },
)
COMPONENTS: dict[str, Any] = {
    "TournamentRecord": RECORD,
    "RecordLine": one_of("A line of a tournament's log.", "type", _NAMES),
    "RecordPlayer": PLAYER,
    **{_NAMES[kind]: line for kind, line in LINES.items()},
}
