"""The three kinds of stream at their addresses, and what ends them when the right to them is gone."""

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple
from uuid import UUID

from django.conf import settings

from core.http.problems import Problem, invalid
from core.live.database import AWAY, Database, in_thread
from core.live.server import Connection, Request
from core.live.streams import Streams
from core.refusals import Refused
from games.hooks import NEWS
from games.live.admission import (
    Access,
    Caller,
    caller_of,
    check_query,
    game_of,
    is_own_page,
    resumed_after,
    still_valid,
)
from games.live.players import Listener, Players, newest_of
from games.live.presence import Presence
from games.live.results import Read, Reader, Results
from games.live.tables import WatchedTable, Watcher, closing_on_error

# Seconds between two checks of tokens, sessions and rights: a stream ends within 5 s of losing one.
RECHECK = 2.0
_ID = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
_GAME = re.compile(f"/api/v1/games/({_ID})/live")
_ME = "/api/v1/me/live"
_RESULTS = "/api/v1/results/live"
_STREAM = re.compile(f"game-({_ID})")
_ALLOWED = "GET, OPTIONS"

logger = logging.getLogger(__name__)


class Live:
    def __init__(
        self,
        database: Database,
        streams: Streams,
        *,
        newest_result: Callable[[], int],
        results: Read,
    ) -> None:
        self._database, self._streams = database, streams
        self._tables: dict[UUID, WatchedTable] = {}
        self._players = Players(database)
        self._results = Results(database, newest_result, results)
        self.presence = Presence(database, self._tables).follow
        self.results = self._results.follow
        self._accesses: dict[Connection, Access] = {}

    async def respond(self, request: Request, connection: Connection) -> None:
        headers = _cors(request)
        found = _GAME.fullmatch(request.path)
        if found is None and request.path not in (_ME, _RESULTS):
            raise Problem("not_found", "There is nothing at this address.")
        if request.method == "OPTIONS":
            connection.respond(204, {**headers, "Allow": _ALLOWED}, b"")
            return
        try:
            if request.method != "GET":
                raise Problem("method_not_allowed", f"Allowed methods: {_ALLOWED}.", headers={"Allow": _ALLOWED})
            caller = await in_thread(caller_of, request)
            check_query(request, ("after",) if found is None else ("after", "invitation"))
            opening = Opening(request, connection, caller, headers, resumed_after(request))
            if request.path == _RESULTS:
                await self._open_results(opening)
            elif found is None:
                await self._open_player(opening)
            else:
                await self._open_game(opening, UUID(found[1]))
        except Refused as refused:
            connection.refuse(refused, headers)
        except AWAY:
            logger.warning("no live stream while the database does not respond", exc_info=True)
            away = Problem(
                "unavailable", "The database does not respond. Try again soon.", headers={"Retry-After": "2"}
            )
            connection.refuse(away, headers)

    async def news(self, streams: set[str]) -> None:
        games = {UUID(found[1]) for name in streams if (found := _STREAM.fullmatch(name))}
        if not games:
            return
        watched = [self._tables[game] for game in games & self._tables.keys()]
        whose: list[WatchedTable | Players] = [*watched, self._players]
        tasks = [*(table.refresh() for table in watched), self._players.moved(games)]
        for each, outcome in zip(whose, await asyncio.gather(*tasks, return_exceptions=True), strict=True):
            if isinstance(outcome, BaseException):
                # A stream that missed an event is closed, and resumes from the log.
                logger.error("live streams missed an event and are closed", exc_info=outcome)
                each.close()

    async def told(self, players: set[UUID] | None) -> None:
        """Pass on what these players were told; None: any player may have been told something. Raises one of AWAY."""
        await self._players.told(players)
        for news in NEWS if self._tables else ():
            for game, changes in await self._database.fetch(news.changes, [list(self._tables)]):
                if (table := self._tables.get(game)) is not None:
                    async with closing_on_error(table):
                        await table.changed(news, changes)

    async def recheck(self) -> None:
        while True:
            await asyncio.sleep(RECHECK)
            try:
                await self._end_invalid()
            except AWAY as error:
                logger.warning("the rights to live streams are not checked while the database is away: %s", error)

    async def _end_invalid(self) -> None:
        self._accesses = {connection: used for connection, used in self._accesses.items() if not connection.closed}
        # A stream that opens meanwhile has not been asked about.
        asked = dict(self._accesses)
        valid = await in_thread(still_valid, set(asked.values())) if asked else set()
        for connection, used in asked.items():
            if used not in valid:
                connection.close()
        self._players.forget_closed()
        for game_id, table in list(self._tables.items()):
            async with closing_on_error(table):
                await table.recheck()
            if table.empty:
                del self._tables[game_id]

    async def _open_game(self, opening: "Opening", game_id: UUID) -> None:
        game = await in_thread(game_of, opening.request, opening.caller, game_id)
        at = self._open(opening, game.version, "The game is at version")
        table = self._tables.setdefault(game_id, WatchedTable(self._database, game_id))
        invitation = opening.request.query.get("invitation")
        await table.add(Watcher(opening.connection, opening.caller, invitation, at))

    async def _open_player(self, opening: "Opening") -> None:
        newest = await in_thread(newest_of, opening.caller.player)
        at = self._open(opening, newest, "Your newest notification has the number")
        await self._players.add(Listener(opening.connection, opening.caller.player, at))

    async def _open_results(self, opening: "Opening") -> None:
        at = self._open(opening, await in_thread(self._results.newest), "The newest result has the number")
        await self._results.add(Reader(opening.connection, at))

    def _open(self, opening: "Opening", newest: int, said: str) -> int:
        """Open the stream; return the number after which it goes on. Raises Problem (invalid): there is none yet."""
        if opening.after is not None and opening.after > newest:
            raise invalid([("after", f"{said} {newest}.")])
        self._streams.open(opening.connection, opening.caller.player.pk, opening.headers)
        self._accesses[opening.connection] = opening.caller.access
        return newest if opening.after is None else opening.after


class Opening(NamedTuple):
    """A stream that is asked for, the headers of its response, and the number after which it goes on, if named."""

    request: Request
    connection: Connection
    caller: Caller
    headers: Mapping[str, str]
    after: int | None


def _cors(request: Request) -> dict[str, str]:
    """Return the headers that let pages read a stream: ours with a session, those of allowed origins with a token."""
    origin = request.headers.get("origin", "")
    own = bool(origin) and is_own_page(request)
    allowed = own or origin in settings.CORS_ALLOWED_ORIGINS
    if not origin or not (allowed or settings.CORS_ALLOW_ALL_ORIGINS):
        return {"Vary": "Origin"}
    return {
        "Access-Control-Allow-Origin": origin if allowed else "*",
        **({"Access-Control-Allow-Credentials": "true"} if own else {}),
        "Access-Control-Allow-Methods": _ALLOWED,
        "Access-Control-Allow-Headers": ", ".join(settings.CORS_ALLOW_HEADERS),
        "Access-Control-Expose-Headers": ", ".join(settings.CORS_EXPOSE_HEADERS),
        "Access-Control-Max-Age": str(settings.CORS_PREFLIGHT_MAX_AGE),
        "Vary": "Origin",
    }
