"""The page of the event log: read-only, paged by keys, and without anything hidden.

Each kind of stream says which data of its events may be shown; by default only the type is shown.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core import log
from core.accounts.models import Player
from core.log.models import Counter, StoredEvent
from core.text import uuid_in, whole_in
from games import selectors
from games.admin import rights
from games.admin.site import site
from games.models import Game
from games.rules.game import Viewer

PAGE = 50
# The number of positions that are read for a page of those that match the filters.
LOOKED_AT = 2_000

Shown = Callable[[Sequence[log.Event]], dict[tuple[str, int], Mapping[str, Any]]]
_SHOWN: dict[str, Shown] = {}


def show_events_of(kind: str, shown: Shown) -> None:
    """Let `shown` say what data of a kind's events staff may see, by (stream, version)."""
    _SHOWN[kind] = shown


@dataclass(frozen=True, slots=True)
class Row:
    event: log.Event
    data: str
    who: str


@require_safe
def event_log(request: HttpRequest) -> HttpResponse:
    """A stream by its versions, or a bucket by its positions, the newest first."""
    if not rights.is_staff(request):
        raise PermissionDenied
    query = {name: request.GET.get(name, "").strip() for name in ("stream", "kind", "type", "bucket", "before")}
    before = whole_in(query["before"])
    error, events, older = "", list[log.Event](), None
    if query["stream"]:
        events, older = _stream(query, before)
        error = "" if events else "This stream has no such events. Its name is the kind and the id, such as game-…"
    else:
        bucket = whole_in(query["bucket"], log.BUCKETS - 1)
        if query["bucket"] and bucket is None:
            error = f"A bucket is a number from 0 to {log.BUCKETS - 1}."
        else:
            events, older = _bucket(_busiest() if bucket is None else bucket, query, before)
            query["bucket"] = str(events[0].bucket if events else bucket if bucket is not None else 0)
    context = {
        **site.each_context(request),
        "title": "Event log",
        "rows": _rows(events),
        "asked": query,
        "older": older,
        "error": error,
        "kinds": sorted(_SHOWN),
    }
    return render(request, "dashboard/log.html", context)


def _stream(query: Mapping[str, str], before: int | None) -> tuple[list[log.Event], int | None]:
    stream = query["stream"]
    head = StoredEvent.objects.filter(bucket=log.bucket_of(stream), stream_id=stream).order_by("-version")
    last = head.values_list("version", flat=True).first() or 0
    upto = last if before is None else min(last, before - 1)
    after = max(0, upto - (LOOKED_AT if query["type"] else PAGE))
    found = [event for event in log.read(stream, after, upto) if query["type"] in ("", event.type)][-PAGE:]
    reached = found[0].version if len(found) == PAGE else after + 1
    return found[::-1], reached if reached > 1 else None


def _bucket(bucket: int, query: Mapping[str, str], before: int | None) -> tuple[list[log.Event], int | None]:
    head = Counter.objects.filter(bucket=bucket).values_list("head", flat=True).first() or 0
    upto = head if before is None else min(head, before - 1)
    filtered = bool(query["kind"] or query["type"])
    after = max(0, upto - (LOOKED_AT if filtered else PAGE))
    if upto <= after:
        return [], None
    only = log.Only([query["kind"]] if query["kind"] else None, [query["type"]] if query["type"] else None)
    found, _ = log.tails({bucket: after}, upto - after, only=only)
    reached = found[-PAGE].position if len(found) > PAGE else after + 1
    return found[::-1][:PAGE], reached if reached > 1 else None


def _busiest() -> int:
    found = Counter.objects.order_by("-head").values_list("bucket", flat=True).first()
    return found if found is not None else 0


def _rows(events: Sequence[log.Event]) -> list[Row]:
    by_kind: dict[str, list[log.Event]] = {}
    for event in events:
        by_kind.setdefault(event.kind, []).append(event)
    data: dict[tuple[str, int], Mapping[str, Any]] = {}
    for kind, of_kind in by_kind.items():
        if kind in _SHOWN:
            data.update(_SHOWN[kind](of_kind))
    names = _names(events)
    return [Row(event, _text(data.get((event.stream, event.version))), _who(event, names)) for event in events]


def _text(data: Mapping[str, Any] | None) -> str:
    return "not shown" if data is None else json.dumps(data, ensure_ascii=False, default=str)


def _names(events: Sequence[log.Event]) -> dict[str, str]:
    ids = {uuid_in(event.actor.id) for event in events if event.actor is not None and event.actor.id}
    people = Player.objects.filter(pk__in=[one for one in ids if one is not None])
    return {str(pk): name for pk, name in people.values_list("pk", "username")}


def _who(event: log.Event, names: Mapping[str, str]) -> str:
    actor = event.actor
    if actor is None:
        return ""
    return f"{actor.kind} {names.get(str(actor.id), actor.id)}" if actor.id else actor.kind


def events_of_games(events: Sequence[log.Event]) -> dict[tuple[str, int], Mapping[str, Any]]:
    """Return what everybody may see of games' events; for finished games everything."""
    keys = {event.stream: uuid_in(event.stream_key) for event in events}
    games = Game.objects.only("id", "game", "status").in_bulk([key for key in keys.values() if key is not None])
    found: dict[tuple[str, int], Mapping[str, Any]] = {}
    for event in events:
        game = games.get(keys[event.stream] or UUID(int=0))
        if game is not None:
            viewer: Viewer = None if game.status == Game.Status.FINISHED else "public"
            [seen] = selectors.events_seen([event], viewer)
            found[event.stream, event.version] = seen["data"]
    return found


show_events_of("game", events_of_games)
site.add_page("log/", event_log, "event_log")
