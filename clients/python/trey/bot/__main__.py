"""A bot in one function: `python -m trey.bot MODULE:FUNCTION --server URL --at-once 8`, its token in TREY_TOKEN.

It accepts the invitations to rooms that its options let in, and plays. `FUNCTION(game, moves)` gets the game and its
legal moves, and returns the move to send, such as `moves[0]["send"]`; it may be a coroutine. At the first Ctrl-C it
accepts nothing more and ends with the last game that runs, at the second it ends at once.
"""

import argparse
import asyncio
import importlib
import logging
import math
import os
import signal
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from inspect import isawaitable
from typing import Any

from trey import AsyncTrey, Lost, Problem
from trey.clients import run as result_of
from trey.schema import Game, Notification

Choose = Callable[[Any, Any], Any]
log = logging.getLogger("trey.bot")
EVERYTHING = (-math.inf, math.inf)
LOOKED_EVERY = 5.0  # seconds, for games that still run


@contextmanager
def reported(game_id: str) -> Iterator[None]:
    """What goes wrong with one game is said, and ends no other."""
    try:
        yield
    except (Problem, Lost) as no:
        log.warning("Game %s: %s", game_id, no)
    except Exception:
        log.exception("Game %s is left for its next turn", game_id)


async def chosen(choose: Choose, game: Any, moves: Any) -> Any:
    """What the function returns. It is called within a coroutine, since a StopIteration is lost between threads."""
    return choose(game, moves)


async def play(trey: AsyncTrey, choose: Choose, game_id: str) -> None:
    """Play until it is another's turn."""
    while moves := (await trey.legal_moves(game_id))["moves"]:
        move = await asyncio.to_thread(result_of, chosen(choose, await trey.get_game(game_id), moves))
        await trey.play_move(game_id, await move if isawaitable(move) else move)


class Door:
    """Which invitations are accepted."""

    def __init__(self, trey: AsyncTrey, wanted: argparse.Namespace) -> None:
        self.trey, self.wanted = trey, wanted

    async def stand(self) -> None:
        """Answer every invitation to a room, also those that are unread."""
        unread = [one async for one in self.trey.pages(self.trey.my_notifications, unread=True)]
        for told in reversed(unread):  # the oldest first
            await self.answer(told)
        async for event in self.trey.news(max((told["number"] for told in unread), default=None)):
            if event["event"] == "notification":
                await self.answer(event["data"])

    async def answer(self, told: Notification) -> None:
        """Join the room of a notification, or say why not, if it is an invitation to one."""
        kind, game_id, *_ = told["cause"].split(":")
        door, _, code = (told["link"] or "").rpartition("/")
        if (told["kind"], kind, door) != ("invited", "game", "/join"):
            return
        with reported(game_id):
            invitation = {} if code == game_id else {"invitation": code}  # of a public room it is the id
            room = await self.trey.get_game(game_id, **invitation)
            if why := await self.objection(room):
                log.warning("Declined: room %s, since %s.", game_id, why)
            else:
                await self.trey.join_game(game_id, **invitation)

    async def objection(self, room: Game) -> str | None:
        """Why a room is declined, if it is."""
        seated = {seat["player"]["username"] or "" for seat in room["players"] if seat["player"]}
        pace = (room["clock"] or {}).get("per_turn", math.inf)
        if self.wanted.game and room["game"] not in self.wanted.game:
            return f"it plays {room['game']}"
        if self.wanted.people and (strangers := seated - {*self.wanted.people}):
            return f"{', '.join(sorted(strangers))} sits there"
        if not self.wanted.seats[0] <= room["seats"] <= self.wanted.seats[1]:
            return f"it has {room['seats']} seats"
        if not self.wanted.per_turn[0] <= pace <= self.wanted.per_turn[1]:
            return "it has no clock" if pace == math.inf else f"a turn has {pace} seconds"
        if len([game async for game in held(self.trey)]) >= self.wanted.rooms:
            return f"there are {self.wanted.rooms} rooms and games already"
        return None


async def held(trey: AsyncTrey, *statuses: Any) -> AsyncIterator[Game]:
    """The games and rooms with a seat of one's own that are not over."""
    for status in statuses or ("open", "setup", "playing"):
        async for game in trey.pages(trey.list_games, mine=True, status=status):
            yield game


async def run(trey: AsyncTrey, choose: Choose, wanted: argparse.Namespace) -> None:
    """Accept and play until a Ctrl-C, at most so many games at once; then only play, until the last game is over."""
    room, one_by_one = asyncio.Semaphore(wanted.at_once), defaultdict[str, asyncio.Lock](asyncio.Lock)
    async with trey, asyncio.TaskGroup() as tasks:

        async def turn(game_id: str) -> None:
            async with one_by_one[game_id], room:
                with reported(game_id):
                    await play(trey, choose, game_id)

        async def turns() -> None:
            async for game in trey.my_turns():
                tasks.create_task(turn(game["id"]))

        going = [tasks.create_task(each) for each in (turns(), Door(trey, wanted).stand())]
        with suppress(asyncio.CancelledError):  # by Ctrl-C, or by the group since one has failed
            await asyncio.wait(going, return_when=asyncio.FIRST_EXCEPTION)
        if any(each.done() for each in going):
            return
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        log.warning("The games that run are played to their end; nothing is accepted. Ctrl-C again ends at once.")
        going[1].cancel()
        while await is_playing(trey):
            await asyncio.sleep(LOOKED_EVERY)
        going[0].cancel()


async def is_playing(trey: AsyncTrey) -> bool:
    """Whether a game of one's own still runs, as far as is known."""
    with reported("list"):
        return bool([game async for game in held(trey, "setup", "playing")])
    return True


def main() -> None:
    """Read the options, and play."""
    parser = argparse.ArgumentParser(prog="python -m trey.bot", description="Play with a function of yours.")
    parser.add_argument("function", metavar="MODULE:FUNCTION")
    parser.add_argument("--server", default="http://127.0.0.1:8000")
    parser.add_argument("--at-once", type=int, default=8, help="how many games")
    accepted = parser.add_argument_group("invitations to accept; the others are declined, and the reason is said")
    accepted.add_argument("--game", nargs="+", help="such as threes castle")
    accepted.add_argument("--people", nargs="+", metavar="NAME", help="only where nobody else sits")
    for name, of in (("--seats", int), ("--per-turn", float)):
        accepted.add_argument(name, nargs=2, type=of, default=EVERYTHING, metavar=("LEAST", "MOST"))
    accepted.add_argument("--rooms", type=int, default=math.inf, help="at most so many that are not over")
    wanted = parser.parse_args()
    module, _, function = wanted.function.partition(":")
    if "TREY_TOKEN" not in os.environ:
        parser.error("TREY_TOKEN is not set: it is what `POST auth/login` returns, or made on your account page")
    logging.basicConfig(format="%(asctime)s %(message)s")
    try:
        trey = AsyncTrey(wanted.server, token=os.environ["TREY_TOKEN"])
    except ValueError as no:
        parser.error(str(no))
    refused: tuple[BaseException, ...] = ()
    try:
        asyncio.run(run(trey, getattr(importlib.import_module(module), function), wanted))
    except* (KeyboardInterrupt, Problem, Lost) as ended:
        refused = ended.exceptions
    sys.exit(" ".join(map(str, refused)) or None)


if __name__ == "__main__":
    main()
