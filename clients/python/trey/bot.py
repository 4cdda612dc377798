"""A bot in one function: `python -m trey.bot MODULE:FUNCTION --server URL --at-once 8`, its token in TREY_TOKEN.

It accepts invitations to rooms and plays. `FUNCTION(game, moves)` gets the game and its legal moves, and returns the
move to send, such as `moves[0]["send"]`; it may be a coroutine.
"""

import argparse
import asyncio
import importlib
import os
import sys
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from inspect import isawaitable
from typing import Any

import httpx

from .call import Problem
from .clients import AsyncTrey

Choose = Callable[[Any, Any], Any]


@asynccontextmanager
async def reported() -> AsyncGenerator[None, None]:
    """What goes wrong with one game is said, and ends no other."""
    try:
        yield
    except (Problem, httpx.TransportError) as error:
        sys.stderr.write(f"{error}\n")


async def play(trey: AsyncTrey, choose: Choose, game_id: str) -> None:
    """Play until it is another's turn."""
    while moves := (await trey.legal_moves(game_id))["moves"]:
        chosen = await asyncio.to_thread(choose, await trey.get_game(game_id), moves)
        await trey.play_move(game_id, await chosen if isawaitable(chosen) else chosen)


async def accept(trey: AsyncTrey) -> None:
    """Join every room that one is invited to, also by what is unread."""
    unread = [one async for one in trey.pages(trey.my_notifications, unread=True)]
    for told in unread:
        await join(trey, told)
    async for event in trey.news(max((told["number"] for told in unread), default=None)):
        if event["event"] == "notification":
            await join(trey, event["data"])


async def join(trey: AsyncTrey, told: Any) -> None:
    """Join the room of a notification, if it is an invitation to one."""
    kind, game_id, *_ = told["cause"].split(":")
    if (told["kind"], kind) == ("invited", "game") and told["link"].startswith("/join/"):
        code = told["link"].removeprefix("/join/")  # of a public room its id
        async with reported():
            await trey.join_game(game_id, invitation=None if code == game_id else code)


async def run(choose: Choose, server: str, at_once: int) -> None:
    """Accept and play for ever, at most so many games at once."""
    room, one_by_one = asyncio.Semaphore(at_once), defaultdict[str, asyncio.Lock](asyncio.Lock)
    async with AsyncTrey(server, token=os.environ["TREY_TOKEN"]) as trey, asyncio.TaskGroup() as tasks:

        async def turn(game_id: str) -> None:
            async with one_by_one[game_id], room, reported():
                await play(trey, choose, game_id)

        tasks.create_task(accept(trey))
        async for game in trey.my_turns():
            tasks.create_task(turn(game["id"]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m trey.bot", description="Play with a function of yours.")
    parser.add_argument("function", metavar="MODULE:FUNCTION")
    parser.add_argument("--server", default="http://127.0.0.1:8000")
    parser.add_argument("--at-once", type=int, default=8, help="how many games")
    wanted = parser.parse_args()
    module, _, function = wanted.function.partition(":")
    if "TREY_TOKEN" not in os.environ:
        parser.error("TREY_TOKEN is not set: it is what `POST auth/login` returns, or made on your account page")
    refused: tuple[BaseException, ...] = ()
    try:
        asyncio.run(run(getattr(importlib.import_module(module), function), wanted.server, wanted.at_once))
    except* (KeyboardInterrupt, Problem) as ended:
        refused = ended.exceptions
    sys.exit(" ".join(map(str, refused)) or None)
