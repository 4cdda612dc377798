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

from games.rules.moves import made_for, words_of
from games.rules.words import listed


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
Hands: TypeAlias = Annotated[list[Cards | None], BY_SEAT, "By seat; null if hidden."]
EndedBy: TypeAlias = Literal["out", "stalemate", "agreed", "rounds", "resignation", "limit"]
Planned: TypeAlias = Annotated[
    bool, {"const": True}, "True if a plan made the move; until the game is over, shown only to the seat."
]


class Told(NamedTuple):
    """Who did something, as a sentence names them, the names in seat order, and the event's seat.

    `for_them`: not with their own hands. The clock did it for them, or a bot.
    """

    who: str
    names: Sequence[str]
    seat: int | None = None
    for_them: bool = False

    @property
    def whose(self) -> str:
        return "your" if whom(self.who) == "you" else f"{self.who}'s"

    def all(self, seats: Sequence[int]) -> list[str]:
        return [whom(self.names[seat]) for seat in seats]


def whom(who: str) -> str:
    """A name for the middle of a sentence."""
    return "you" if who == "You" else who


def agreeing(clause: str) -> str:
    """The clause with the form of its verb that goes with "you": "You were sent out" for "You was sent out"."""
    return _OF_YOU.sub(r"\1 were", clause)


_OF_YOU = re.compile(r"\A([Yy]ou) was\b")


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

    did: ClassVar[str] = ""
    """What its seat, or the mover, did by it, with fields: "drew {count}". It needs no sentence of its own then."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        EFFECTS[cls.name] = cls

    @staticmethod
    def apply(state: Any, fact: Facts) -> None:
        """Change a draft of the state. The fact is as it is stored: most of the work of a game is done here."""
        raise NotImplementedError

    def done(self) -> str:
        return self.did.format(**vars(self))


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

    def did(self, told: Told) -> str:
        """What its player did, without a subject; "" if the effects say it all."""
        lost = told.for_them and self.move["move"] == "resign"
        return "was out of the game" if lost else words_of(self.move)

    def made_for(self, who: str) -> str | None:
        """The sentence if the clock or a bot made the move for somebody; None: there is no other."""
        return made_for(self.move, who)

    def sentence(self, told: Told) -> str:
        done, besides = [], []
        for fact in vars(self).get("effects", ()):
            effect, seat = EFFECTS[fact["effect"]](fact), fact.get("seat", told.seat)
            who = whom(told.names[seat])
            if did := effect.done():
                done += [did] if seat == told.seat else []
                besides += [] if seat == told.seat else [f"{who} {did}"]
            else:
                besides.append(effect.sentence(Told(who, told.names)))
        besides += [call(name, whom(told.who)) for name in vars(self).get("calls", ())]
        if told.for_them and (made := self.made_for(whom(told.who))) is not None:
            parts = [made, f"{whom(told.who)} {listed(done)}" if done else ""]
        else:
            parts = [agreeing(f"{told.who} {listed([*filter(None, [self.did(told)]), *done])}")]
        return "; ".join(filter(None, [*parts, *besides]))


def sentence(
    happened: Mapping[str, Any], names: Sequence[str], *, who: str | None = None, for_them: bool = False
) -> str:
    """An event as clients have it, as a sentence: "bob played 10♥ and cleared the pile".

    `names` are the players' names in seat order, "You" for the reader; `who` names its player if they do not.
    `for_them`: the clock made the move, or a bot.
    """
    data, seat = happened["data"], happened["seat"]
    if who is None:
        who = names[seat] if seat is not None and seat < len(names) else f"seat {seat}"
    kinds = NAMED.get(happened["type"], ())
    if not kinds:
        return str(happened["type"]).replace("_", " ")
    # The families' events of one name hold different facts.
    kind = max(kinds, key=lambda one: len(one.fields.keys() & data.keys())) if kinds[1:] else kinds[0]
    return kind(data).sentence(Told(who, names, seat, for_them))


def clause(happened: Mapping[str, Any], names: Sequence[str], *, who: str | None = None, for_them: bool = False) -> str:
    """The event for somebody who sees whose turn it is: "You played 7♥, as planned"."""
    data = happened["data"]
    effects = [one for one in data.get("effects", ()) if one["effect"] not in _WHO_FOLLOWS]
    shown = {**happened, "data": {**data, "effects": effects}} if "effects" in data else happened
    return sentence(shown, names, who=who, for_them=for_them) + (", as planned" if data.get("planned") else "")


_WHO_FOLLOWS = ("opening", "turn")


def whole(text: str, names: Sequence[str]) -> str:
    """Clauses as a whole sentence. Names are written as their owners write them."""
    starts = text.startswith(tuple(names)) and not _UNNAMED.match(text)
    return f"{text if starts else text[0].upper() + text[1:]}."


_UNNAMED = re.compile(r"(bot|player) \d")


def said(happened: Mapping[str, Any], names: Sequence[str]) -> str:
    return whole(clause(happened, names), names)


def inner(text: str) -> str:
    """A clause for the middle of a sentence: "you took the pile" for "You took the pile"."""
    return re.sub(r"\AYou\b", "you", text)


def in_a_row(clauses: Sequence[str], who: str) -> str:
    """What one player did, one thing after the other: "bob took the pile (8 cards), then played 4♣"."""
    first, *others = clauses
    return ", then ".join([first, *(one.removeprefix(f"{who} ") for one in others)])


CALLS = {
    "kerchoo": "“Kerchoo!”",
    "number_of_the_beast": "“The number of the beast!”",
    "lucky_number_of_the_beast": "“The LUCKY number of the beast!”",
    "exorcism": "an exorcism",
    "on_the_train": "{who} was on the train",
    "who_dealt": "{who}: “Who the fuck dealt?”",
}
WHAT_CALLS_ARE = "Three Card: what players call out, in this order."
Calls: TypeAlias = Annotated[list[Annotated[str, {"enum": [*CALLS]}]], WHAT_CALLS_ARE]


def call(name: str, who: str) -> str:
    """Return what players of Three Card call something that happened to `who`, as they say it (TC10)."""
    return agreeing(CALLS[name].format(who=who))
