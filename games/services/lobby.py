"""The lobby: sitting down, leaving, changing a room, starting; its channels; rematches."""

import logging
from collections.abc import Collection, Mapping, Sequence, Set
from datetime import datetime, timedelta
from typing import Any, get_args
from uuid import UUID

from django.db import IntegrityError, transaction

from core import clock as service_clock
from core import log
from core.accounts import blocking, ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.refusals import Conflict, Forbidden, Illegal, Invalid, NotFound, check_seen
from games.events import ROOM, Change, Changed, Kicked, Left
from games.models import Game, Seat
from games.projections import Snapshot, load
from games.selectors import belonging
from games.selectors.access import may_know, was_sent_out
from games.services.commands import (
    NO_SUCH_GAME,
    RESIGN,
    changed,
    check_not_over,
    check_open,
    check_opener,
    evolved,
    member,
    stranger,
)
from games.services.ending import called_off
from games.services.moves import Condition, play
from games.services.opening import check_bots, new_invitation, open_room
from games.services.seating import bot_joined, deal, player_joined
from games.services.terms import Terms

KEPT = timedelta(days=1)
# How often somebody may be faster at opening or calling off a rematch.
RACES = 10
CHANGEABLE = get_args(Change)

logger = logging.getLogger(__name__)


def join(game_id: UUID, player: Player, *, invitation: str | None = None, salt: str | None = None) -> Snapshot:
    """Sit down in an open room, in the next seat.

    Raises NotFound (a private one and the invitation is wrong), Forbidden (not_an_entrant of its tournament; sent_out;
    blocked, by whoever opened a private table), Conflict (room_full, seats_kept, already_joined), Invalid (salt).
    """

    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        if not may_know(snapshot, player, invitation):
            raise NotFound("not_found", NO_SUCH_GAME)
        return sit_down(snapshot, player, salt)

    return changed(game_id, decide, player=player)


def leave(game_id: UUID, player: Player, *, now: datetime | None = None) -> Snapshot:
    """Leave an open room. Later seats move up, the next player becomes the opener, an empty room is cancelled."""

    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        seat = member(snapshot, player)
        check_open(snapshot, "The game has started. Resign instead of leaving.")
        gone = _gone(snapshot, Left.type, seat)
        after = evolved(game_id, snapshot, gone, now or service_clock.now())
        return [*gone, *without_blocked(after)] if after.status == "open" else gone

    return changed(game_id, decide, player=player, now=now)


def kick(game_id: UUID, player: Player, seat: int, *, who: str | None = None) -> Snapshot:
    """Send somebody out of an open room, as its opener; `who` was seen in that seat, by id (of a bot: empty).

    Raises Forbidden (tournament_game: a bot), Invalid (seat).
    """

    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        own = member(snapshot, player)
        check_open(snapshot, "The game has started, so nobody can be removed.")
        check_opener(snapshot, player, "remove somebody")
        if type(seat) is not int or not 0 <= seat < len(snapshot.players):
            raise Invalid("bad_seat", "Nobody is sitting in that seat.", field="seat")
        if seat == own:
            raise Invalid("bad_seat", "To leave the table yourself, use leave.", field="seat")
        if who is not None and who != str(snapshot.players[seat].player or ""):
            raise Invalid("bad_seat", "Somebody else is sitting in that seat now.", field="seat")
        if snapshot.belongs_to is not None and snapshot.players[seat].bot is not None:
            raise Forbidden("tournament_game", "The bots at a tournament's table cannot be changed.")
        return _gone(snapshot, Kicked.type, seat)

    return changed(game_id, decide, player=player)


def blocked_at(room: Snapshot) -> set[UUID]:
    """Who may not sit in a private room, for its opener has blocked them."""
    return blocking.those_blocked_by(room.opener) if room.visibility == "private" and room.opener is not None else set()


def without_blocked(room: Snapshot) -> list[log.NewEvent]:
    """The events that send out of an open private room whom its opener has blocked."""
    blocked = blocked_at(room)
    seats = [index for index, seat in enumerate(room.players) if seat.player in blocked]
    # From the last one: those behind move up.
    return [event for seat in reversed(seats) for event in _gone(room, Kicked.type, seat)]


def send_out_blocked(*, player: Player, now: datetime, **_: Any) -> None:
    rooms = Game.objects.filter(opener=player, status=Game.Status.OPEN, visibility=Game.Visibility.PRIVATE)
    for game_id in rooms.values_list("pk", flat=True):
        changed(game_id, lambda room: without_blocked(room) if room.status == "open" else [], player=player, now=now)


def add_bot(game_id: UUID, player: Player, level: str | None = None) -> Snapshot:
    """Add a bot in the next seat of an open room, as its opener. The game is then not rated.

    Raises Forbidden (tournament_game), Invalid (level), Conflict (room_full, seats_kept), TooMany (bot_limit).
    """

    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        member(snapshot, player)
        check_open(snapshot, "The game has already started, so nobody can join it.")
        check_opener(snapshot, player, "add a bot")
        if snapshot.belongs_to is not None:
            raise Forbidden("tournament_game", "A tournament's table gets its bots when it is opened.")
        _check_free_seat(snapshot)
        check_kept(snapshot, None)
        return [bot_joined(snapshot.game, level, len(snapshot.players))]

    with transaction.atomic():
        check_bots(player)
        return changed(game_id, decide, player=player)


def start(game_id: UUID, player: Player) -> Snapshot:
    """Start the game with the players present, as its opener: the dealer is drawn by lot and the cards are dealt.

    Raises Conflict (too_few_players), Invalid (options that do not go with the number of seats).
    """

    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        member(snapshot, player)
        check_open(snapshot, "The game has already started.")
        check_opener(snapshot, player, "start the game")
        return deal(snapshot)

    return changed(game_id, decide, player=player)


def sit_down(snapshot: Snapshot, player: Player, salt: str | None) -> list[log.NewEvent]:
    if snapshot.visibility == "private" and blocking.has_blocked(snapshot.opener, player):
        raise Forbidden("blocked", "The player who opened this private table has blocked you.")
    if was_sent_out(snapshot, player):
        raise Forbidden("sent_out", "You were removed from this table. Its opener can invite you back by name.")
    check_not_over(snapshot)
    if snapshot.seat_of(player) is not None:
        raise Conflict("already_joined", "You are already at this table.")
    check_open(snapshot, "The game has already started, so nobody can join it.")
    _check_free_seat(snapshot)
    check_kept(snapshot, player)
    if snapshot.belongs_to is not None:
        salt = belonging.owner().admit(snapshot.belongs_to, snapshot.id, player) or salt
    return [player_joined(player, len(snapshot.players), salt, rated=snapshot.rated)]


def leave_games(*, player: Player, now: datetime, **_: Any) -> None:
    """The account is closing: leave the open rooms and resign the running games.

    A game with a damaged log does not keep the account open; it is reported.
    """
    unfinished = Game.objects.filter(players__player=player, status__in=("open", "setup", "playing"))
    for game_id in list(unfinished.values_list("pk", flat=True)):
        try:
            try:
                leave(game_id, player, now=now)
            except Conflict:
                # It has started, perhaps just now.
                play(game_id, player, RESIGN, reason="account closed", now=now)
        except (Conflict, Forbidden, Illegal, NotFound):
            # The game ended, or the player was sent out or had resigned before: nothing to leave.
            continue
        except (log.LogError, LookupError, ValueError):
            logger.exception("game %s cannot be left by the closing account %s", game_id, player.pk)


def guests_at_tables(*, players: Set[UUID], **_: Any) -> set[UUID]:
    sitting = Seat.objects.filter(player__in=players, game__status__in=("open", "setup", "playing"))
    return {seat for seat in sitting.values_list("player_id", flat=True) if seat is not None}


def _check_free_seat(snapshot: Snapshot) -> None:
    if len(snapshot.players) >= snapshot.seats:
        raise Conflict("room_full", f"All {snapshot.seats} seats are taken.")


def _gone(snapshot: Snapshot, how: str, seat: int) -> list[log.NewEvent]:
    leaver = snapshot.players[seat].player
    people = [other.player for index, other in enumerate(snapshot.players) if index != seat and other.player]
    opener = people[0] if snapshot.opener == leaver and people else snapshot.opener
    data = {"player": str(leaver) if leaver else None, "opener": str(opener) if people else None}
    if how == Kicked.type:
        # Whoever is sent out knows the code.
        renews = leaver is not None and snapshot.invitation is not None
        data["invitation"] = new_invitation() if renews else snapshot.invitation
    gone = log.NewEvent(how, data, seat)
    return [gone] if people else [gone, called_off(snapshot, "empty")]


@ending.on_the_way_out(Right.ROOM, What.PLACES)
@ending.on_the_way_out(Right.ACCOUNT, What.PLACES)
def kept_for(room: Snapshot) -> Collection[UUID]:
    """The people of the old table who do not sit in the room and whose seats are kept. Two or three queries.

    Whoever was sent out has no right to a seat any more, nor whoever may not sit there.
    """
    if room.rematch_of is None or service_clock.now() >= room.opened_at + KEPT:
        return ()
    old = Seat.objects.filter(game_id=room.rematch_of, player__isnull=False).values("player_id")
    people = Player.objects.filter(pk__in=old, is_active=True).values_list("pk", flat=True)
    gone = {event.data["player"] for event in log.read(room.stream, types=[Kicked.type])}
    return {pk for pk in people if str(pk) not in gone} - {seat.player for seat in room.players} - blocked_at(room)


def check_kept(room: Snapshot, player: Player | None) -> None:
    kept = kept_for(room)
    if player is not None and player.pk in kept:
        return
    if kept and len(room.players) + len(kept) >= room.seats:
        until = f"{room.opened_at + KEPT:%Y-%m-%d %H:%M} UTC"
        raise Conflict("seats_kept", f"The free seats are kept for the players of the last game until {until}.")


def change_room(
    game_id: UUID, player: Player, changes: Mapping[str, Any], *, if_match: Condition | None = None
) -> Snapshot:
    """Change an open room, as its opener: some of `CHANGEABLE`, each as a whole. Those who sit there are told.

    What is left out stays as it is. Options that nobody set follow the new ruleset and number of seats. A change that
    changes nothing makes no event.

    Raises Stale (if_match), Forbidden (tournament_game), Conflict (seats_taken, seats_kept: too few seats), Invalid
    (naming every field).
    """

    def decide(room: Snapshot) -> Sequence[log.NewEvent]:
        seat = member(room, player)
        check_open(room, "The game has already started, so its rules can no longer be changed.")
        check_opener(room, player, "change it")
        if room.belongs_to is not None:
            raise Forbidden("tournament_game", "The rules of a tournament's table cannot be changed.")
        check_seen(room, if_match)
        after = terms_after(room, changes)
        _check_seats(room, after["seats"])
        before = {name: getattr(room, name) for name in ROOM}
        if differ := [name for name in CHANGEABLE if _part(after, name) != _part(before, name)]:
            changes_room = [log.NewEvent(Changed.type, {**after, "changes": differ}, seat)]
            return [*changes_room, *without_blocked(evolved(game_id, room, changes_room, service_clock.now()))]
        return []

    return changed(game_id, decide, player=player)


def terms_after(room: Snapshot, changes: Mapping[str, Any]) -> dict[str, Any]:
    terms = Terms(
        room.game,
        changes.get("seats", room.seats),
        changes.get("ruleset", room.ruleset),
        changes.get("options", room.asked_options),
        changes.get("visibility", room.visibility),
        clock=changes.get("clock"),
        start=changes.get("start", room.start),
        talk=changes.get("talk", room.talk),
        by=None if "options" in changes else room.rules,
    )
    clock = {} if "clock" in changes else {"clock": dict(room.clock), "named_clock": room.named_clock}
    invitation = room.invitation or new_invitation() if terms.visibility == Game.Visibility.PRIVATE else None
    return {**terms.complete(), **clock, "invitation": invitation}


def _part(terms: Mapping[str, Any], name: str) -> Any:
    together = {"options": ("options", "asked_options"), "clock": ("clock", "named_clock")}
    return [terms[part] for part in together.get(name, (name,))]


def _check_seats(room: Snapshot, seats: int) -> None:
    sitting = len(room.players)
    if seats < sitting:
        raise Conflict("seats_taken", f"{sitting} players sit at this table, so it needs at least {sitting} seats.")
    if seats < room.seats and seats < sitting + len(kept_for(room)):
        raise Conflict("seats_kept", "Seats are kept for the players of the last game, so the table can't be smaller.")


def rematch(game_id: UUID, player: Player, *, salt: str | None = None, seats: int | None = None) -> Snapshot:
    """Open or join the next game among the same people, with the same settings.

    The first caller opens the room, with more `seats` than before if given, and the others sit down in it as it is.
    Returns the new room; ``rematch_of`` links it to the old one.

    Raises Conflict (not_finished), Invalid (bad_seats: fewer than there were, or more than the game allows), and what
    `open_room` and `join` raise.
    """
    old = load(game_id)
    if old is None:
        raise NotFound("not_found", NO_SUCH_GAME)
    if old.seat_of(player) is None:
        raise stranger(old.visibility)
    if old.status != Game.Status.FINISHED:
        raise Conflict("not_finished", "You can ask for a rematch after the game has finished.")
    for _ in range(RACES):
        room = Game.objects.filter(rematch_of=game_id).exclude(status=Game.Status.CANCELLED).first()
        if room is not None:
            try:
                return _join(room.pk, player, salt)
            except _RoomIsGone:
                continue
        try:
            return _open(old, player, salt, seats)
        except IntegrityError:
            # Somebody else opened it at the same moment.
            if not Game.objects.filter(rematch_of=game_id).exclude(status=Game.Status.CANCELLED).exists():
                raise
    raise Conflict("game_cancelled", "The rematch was called off. Ask for another one.")


class _RoomIsGone(Exception):  # noqa: N818  an outcome of the race, not an error
    """The rematch was called off while the player was joining it."""


def _join(room_id: UUID, player: Player, salt: str | None) -> Snapshot:
    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        if snapshot.status == "cancelled":
            raise _RoomIsGone
        return [] if snapshot.seat_of(player) is not None else sit_down(snapshot, player, salt)

    return changed(room_id, decide, player=player)


def _open(old: Snapshot, player: Player, salt: str | None, seats: int | None) -> Snapshot:
    if seats is not None and seats < old.seats:
        raise Invalid(
            "bad_seats", f"A rematch needs at least as many seats as the old table: {old.seats}.", field="seats"
        )
    # As it was asked for: a guest, who may have been kept since, made it unrated.
    [opened] = log.read(old.stream, upto=1)
    return open_room(
        player,
        Terms(
            old.game,
            seats or old.seats,
            old.ruleset,
            old.asked_options,
            old.visibility,
            rated=opened.data["rated"],
            plans=old.plans,
            clock=old.clock if old.named_clock else None,
            start=old.start,
            talk=old.talk,
        ),
        salt=salt,
        bots=[seat.bot["level"] for seat in old.players if seat.bot is not None and seat.player is None],
        rematch_of=old.id,
    )
