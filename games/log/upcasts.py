"""Old shapes of events, brought to the newest on reading. What is stored never changes."""

from collections.abc import Callable
from typing import Any

Data = dict[str, Any]
Upcast = Callable[[Data], Data]

_upcasts: dict[tuple[str, int], Upcast] = {}


def upcast(event_type: str, from_schema: int) -> Callable[[Upcast], Upcast]:
    """Register a function that turns the data of `event_type` at `from_schema` into that of `from_schema + 1`.

        @log.upcast("played", 1)
        def played_v1_to_v2(data): ...

    Raises ValueError for a second one of the same step.
    """

    def register(function: Upcast) -> Upcast:
        if (event_type, from_schema) in _upcasts:
            raise ValueError(f"{event_type!r} has an upcast from schema {from_schema} already")
        _upcasts[event_type, from_schema] = function
        return function

    return register


def newest(event_type: str, schema: int, data: Data) -> tuple[int, Data]:
    """Return the newest (schema, data) that `data` at `schema` can be brought to."""
    while step := _upcasts.get((event_type, schema)):
        schema, data = schema + 1, step(data)
    return schema, data


def is_outdated(event_type: str, schema: int) -> bool:
    """Tell whether a newer shape of `event_type` than `schema` is registered."""
    return (event_type, schema) in _upcasts
