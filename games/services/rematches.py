"""The next game among the same people."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.refusals import Conflict, Invalid, NotFound
from games.models import Game
from games.projections import Snapshot, load
from games.services.commands import NO_SUCH_GAME, changed, stranger
from games.services.lobby import sit_down
from games.services.opening import open_room
from games.services.terms import Terms


def rematch(
    game_id: UUID, player: Player, *, salt: str | None = None, seats: int | None = None, now: datetime | None = None
) -> Snapshot:
    """Open or join the next game among the same people, with the same settings.

    The first caller opens the room, with more `seats` than before if given, and the others sit down in it as it is.
    Their seats are kept for them for a day (`games.services.lobby`). Returns the new room; ``rematch_of`` links it to
    the old one.

    Raises Conflict (not_finished), Invalid (bad_seats: fewer than there were, or more than the game allows), and what
    `open_room` and `join` raise.
    """
    now = now or service_clock.now()
    old = load(game_id)
    if old is None:
        raise NotFound("not_found", NO_SUCH_GAME)
    if old.seat_of(player) is None:
        raise stranger(old.visibility)
    if old.status != Game.Status.FINISHED:
        raise Conflict("not_finished", "A rematch can be asked for once the game is finished.")
    while True:
        room = Game.objects.filter(rematch_of=game_id).exclude(status=Game.Status.CANCELLED).first()
        if room is not None:
            try:
                return _join(room.pk, player, salt, now)
            except _RoomIsGone:
                continue
        try:
            return _open(old, player, salt, seats, now)
        except IntegrityError:
            # Somebody else opened it at the same moment.
            if not Game.objects.filter(rematch_of=game_id).exclude(status=Game.Status.CANCELLED).exists():
                raise


class _RoomIsGone(Exception):  # noqa: N818  an outcome of the race, not an error
    """The rematch was called off while the player was joining it."""


def _join(room_id: UUID, player: Player, salt: str | None, now: datetime) -> Snapshot:
    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        if snapshot.status == "cancelled":
            raise _RoomIsGone
        return [] if snapshot.seat_of(player) is not None else sit_down(snapshot, player, salt, now)

    return changed(room_id, decide, player=player, now=now)


def _open(old: Snapshot, player: Player, salt: str | None, seats: int | None, now: datetime) -> Snapshot:
    if seats is not None and seats < old.seats:
        raise Invalid("bad_seats", f"A rematch has at least the {old.seats} seats of the old table.", field="seats")
    return open_room(
        player,
        Terms(
            old.game,
            seats or old.seats,
            old.ruleset,
            old.asked_options,
            old.visibility,
            rated=old.rated,
            plans=old.plans,
            clock=old.clock if old.named_clock else None,
            start=old.start,
            talk=old.talk,
        ),
        salt=salt,
        bots=[seat.bot["level"] for seat in old.players if seat.bot is not None and seat.player is None],
        rematch_of=old.id,
        now=now,
    )
