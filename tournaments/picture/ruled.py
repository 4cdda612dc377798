"""Rulings as sentences (LI5): what was ruled, by whom, why. All of them are shown in public."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.text import capfirst

from core import log
from tournaments import selectors
from tournaments.models import Tournament
from tournaments.picture.tables import places_among_present
from tournaments.picture.wording import MINUS, decimals
from tournaments.projections import PROPOSALS
from tournaments.selectors import NOBODY, bot_name
from tournaments.stream.events import rulings

Names = Mapping[str, str]
"""The names of entrants, and of games by where they are played."""


@dataclass(frozen=True, slots=True)
class Plays:
    name: str
    player: str | None
    bot: str | None


@dataclass(frozen=True, slots=True)
class RulingLine:
    """`type` and `data` are the event's. `was`: the player that was replaced. `note`: who ruled plays there, too."""

    type: str
    data: Mapping[str, Any]
    at: datetime
    what: str
    who: str
    reason: str | None
    note: str | None
    was: Plays | None


def rulings_of(tournament: Tournament, names: Names, games: Names) -> list[RulingLine]:
    """Newest first. `names` has the entrants as of now; who was replaced is named as at the time of each ruling."""
    ruled = selectors.ruled(tournament)
    naming = _naming(tournament, ruled)
    people = selectors.usernames(selectors.people_in([*ruled, *naming]))
    known = {**names, **games, **{str(pk): name for pk, name in people.items()}}
    plays: dict[str, Plays] = {}
    for event in naming:
        if event.type != _REPLACED:
            plays.setdefault(event.data["entrant"], _plays(event, people))
    lines = []
    for event in ruled:
        then, was = {**known, **{key: one.name for key, one in plays.items()}}, None
        if event.type == _REPLACED:
            was, new = plays[event.data["entrant"]], _plays(event, people)
            plays[event.data["entrant"]] = new
            then |= {"was": was.name, "new": new.name}
        lines.append(
            RulingLine(
                type=event.type.removeprefix("tournament."),
                data=event.data,
                at=event.recorded_at,
                what=_said(tournament, event, then),
                who=_who(event, people),
                reason=event.data.get("reason") or event.reason,
                note=_note(event.data.get("also_plays"), then),
                was=was,
            )
        )
    return lines[::-1]


def named_beside(tournament: Tournament) -> list[str]:
    """The ids of the accounts that pages name beside those who play: they run it, ruled, proposed, or were replaced."""
    ruled = selectors.ruled(tournament)
    people = selectors.people_in([*ruled, *_naming(tournament, ruled)])
    proposed = [one.by for one in PROPOSALS.of(tournament.pk)]
    return sorted(map(str, {*tournament.organisers, *proposed, *people}))


_REPLACED = "tournament.replaced"
# The events that say who plays for an entrant.
_NAMING = (*(f"tournament.{name}" for name in ("invited", "queued", "registered", "entered")), _REPLACED)


def _naming(tournament: Tournament, ruled: Sequence[log.Event]) -> list[log.Event]:
    replaced = [event for event in ruled if event.type == _REPLACED]
    keys = {event.data["entrant"] for event in replaced}
    found = log.read(tournament.stream, types=_NAMING, upto=replaced[-1].version) if replaced else ()
    return [event for event in found if event.data["entrant"] in keys]


def _plays(event: log.Event, people: Mapping[UUID, str]) -> Plays:
    player, bot = event.data["player"], event.data["bot"]
    if player is None:
        return Plays(f"{bot_name(bot)} ({event.data['entrant']})", None, bot["level"] if bot else None)
    username = people.get(UUID(player))
    return Plays(username or NOBODY, username, None)


def _who(event: log.Event, people: Mapping[UUID, str]) -> str:
    if event.actor is None or not selectors.by_person(event):
        return "the service"
    return people.get(UUID(event.actor.id), "a deleted account") if event.actor.id else "a deleted account"


def _note(also_plays: str | None, names: Names) -> str | None:
    return f"plays at this table as {names.get(also_plays, also_plays)}" if also_plays else None


def _said(tournament: Tournament, event: log.Event, names: Names) -> str:
    kind = event.type.removeprefix("tournament.")
    return rulings()[kind].said.format_map(_Words(tournament, event.data, names))


class _Words(dict[str, str]):
    """The words of a ruling's sentence, made as it asks for them."""

    def __init__(self, tournament: Tournament, data: Mapping[str, Any], names: Names) -> None:
        super().__init__(names)
        self.tournament, self.data, self.names = tournament, data, names

    def __missing__(self, word: str) -> str:
        return _WORDS[word](self) if word in _WORDS else str(self.data[word])

    def named(self, what: str, unknown: str | None = None) -> str:
        key = self.data[what]
        return self.names.get(key, key if unknown is None else unknown)


def _result(words: _Words) -> str:
    found = places_among_present(words.data["players"])
    places = ", ".join(f"{words.names.get(key, key)} {place}" for key, place in found)
    how = "a result from a real table" if words.data["source"] == "table" else "a result entered"
    how = "corrected" if words.data.get("instead_of") else how
    return f"{how} ({places})"


def _round(words: _Words) -> str:
    """The round, which may not have been seated: of a draft."""
    return words.tournament.state.round_name(words.data["round"], begins_stage=words.data.get("staged") is not None)


def _extended(words: _Words) -> str:
    until = datetime.fromisoformat(words.data["until"])
    whose = f"The turn of {words.named('entrant')}" if words.data.get("entrant") else capfirst(_round(words))
    return f"{whose} is extended until {until:%-d %B %Y, %H:%M} UTC"


def _points(words: _Words) -> str:
    points = decimals(words.data["points"])
    sign = "" if points.startswith(MINUS) else "+"
    unit = "point" if points.removeprefix(MINUS) == "1" else "points"
    return f"{sign}{points} {unit}"


_WORDS: Mapping[str, Callable[[_Words], str]] = {
    "entrant": lambda words: words.named("entrant"),
    "game": lambda words: words.named("id", "A game"),
    "player": lambda words: words.named("player", NOBODY),
    "round": _round,
    "stage": lambda words: str(words.tournament.state.stage_title(words.data["stage"])),
    "result": _result,
    "points": _points,
    "extended": _extended,
}
