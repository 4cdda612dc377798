"""The seats of a rematch, which are kept for the people of the old table for a day."""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from core import log
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.refusals import Conflict
from games.models import Seat
from games.projections import Snapshot
from games.projections import vocabulary as stored

KEPT = timedelta(days=1)


@ending.on_the_way_out(Right.ROOM, What.PLACES)
@ending.on_the_way_out(Right.ACCOUNT, What.PLACES)
def kept_for(room: Snapshot, now: datetime) -> Collection[UUID]:
    """The people of the old table who do not sit in the room and whose seats are kept. Two queries for a rematch.

    Whoever was sent out has no right to a seat any more (AC6).
    """
    if room.rematch_of is None or now >= room.opened_at + KEPT:
        return ()
    old = Seat.objects.filter(game_id=room.rematch_of, player__isnull=False).values("player_id")
    people = Player.objects.filter(pk__in=old, is_active=True).values_list("pk", flat=True)
    gone = {event.data["player"] for event in log.read(room.stream, types=[stored.KICKED])}
    return {pk for pk in people if str(pk) not in gone} - {seat.player for seat in room.players}


def check_kept(room: Snapshot, player: Player | None, now: datetime) -> None:
    """Raises Conflict (seats_kept) if all free seats are kept for others than the player (None: a bot)."""
    kept = kept_for(room, now)
    if player is not None and player.pk in kept:
        return
    if kept and len(room.players) + len(kept) >= room.seats:
        until = f"{room.opened_at + KEPT:%Y-%m-%d %H:%M} UTC"
        raise Conflict("seats_kept", f"The free seats are kept for those who played the game before, until {until}.")
