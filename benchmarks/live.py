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

from benchmarks.service import Service, say, served

STREAMS_A_PLAYER = 16
MOST_BYTES, MOST_SECONDS = 30_000, 0.2


def people(count: int) -> list[str]:
    """The tokens of so many new accounts, which have no passwords: hashing them would take longer than all the rest."""
    from core.accounts.login import tokens
    from core.accounts.models import Player

    players = Player.objects.bulk_create(
        [Player(username=f"watcher-{os.getpid()}-{number}") for number in range(count)]
    )
    return [tokens.issue(player)[0] for player in players]


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


async def watched(service: Service, players: list[str], watchers: list[Watcher], path: str, moves: int) -> list[float]:
    """How long each of so many moves took to the last watcher."""
    following = [asyncio.create_task(watcher.follow()) for watcher in watchers]
    took: list[float] = []
    now = await asyncio.to_thread(service.surely, "GET", path, token=players[0])
    say(f"{len(watchers)} watchers had what happened before after {await have(watchers, now['version']):.1f} s")
    while len(took) < moves:
        game = await asyncio.to_thread(service.surely, "GET", path, token=players[0])
        if game["status"] not in ("setup", "playing"):
            break
        token = players[game["to_act"][0]]
        legal = await asyncio.to_thread(service.surely, "GET", f"{path}/moves", token=token)
        played = await asyncio.to_thread(
            service.surely, "POST", f"{path}/moves", legal["moves"][0]["send"], token=token
        )
        took.append(await have(watchers, played["version"]))
    for task in following:
        task.cancel()
    return sorted(took)


async def measured(service: Service, port: int, options: argparse.Namespace) -> bool:
    """Print both figures; whether both are good enough."""
    count = -(-(options.streams + options.watchers) // STREAMS_A_PLAYER)
    names = await asyncio.to_thread(people, count + 2)
    players, others = names[:2], names[2:]
    room = service.surely("POST", "games", {"game": "threes", "seats": 2}, token=players[0])
    path = f"games/{room['id']}"
    service.surely("POST", f"{path}/join", {}, token=players[1])
    service.surely("POST", f"{path}/start", {}, token=players[0])

    process = service.part("live")
    warm = [Watcher("me/live", players[0])]
    await opened(warm, port)
    before = process.memory_info().rss
    idle = [Watcher("me/live", others[number // STREAMS_A_PLAYER]) for number in range(options.streams)]
    await opened(idle, port)
    await asyncio.sleep(5)  # until the tokens of all have been looked at
    each = (process.memory_info().rss - before) / options.streams
    say(f"{options.streams} idle streams: {each / 1000:.1f} kB each, {process.memory_info().rss / 1e6:.0f} MB in all")

    watchers = [
        Watcher(f"{path}/live?after=0", others[(options.streams + number) // STREAMS_A_PLAYER])
        for number in range(options.watchers)
    ]
    await opened(watchers, port)
    took = await watched(service, players, watchers, path, options.moves)
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
