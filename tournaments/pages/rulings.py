"""Rulings as sentences (LI5): what was ruled, by whom, why. All of them are shown in public."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games import log
from games.accounts.models import Player
from tournaments.pages.numbers import decimals, ordinal

Names = Mapping[str, str]
"""The names of entrants, and of games by where they are played."""
Said = Callable[[Mapping[str, Any], Names], str]


@dataclass(frozen=True, slots=True)
class RulingLine:
    """One ruling; `note` says that who ruled plays at the table, too. `type` and `data` are the event's."""

    type: str
    data: Mapping[str, Any]
    at: datetime
    what: str
    who: str
    reason: str | None
    note: str | None


def rulings_of(events: Sequence[log.Event], names: Names) -> list[RulingLine]:
    """The rulings among a tournament's events, newest first; `names` has the entrants and, by their ids, the games."""
    ruled = [event for event in events if _is_ruling(event)]
    people = _people(ruled)
    return [
        RulingLine(
            type=event.type.removeprefix("tournament."),
            data=event.data,
            at=event.recorded_at,
            what=_SAID[event.type](event.data, names),
            who=_who(event, people),
            reason=event.data.get("reason") or event.reason,
            note=_note(event.data.get("also_plays"), names),
        )
        for event in reversed(ruled)
    ]


def _is_ruling(event: log.Event) -> bool:
    if event.type == "tournament.result":
        return bool(event.data["source"] != "game")
    return event.type in _SAID


def _people(events: Sequence[log.Event]) -> dict[str, str]:
    ids = {event.actor.id for event in events if event.actor is not None and event.actor.kind in _PEOPLE}
    return {str(pk): name for pk, name in Player.objects.filter(pk__in=filter(None, ids)).values_list("pk", "username")}


_PEOPLE = ("organiser", "player", "staff")


def _who(event: log.Event, people: Mapping[str, str]) -> str:
    actor = event.actor
    if actor is None or actor.kind not in _PEOPLE:
        return "the service"
    return people.get(actor.id or "", "a deleted account")


def _note(also_plays: str | None, names: Names) -> str | None:
    return f"plays at this table as {names.get(also_plays, also_plays)}" if also_plays else None


def _game(data: Mapping[str, Any], names: Names) -> str:
    return names.get(data["id"], "A game")


def _result(data: Mapping[str, Any], names: Names) -> str:
    rows = sorted(data["players"], key=lambda row: row["place"] or 10**6)
    places = ", ".join(
        f"{names.get(row['entrant'], row['entrant'])} {'absent' if row.get('absent') else ordinal(row['place'])}"
        for row in rows
    )
    how = "the result of a real table" if data["source"] == "table" else "a result given"
    return f"{_game(data, names)}: {how} ({places})"


def _extended(data: Mapping[str, Any], names: Names) -> str:
    until = datetime.fromisoformat(data["until"])
    entrant = data.get("entrant")
    whose = f"The turn of {names.get(entrant, entrant)}" if entrant else f"Round {data['round']}"
    return f"{whose} goes on until {until:%d %B %Y, %H:%M} UTC"


def _entrant(sentence: str) -> Said:
    return lambda data, names: sentence.format(names.get(data["entrant"], data["entrant"]))


def _adjusted(data: Mapping[str, Any], names: Names) -> str:
    points = decimals(data["points"])
    sign = "" if points.startswith("-") else "+"
    return f"{names.get(data['entrant'], data['entrant'])}: {sign}{points} points"


_SAID: dict[str, Said] = {
    "tournament.voided": lambda data, names: f"{_game(data, names)} is void",
    "tournament.restored": lambda data, names: f"{_game(data, names)} counts again",
    "tournament.result": _result,
    "tournament.adjusted": _adjusted,
    "tournament.replaced": _entrant("Somebody else plays for {} from now on"),
    "tournament.removed": _entrant("{} is removed"),
    "tournament.reinstated": _entrant("{} is back in"),
    "tournament.absent": _entrant("{} did not turn up"),
    "tournament.extended": _extended,
    "tournament.exchanged": lambda data, _: f"Entrants of round {data['round']}'s draft change places",
    "tournament.reopened": lambda _, __: "The tournament is open again",
    "tournament.cancelled": lambda _, __: "The tournament is called off",
}
