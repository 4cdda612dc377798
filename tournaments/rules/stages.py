"""The stages of a tournament's head, each with a kind and settings of its own (SG1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.rules.errors import BadRecord, BadStage
from tournaments.rules.exact import shown
from tournaments.rules.settings import Kind, Settings, read_kind, read_settings

MOST_STAGES = 4
CARRIED = ("rounds", "tie_breaks", "seating", "parallel")
"""The settings that a stage which carries the one before may name anew (SG6)."""


@dataclass(frozen=True, slots=True)
class Stage:
    kind: Kind
    settings: Settings
    take: int | None
    """How many go on; None in the last stage."""
    carry: bool
    """True if it is the stage before, going on with fewer."""


def read_stages(game: str, raw: object) -> tuple[Stage, ...]:
    """The stages in a record's head, with their settings completed. Raises BadRecord, BadStage for the first fault."""
    if not isinstance(raw, Sequence) or isinstance(raw, str) or not 1 <= len(raw) <= MOST_STAGES:
        raise BadRecord(f"stages: must be a list of one to {MOST_STAGES}, not {shown(raw)}.")
    stages: list[Stage] = []
    given: Mapping[str, Any] = {}
    for number, stage in enumerate(raw, 1):
        try:
            given = _settings(stage, given, stages)
            stages.append(_stage(game, stage, given, last=number == len(raw)))
        except BadRecord as error:
            raise BadStage(number, error) from None
    return tuple(stages)


def _settings(raw: object, before: Mapping[str, Any], stages: Sequence[Stage]) -> Mapping[str, Any]:
    """The settings that a stage has, those included that it carries."""
    if not isinstance(raw, Mapping):
        raise BadRecord(f"must be an object, not {shown(raw)}.")
    settings = raw.get("settings")
    settings = {} if settings is None else settings
    if not isinstance(settings, Mapping):
        raise BadRecord(f"settings: must be an object, not {shown(settings)}.")
    if not _carries(raw):
        return settings
    if not stages or stages[-1].kind != "rounds" or raw.get("kind") != "rounds":
        raise BadRecord("carry: only rounds after rounds go on with what was played before.")
    named = {name: value for name, value in settings.items() if value is not None}
    if fixed := [name for name in named if name in stages[-1].settings.as_json() and name not in CARRIED]:
        raise BadRecord(f"settings.{fixed[0]}: is that of the stage before, which this one carries.")
    return {**before, **named}


def _carries(raw: Mapping[str, Any]) -> bool:
    carry = raw.get("carry")
    if carry is not None and not isinstance(carry, bool):
        raise BadRecord(f"carry: must be true or false, not {shown(carry)}.")
    return carry is True


def _stage(game: str, raw: Mapping[str, Any], given: Mapping[str, Any], *, last: bool) -> Stage:
    kind = read_kind(raw.get("kind"))
    settings = read_settings(game, kind, given)
    take = raw.get("take")
    if last and take is not None:
        raise BadRecord("take: nobody goes on from the last stage.")
    if not last and (type(take) is not int or take < 2):
        raise BadRecord(f"take: says how many go on, 2 or more, and is not {shown(take)}.")
    if not last and kind == "rounds" and settings.rounds is None:
        raise BadRecord("settings.rounds: rounds before another stage need it.")
    return Stage(kind, settings, take, _carries(raw))
