"""What the Python clients do in each scenario: `scenarios.py python|asyncio`; scenarios.ts has the same.

A scenario is a line that is read, `["calls", {...}]`. Each prints lines of JSON, and an empty one at its end. The tests
make the server and the proxy ready, and look at what came of it.
"""

import asyncio
import json
import sys
from inspect import isawaitable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "clients" / "python"))

import httpx
from trey import AsyncTrey, Problem, Trey, verify
from trey.call import cut

STREAMS = {"watch", "news", "results_live", "my_turns"}


class Awaited:
    """The client without `await`, awaited, so that one scenario is for both."""

    def __init__(self, trey: Trey) -> None:
        self.raw = trey

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.raw, name)

        async def awaited(*places: Any, **keys: Any) -> Any:
            return method(*places, **keys)

        return (lambda *places, **keys: items(method(*places, **keys))) if name in STREAMS else awaited


async def items(found: Any) -> Any:
    for item in found:
        yield item


def say(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def told(no: Problem) -> dict[str, Any]:
    names = ("status", "code", "detail", "errors", "scope", "retry_after", "request_id")
    return {name: getattr(no, name) for name in names}


async def calls(trey: Any, args: dict[str, Any]) -> None:
    """Call methods by name, one after the other, and say what each returned or why not."""
    for name, places, keys in args["calls"]:
        try:
            say(await getattr(trey, name)(*places, **keys))
        except Problem as no:
            say(told(no))
        except httpx.TransportError:
            say("lost")


async def follows(trey: Any, args: dict[str, Any]) -> None:
    """Say each event of a stream, at most so many."""
    left = args.get("count", 1_000_000)
    try:
        async for event in getattr(trey, args["stream"])(*args["places"], **args.get("keys", {})):
            say(event)
            left -= 1
            if not left:
                return
        say("over")
    except Problem as no:
        say(told(no))
    except httpx.TransportError:
        say("lost")


async def headers(trey: Any, args: dict[str, Any]) -> None:
    """Say what a method returns, and the ETag of its answer."""
    raw = getattr(trey, "raw", trey)
    found = raw.with_headers(getattr(raw, args["method"]), *args["places"], **args["keys"])
    value, named = await found if isawaitable(found) else found
    say([value, named["ETag"]])


async def makes(_: Any, args: dict[str, Any]) -> None:
    """Say of each address and token whether a client takes them, and what it says if not."""
    for url, token in args["clients"]:
        try:
            say(Trey(url, token=token).token)
        except (ValueError, httpx.InvalidURL) as no:
            say({"refused": str(no)})


async def lists(trey: Any, args: dict[str, Any]) -> None:
    """Say each item of a list."""
    raw = getattr(trey, "raw", trey)
    found = raw.pages(getattr(raw, args["method"]), *args["places"], **args["keys"])
    async for item in found if hasattr(found, "__aiter__") else items(found):
        say(item)


async def device(trey: Any, args: dict[str, Any]) -> None:
    async def show(device: Any) -> None:
        await asyncio.sleep(0)
        say(device)

    try:
        shown = say if isinstance(trey, Awaited) else show
        say(await trey.log_in_by_device(args["client_id"], args["scopes"], shown))
        say(await trey.my_profile())
    except Problem as no:
        say(told(no))


async def webhooks(_: Any, args: dict[str, Any]) -> None:
    for secrets, headers, body in args["posts"]:
        try:
            say(verify(secrets, headers, body))
        except ValueError as no:
            say({"refused": str(no)})


async def parts(_: Any, args: dict[str, Any]) -> None:
    """Say the events of a stream, and again where they are others when it comes in two or more parts."""
    raw = args["text"].encode()
    whole, _ = cut(raw)
    say(whole)
    for size in range(1, len(raw)):
        events, rest = [], b""
        for at in range(0, len(raw), size):
            more, rest = cut(rest + raw[at : at + size])
            events += more
        if events != whole:
            say({"size": size, "events": events})


async def page(trey: Any, args: dict[str, Any]) -> None:
    asked = getattr(trey, "raw", trey).authorize_url(args["client_id"], args["redirect_uri"], args["scopes"])
    say(asked)
    code = json.loads(sys.stdin.readline())
    say(await trey.exchange(code, asked["verifier"], args["client_id"], args["redirect_uri"]))
    say(await trey.my_profile())


async def plays(trey: Any, args: dict[str, Any]) -> None:
    """The bot of docs/build/clients.md, until so many games are over."""
    async for game in trey.my_turns():
        try:
            while moves := (await trey.legal_moves(game["id"]))["moves"]:
                await trey.play_move(game["id"], moves[0]["send"])
        except Problem as no:
            say(told(no))


SCENARIOS = {
    each.__name__: each for each in (calls, follows, headers, makes, lists, device, webhooks, parts, page, plays)
}


async def main(client: str, name: str, args: dict[str, Any]) -> None:
    spans = args.get("spans", {})
    if client == "asyncio":
        async with AsyncTrey(args["url"], token=args.get("token"), **spans) as trey:
            await SCENARIOS[name](trey, args)
    else:
        with Trey(args["url"], token=args.get("token"), **spans) as blocking:
            await SCENARIOS[name](Awaited(blocking), args)


if __name__ == "__main__":
    while line := sys.stdin.readline():
        asyncio.run(main(sys.argv[1], *json.loads(line)))
        sys.stdout.write("\n")
        sys.stdout.flush()
