"""The record of a tournament (trey-tournament/1), from its stream: the events that standings depend on, as lines."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from games.clocks import moment_text
from tournaments.rules.fold import FORMAT
from tournaments.rules.lines import LINES, own_values
from tournaments.rules.settings import CARRIED
from tournaments.stream.events import Happened
from tournaments.stream.plan import Plan

Name = Callable[[str | None, Mapping[str, Any] | None], str]
"""Of a player (its id) or of a bot."""


def record_of(plan: Plan, seed: str | None, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The record; `seed` is null as long as it is secret (SE5). Its rules are the first ones (RT4)."""
    return {
        "format": FORMAT,
        "title": plan.title,
        "game": plan.game,
        "ruleset": plan.ruleset,
        "options": dict(plan.options),
        **_kind_and_settings(plan),
        "seed": seed,
        "log": lines,
    }


def _kind_and_settings(plan: Plan) -> dict[str, Any]:
    if not plan.stages:
        return {"kind": plan.kind, "settings": dict(plan.settings)}
    return {"stages": [_stage(stage) for stage in plan.stages]}


def _stage(stage: Mapping[str, Any]) -> dict[str, Any]:
    """A stage as the record's head has it (SG1); one that carries names only what it may name (SG6)."""
    names = CARRIED if stage["carry"] else stage["settings"]
    own = {"kind": stage["kind"], "settings": {name: stage["settings"][name] for name in names}}
    return {**own, **{name: stage[name] for name in ("take", "carry") if stage[name]}}


def lines_of(events: Iterable[Happened], name: Name) -> Iterator[dict[str, Any]]:
    n = 0
    entered: set[str] = set()
    # The line that ratified each proposal.
    ratified: dict[int | None, int] = {}
    at: datetime | None = None
    for event in events:
        # Clocks may differ or be set back, but in a record no line is earlier than the previous one.
        at = event.recorded_at if at is None else max(at, event.recorded_at)
        data, line = event.data, LINES.get(event.type)
        if line is None:
            continue
        if event.type == "entered":
            entered.add(data["entrant"])
        elif "entrant" in data and data["entrant"] not in entered:
            continue  # it never left the waiting list, so it is not in the record
        keys = set(own_values(line))
        if event.type == "voided":
            if data["round"] is None and not data["had_result"]:
                continue  # a season's game without a result is not in the record
            keys -= {"round", "table"} if data["had_result"] else {"id"}
        known = {**data, **({"name": name(data["player"], data["bot"])} if "name" in keys else {})}
        content = {key: known[key] for key in own_values(line) if key in keys and key in known}
        if event.type == "result":
            content = {key: value for key, value in content.items() if value is not None}
        n += 1
        if event.type == "ratified":
            ratified[data["proposal"]] = n
        elif event.type == "result" and data["proposal"] is not None:
            content["rules"] = ratified[data["proposal"]]
        yield {"n": n, "at": moment_text(at), "type": event.type, **content}
