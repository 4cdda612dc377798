"""The door: an invitation to a room or a tournament; people enter with a name and a button."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from core.accounts.login import attempts, guests
from core.accounts.models import Player
from core.refusals import Conflict, Refused
from core.text import uuid_in
from games import selectors as games
from games import services as playing
from games.notifications.words import names_at
from games.pages.lobby.cards import game_url
from games.pages.lobby.page import answering, reader_of, refused, shown
from games.pages.lobby.rooms import room_url, terms_of
from games.projections import Snapshot, load
from games.rules import GAMES
from games.rules.words import listed
from games.selectors import game_title, title_by
from tournaments import services
from tournaments.models import Tournament
from tournaments.picture.words import kind_of
from tournaments.selectors import entry_of

CODE = re.compile(r"[0-9A-Za-z]{12}")
_NOWHERE = "Part of the link may be missing. Ask for it again. If you are already at this table, log in."


@dataclass(frozen=True, slots=True)
class Door:
    """The door to which an invitation leads.

    act: what the button says. closed: why nobody can come in; empty if people can. inside: whether the reader is in
    already.
    """

    game: str
    title: str
    host: str
    facts: Sequence[str]
    url: str
    act: str
    inside: bool
    closed: str
    takes_guests: bool
    rules: str
    """The address of the page that says how it is played."""
    enter: Callable[[Player], object]


@require_http_methods(["GET", "HEAD", "POST"])
@answering
def join(request: HttpRequest, code: str) -> HttpResponse:
    """The door of a room or tournament, by its invitation, or by the id of a public one.

    Only a POST makes an account, since programs that preview links send GET.
    """
    player = reader_of(request)
    door = _door(code, player)
    if door is None:
        return refused(request, "This invitation does not work", _NOWHERE, 404)
    if door.inside:
        return redirect(door.url)
    context: dict[str, Any] = {"door": door, "code": code, "name": request.POST.get("name", "")[:80], "player": player}
    if request.method != "POST" or door.closed:
        return shown(request, "join/door.html", context)
    try:
        if player is not None:
            door.enter(player)
        else:
            guest = _come_in(request, door)
            guests.log_in(request, guest)
    except Refused as no:
        taken = no.code == "username_taken"
        near = guests.free_name(guests.checked_name(context["name"])) if taken else None
        context |= {"error": "This name is taken." if taken else no.detail, "near": near}
        return shown(request, "join/door.html", context, status=no.status)
    return redirect(door.url)


def _come_in(request: HttpRequest, door: Door) -> Player:
    attempts.count(request, "sign_ups")
    if not door.takes_guests:
        raise Conflict("no_guests", "Guests cannot enter here. Log in or sign up first.")
    with transaction.atomic():
        guest = guests.sign_up(guests.checked_name(request.POST.get("name", "")))
        door.enter(guest)
    return guest


def _door(code: str, player: Player | None) -> Door | None:
    room, invitation = _room_of(code)
    if room is not None:
        return _to_room(room, player, invitation)
    found = _tournament_of(code)
    return _to_tournament(found, player, by_id=uuid_in(code) is not None) if found is not None else None


def _tournament_of(code: str) -> Tournament | None:
    """The tournament with this invitation; a public one that anybody may enter goes by its id."""
    found = None
    if CODE.fullmatch(code):
        found = Tournament.objects.filter(invitation=code.upper()).first()
    elif (by_id := uuid_in(code)) is not None:
        found = Tournament.objects.filter(pk=by_id, visibility="public").first()
        if found is not None and found.state.plan.entry != "open":
            return None
    return found if found is not None and found.was_opened else None


def _room_of(code: str) -> tuple[Snapshot | None, str | None]:
    """The room and its invitation; a public one goes by its id."""
    if CODE.fullmatch(code):
        room_id = games.invited_by(code)
        return (load(room_id), code) if room_id is not None else (None, None)
    room_id = uuid_in(code)
    room = load(room_id) if room_id is not None else None
    return (room, None) if room is not None and room.visibility == "public" else (None, None)


def _to_room(room: Snapshot, player: Player | None, invitation: str | None) -> Door:
    names = names_at(room)
    opener = next((name for seat, name in zip(room.players, names, strict=True) if seat.player == room.opener), "")
    closed = {"open": "", "cancelled": "This table was closed."}.get(room.status, "The game has already started.")
    if not closed and len(room.players) >= room.seats:
        closed = f"All {room.seats} seats are taken."
    return Door(
        game=room.game,
        title=game_title(room),
        host=opener,
        facts=[*terms_of(room)[1:], f"{listed(names)} {'is' if len(names) == 1 else 'are'} there"],
        url=room_url(room.id) if room.status == "open" else game_url(room.id),
        act="Sit down",
        inside=room.seat_of(player) is not None and room.status != "cancelled",
        closed=closed,
        takes_guests=room.belongs_to is None,
        rules=_rules_of(room, invitation),
        enter=lambda who: playing.join(room.id, who, invitation=invitation),
    )


def _rules_of(room: Snapshot, invitation: str | None) -> str:
    if room.digest is None:
        return reverse("rules-page", args=[room.game])
    return reverse("game-rules-page", args=[room.id]) + (
        f"?{urlencode({'invitation': invitation})}" if invitation else ""
    )


def _to_tournament(row: Tournament, player: Player | None, *, by_id: bool) -> Door:
    closed = "" if row.status in ("registration", "running") else "This tournament is over."
    entry = entry_of(row, player)
    organisers = Player.objects.filter(pk__in=row.organisers).values_list("username", flat=True)
    guests_too = bool(row.state.plan.guests)
    return Door(
        game=row.game,
        title=row.title,
        host=listed(list(organisers[:3])),
        facts=[
            title_by(row.state.played),
            kind_of(row),
            f"{row.state.places} taking part",
            "unrated for guests" if guests_too else "not open to guests",
        ],
        url=row.shared_url,
        act="Enter",
        inside=entry is not None and entry.standing in ("in", "registered", "waiting"),
        closed=closed,
        takes_guests=guests_too,
        rules=reverse("rules-page", args=[row.game]) if row.game in GAMES else row.shared_url,
        enter=lambda who: services.enter(row.id, who, invitation=None if by_id else row.invitation),
    )
