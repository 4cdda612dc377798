"""A tournament's events, as a reader may see them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from core import log
from games.selectors import rows_of
from tournaments.models import Tournament, TournamentGame, stream_of
from tournaments.projections import PREFIX
from tournaments.selectors.tournaments import usernames
from tournaments.stream import Plan
from tournaments.stream.events import Changed, SetUp, rulings

_VOIDED, _RESULT, _STAGED = f"{PREFIX}voided", f"{PREFIX}result", f"{PREFIX}staged"
_DRAFT = frozenset({"tables", "byes", "figures"})


def events_for(
    tournament: Tournament, *, organiser: bool, after: int = 0, limit: int | None = None
) -> list[dict[str, Any]]:
    """The events after version `after`, with their actors. Secrets are null, the seed until it is shown."""
    upto = tournament.version if limit is None else min(tournament.version, after + limit)
    return shown(tournament, log.read(stream_of(tournament.pk), after=after, upto=upto), organiser=organiser)


def settings_at(tournament_id: UUID, version: int) -> tuple[Plan, Mapping[str, Any]]:
    """The plan as it was at a version, and what was asked for. Raises IndexError if it did not exist."""
    types = [PREFIX + kind.type for kind in (SetUp, Changed)]
    data = log.read(stream_of(tournament_id), upto=version, types=types)[-1].data
    return Plan.from_json(data["plan"]), data["asked"]


def ruled(tournament: Tournament) -> list[log.Event]:
    """The events of all rulings, oldest first. Results are read only if one of them was ruled."""
    types = {f"{PREFIX}{event}" for event in rulings()}
    if not TournamentGame.objects.filter(tournament=tournament, source__in=("table", "ruling")).exists():
        types.discard(_RESULT)
    found = log.read(stream_of(tournament.pk), types=types, upto=tournament.version)
    return [one for one in _without_rooms(found) if not _is_by_itself(one)]


def _is_by_itself(event: log.Event) -> bool:
    """Return whether nobody ruled it: the end of a game, or of a stage."""
    if event.type == _STAGED:
        return event.data["reason"] is None
    return bool(event.type == _RESULT and event.data["source"] == "game")


def rulings_of(tournament: Tournament) -> list[dict[str, Any]]:
    """The events of rulings, newest first."""
    events = [event for event in ruled(tournament) if event.type != f"{PREFIX}cancelled"]
    return shown(tournament, events, organiser=False)[::-1]


def _without_rooms(events: Iterable[log.Event]) -> list[log.Event]:
    """The events without season rooms that their opener or the season's end called off before they began (SN1)."""
    listed = list(events)
    ended = {
        UUID(event.data["id"])
        for event in listed
        if event.type == _VOIDED and event.data["round"] is None and not by_person(event)
    }
    if not ended:
        return listed
    rooms = {str(pk) for pk in rows_of(ended).filter(started_at=None).values_list("pk", flat=True)}
    return [event for event in listed if event.type != _VOIDED or by_person(event) or event.data["id"] not in rooms]


def shown(tournament: Tournament, events: Iterable[log.Event], *, organiser: bool) -> list[dict[str, Any]]:
    """Events as `{"version", "type", "data", "by", "recorded_at"}`, players with their names."""
    listed = list(events)
    names = usernames(people_in(listed))
    return [
        {
            "version": event.version,
            "type": event.type.removeprefix(PREFIX),
            "data": _data(tournament, event, names, organiser=organiser),
            "by": _player(event.actor.id, names) if event.actor is not None and by_person(event) else None,
            "recorded_at": event.recorded_at,
        }
        for event in listed
    ]


def shown_to_staff(events: Sequence[log.Event]) -> dict[tuple[str, int], Mapping[str, Any]]:
    """The data of events of any tournaments by stream and version, secrets null. Two queries."""
    names = usernames(people_in(events))
    rows = Tournament.objects.in_bulk({UUID(event.stream_key) for event in events})
    return {
        (event.stream, event.version): _data(rows[UUID(event.stream_key)], event, names, organiser=True)
        for event in events
        if UUID(event.stream_key) in rows
    }


def _data(tournament: Tournament, event: log.Event, names: Mapping[UUID, str], *, organiser: bool) -> dict[str, Any]:
    return {
        key: _player(value, names) if key == "player" else _value(tournament, event, key, value, organiser=organiser)
        for key, value in event.data.items()
    }


def _player(value: object, names: Mapping[UUID, str]) -> dict[str, Any] | None:
    return {"id": value, "username": names.get(UUID(value))} if isinstance(value, str) else None


_PEOPLE = ("player", "organiser", "staff")


def by_person(event: log.Event) -> bool:
    return event.actor is not None and event.actor.kind in _PEOPLE


def _value(tournament: Tournament, event: log.Event, key: str, value: Any, *, organiser: bool) -> Any:
    if key in ("salt", "invitation") or (key == "seed" and not tournament.state.seed_shown):
        return None
    if event.type == f"{PREFIX}voted" and key == "vote" and event.data["proposal"] in tournament.open_proposals:
        return None
    if event.type == f"{PREFIX}message_sent" and key == "text" and not organiser:
        return None  # it is for the entrants, who find it among their notifications
    if key == "deals_secret":
        opened = {one.secret for one in tournament.state.deals if one.opened_at is not None}
        return value if value in opened else None
    if event.type in (f"{PREFIX}drafted", f"{PREFIX}exchanged") and key in _DRAFT and not organiser:
        return None
    return value


def people_in(events: Iterable[log.Event]) -> set[UUID]:
    found: set[UUID] = set()
    for event in events:
        if event.actor is not None and event.actor.kind in _PEOPLE and event.actor.id is not None:
            found.add(UUID(event.actor.id))
        if isinstance(event.data.get("player"), str):
            found.add(UUID(event.data["player"]))
    return found
