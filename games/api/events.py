"""Events and their effects, as the OpenAPI document describes them: made of the classes that declare them.

Hidden parts are null; after the end nothing is. What two families call by one name has data of its own in each.
"""

from datetime import datetime
from inspect import isclass
from types import UnionType
from typing import Annotated, Any, NewType, Union, get_args, get_origin
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

import games.events  # noqa: F401  those of the service
from core.http.bodies import AnyObject, Moment, components, doc, schema
from core.http.openapi import ref
from games.api.tables import Hidden
from games.rules.events import EFFECTS, LEFT_OUT, NAMED, Described, Event, Facts, Move


class Arrangement(Struct, tag_field="move", tag="arrange"):
    """The chosen cards; null for other players until everyone has chosen."""

    face_up: Hidden


class _Event(Struct, tag_field="type", kw_only=True):
    version: Annotated[int, doc("The version of the game after this event.")]
    seat: Annotated[int | None, doc("The seat that caused the event.")]
    recorded_at: Moment
    said: Annotated[str | UnsetType, doc('The event in a sentence, in which the caller is "You".')] = UNSET
    to_act: Annotated[
        list[int] | UnsetType, doc("In a live stream: the seats to move after all events sent so far.")
    ] = UNSET
    deadlines: Annotated[dict[str, Moment] | UnsetType, doc("In a live stream: the deadlines of these seats.")] = UNSET


def _struct(kind: type[Described], name: str, tag_field: str | None = None) -> type[Struct]:
    """A struct with the fields that a class declares, which gives their schema."""
    if name in _structs:
        return _structs[name]
    fields: list[Any] = []
    for field, hint in kind.fields.items():
        shape, default = _of_move(kind) if hint is Move else _shape(hint), getattr(kind, field, None)
        if default is LEFT_OUT:
            fields.append((field, Union[shape, UnsetType], UNSET))  # noqa: UP007  made of values
        else:
            fields.append((field, shape, default) if hasattr(kind, field) else (field, shape))
    tag = kind.name if tag_field else None
    about = {"__doc__": kind.__doc__}
    return _structs.setdefault(
        name, defstruct(name, fields, namespace=about, kw_only=True, tag_field=tag_field, tag=tag)
    )


_structs: dict[str, type[Struct]] = {}


def _of_move(kind: Any) -> Any:
    name = f"{kind.by.title().replace('_', '')}Move"
    return Arrangement if kind.by == "arrange" else Annotated[Facts, schema(ref(name))]


def _shape(hint: Any) -> Any:
    """The type that has the right schema for msgspec."""
    origin, parts = get_origin(hint), get_args(hint)
    if isinstance(hint, NewType):
        return Annotated[hint.__supertype__, schema(ref(hint.__name__))]
    if isclass(hint) and issubclass(hint, Described):
        return _struct(hint, hint.__name__)
    if origin is Annotated:
        about = [_META[type(one)](one) for one in parts[1:] if type(one) in _META]
        return Annotated[(_shape(parts[0]), *about)] if about else _shape(parts[0])
    if origin is list:
        return list[_shape(parts[0])]  # type: ignore[misc]
    if origin in (Union, UnionType):
        return Union[tuple(map(_shape, parts))]  # noqa: UP007
    return {Facts: AnyObject, datetime: Moment}.get(hint, hint)


# What may stand beside a type (`games.rules.events`).
_META: dict[type, Any] = {str: doc, tuple: lambda some: Meta(examples=list(some)), dict: schema}


def _of_family(kind: type[Event]) -> type[Struct]:
    return _struct(kind, kind.family.title().replace("_", "") + kind.__name__)


def _event(name: str, kinds: list[type[Event]]) -> type[Struct]:
    called = kinds[0].__name__
    either = {"oneOf": [ref(_of_family(kind).__name__) for kind in kinds]}
    data = Annotated[Any, schema(either)] if kinds[1:] else _struct(kinds[0], f"{called}Data")
    about = {"__doc__": " Or: ".join(str(kind.__doc__) for kind in kinds)}
    return defstruct(f"{called}Event", [("data", data)], bases=(_Event,), namespace=about, tag=name, kw_only=True)


class PresentPlayer(Struct):
    """A player who is at the table now."""

    seat: int
    player: Annotated[Any, schema(ref("PlayerRef"))]


class Company(Struct):
    """Who is at the table now."""

    present: list[PresentPlayer]


class GameNews(Struct):
    """One of your games: as it is when the stream begins, and whenever it changes."""

    id: UUID
    version: int
    status: Annotated[str, schema(ref("GameStatusEnum"))]
    your_turn: bool


COMPONENTS = components(
    *(_of_family(kind) for kinds in NAMED.values() if kinds[1:] for kind in kinds),
    Company,
    GameNews,
    Effect=(
        "A consequence of a move.",
        [_struct(kind, f"{kind.__name__}Effect", "effect") for kind in EFFECTS.values()],
    ),
    Event=(
        "What happened. Parts that the caller cannot see are null.",
        [_event(name, kinds) for name, kinds in NAMED.items()],
    ),
)
