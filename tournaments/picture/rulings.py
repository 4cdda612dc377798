"""Rulings as sentences (LI5): what was ruled, by whom, why. All of them are shown in public."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core import log
from tournaments import selectors
from tournaments.models import Proposal, Tournament, TournamentGame
from tournaments.picture.numbers import MINUS, decimals
from tournaments.picture.tables import places_among_present
from tournaments.selectors import NOBODY, bot_name
from tournaments.stream.ruled import BY_EVENT

Names = Mapping[str, str]
"""The names of entrants, and of games by where they are played."""


@dataclass(frozen=True, slots=True)
class Plays:
    name: str
    player: str | None
    bot: str | None


@dataclass(frozen=True, slots=True)
class RulingLine:
    """One ruling; `note` says that the organiser who ruled plays at the table, too.

    `type` and `data` are the event's. `was`: the player that a replacement replaced.
    """

    type: str
    data: Mapping[str, Any]
    at: datetime
    what: str
    who: str
    reason: str | None
    note: str | None
    was: Plays | None


def rulings_of(tournament: Tournament, names: Names, games: Names) -> list[RulingLine]:
    """The rulings of a tournament, newest first. `names` has the entrants as of now, `games` where they are played.

    An entrant who was replaced is named as at the time of each ruling.
    """
    ruled = _ruled(tournament)
    people = selectors.usernames(map(UUID, _people(ruled)))
    replaced = [event for event in ruled if event.type == _REPLACED]
    players = _Players(tournament, replaced) if replaced else None
    lines = []
    for event in ruled:
        then = {**names, **games, **{str(pk): name for pk, name in people.items()}}
        then |= players.names() if players is not None else {}
        was = None
        if players is not None and event.type == _REPLACED:
            was, new = players.replace(event)
            then = {**then, "was": was.name, "new": new.name}
        lines.append(
            RulingLine(
                type=event.type.removeprefix("tournament."),
                data=event.data,
                at=event.recorded_at,
                what=_said(event, then),
                who=_who(event, people),
                reason=event.data.get("reason") or event.reason,
                note=_note(event.data.get("also_plays"), then),
                was=was,
            )
        )
    return lines[::-1]


def named_beside(tournament: Tournament) -> list[str]:
    """The ids of the accounts that pages name beside those who play: they run it, ruled, proposed, or were replaced."""
    ruled = _ruled(tournament)
    replaced = [event for event in ruled if event.type == _REPLACED]
    before = {event.data["player"] for event in _naming(tournament, replaced)} if replaced else set()
    proposed = map(str, Proposal.objects.filter(tournament=tournament).values_list("by", flat=True))
    return sorted({*map(str, tournament.organisers), *proposed, *_people(ruled), *before} - {None})


def _naming(tournament: Tournament, replaced: Sequence[log.Event]) -> list[log.Event]:
    """The events that say who played when for the entrants who were ever replaced."""
    keys = {event.data["entrant"] for event in replaced}
    found = log.read(tournament.stream, types=_NAMING, upto=replaced[-1].version)
    return [event for event in found if event.data["entrant"] in keys]


_REPLACED = "tournament.replaced"
_ASKED = "tournament.replacement_asked"
_RESULT = "tournament.result"
# The events that say who plays for an entrant.
_NAMING = (*(f"tournament.{name}" for name in ("invited", "queued", "registered", "entered")), _REPLACED)


class _Players:
    """The players of entrants that were ever replaced, followed from ruling to ruling."""

    def __init__(self, tournament: Tournament, replaced: Sequence[log.Event]) -> None:
        naming = _naming(tournament, replaced)
        ids = {event.data["player"] for event in naming if event.data["player"]}
        self._usernames = selectors.usernames(UUID(one) for one in ids)
        self._now: dict[str, Plays] = {}
        for event in naming:
            if event.type != _REPLACED:
                self._now.setdefault(event.data["entrant"], self._plays(event))

    def names(self) -> dict[str, str]:
        return {key: one.name for key, one in self._now.items()}

    def replace(self, event: log.Event) -> tuple[Plays, Plays]:
        key = event.data["entrant"]
        was, new = self._now[key], self._plays(event)
        self._now[key] = new
        return was, new

    def _plays(self, event: log.Event) -> Plays:
        player, bot = event.data["player"], event.data["bot"]
        if player is None:
            return Plays(f"{bot_name(bot)} ({event.data['entrant']})", None, bot["level"] if bot else None)
        username = self._usernames.get(UUID(player))
        return Plays(username or NOBODY, username, None)


def _ruled(tournament: Tournament) -> list[log.Event]:
    """The events of all rulings. Results are read only if one of them was ruled."""
    types = set(TYPES)
    if not TournamentGame.objects.filter(tournament=tournament, source__in=("table", "ruling")).exists():
        types.discard(_RESULT)
    found = log.read(tournament.stream, types=types, upto=tournament.version)
    return [one for one in selectors.without_rooms(found) if one.type != _RESULT or one.data["source"] != "game"]


_PEOPLE = ("organiser", "player", "staff")


def _people(ruled: Sequence[log.Event]) -> set[str]:
    actors = [event.actor for event in ruled if event.actor is not None]
    asked = {event.data["player"] for event in ruled if event.type == _ASKED}
    return asked | {actor.id for actor in actors if actor.kind in _PEOPLE and actor.id}


def _who(event: log.Event, people: Mapping[UUID, str]) -> str:
    actor = event.actor
    if actor is None or actor.kind not in _PEOPLE:
        return "the service"
    return people.get(UUID(actor.id), "a deleted account") if actor.id else "a deleted account"


def _note(also_plays: str | None, names: Names) -> str | None:
    return f"plays at this table as {names.get(also_plays, also_plays)}" if also_plays else None


def _said(event: log.Event, names: Names) -> str:
    kind = event.type.removeprefix("tournament.")
    return BY_EVENT[kind].said[kind].format_map(_Words(event.data, names))


class _Words(dict[str, str]):
    """The words of a ruling's sentence, made as it asks for them."""

    def __init__(self, data: Mapping[str, Any], names: Names) -> None:
        super().__init__(names)
        self.data, self.names = data, names

    def __missing__(self, word: str) -> str:
        return _WORDS[word](self.data, self.names)


def _entrant(data: Mapping[str, Any], names: Names) -> str:
    return names.get(data["entrant"], data["entrant"])


def _result(data: Mapping[str, Any], names: Names) -> str:
    places = ", ".join(f"{names.get(key, key)} {place}" for key, place in places_among_present(data["players"]))
    how = "the result of a real table" if data["source"] == "table" else "a result given"
    return f"{how} ({places})"


def _extended(data: Mapping[str, Any], names: Names) -> str:
    until = datetime.fromisoformat(data["until"])
    whose = f"The turn of {_entrant(data, names)}" if data.get("entrant") else f"Round {data['round']}"
    return f"{whose} goes on until {until:%d %B %Y, %H:%M} UTC"


def _points(data: Mapping[str, Any], _: Names) -> str:
    points = decimals(data["points"])
    sign = "" if points.startswith(MINUS) else "+"
    unit = "point" if points.removeprefix(MINUS) == "1" else "points"
    return f"{sign}{points} {unit}"


_WORDS: Mapping[str, Callable[[Mapping[str, Any], Names], str]] = {
    "entrant": _entrant,
    "game": lambda data, names: names.get(data["id"], "A game"),
    "player": lambda data, names: names.get(data["player"], NOBODY),
    "round": lambda data, _: str(data["round"]),
    "result": _result,
    "points": _points,
    "extended": _extended,
}
TYPES = tuple(f"tournament.{event}" for event in BY_EVENT)
