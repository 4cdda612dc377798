"""What idle live streams take, and how soon a move is with everybody who watches (LV5).

    python -m benchmarks.live [--streams 5000] [--watchers 200] [--moves 50] [--port 8061]

Starts the service as `make run` does, in a folder of the state directory of its own that is removed at the end. Prints
the memory of the process of live streams before and after it holds the idle ones, and the time from the response to a
move until the last watcher has it, while they are all open and have what happened before. Exit status 1 if LV5 does not
hold: under 30 kB a stream, a move with all within 200 ms (95 %).
"""

import argparse
import asyncio
import os
import resource
import sys
import time

from benchmarks.clients import Table, say
from benchmarks.ground import people
from benchmarks.service import Service, served

STREAMS_A_PLAYER = 16
MOST_BYTES, MOST_SECONDS = 30_000, 0.2


class Watcher:
    """One stream of one game or player."""

    def __init__(self, path: str, token: str) -> None:
        self._path, self._token = path, token
        self.version = 0
        self.moved = asyncio.Event()

    async def open(self, port: int) -> None:
        """Open the stream; returns once its head has come."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"GET /api/v1/{self._path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self._token}\r\n\r\n"
        self._writer.write(head.encode())
        status = await self._reader.readline()
        if b" 200 " not in status:
            raise ConnectionError(f"no stream: {status!r}")
        await self._reader.readuntil(b"retry: 2000\n")

    async def follow(self) -> None:
        """Note the version of each event."""
        while line := await self._reader.readline():
            if line.startswith(b"id: "):
                self.version = int(line[4:])
                self.moved.set()


async def opened(watchers: list[Watcher], port: int) -> None:
    """Open them, some at a time."""
    for start in range(0, len(watchers), 100):
        await asyncio.gather(*(watcher.open(port) for watcher in watchers[start : start + 100]))


async def have(watchers: list[Watcher], version: int) -> float:
    """How long it takes until all of them have a version."""
    begun = time.monotonic()
    for watcher in watchers:
        while watcher.version < version:
            watcher.moved.clear()
            await watcher.moved.wait()
    return time.monotonic() - begun


async def watched(table: Table, game: str, watchers: list[Watcher], moves: int) -> list[float]:
    """How long each of so many moves took to the last watcher."""
    following = [asyncio.create_task(watcher.follow()) for watcher in watchers]
    took: list[float] = []
    now = await asyncio.to_thread(table.client.surely, "GET", f"games/{game}", token=table.tokens[0])
    say(f"{len(watchers)} watchers had what happened before after {await have(watchers, now['version']):.1f} s")
    moved = True
    while moved and len(took) < moves:
        moved = False
        for token in table.tokens:
            if played := await asyncio.to_thread(table.move, game, token):
                took.append(await have(watchers, played["version"]))
                moved = True
    for task in following:
        task.cancel()
    return sorted(took)


async def measured(service: Service, port: int, options: argparse.Namespace) -> bool:
    """Print both figures; whether both are good enough."""
    count = -(-(options.streams + options.watchers) // STREAMS_A_PLAYER)
    _, names = await asyncio.to_thread(people, count + 2)
    table, others = Table(service, names[:2], bots=0), names[2:]
    game = table.open_game()

    process = service.part("live")
    warm = [Watcher("me/live", names[0])]
    await opened(warm, port)
    before = process.memory_info().rss
    idle = [Watcher("me/live", others[number // STREAMS_A_PLAYER]) for number in range(options.streams)]
    await opened(idle, port)
    await asyncio.sleep(5)  # until the tokens of all have been looked at
    each = (process.memory_info().rss - before) / options.streams
    say(f"{options.streams} idle streams: {each / 1000:.1f} kB each, {process.memory_info().rss / 1e6:.0f} MB in all")

    watchers = [
        Watcher(f"games/{game}/live?after=0", others[(options.streams + number) // STREAMS_A_PLAYER])
        for number in range(options.watchers)
    ]
    await opened(watchers, port)
    took = await watched(table, game, watchers, options.moves)
    most = took[int(len(took) * 0.95)]
    say(
        f"{len(took)} moves to {len(watchers)} watchers: {took[len(took) // 2] * 1000:.0f} ms (median), "
        f"{most * 1000:.0f} ms (95 %), {took[-1] * 1000:.0f} ms (most); load {os.getloadavg()[0]:.1f}"
    )
    return each < MOST_BYTES and most < MOST_SECONDS


def main() -> None:
    """Start the service, measure, and remove everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=5000)
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--moves", type=int, default=50)
    parser.add_argument("--port", type=int, default=8061)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with served(options.port) as service:
        good = asyncio.run(measured(service, options.port + 1, options))
    sys.exit(not good)


if __name__ == "__main__":
    main()
