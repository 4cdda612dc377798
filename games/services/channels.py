"""The channels that a room posts to (NT7), which its opener gives it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from core import log
from core.accounts.models import Player
from core.notifications.endpoints import Act, Decide, Holder
from core.refusals import Forbidden
from games.projections import Snapshot
from games.projections import vocabulary as stored
from games.services.commands import change, check_not_over, check_opener, member


class Rooms(Holder):
    subject = "game"

    def runs(self, one: Any, player: Player | None) -> bool:
        return player is not None and one.opener == player.pk

    def change(self, holder_id: UUID, player: Player, decide: Decide, act: Act, now: datetime) -> None:
        """Raises Forbidden (not_a_player, not_the_opener, tournament_game), Conflict (game_over, game_cancelled)."""

        def events(room: Snapshot) -> Sequence[log.NewEvent]:
            if act in (Act.ADD, Act.REMOVE):
                member(room, player)
            if act is Act.ADD:
                check_not_over(room)
            if act in (Act.ADD, Act.REMOVE):
                check_opener(room, player, "say what it posts to")
            if act is Act.ADD and room.belongs_to is not None:
                raise Forbidden("tournament_game", "A tournament's rooms have no channels of their own.")
            if act is not Act.ADD and room.status in ("finished", "cancelled"):
                return ()
            seat = room.seat_of(player) if act is not Act.CLOSE else None
            return [log.NewEvent(stored.CHANNELS_CHANGED, data, seat) for data in decide(room.channels)]

        change(holder_id, events, actor=log.Actor("player", str(player.pk)), now=now, accounts=[player])


ROOMS = Rooms()
