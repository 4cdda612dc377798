"""The streams of players: their notifications, which of their games have moved, and which wait for them."""

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from core.accounts.models import Player
from core.live.database import AWAY, Database, in_thread
from core.live.server import Connection
from core.live.streams import server_sent
from core.notifications import selectors as telling
from core.notifications.bodies import NotificationBody
from core.notifications.models import Inbox
from games.hooks import NEWS
from games.live.tables import patience
from games.models import Game

_GAMES = """
SELECT seat.player_id, game.id, game.version, game.status, seat.to_act AND seat.bot IS NULL
FROM games_seat seat JOIN games_game game ON game.id = seat.game_id
"""
_OF_PLAYER = f"{_GAMES}WHERE seat.player_id = %s AND game.status = ANY(%s) ORDER BY game.moved_at, game.id"
_MOVED = f"{_GAMES}WHERE game.id = ANY(%s) AND seat.player_id IS NOT NULL"
_OF_PLAYER_MOVED = f"{_GAMES}WHERE game.id = ANY(%s) AND seat.player_id = %s"
_LIVE = [Game.Status.OPEN.value, Game.Status.SETUP.value, Game.Status.PLAYING.value]
_NEWEST = "SELECT player_id, last FROM notifications_inbox WHERE player_id = ANY(%s)"

Row = tuple[UUID, UUID, int, str, bool]
T = TypeVar("T")

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Missed:
    """Changes that happen while a stream is being sent the present state."""

    told: bool = True
    games: set[UUID] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Listener:
    connection: Connection
    player: Player
    at: int
    """The number of the last notification that was sent."""
    versions: dict[UUID, int] = field(default_factory=dict)
    """The versions of games that were sent: rows that were read before are not sent after them."""
    told: dict[str, Mapping[UUID, Sequence[Any]]] = field(default_factory=dict)
    """Of each kind of news, how it was with each game when last sent."""


class Players:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._listeners: defaultdict[UUID, list[Listener]] = defaultdict(list)
        self._arriving: dict[Listener, Missed] = {}

    async def add(self, listener: Listener) -> None:
        """Send missed notifications and the state of each game, and from then on what is new."""
        player = listener.player.pk
        missed = self._arriving[listener] = Missed()
        self._listeners[player].append(listener)
        try:
            await self._tell_past(listener, missed)
            async with self._database.arrivals:
                rows = await self._database.fetch(_OF_PLAYER, [player, _LIVE])
            await self._changed([player])
            while not listener.connection.closed:
                for row in rows:
                    _say(listener, row)
                await self._tell_past(listener, missed)
                if not missed.games:
                    del self._arriving[listener]
                    return
                games, missed.games = list(missed.games), set()
                async with self._database.arrivals:
                    rows = await self._database.fetch(_OF_PLAYER_MOVED, [games, player])
        finally:
            if self._arriving.pop(listener, None) is not None:
                self._listeners[player] = [one for one in self._listeners[player] if one is not listener]

    async def _tell_past(self, listener: Listener, missed: Missed) -> None:
        while missed.told and not listener.connection.closed:
            missed.told = False
            async with self._database.arrivals:
                newest = await self._database.fetch(_NEWEST, [[listener.player.pk]])
                if not any(last > listener.at for _, last in newest):
                    return
                past = await in_thread(_notifications, listener.player, listener.at)
            if past:
                missed.told = True
                await _at_its_pace(listener, past)

    async def moved(self, games: set[UUID]) -> None:
        if not self._listeners:
            return
        for missed in self._arriving.values():
            missed.games |= games
        for row in await self._database.fetch(_MOVED, [list(games)]):
            for listener in self._listeners.get(row[0], ()):
                if listener not in self._arriving:
                    _say(listener, row)

    async def told(self, players: set[UUID] | None) -> None:
        if not self._listeners:
            return
        await self._changed(self._listeners.keys() if players is None else players & self._listeners.keys())
        if players is None:
            newest = await self._database.fetch(_NEWEST, [list(self._listeners)])
            players = {player for player, last in newest if any(one.at < last for one in self._listeners[player])}
        for player in players & self._listeners.keys():
            arriving = [self._arriving[listener] for listener in self._listeners[player] if listener in self._arriving]
            for missed in arriving:
                missed.told = True
            if here := [listener for listener in self._listeners[player] if listener not in self._arriving]:
                await self._send_new(here)

    async def _changed(self, players: Collection[UUID]) -> None:
        """Say of each game with news what they are."""
        # Others may begin to listen meanwhile.
        players = list(players)
        for news in NEWS if players else ():
            found: defaultdict[UUID, dict[UUID, Sequence[Any]]] = defaultdict(dict)
            for player, game, *now in await self._database.fetch(news.of_players, [players]):
                found[player][game] = now
            for player in players:
                for listener in self._listeners[player]:
                    before, listener.told[news.event] = listener.told.get(news.event), found[player]
                    here = {} if before is None else found[player]
                    changed = [game for game, now in here.items() if before is not None and before.get(game) != now]
                    for one in await _read([listener], news.to_player, changed) if changed else ():
                        listener.connection.send(server_sent(news.event, one))

    async def _send_new(self, here: Sequence[Listener]) -> None:
        """Send a player's streams what they do not have yet."""
        new = await _read(here, _notifications, min(one.at for one in here))
        for listener in here:
            _send(listener, new)

    def close(self) -> None:
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.connection.close()

    def forget_closed(self) -> None:
        for player, listeners in list(self._listeners.items()):
            left = [listener for listener in listeners if not listener.connection.closed]
            if left:
                self._listeners[player] = left
            else:
                del self._listeners[player]


async def _read(here: Sequence[Listener], read: Callable[[Player, Any], list[T]], about: Any) -> list[T]:
    """What is read for a player's streams. If it cannot be read, they end, and no others. Raises one of AWAY."""
    player = here[0].player
    try:
        return await in_thread(read, player, about)
    except AWAY:
        raise
    except Exception:
        logger.exception("what is new to %s cannot be read, their live streams are closed", player.pk)
        for listener in here:
            listener.connection.close()
        return []


def newest_of(player: Player) -> int:
    return Inbox.objects.filter(player=player).values_list("last", flat=True).first() or 0


def _notifications(player: Player, after: int) -> list[NotificationBody]:
    return telling.bodies(player, telling.after(player, after))


def _send(listener: Listener, notifications: Iterable[NotificationBody]) -> None:
    for body in notifications:
        if body.number > listener.at:
            listener.connection.send(server_sent("notification", body, number=body.number))
            listener.at = body.number


async def _at_its_pace(listener: Listener, past: Iterable[NotificationBody]) -> None:
    # News of all games adds up.
    async with patience(listener.connection):
        _send(listener, past)
        await listener.connection.drained()


def _say(listener: Listener, row: Row) -> None:
    _, game, version, status, your_turn = row
    if version > listener.versions.get(game, 0):
        listener.versions[game] = version
        body = {"id": game, "version": version, "status": status, "your_turn": your_turn}
        listener.connection.send(server_sent("game", body))
