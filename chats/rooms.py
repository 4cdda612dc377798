"""The channels of rooms, and what they are told of games."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from chats.models import Posting
from chats.services import Act, Decide, Holder, mention
from core import log
from core.accounts.models import Player
from core.chatting import Mention, Message
from core.notifications.posting import absolute
from core.notifications.services import PLAYED
from core.refusals import Forbidden
from games.events import ChannelsChanged
from games.notifications import presence
from games.notifications.turns import turn_at
from games.notifications.words import names_at, time_left, title_of
from games.projections import Snapshot, load
from games.selectors import deadlines
from games.services.commands import change, check_not_over, check_opener, member

PRESENT = "present"


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
                check_opener(room, player, "change its channels")
            if act is Act.ADD and room.belongs_to is not None:
                raise Forbidden("tournament_game", "A tournament's tables have no channels of their own.")
            if act is not Act.ADD and room.status in ("finished", "cancelled"):
                return ()
            seat = room.seat_of(player) if act is not Act.CLOSE else None
            return [log.NewEvent(ChannelsChanged.type, data, seat) for data in decide(room.channels)]

        change(holder_id, events, actor=log.Actor("player", str(player.pk)), now=now, accounts=[player])

    def announce(self, posting: "Posting", service: str, now: datetime) -> Message:
        game = load(posting.subject_id)
        if game is None:
            return Message(("A game that no longer exists.",), type="game.finished")
        link = absolute(f"/games/{game.id}")
        if posting.topic == "turn":
            return Message(_turn(game, posting.data["seat"], service, now), link, type="game.turn")
        return Message((_result(game),), link, type="game.finished")

    def outdated(self, posting: "Posting", now: datetime) -> str | None:
        """Pointless if the turn is over, or if everybody who plays is at the table."""
        if posting.topic != "turn":
            return None
        game = load(posting.subject_id)
        turn = turn_at(game, posting.data["seat"]) if game is not None else None
        if turn is None or turn.owner is None or turn.name != posting.cause:
            return PLAYED
        return PRESENT if presence.are_together(posting.subject_id, now) else None


ROOMS = Rooms()


def _turn(game: Snapshot, seat: int, service: str, now: datetime) -> tuple[str | Mention, ...]:
    who = mention(game.account_of(game.players[seat]), service)
    due = deadlines(game).get(seat)
    left = f" {time_left(due - now)} left." if due is not None and due > now else ""
    return (who, f", it is your turn: {title_of(game)}.{left}")


def _result(game: Snapshot) -> str:
    if game.result is None:
        return f"The game was called off: {title_of(game)}."
    places = sorted(game.result["placements"], key=lambda row: (row["place"] is None, row["place"], row["seat"]))
    names = names_at(game)
    told = ", ".join(f"{row['place']}. {names[row['seat']]}" for row in places)
    return f"The game is over: {title_of(game)}. {told}."
