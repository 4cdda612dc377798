"""The streams of games: each event as its watcher may see it, and whom the game then waits for."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID

from core import log
from core.accounts.models import Player
from core.live.database import AWAY, Database, in_thread
from core.live.server import Connection
from core.live.streams import server_sent
from games import selectors
from games.hooks import NEWS, News
from games.live.admission import Caller, may_go_on
from games.models import stream_of
from games.projections import Snapshot, load, snapshots_in, statement
from games.rules import PLAYED

logger = logging.getLogger(__name__)

# Events of a long history that are read at once.
PAGE = 100
# Seconds that a client may take to read what it missed.
PATIENCE = 30.0


@dataclass(slots=True, eq=False)
class Watcher:
    connection: Connection
    caller: Caller
    invitation: str | None
    at: int
    """The last version that was sent."""
    told: dict[str, int] = field(default_factory=dict)
    """The last change of each kind of news that was sent to somebody at the table."""
    present: frozenset[UUID] = frozenset()
    """The players at the table, as they were last sent."""


class WatchedTable:
    def __init__(self, database: Database, game_id: UUID) -> None:
        self._database, self._id = database, game_id
        # Only one task reads and sends at a time, so that every stream is in order.
        self._lock = asyncio.Lock()
        self.game: Snapshot | None = None
        self._arriving = 0
        # The watchers who have got the past, and only need what is new.
        self._joining: list[Watcher] = []
        self.watchers: list[Watcher] = []

    @property
    def empty(self) -> bool:
        return not (self.watchers or self._arriving)

    def sitting(self, game_id: UUID) -> set[tuple[UUID, UUID]]:
        """The game with each of the watchers who sit at the table."""
        game = self.game
        if game is None:
            return set()
        players = {each.caller.player for each in self.watchers if not each.connection.closed}
        return {(game_id, player.pk) for player in players if game.seat_of(player) is not None}

    def close(self) -> None:
        for watcher in [*self.watchers, *self._joining]:
            watcher.connection.close()

    def say(self, event: bytes) -> None:
        for watcher in self.watchers:
            watcher.connection.send(event)

    def say_present(self, here: frozenset[UUID], event: bytes) -> None:
        for watcher in self.watchers:
            if watcher.present != here:
                watcher.present = here
                watcher.connection.send(event)

    async def add(self, watcher: Watcher) -> None:
        """Send what the watcher missed, and from then on what happens. Returns once it has caught up, or is gone."""
        self._arriving += 1
        try:
            await self._catch_up(watcher)
            for news in NEWS:
                await self._say_news(news, [watcher])
        finally:
            self._arriving -= 1

    async def _catch_up(self, watcher: Watcher) -> None:
        while not watcher.connection.closed:
            async with self._database.arrivals:
                game = await self._load()
                if not await self._stay(game, [watcher]):
                    return
                events = await self._new(watcher.at, min(game.version, watcher.at + PAGE))
            if events:
                await _at_its_pace(watcher, game, events)
            if watcher.at >= game.version:
                break
        self._joining.append(watcher)
        async with self._lock:
            # The task that held the lock before may have let in everybody who waited for it.
            if watcher in self._joining:
                await self._send_new(self._joining)

    async def refresh(self) -> None:
        """Send what has happened since to all watchers, and end the streams of those who may no longer look."""
        async with self._lock:
            self._forget_closed()
            if self.watchers:
                await self._send_new(self.watchers)
        # Some may have sat down meanwhile.
        for news in NEWS:
            await self._say_news(news, [one for one in self.watchers if news.event not in one.told])

    async def _send_new(self, watchers: Collection[Watcher]) -> None:
        """Send these watchers what they do not have yet; those who are joining are in from then on."""
        joining = dict.fromkeys(watchers)
        game = await self._load()
        staying = await self._stay(game, list(joining))
        events = await self._new(min((watcher.at for watcher in staying), default=game.version), game.version)
        # There is no await from here on, so that a cancellation never leaves somebody in who was not sent what is new.
        self._joining = [watcher for watcher in self._joining if watcher not in joining]
        self.watchers = [*(watcher for watcher in self.watchers if watcher not in joining), *staying]
        sent: dict[tuple[Any, int], bytes] = {}
        for watcher in staying:
            key = (selectors.viewer_of(game, watcher.caller.player), watcher.at)
            if key not in sent:
                new = [event for event in events if event.version > watcher.at]
                sent[key] = written(game, watcher.caller.player, new)
            if sent[key]:
                watcher.connection.send(sent[key])
            watcher.at = game.version

    async def changed(self, news: News, changes: int) -> None:
        """Send the news, up to this change, to those at the table who have not got it."""
        await self._say_news(news, [one for one in self.watchers if one.told.get(news.event, -1) < changes])

    async def _say_news(self, news: News, watchers: Iterable[Watcher]) -> None:
        for watcher in watchers:
            player = watcher.caller.player
            if self.game is None or self.game.seat_of(player) is None or watcher.connection.closed:
                continue
            since = watcher.told.get(news.event)
            changes, new = await in_thread(news.at_table, self._id, player, since)
            # Another call may have sent as much meanwhile, or more.
            if watcher.told.get(news.event, -1) < changes:
                watcher.told[news.event] = changes
                for one in new:
                    watcher.connection.send(server_sent(news.event, one))

    async def recheck(self) -> None:
        async with self._lock:
            self._forget_closed()
            if self.game is not None and may_change_unseen(self.game):
                self.watchers = await self._stay(self.game, self.watchers)

    def _forget_closed(self) -> None:
        self.watchers = [watcher for watcher in self.watchers if not watcher.connection.closed]

    async def _stay(self, game: Snapshot, watchers: Sequence[Watcher]) -> list[Watcher]:
        """Return the watchers who may look at the game as it is now. The streams of the others end."""
        allowed = partial(_allowed, game, list(watchers))
        # Only the owner of a game asks the database.
        may = await in_thread(allowed) if game.belongs_to is not None else allowed()
        for watcher in watchers:
            if watcher not in may:
                watcher.connection.close()
        return [watcher for watcher in watchers if not watcher.connection.closed]

    async def _load(self) -> Snapshot:
        found = snapshots_in(await self._database.fetch(*statement([self._id]))).get(self._id)
        # Lost rows are rebuilt through Django.
        self.game = found or await in_thread(load, self._id)
        if self.game is None:
            raise LookupError(f"game {self._id} is gone")
        return self.game

    async def _new(self, after: int, upto: int) -> list[log.Event]:
        if after >= upto:
            return []
        return log.events_in(await self._database.fetch(*log.statement(stream_of(self._id), after, upto)))


@asynccontextmanager
async def closing_on_error(table: WatchedTable) -> AsyncIterator[None]:
    """What fails at one table ends its streams, and those of no other. Raises one of AWAY."""
    try:
        yield
    except AWAY:
        raise
    except Exception:
        logger.exception("the live streams of a game failed and are closed")
        table.close()


def written(game: Snapshot, player: Player, events: Iterable[log.Event]) -> bytes:
    """The events as `GET games/{id}/events` gives them to the player, with the state after the last of them."""
    after = {
        "to_act": [index for index, seat in enumerate(game.players) if seat.duty is not None],
        "deadlines": {str(seat): due for seat, due in selectors.deadlines(game).items()},
    }
    seen = selectors.redacted(player, game, events)
    return b"".join(server_sent("moved", {**event, **after}, number=event["version"]) for event in seen)


def may_change_unseen(game: Snapshot) -> bool:
    """Return whether the right to watch can change without an event of the game: it belongs to a tournament."""
    return game.belongs_to is not None and not (PLAYED[game.game].spectators and game.visibility == "public")


async def _at_its_pace(watcher: Watcher, game: Snapshot, events: list[log.Event]) -> None:
    async with patience(watcher.connection):
        for event in events:
            watcher.connection.send(written(game, watcher.caller.player, [event]))
            watcher.at = event.version
            await watcher.connection.drained()


@asynccontextmanager
async def patience(connection: Connection) -> AsyncIterator[None]:
    """While a page of the past is sent: a client that does not read it in time is disconnected."""
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except TimeoutError:
        connection.abort()


def _allowed(game: Snapshot, watchers: Iterable[Watcher]) -> set[Watcher]:
    return {each for each in watchers if may_go_on(game, each.caller.player, each.invitation)}
