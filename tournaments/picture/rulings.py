"""Rulings as sentences (LI5): what was ruled, by whom, why. All of them are shown in public."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.structs import astuple

from core import log
from tournaments import selectors
from tournaments.models import Tournament, TournamentGame
from tournaments.picture.numbers import MINUS, decimals
from tournaments.picture.tables import places_among_present
from tournaments.selectors import NOBODY, bot_name
from tournaments.stream.ruled import BY_EVENT

Names = Mapping[str, str]
"""The names of entrants, and of games by where they are played."""
NEWEST = 5
"""The number of rulings on the first page of a tournament."""
Usernames = Callable[[Iterable[UUID]], Mapping[UUID, str]]
"""Gives the names of accounts, as far as they are not deleted."""


@dataclass(frozen=True, slots=True)
class Plays:
    """The account or bot that plays for an entrant, and the name."""

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


def rulings_of(tournament: Tournament, names: Names, games: Names, usernames: Usernames) -> list[RulingLine]:
    """The rulings of a tournament, newest first. `names` has the entrants as of now, `games` where they are played.

    An entrant who was replaced is named as at the time of each ruling.
    """
    return _lines(tournament, _ruled(tournament), names, games, usernames)


def newest_rulings_of(
    tournament: Tournament, names: Names, games: Callable[[], Names], usernames: Usernames
) -> tuple[Sequence[RulingLine], int]:
    """The newest `NEWEST` rulings, and how many there are. They are cached by version.

    Where somebody was replaced, all are read: the names follow from what was before.
    """
    count, plain = selectors.kept_of_version(tournament, "ruled", tournament.version, lambda: _newest(tournament))
    if plain is None:
        lines = rulings_of(tournament, names, games(), usernames)
        return lines[:NEWEST], len(lines)
    events = [log.Event(*one) for one in plain]
    where = games() if any("id" in event.data for event in events) else {}
    return _lines(tournament, events, names, where, usernames), count


def _newest(tournament: Tournament) -> tuple[int, list[tuple[Any, ...]] | None]:
    ruled = _ruled(tournament)
    if any(event.type == _REPLACED for event in ruled):
        return len(ruled), None
    return len(ruled), [astuple(event) for event in ruled[-NEWEST:]]


def _lines(
    tournament: Tournament, ruled: Sequence[log.Event], names: Names, games: Names, usernames: Usernames
) -> list[RulingLine]:
    people = usernames(map(UUID, _people(ruled)))
    replaced = [event for event in ruled if event.type == _REPLACED]
    players = _Players(tournament, replaced, usernames) if replaced else None
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


def people_in_rulings(tournament: Tournament) -> set[str]:
    """The ids of all accounts that the lines name: who ruled, and who was replaced."""
    ruled = _ruled(tournament, _NAMING)
    players = {event.data["player"] for event in ruled if event.type in _NAMING and event.data["player"]}
    return players | _people(ruled)


_REPLACED = "tournament.replaced"
_ASKED = "tournament.replacement_asked"
_RESULT = "tournament.result"
# The events that say who plays for an entrant.
_NAMING = (*(f"tournament.{name}" for name in ("invited", "queued", "registered", "entered")), _REPLACED)


class _Players:
    """The players of entrants that were ever replaced, followed from ruling to ruling."""

    def __init__(self, tournament: Tournament, replaced: Sequence[log.Event], usernames: Usernames) -> None:
        keys = {event.data["entrant"] for event in replaced}
        first = log.read(tournament.stream, types=_NAMING, upto=replaced[-1].version)
        naming = [event for event in first if event.data["entrant"] in keys]
        ids = {event.data["player"] for event in naming if event.data["player"]}
        self._usernames = usernames(UUID(one) for one in ids)
        self._now: dict[str, Plays] = {}
        for event in naming:
            if event.type != _REPLACED:
                self._now.setdefault(event.data["entrant"], self._plays(event))

    def names(self) -> dict[str, str]:
        """The names of these entrants, by key."""
        return {key: one.name for key, one in self._now.items()}

    def replace(self, event: log.Event) -> tuple[Plays, Plays]:
        """Return who played before a replacement, and who plays after it."""
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


def _ruled(tournament: Tournament, others: Sequence[str] = ()) -> list[log.Event]:
    """The events of all rulings, and those of other types. Results are read only if one of them was ruled."""
    types = {*TYPES, *others}
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
