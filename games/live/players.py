"""The streams of players: what they are told, which of their games have moved, and which wait for them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.models import Game
from games.platform.accounts.models import Player
from games.platform.live.database import Database, in_thread
from games.platform.live.server import Connection
from games.platform.live.streams import server_sent
from games.platform.telling import selectors as telling
from games.platform.telling.models import Inbox

_GAMES = """
SELECT seat.player_id, game.id, game.version, game.status, seat.to_act AND seat.bot IS NULL
FROM games_seat seat JOIN games_game game ON game.id = seat.game_id
"""
_OF_PLAYER = f"{_GAMES}WHERE seat.player_id = %s AND game.status = ANY(%s) ORDER BY game.moved_at, game.id"
_MOVED = f"{_GAMES}WHERE game.id = ANY(%s) AND seat.player_id IS NOT NULL"
_LIVE = [Game.Status.OPEN.value, Game.Status.SETUP.value, Game.Status.PLAYING.value]
_NEWEST = "SELECT player_id, last FROM telling_inbox WHERE player_id = ANY(%s)"

Row = tuple[UUID, UUID, int, str, bool]


@dataclass(slots=True, eq=False)
class Listener:
    """A stream, and how far it is."""

    connection: Connection
    player: Player
    at: int
    """The number of the last notification that was sent."""


class Players:
    """The players with a stream of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._listeners: defaultdict[UUID, list[Listener]] = defaultdict(list)
        # What is sent about a game never gets older, and notifications come in order.
        self._lock = asyncio.Lock()

    async def add(self, listener: Listener) -> None:
        """Send the notifications that were missed and where each game is, and from then on what is new."""
        while missed := await in_thread(_notifications, listener.player, listener.at):
            _send(listener, missed)
            await listener.connection.drained()
            if listener.connection.closed:
                return
        async with self._lock:
            _send(listener, await in_thread(_notifications, listener.player, listener.at))
            for row in await self._database.fetch(_OF_PLAYER, [listener.player.pk, _LIVE]):
                listener.connection.send(_written(row))
            self._listeners[listener.player.pk].append(listener)

    async def moved(self, games: Iterable[UUID]) -> None:
        """Tell the players of these games."""
        if not self._listeners:
            return
        async with self._lock:
            for row in await self._database.fetch(_MOVED, [list(games)]):
                for listener in self._listeners.get(row[0], ()):
                    listener.connection.send(_written(row))

    async def told(self, players: set[UUID] | None) -> None:
        """Send what these players were told; None: what anybody was."""
        if not self._listeners:
            return
        async with self._lock:
            if players is None:
                newest = await self._database.fetch(_NEWEST, [list(self._listeners)])
                players = {player for player, last in newest if any(one.at < last for one in self._of(player))}
            for player in players & self._listeners.keys():
                since = min(one.at for one in self._of(player))
                new = await in_thread(_notifications, self._of(player)[0].player, since)
                for listener in self._of(player):
                    _send(listener, new)

    def forget_closed(self) -> None:
        """Let go of the streams that are closed."""
        for player, listeners in list(self._listeners.items()):
            left = [listener for listener in listeners if not listener.connection.closed]
            if left:
                self._listeners[player] = left
            else:
                del self._listeners[player]

    def _of(self, player: UUID) -> list[Listener]:
        return self._listeners[player]


def newest_of(player: Player) -> int:
    """The number of the player's newest notification, 0 for none. One query."""
    return Inbox.objects.filter(player=player).values_list("last", flat=True).first() or 0


def _notifications(player: Player, after: int) -> list[dict[str, Any]]:
    return telling.bodies(player, telling.after(player, after))


def _send(listener: Listener, notifications: Iterable[dict[str, Any]]) -> None:
    for body in notifications:
        if body["number"] > listener.at:
            listener.connection.send(server_sent("notification", body, number=body["number"]))
            listener.at = body["number"]


def _written(row: Row) -> bytes:
    _, game, version, status, your_turn = row
    return server_sent("game", {"id": game, "version": version, "status": status, "your_turn": your_turn})
