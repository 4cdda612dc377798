"""A bot in one function: `python -m trey.bot MODULE:FUNCTION --server URL --at-once 8`, its token in TREY_TOKEN.

It accepts the invitations to rooms that its options let in, and plays. `FUNCTION(game, moves)` gets the game and its
legal moves, and returns the move to send, such as `moves[0]["send"]`; it may be a coroutine. At the first Ctrl-C it
accepts nothing more and ends with the last game that runs, at the second it ends at once.
"""

import argparse
import asyncio
import logging
import math
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pkgutil import resolve_name
from typing import Any

from . import AsyncTrey, Lost, Problem
from .call import done, told
from .clients import run
from .schema import Game, Notification

log = logging.getLogger("trey.bot")


@contextmanager
def reported(cause: str) -> Iterator[None]:
    """What goes wrong with one game is said, and ends no other."""
    try:
        yield
    except (Problem, Lost) as no:
        log.warning("Game %s: %s", cause, told(no))
    except Exception:
        log.exception("Game %s is left for its next turn", cause)


class Bot:
    def __init__(self, trey: AsyncTrey, choose: Callable[[Any, Any], Any], wanted: argparse.Namespace) -> None:
        self.trey, self.choose, self.wanted = trey, choose, wanted
        self.room, self.one_by_one = asyncio.Semaphore(wanted.at_once), defaultdict[str, asyncio.Lock](asyncio.Lock)

    async def run(self) -> None:
        """Accept and play until a Ctrl-C; then only play, until the last game is over."""
        async with self.trey, asyncio.TaskGroup() as tasks:
            playing, accepting = tasks.create_task(self.play(tasks)), tasks.create_task(self.accept())
            with suppress(asyncio.CancelledError):  # by Ctrl-C, or by the group since one has failed
                await asyncio.wait([playing, accepting], return_when=asyncio.FIRST_EXCEPTION)
            if playing.done() or accepting.done():
                return
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            log.warning("Running games are played to the end; no invitations are accepted. Ctrl-C again stops at once.")
            accepting.cancel()
            count = 1
            while count:
                await asyncio.sleep(5)
                with reported("list"):
                    count = await self.count("setup", "playing")
            playing.cancel()

    async def play(self, tasks: asyncio.TaskGroup) -> None:
        async for game in self.trey.my_turns():
            tasks.create_task(self.turn(game["id"]))

    async def turn(self, game_id: str) -> None:
        async with self.one_by_one[game_id], self.room:
            with reported(game_id):
                while moves := (await self.trey.legal_moves(game_id))["moves"]:
                    move = await asyncio.to_thread(run, self.chosen(await self.trey.get_game(game_id), moves))
                    await self.trey.play_move(game_id, await done(move))

    async def chosen(self, *given: Any) -> Any:
        """What the function returns. It is called within a coroutine, since a StopIteration is lost between threads."""
        return self.choose(*given)

    async def accept(self) -> None:
        """Answer every invitation to a room, also those that are unread."""
        unread = [one async for one in self.trey.pages(self.trey.my_notifications, unread=True)]
        for one in reversed(unread):  # the oldest first
            await self.answer(one)
        async for event in self.trey.news(max((one["number"] for one in unread), default=None)):
            if event["event"] == "notification":
                await self.answer(event["data"])

    async def answer(self, one: Notification) -> None:
        """Join the room of a notification, or say why not, if it is an invitation to one."""
        kind, game_id, *_ = one["cause"].split(":")
        door, _, code = (one["link"] or "").rpartition("/")
        if (one["kind"], kind, door) != ("invited", "game", "/join"):
            return
        with reported(game_id):
            invitation = {} if code == game_id else {"invitation": code}  # of a public room it is the id
            if why := await self.objection(await self.trey.get_game(game_id, **invitation)):
                log.warning("Declined: room %s, since %s.", game_id, why)
            else:
                await self.trey.join_game(game_id, **invitation)

    async def objection(self, room: Game) -> str | None:
        """Why a room is declined, if it is."""
        wanted, pace = self.wanted, (room["clock"] or {}).get("per_turn", math.inf)
        seated = {seat["player"]["username"] or "" for seat in room["players"] if seat["player"]}
        strangers = seated - {*(wanted.people or seated)}
        held = await self.count("open", "setup", "playing")
        (fewest, most), (fastest, slowest) = wanted.seats, wanted.per_turn
        objections = {
            f"it plays {room['game']}": room["game"] not in (wanted.game or {room["game"]}),
            f"{', '.join(sorted(strangers))} sits there": strangers,
            f"it has {room['seats']} seats": not fewest <= room["seats"] <= most,
            f"a turn has {pace} seconds" if room["clock"] else "it has no clock": not fastest <= pace <= slowest,
            f"there are already {wanted.rooms} rooms and games": held >= wanted.rooms,
        }
        return next((why for why, is_so in objections.items() if is_so), None)

    async def count(self, *statuses: Any) -> int:
        """How many rooms and games with a seat of one's own there are."""
        lists = [self.trey.pages(self.trey.list_games, mine=True, status=status) for status in statuses]
        return len([game for games in lists async for game in games])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m trey.bot", description="Play with a function of your own.")
    parser.add_argument("function", metavar="MODULE:FUNCTION")
    parser.add_argument("--server", default="http://127.0.0.1:8000")
    parser.add_argument("--at-once", type=int, default=8, help="how many games")
    accepted = parser.add_argument_group("invitations to accept; others are declined with a reason")
    accepted.add_argument("--game", nargs="+", help="such as threes castle")
    accepted.add_argument("--people", nargs="+", metavar="NAME", help="only if nobody else is at the table")
    for name, of in (("--seats", int), ("--per-turn", float)):
        accepted.add_argument(name, nargs=2, type=of, default=(-math.inf, math.inf), metavar=("LEAST", "MOST"))
    accepted.add_argument("--rooms", type=int, default=math.inf, help="the most unfinished games at a time")
    wanted = parser.parse_args()
    logging.basicConfig(format="%(asctime)s %(message)s")
    refused: tuple[BaseException, ...] = ()
    if not callable(choose := resolve_name(wanted.function)):
        parser.error(f"{wanted.function} is not a function. Give it as MODULE:FUNCTION")
    try:
        trey = AsyncTrey(wanted.server, token=os.environ["TREY_TOKEN"])
    except KeyError:
        parser.error("TREY_TOKEN is not set. Get a token from `POST auth/login`, or make one on your account page")
    except ValueError as no:
        parser.error(str(no))
    try:
        asyncio.run(Bot(trey, choose, wanted).run())
    except* (KeyboardInterrupt, Problem, Lost) as ended:
        refused = ended.exceptions
    sys.exit(" ".join(map(str, refused)) or None)


if __name__ == "__main__":
    main()
