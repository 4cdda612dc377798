"""Rooms: the open ones, opening one, and what happens in it until the game starts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.accounts.login import attempts, guests
from core.accounts.models import Player
from core.chatting import name_of
from core.http.addresses import page_live_url
from core.http.throttling import limit
from core.notifications.selectors import told
from core.refusals import Refused, Stale
from core.text import whole_in
from games import selectors, services
from games.hooks import PANELS
from games.notifications.kinds import INVITED
from games.notifications.services import invite as tell_invitation
from games.notifications.words import names_at
from games.pages.lobby.cards import cards_of, game_url
from games.pages.lobby.forms import BotForm, RoomForm, initial_of
from games.pages.lobby.page import answering, done, logged_in, player_of, qr, reader_of, shown
from games.projections import Snapshot, load_all
from games.rules import GAMES, game_of
from games.rules.words import listed
from games.selectors import belonging
from games.selectors.belonging import described
from games.selectors.people import people_of
from games.wording import in_words, label_of, span

MOST_ROOMS = 30
MOST_BEFORE = 5
MOST_NAMED = 6
# The form of a table offers so many people; its room offers them all.
MOST_INVITED = 8
OPEN = "open"
CHANGED_MEANWHILE = (
    "These settings may have changed since you opened this page. The saved ones are shown beside yours. Send yours "
    "again to replace them."
)
JUST_CHANGED = "These settings have just been changed elsewhere. Send yours again."


@require_safe
@answering
def rooms(request: HttpRequest) -> HttpResponse:
    player = reader_of(request)
    found = load_all([row.id for row in selectors.open_rooms()[:MOST_ROOMS]])
    # Since the list was read, a room may have filled or closed.
    listed = [card for card in cards_of(found, player) if card["status"] == OPEN and (card["free"] or card["mine"])]
    return shown(request, "lobby/rooms.html", {"rooms": listed, "games": GAMES.values()}, index=True)


@require_safe
@answering
def choose(request: HttpRequest) -> HttpResponse:
    return shown(request, "lobby/choose.html", {"games": GAMES.values()})


@require_http_methods(["GET", "HEAD", "POST"])
@answering
def open_room(request: HttpRequest, game: str) -> HttpResponse:
    """Open a room of a game with its form, or of the saved house game that `?house_game=` names.

    Somebody without an account gives a name, and becomes a guest.
    """
    player = reader_of(request)
    saved = services.with_saved(player, {"game": game, "house_game": request.GET.get("house_game")})
    options = saved.get("options")
    if game not in GAMES and options is None:
        raise Http404
    kind = game_of(game, options)
    before = selectors.played_before(player, game, MOST_BEFORE) if player is not None and options is None else []
    like = next((one for one in before if str(one.id) == request.GET.get("like")), None)
    initial = {"visibility": "private"} if like is None else _form_of(like)
    people = [person.username for person in people_of(player)[:MOST_INVITED]] if player is not None else []
    form = RoomForm(kind, request.POST or None, nameless=player is None, people=people, initial=initial)
    if request.method == "POST" and form.is_valid():
        terms = services.Terms(game, **{"options": options, **form.wanted()})
        try:
            terms.check()
            opener = player or new_guest(request, form.cleaned_data["name"])
            bots = [None] * int(form.cleaned_data["bots"] or 0)
            for _ in form.cleaned_data["people"]:
                limit("invite", str(opener.pk))
            room = services.open_room(opener, terms, bots=bots)
            _tell(request, room.id, opener, form.cleaned_data["people"])
            return redirect(room_url(room.id))
        except Refused as no:
            errors = dict(no.errors) or {"": no.detail}
            if no.code == "username_taken":
                errors = {"username": guests.taken_said(guests.checked_name(form.cleaned_data["name"]))}
            form.refuse(errors)
    status = 400 if form.errors else 200
    last_times = [{"id": one.id, "said": ", ".join(rules_of(one)), "chosen": one == like} for one in before]
    context = {"form": form, "rules": kind, "title": selectors.title_by(kind), "last_times": last_times}
    return shown(request, "lobby/open.html", context, status=status)


@require_POST
@answering
def play_now(request: HttpRequest, game: str) -> HttpResponse:
    """Deal a private table with two bots at once; somebody without an account becomes a guest."""
    if game not in GAMES:
        raise Http404
    seats = min(3, GAMES[game].max_seats)
    player = reader_of(request) or new_guest(request)
    terms = services.Terms(game, seats, visibility="private", start="full")
    return redirect(game_url(services.open_room(player, terms, bots=[None] * (seats - 1)).id))


@require_safe
@answering
def room(request: HttpRequest, room_id: UUID) -> HttpResponse:
    """A room while it is open; once the game has started, its table. Somebody without a seat is led to its door."""
    player = reader_of(request)
    if player is None:
        return redirect("join-page", code=str(room_id))
    game = selectors.game_for(player, room_id)
    if game.seat_of(player) is None and game.status == OPEN:
        return redirect("join-page", code=str(room_id))
    if game.status != OPEN:
        return redirect(game_url(room_id))
    return shown(request, "lobby/room.html", _room(request, game, player))


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def rules(request: HttpRequest, room_id: UUID) -> HttpResponse:
    game = selectors.game_for(player_of(request), room_id)
    if game.opener != player_of(request).pk or game.status != OPEN:
        return redirect(room_url(room_id))
    saved, seen = _form_of(game), whole_in(request.POST.get("seen"))
    form = RoomForm(game.rules, request.POST or None, change=True, initial=saved)
    before = None if seen is None else _form_of(selectors.history_view(game, seen))
    if request.method == "POST" and before != saved:
        form = RoomForm.merged(game.rules, request.POST, before, saved)
    if form.is_in_conflict:
        form.add_error(None, CHANGED_MEANWHILE)
    if request.method == "POST" and form.is_valid():
        try:
            services.change_room(
                room_id, player_of(request), form.wanted(), if_match=lambda now: _form_of(now) == saved
            )
            if form.others:
                messages.info(request, f"Changed elsewhere meanwhile, and kept: {', '.join(form.others)}.")
            return redirect(room_url(room_id))
        except Stale:
            form.add_error(None, JUST_CHANGED)
        except Refused as no:
            form.refuse(dict(no.errors) or {"": no.detail})
    context = {"form": form, "rules": game.rules, "title": selectors.game_title(game), "room": room_id}
    context["seen"] = game.version
    return shown(request, "lobby/open.html", context, status=400 if form.errors else 200)


def _form_of(game: Any) -> dict[str, Any]:
    terms = {
        name: getattr(game, name)
        for name in ("seats", "visibility", "ruleset", "clock", "named_clock", "start", "talk")
    }
    return initial_of({**terms, "options": game.asked_options})


@require_POST
@logged_in
def act(request: HttpRequest, room_id: UUID, what: str) -> HttpResponse:
    deed = ACTS.get(what)
    if deed is None:
        raise Http404
    return deed(request, room_id, player_of(request))


def new_guest(request: HttpRequest, name: str | None = None) -> Player:
    attempts.count(request, "sign_ups")
    guest = guests.sign_up(guests.checked_name(name)) if name is not None else guests.sign_up_unnamed()
    guests.log_in(request, guest)
    return guest


def room_url(room_id: UUID) -> str:
    return reverse("room-page", args=[room_id])


_SAID = {"all": "players can chat", "signs": "players can send signs", "off": "no chat"}


def terms_of(game: Snapshot) -> list[str]:
    title = selectors.game_title(game)
    told = [f"{title}{f', {game.ruleset}' if len(game.rules.rulesets) > 1 else ''}"]
    told += rules_of(game)
    told.append("rated, until a guest or a bot sits down" if game.rated else "unrated")
    if game.start == "full":
        told.append("starts when full")
    told.append(_SAID[game.may_be_said])
    # Shown before one sits down.
    if game.channels:
        told.append(f"posts turns and results to {listed(sorted({name_of(one['service']) for one in game.channels}))}")
    return told


def rules_of(game: Any) -> list[str]:
    options = [f"{label_of(name)}: {in_words(value)}" for name, value in _said(game.asked_options)]
    return [f"{game.seats} seats", f"{span(game.clock['per_turn'])} per turn", *options]


def _said(options: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The options that can be said in a line: not the rules of a house game."""
    return [(name, value) for name, value in sorted(options.items()) if not isinstance(value, Mapping)]


def _room(request: HttpRequest, game: Snapshot, player: Player) -> dict[str, object]:
    # With the code of a private room, or the id of a public one.
    door = reverse("join-page", args=[game.invitation or str(game.id)])
    if game.belongs_to is not None:
        # Whoever may sit down is in it already.
        door = belonging.owner().door(game.belongs_to, player) or ""
    url = request.build_absolute_uri(door) if door else ""
    names, own = names_at(game), game.seat_of(player)
    seats = [
        {"seat": index, "name": name, "who": game.players[index].player, "you": index == own,
         "opener": game.players[index].player is not None and game.players[index].player == game.opener}
        for index, name in enumerate(names)
    ]  # fmt: skip
    tournament = described([game]).get(game.id)
    kept = Player.objects.filter(pk__in=services.kept_for(game)).order_by("username")
    return {
        "game": game,
        "title": selectors.game_title(game),
        "terms": terms_of(game),
        "seats": seats,
        "free": range(game.seats - len(seats)),
        "kept": [player.username for player in kept],
        "kept_until": game.opened_at + services.KEPT,
        "opens": game.opener == player.pk,
        "opener": next((one["name"] for one in seats if one["opener"]), ""),
        "can_start": len(seats) >= game.rules.min_seats,
        "least": game.rules.min_seats,
        "url": url,
        "qr": qr(url) if url else "",
        "bot": BotForm(game.rules),
        "panels": [panel for panel in PANELS if panel.in_rooms],
        "live": page_live_url(request, f"games/{game.id}/live"),
        "tournament": tournament,
        "told": _told_of(game) if tournament else "",
        "invited": request.GET.get("invite", ""),
        "my_people": _people_to_invite(game, player),
    }


def _people_to_invite(game: Snapshot, player: Player) -> list[str]:
    """Whom one tap invites: the player's people who neither sit there nor were told."""
    if game.belongs_to is not None or len(game.players) >= game.seats:
        return []
    there = {seat.player for seat in game.players} | set(told(INVITED.name, game.id).values_list("pk", flat=True))
    return [person.username for person in people_of(player) if person.id not in there]


def _told_of(game: Snapshot) -> str:
    names = [player.username for player in told(INVITED.name, game.id)]
    more = len(names) - MOST_NAMED
    shown = listed([*names[:MOST_NAMED], f"{more} more"] if more > 0 else names)
    return f"{shown} {'has' if len(names) == 1 else 'have'} been told." if names else ""


def _bots(request: HttpRequest, room_id: UUID, player: Player) -> HttpResponse:
    level = request.POST.get("level")
    return done(request, room_url(room_id), lambda: services.add_bot(room_id, player, level))


def _kick(request: HttpRequest, room_id: UUID, player: Player) -> HttpResponse:
    seat, who = whole_in(request.POST.get("seat")), request.POST.get("who")
    where = room_url(room_id)
    return done(request, where, lambda: services.kick(room_id, player, -1 if seat is None else seat, who=who))


def _invite(request: HttpRequest, room_id: UUID, player: Player) -> HttpResponse:
    limit("invite", str(player.pk))
    name = request.POST.get("username", "").strip()[:40]
    # The field keeps what is to be put right.
    refused = "" if _tell(request, room_id, player, [name]) else f"?{urlencode({'invite': name})}"
    return redirect(f"{room_url(room_id)}{refused}")


def _tell(request: HttpRequest, room_id: UUID, player: Player, names: Sequence[str]) -> bool:
    """Invite people to a room, and say on the next page who was told; False if anybody could not be."""
    invited, refused = list[str](), dict[str, None]()
    for name in names:
        try:
            tell_invitation(room_id, player, name)
            invited.append(name)
        except Refused as no:
            refused[no.detail] = None
    for detail in refused:
        messages.warning(request, detail)
    if invited:
        have = "has" if len(invited) == 1 else "have"
        messages.success(request, f"{listed(invited)} {have} been sent a link to join.")
    return not refused


ACTS: dict[str, Callable[[HttpRequest, UUID, Player], HttpResponse]] = {
    "start": lambda request, room_id, player: done(request, room_url(room_id), lambda: services.start(room_id, player)),
    "bots": _bots,
    "kick": _kick,
    "leave": lambda request, room_id, player: done(
        request, "/", lambda: services.leave(room_id, player), "You have left the table."
    ),
    "cancel": lambda request, room_id, player: done(
        request, "/", lambda: services.cancel(room_id, player), "You have closed the table."
    ),
    "invite": _invite,
    "rematch": lambda _, room_id, player: redirect(room_url(services.rematch(room_id, player).id)),
}
