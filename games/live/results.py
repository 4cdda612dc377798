"""The stream of results: entries of one numbered list, the same for all who listen.

Games do not know what is in the list: whoever starts `Live` says how it is read.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.live.database import AWAY, Database, in_thread
from core.live.server import Connection
from core.live.streams import server_sent
from games.live.tables import PAGE, patience

# Seconds between two looks at the list, while somebody listens.
POLL = 0.5

logger = logging.getLogger(__name__)

Read = Callable[[int, int], tuple[Sequence[dict[str, Any]], int | None]]


@dataclass(slots=True, eq=False)
class Reader:
    connection: Connection
    at: int


class Results:
    """`newest` returns the last number; `read` the entries after a number, so many at most, and where to go on."""

    def __init__(self, database: Database, newest: Callable[[], int], read: Read) -> None:
        self._database, self.newest, self._read = database, newest, read
        self._readers: list[Reader] = []
        # Set while there are any.
        self._some = asyncio.Event()

    async def add(self, reader: Reader) -> None:
        """Send what the reader missed, at its pace, and from then on what is new."""
        async with patience(reader.connection):
            while not reader.connection.closed:
                async with self._database.arrivals:
                    newest, entries, more = await self._after(reader.at)
                _send(reader, entries, newest if more is None else more)
                await reader.connection.drained()
                if more is None:
                    self._readers.append(reader)
                    self._some.set()
                    return

    async def follow(self) -> None:
        while True:
            await self._some.wait()
            await asyncio.sleep(POLL)
            self._readers = [reader for reader in self._readers if not reader.connection.closed]
            if not self._readers:
                self._some.clear()
                continue
            try:
                newest, entries, more = await self._after(min(reader.at for reader in self._readers))
            except AWAY as error:
                logger.warning("the database does not respond, the stream of results waits for it: %s", error)
                continue
            except Exception:
                logger.exception("results cannot be read, their live streams are closed")
                for reader in self._readers:
                    reader.connection.close()
                continue
            for reader in self._readers:
                _send(reader, entries, newest if more is None else more)

    async def _after(self, at: int) -> tuple[int, Sequence[dict[str, Any]], int | None]:
        # The end first: what comes meanwhile has a greater number.
        newest = await in_thread(self.newest)
        if newest <= at:
            return newest, (), None
        return newest, *await in_thread(self._read, at, PAGE)


def _send(reader: Reader, entries: Sequence[dict[str, Any]], upto: int) -> None:
    for entry in entries:
        if entry["n"] > reader.at:
            reader.connection.send(server_sent("result", entry, number=entry["n"]))
            reader.at = entry["n"]
    reader.at = max(reader.at, upto)
