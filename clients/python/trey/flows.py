"""What goes on for longer than one call: streams, turns, and logging in (AP19, AP20); once for both clients."""

import json
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from inspect import isawaitable
from typing import Any, TypedDict
from urllib.parse import urljoin

import httpx

from .call import BUSY, LONGEST_PAUSE, Call, Caller, Problem
from .schema import Game, Token

OVER = {"finished", "cancelled"}
LISTED_EVERY = 60.0
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


class LiveEvent(TypedDict):
    """One event of a stream, as docs/live.md lists them; `id` is null where there is nothing to resume."""

    event: str
    id: int | None
    data: Any


class Blocks:
    """Bytes of a stream, cut into events. Lines end at LF, CR and CRLF only: data may hold U+2028."""

    def __init__(self) -> None:
        self._rest, self._skips_lf = b"", False
        self._lines: list[str] = []

    def feed(self, part: bytes) -> list[LiveEvent]:
        """The events that end in these bytes."""
        if self._skips_lf and part.startswith(b"\n"):
            part = part[1:]
        self._skips_lf = part.endswith(b"\r")
        *lines, self._rest = re.split(rb"\r\n|\r|\n", self._rest + part)
        found = []
        for line in lines:
            if line:
                self._lines.append(line.decode())
                continue
            fields: dict[str, list[str]] = {}
            for name, _, value in (each.partition(":") for each in self._lines):
                fields.setdefault(name, []).append(value.removeprefix(" "))
            self._lines = []
            if "data" in fields:
                number, event = fields.get("id", [""])[-1], fields.get("event", ["message"])[-1]
                data = json.loads("\n".join(fields["data"]))
                found.append(LiveEvent(event=event, id=int(number) if number.isdecimal() else None, data=data))
        return found


class Stream:
    """A stream that is opened again whenever it ends, after the last event that came: `seen`."""

    def __init__(self, caller: Caller, seen: int | None, address: Callable[["Stream"], Awaitable[str | None]]) -> None:
        """`address` says before each time where to open it, or None when it is over."""
        self.caller, self.seen, self._address = caller, seen, address

    async def events(self) -> AsyncGenerator[LiveEvent, None]:
        async with aclosing(self.signs()) as signs:
            async for event in signs:
                if event:
                    yield event

    async def signs(self) -> AsyncGenerator[LiveEvent | None, None]:
        """Yield the events, and None before each attempt to connect and after each part that arrives."""
        pause = self.caller.pause
        while True:
            waits = pause
            yield None
            try:
                if (address := await self._address(self)) is None:
                    return
                async with aclosing(self._parts(address)) as parts:
                    blocks = Blocks()
                    async for part in parts:
                        waits = pause = self.caller.pause
                        for event in blocks.feed(part):
                            if self._is_new(event):
                                yield event
                        yield None
            except (httpx.TransportError, Problem) as lost:
                if isinstance(lost, Problem):
                    if lost.status < 500 and lost.status not in BUSY:
                        raise
                    waits = max(pause, lost.retry_after or 0)
            await self.caller.wire.pause(waits)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _parts(self, address: str) -> AsyncGenerator[bytes, None]:
        call = Call("GET", urljoin(f"{self.caller.url}/", address), query={"after": self.seen})
        request = self.caller.request(call, wait=self.caller.silence)
        response = await self.caller.wire.send(request, stream=True)
        if not response.is_success:
            raise Problem(response)
        async with aclosing(self.caller.wire.parts(response)) as parts:
            async for part in parts:
                yield part

    def _is_new(self, event: LiveEvent) -> bool:
        number = event["id"]
        if number is not None:
            if self.seen is not None and number <= self.seen:
                return False
            self.seen = number
        return True


async def watch(
    caller: Caller, /, game_id: str, after: int | None = None, *, invitation: str | None = None
) -> AsyncGenerator[LiveEvent, None]:
    """The events of a game after that version, or from now on, until it is over."""
    last: int | None = None

    async def address(stream: Stream) -> str | None:
        nonlocal last
        game = await caller.do(Call("GET", "/games/{}", (game_id,), query={"invitation": invitation}, etag=True))
        stream.seen = game["version"] if stream.seen is None else stream.seen
        last = game["version"] if game["status"] in OVER else None
        if last is not None and stream.seen >= last:
            return None
        return str(game["live_url"]) + (f"?{httpx.QueryParams(invitation=invitation)}" if invitation else "")

    async with aclosing(Stream(caller, after, address).events()) as events:
        async for event in events:
            yield event
            if event["event"] == "moved":
                is_end = event["data"]["type"] in {"finished", "called_off"}
                if is_end if last is None else event["data"]["version"] >= last:
                    return


def news(caller: Caller, /, after: int | None = None) -> AsyncGenerator[LiveEvent, None]:
    """What one is told after that number, or from now on, and which of one's games change."""

    async def address(stream: Stream) -> str:
        if stream.seen is None:
            page = await caller.do(Call("GET", "/me/notifications", query={"limit": 1}))
            stream.seen = page["results"][0]["number"] if page["results"] else 0
        return await my_stream(stream)

    return Stream(caller, after, address).events()


def results_live(caller: Caller, /, after: int | None = None) -> AsyncGenerator[LiveEvent, None]:
    """What ends after that number, or from now on."""

    async def address(stream: Stream) -> str:
        return (await my_stream(stream)).removesuffix("me/live") + "results/live"

    return Stream(caller, after, address).events()


async def my_stream(stream: Stream) -> str:
    """Where the stream of one's own games is; all others are beside it."""
    return str((await stream.caller.do(Call("GET", "/me")))["live_url"])


async def my_turns(caller: Caller) -> AsyncGenerator[Game, None]:
    """A game each time a turn of one's own begins; at the start and each minute those that wait."""
    listed = float("-inf")
    waiting: dict[str, tuple[int, Any]] = {}  # by game: its version, and what marks the turn
    async with aclosing(Stream(caller, None, my_stream).signs()) as signs:
        async for event in signs:
            try:
                if time.monotonic() - listed >= LISTED_EVERY:
                    async for game in pages(caller, lambda **keys: caller.do(Call("GET", "/me/turns", query=keys))):
                        waiting[game["id"]] = (game["version"], mark_of(game))
                        yield game
                    listed = time.monotonic()
                if not event or event["event"] != "game":
                    continue
                told, before = event["data"], waiting.get(event["data"]["id"])
                if not told["your_turn"]:
                    waiting.pop(told["id"], None)
                elif before is None or told["version"] > before[0]:
                    game = await caller.do(Call("GET", "/games/{}", (told["id"],), etag=True))
                    if game["your_seat"] in game["to_act"]:
                        waiting[game["id"]] = (game["version"], mark_of(game))
                        if before is None or before[1] != mark_of(game):
                            yield game
            except (httpx.TransportError, Problem):
                continue  # what is for good, the stream meets as well; the rest is listed again


def mark_of(game: Any) -> Any:
    """What tells a turn from the next one: its deadline, or without a clock the version."""
    return game["deadlines"].get(str(game["your_seat"])) or game["version"]


async def pages(_: Caller, method: Callable[..., Any], *places: Any, **keys: Any) -> AsyncGenerator[Any, None]:
    """The items of all pages of a list; `method` is one of the same client."""
    while True:
        answer = method(*places, **keys)
        page = await answer if isawaitable(answer) else answer
        for item in page["results"] if "results" in page else page["standings"]:
            yield item
        if not page["next"]:
            return
        keys = dict(httpx.URL(page["next"]).params)


async def wait_for_turn(caller: Caller, /, game_id: str) -> Game:
    """The game once it waits for one's own seat, or is over."""
    while True:
        game = await caller.do(Call("GET", "/games/{}", (game_id,), etag=True))
        seat = game["your_seat"]
        if game["status"] in OVER or seat in game["to_act"]:
            return game
        async with aclosing(watch(caller, game_id, game["version"])) as events:
            async for event in events:
                # Before the start the seat may still change.
                if event["event"] == "moved" and (game["status"] == "open" or seat in event["data"]["to_act"]):
                    break


async def log_in(caller: Caller, /, username: str, password: str, **more: Any) -> Token:
    """Take a token and use it; `scopes` and `token_name` are those of `POST auth/login`."""
    made = await caller.do(Call("POST", "/auth/login", body={"username": username, "password": password, **more}))
    caller.log_in_with(made["token"])
    return made


async def log_in_by_device(
    caller: Caller, /, client_id: str, scopes: Sequence[str], show: Callable[[Any], object]
) -> dict[str, Any]:
    """Have a player allow this program elsewhere, and use the token; `show`, maybe a coroutine, gets the letters."""
    asked = {"client_id": client_id, "scope": " ".join(scopes)}
    device = await caller.do(Call("POST", f"{caller.url}/oauth/device/code", form=asked))
    if isawaitable(shown := show(device)):
        await shown
    form = {"grant_type": DEVICE_GRANT, "device_code": device["device_code"], "client_id": client_id}
    interval = device["interval"]
    while True:
        await caller.wire.pause(interval)
        try:
            return await take_token(caller, form)
        except httpx.TransportError:
            continue
        except Problem as problem:
            if problem.code == "slow_down":
                interval += 5
            elif problem.code != "authorization_pending":
                raise


async def exchange(caller: Caller, /, code: str, verifier: str, client_id: str, redirect_uri: str) -> dict[str, Any]:
    """Take a token for the code with which a player came back, and use it (AP11)."""
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri, "client_id": client_id}
    return await take_token(caller, form | {"code_verifier": verifier})


async def take_token(caller: Caller, form: dict[str, str]) -> dict[str, Any]:
    """Ask for a token, and use it."""
    made = await caller.do(Call("POST", f"{caller.url}/oauth/token", form=form))
    caller.log_in_with(made["access_token"])
    return made
