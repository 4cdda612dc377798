"""The record of a tournament (trey-tournament/1), from its stream: the events that standings depend on, as lines."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from games.clocks import moment_text
from tournaments.rules.fold import FORMAT
from tournaments.stream.evolve import Happened
from tournaments.stream.plan import Plan

Name = Callable[[str | None, Mapping[str, Any] | None], str]
"""The name of a player (its id) or of a bot."""


def record_of(plan: Plan, seed: str | None, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The record; `seed` is null as long as it is secret (SE5). Its rules are the first ones (RT4)."""
    return {
        "format": FORMAT,
        "title": plan.title,
        "game": plan.game,
        "ruleset": plan.ruleset,
        "options": dict(plan.options),
        "kind": plan.kind,
        "seed": seed,
        "settings": dict(plan.settings),
        "log": lines,
    }


def lines_of(events: Iterable[Happened], name: Name) -> Iterator[dict[str, Any]]:
    n = 0
    entered: set[str] = set()
    # The line that ratified each proposal.
    ratified: dict[int | None, int] = {}
    at: datetime | None = None
    for event in events:
        # Clocks may differ or be set back, but in a record no line is earlier than the previous one.
        at = event.recorded_at if at is None else max(at, event.recorded_at)
        data = event.data
        write = _LINES.get(event.type)
        if write is None:
            continue
        if event.type == "entered":
            entered.add(data["entrant"])
        elif "entrant" in data and data["entrant"] not in entered:
            continue  # it never left the waiting list, so it is not in the record
        content = write(data, name)
        if content is not None:
            n += 1
            if event.type == "ratified":
                ratified[data["proposal"]] = n
            elif event.type == "result" and data["proposal"] is not None:
                content["rules"] = ratified[data["proposal"]]
            yield {"n": n, "at": moment_text(at), "type": event.type, **content}


def _entered(data: Mapping[str, Any], name: Name) -> dict[str, Any]:
    return {"entrant": data["entrant"], "name": name(data["player"], data["bot"])}


def _entrant(data: Mapping[str, Any], _: Name) -> dict[str, Any]:
    reason = {"reason": data["reason"]} if "reason" in data else {}
    return {"entrant": data["entrant"], **reason}


def _replaced(data: Mapping[str, Any], name: Name) -> dict[str, Any]:
    return {**_entered(data, name), "reason": data["reason"]}


def _seeded(data: Mapping[str, Any], _: Name) -> dict[str, Any]:
    return {"order": data["order"]}


def _seated(data: Mapping[str, Any], _: Name) -> dict[str, Any]:
    return {key: data[key] for key in ("round", "tables", "byes")}


def _result(data: Mapping[str, Any], _: Name) -> dict[str, Any]:
    keys = ("id", "round", "table", "source", "rounds", "players")
    return {key: data[key] for key in keys if data[key] is not None}


def _voided(data: Mapping[str, Any], _: Name) -> dict[str, Any] | None:
    if data["had_result"]:
        return {"id": data["id"], "reason": data["reason"]}
    if data["round"] is None:
        return None  # a season's game without a result is not in the record
    return {"round": data["round"], "table": data["table"], "reason": data["reason"]}


def _restored(data: Mapping[str, Any], _: Name) -> dict[str, Any]:
    return {"id": data["id"], "reason": data["reason"]}


def _adjusted(data: Mapping[str, Any], _: Name) -> dict[str, Any]:
    return {key: data[key] for key in ("entrant", "points", "reason")}


def _finished(data: Mapping[str, Any], _: Name) -> dict[str, Any]:
    return {"why": data["why"]}


def _reopened(data: Mapping[str, Any], _: Name) -> dict[str, Any]:
    return {"reason": data["reason"]}


def _ratified(data: Mapping[str, Any], _: Name) -> dict[str, Any]:
    return {"ruleset": data["ruleset"], "options": data["options"]}


_LINES: dict[str, Callable[[Mapping[str, Any], Name], dict[str, Any] | None]] = {
    "entered": _entered,
    "withdrew": _entrant,
    "returned": _entrant,
    "removed": _entrant,
    "reinstated": _entrant,
    "replaced": _replaced,
    "seeded": _seeded,
    "seated": _seated,
    "result": _result,
    "voided": _voided,
    "restored": _restored,
    "adjusted": _adjusted,
    "finished": _finished,
    "reopened": _reopened,
    "ratified": _ratified,
}
