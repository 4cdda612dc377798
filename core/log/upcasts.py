"""Upcasting old shapes of events on reading. What is stored never changes."""

from collections.abc import Callable
from typing import Any

Data = dict[str, Any]
Upcast = Callable[[Data], Data]

_upcasts: dict[tuple[str, int], Upcast] = {}


def upcast(event_type: str, from_schema: int) -> Callable[[Upcast], Upcast]:
    """Register a function that turns the data of `event_type` at `from_schema` into that of `from_schema + 1`.

        @log.upcast("game.joined", 1)
        def joined_v1_to_v2(data): ...

    From then on new events of the type are stored with the newest number.

    Raises ValueError for a second function of the same step.
    """

    def register(function: Upcast) -> Upcast:
        if (event_type, from_schema) in _upcasts:
            raise ValueError(f"{event_type!r} has an upcast from schema {from_schema} already")
        _upcasts[event_type, from_schema] = function
        return function

    return register


def newest(event_type: str, schema: int, data: Data) -> tuple[int, Data]:
    """Return the newest (schema, data) to which `data` at `schema` can be converted."""
    while step := _upcasts.get((event_type, schema)):
        schema, data = schema + 1, step(data)
    return schema, data


def newest_schema(event_type: str) -> int:
    """Return the number that new events of `event_type` are stored with."""
    schema = 1
    while (event_type, schema) in _upcasts:
        schema += 1
    return schema
