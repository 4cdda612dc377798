"""What happens in a game is declared once: a class for each event, and for each effect of a move.

    class Left(Event):
        words = "{who} leaves"
        player: UUID | None
        secret: Annotated[str | None, AT_THE_END, "What opens the commitment."]

The class says what its data holds, who sees which field, and in a sentence what happened. What a viewer sees and the
schema of the API follow from it. Everybody sees a field without a mark. Beside the mark may stand what clients read: a
text about it, a tuple of examples, a dict of more JSON Schema. A `NewType` is a component of the OpenAPI document.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, NewType, TypeAlias, get_origin, get_type_hints

from games.rules.moves import words_of


class Sight(Enum):
    """Who sees a field while the game runs: the event's seat; of a list each seat its own; nobody. NEVER: nor later."""

    OWN = "own"
    BY_SEAT = "by seat"
    AT_THE_END = "at the end"
    NEVER = "never"


OWN, BY_SEAT, AT_THE_END, NEVER = Sight
LEFT_OUT: Any = object()
"""The default of a field that may be left out."""

Facts: TypeAlias = dict[str, Any]
Card = NewType("Card", str)
Result = NewType("Result", Facts)
Placement = NewType("Placement", Facts)
Move = NewType("Move", Facts)
"""The move that the event is of (`by`)."""
Viewer: TypeAlias = int | Literal["public"] | None
"""A seat, the public (who sees what all seats see), or None: omniscient."""
Options: TypeAlias = Facts
Cards: TypeAlias = list[Card]
Seats: TypeAlias = list[int]
Own: TypeAlias = Annotated[Cards | None, OWN]
Secret: TypeAlias = Annotated[Cards | None, AT_THE_END]
Hands: TypeAlias = Annotated[list[Cards | None], BY_SEAT, "By seat; null: hidden."]
EndedBy: TypeAlias = Literal["out", "stalemate", "agreed", "rounds", "resignation", "limit"]
Planned: TypeAlias = Annotated[
    bool, {"const": True}, "There if a plan made the move: for the seat alone, until the game is over."
]


class Told(NamedTuple):
    """Who does something, as a sentence names them, the names in seat order, and the event's seat."""

    who: str
    names: Sequence[str]
    seat: int | None = None

    @property
    def whose(self) -> str:
        return "your" if whom(self.who) == "you" else f"{self.who}'s"

    def does(self, what: str) -> str:
        """What they do, in a clause that does not name them again."""
        return agreeing(f"{self.who} {what}").removeprefix(f"{self.who} ")

    def all(self, seats: Sequence[int]) -> list[str]:
        return [whom(self.names[seat]) for seat in seats]


def whom(who: str) -> str:
    """A name for the middle of a sentence."""
    return "you" if who == "You" else who


def dealt_by(dealer: int, told: Told) -> str:
    return f"the cards are dealt by {whom(told.names[dealer])}"


def agreeing(clause: str) -> str:
    """The clause with the form of its verb that goes with "you": "You play 7♥" for "You plays 7♥"."""
    found = _OF_YOU.match(clause)
    return f"{found[1]}{_FORMS.get(found[2], found[2].removesuffix('s'))}{clause[found.end() :]}" if found else clause


_OF_YOU = re.compile("([Yy]ou (?:no longer )?)([a-z]+)")
_FORMS = {"is": "are", "has": "have", "goes": "go"}


class Described:
    """What an event, or a part of one, holds: `Left(data).player`. A field's default is for data of before it was."""

    name: ClassVar[str]
    fields: ClassVar[Mapping[str, Any]]
    """Their type hints, by name."""
    sight: ClassVar[Mapping[str, Sight | None]]
    hidden: ClassVar[Mapping[str, None]]
    """The fields that not everybody sees, as those see them."""
    words: ClassVar[str] = ""
    """The sentence, with `{who}` or `{whose}` and fields; "" for what needs no words."""

    def __init__(self, facts: Facts) -> None:
        self.__dict__ = facts

    def __init_subclass__(cls) -> None:
        cls.name = re.sub("(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()
        hints = get_type_hints(cls, include_extras=True)
        cls.fields = {name: hint for name, hint in hints.items() if get_origin(hint) is not ClassVar}
        marks = {name: getattr(hint, "__metadata__", ()) for name, hint in cls.fields.items()}
        cls.sight = {name: next((one for one in some if isinstance(one, Sight)), None) for name, some in marks.items()}
        cls.hidden = {name: None for name, sight in cls.sight.items() if sight is not None}

    def sentence(self, told: Told) -> str:
        return agreeing(self.words.format(who=told.who, whose=told.whose, **vars(self)))


class Effect(Described):
    """A small fact that a move leads to, stored as `{"effect": name, **facts}`. `told.who` is of its seat."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        EFFECTS[cls.name] = cls

    @staticmethod
    def apply(state: Any, fact: Facts) -> None:
        """Change a draft of the state. The fact is as it is stored: most of the work of a game is done here."""
        raise NotImplementedError


EFFECTS: dict[str, type[Effect]] = {}


class Event(Described):
    """What an event's data holds; `type` is what it is stored as. A class that others are of says `is_kind`."""

    family: ClassVar[str]
    type: ClassVar[str]

    def __init_subclass__(cls, *, is_kind: bool = False) -> None:
        super().__init_subclass__()
        if hasattr(cls, "family") and not is_kind:
            cls.type = f"{cls.family}.{cls.name}"
            EVENTS[cls.type] = cls
            NAMED[cls.name].append(cls)

    def seen(self, seat: int | None, viewer: Viewer) -> Facts:
        """What a viewer (a seat, "public", or None: after the end) sees of the event of a seat; the rest is null."""
        facts, sight = vars(self), self.sight
        if viewer is None:
            return {key: None if sight.get(key) is NEVER else value for key, value in facts.items()}
        clear = (None, OWN) if seat == viewer else (None,)
        shown = {key: value if sight.get(key, AT_THE_END) in clear else None for key, value in facts.items()}
        for key in shown:
            if sight.get(key) is BY_SEAT:
                shown[key] = [value if at == viewer else None for at, value in enumerate(facts[key])]
        return shown


EVENTS: dict[str, type[Event]] = {}
NAMED: defaultdict[str, list[type[Event]]] = defaultdict(list)
"""The same by the name that clients know; families may share one."""


def redacting(family: str) -> Callable[[Facts, Viewer], Facts]:
    """Return what gives an event of the family as a viewer may see it: with null for the rest."""

    def redact(event: Facts, viewer: Viewer) -> Facts:
        if viewer is None:
            return event
        return event | {"data": EVENTS[f"{family}.{event['type']}"](event["data"]).seen(event["seat"], viewer)}

    return redact


class Moved(Event):
    """The event of a move, perhaps with its effects in their order, and with calls."""

    move: Move
    by: ClassVar[str]
    """The name of the move."""

    def seen(self, seat: int | None, viewer: Viewer) -> Facts:
        shown = super().seen(seat, viewer)
        if viewer not in (None, seat) and "effects" in shown:
            shown["effects"] = [effect | EFFECTS[effect["effect"]].hidden for effect in shown["effects"]]
        return shown

    def does(self, seat: int | None) -> str:  # noqa: ARG002  who settles may take it back
        return words_of(self.move)

    def sentence(self, told: Told) -> str:
        parts = [agreeing(f"{told.who} {self.does(told.seat)}")]
        for effect in vars(self).get("effects", ()):
            who = whom(told.names[effect["seat"]]) if "seat" in effect else ""
            parts.append(EFFECTS[effect["effect"]](effect).sentence(Told(who, told.names)))
        parts += [call(name, whom(told.who)) for name in vars(self).get("calls", ())]
        return "; ".join(filter(None, parts))


def sentence(happened: Mapping[str, Any], names: Sequence[str], *, who: str | None = None) -> str:
    """An event as clients have it, as a sentence: "bob plays 7♥ 7♦; the pile is closed".

    `names` are the players' names in seat order, "You" for the reader; `who` names its player if they do not.
    """
    data, seat = happened["data"], happened["seat"]
    if who is None:
        who = names[seat] if seat is not None and seat < len(names) else f"seat {seat}"
    kinds = NAMED.get(happened["type"], ())
    if not kinds:
        return str(happened["type"]).replace("_", " ")
    # The families' events of one name hold different facts.
    kind = max(kinds, key=lambda one: len(one.fields.keys() & data.keys())) if kinds[1:] else kinds[0]
    return kind(data).sentence(Told(who, names, seat))


def said(happened: Mapping[str, Any], names: Sequence[str], who: str | None = None) -> str:
    """The event as a whole sentence for somebody who sees whose turn it is: "You play 7♥ 7♦; the pile is closed."."""
    text = sentence(without_turn(happened), names, who=who) + (
        "; as planned" if happened["data"].get("planned") else ""
    )
    # Names are written as their owners write them.
    return f"{text if text.startswith(tuple(names)) else text[0].upper() + text[1:]}."


def without_turn(happened: Mapping[str, Any]) -> dict[str, Any]:
    """The event without whose turn followed."""
    data = happened["data"]
    effects = [one for one in data.get("effects", ()) if one["effect"] != "turn" or one["bonus"]]
    return {**happened, "data": {**data, "effects": effects}} if "effects" in data else dict(happened)


CALLS = {
    "kerchoo": "“Kerchoo!”",
    "number_of_the_beast": "“The number of the beast!”",
    "lucky_number_of_the_beast": "“The LUCKY number of the beast!”",
    "exorcism": "an exorcism",
    "on_the_train": "{who} is on the train",
    "who_dealt": "{who}: “Who the fuck dealt?”",
}
WHAT_CALLS_ARE = "Three Card: what players call what happened, in the order in which they do."
Calls: TypeAlias = Annotated[list[Annotated[str, {"enum": [*CALLS]}]], WHAT_CALLS_ARE]


def call(name: str, who: str) -> str:
    """Return what players of Three Card call something that happened to `who`, as they say it (TC10)."""
    return agreeing(CALLS[name].format(who=who))
