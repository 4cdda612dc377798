"""What goes on for longer than one call, once for both clients: streams, turns, logging in, webhooks (AP19, AP20)."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import secrets as lots
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from types import SimpleNamespace
from typing import Any, Generic, NotRequired, ParamSpec, TypedDict, TypeVar
from urllib.parse import urlencode, urljoin

import httpx

from .call import BUSY, LONGEST_PAUSE, Caller, Lost, Problem, done, log, problem_of, value_of
from .schema import Game, LiveOfGame, LiveOfPlayer, LiveOfResults, Token, WebhookEvent

OVER = {"finished", "cancelled"}
LISTED_EVERY = 60.0
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
P = ParamSpec("P")
T = TypeVar("T")


class Page(TypedDict, Generic[T]):
    results: list[T]
    next: str | None


class Ranks(TypedDict, Generic[T]):
    standings: list[T]
    next: NotRequired[str | None]


class Blocks:
    """Bytes of a stream, cut into events. Lines end at LF, CR and CRLF only: data may hold U+2028."""

    def __init__(self) -> None:
        self._rest, self._skips_lf = b"", False

    def feed(self, part: bytes) -> list[Any]:
        """The events that end in these bytes."""
        part = part.removeprefix(b"\n") if self._skips_lf else part
        self._skips_lf = part.endswith(b"\r")
        *blocks, self._rest = (self._rest + re.sub(rb"\r\n?", b"\n", part)).split(b"\n\n")
        found = []
        for block in blocks:
            fields: dict[str, list[str]] = {}
            for name, _, value in (line.partition(":") for line in block.decode().split("\n")):
                fields.setdefault(name, []).append(value.removeprefix(" "))
            if "data" in fields:
                number, event = fields.get("id", [""])[-1], fields.get("event", ["message"])[-1]
                data = json.loads("\n".join(fields["data"]))
                found.append({"event": event, "id": int(number) if number.isdecimal() else None, "data": data})
        return found


async def signs(
    caller: Caller, seen: int | None, address: Callable[[int | None], Awaitable[tuple[str, int | None] | None]]
) -> AsyncGenerator[Any, None]:
    """The events of a stream that is opened again whenever it ends, and None at each attempt and after each part.

    `address` gets the last id that came, and says where to open the stream and after which id, or None when it is over.
    """
    pause = caller.pause
    while True:
        waits, say, why = pause, log.info, ""
        yield None
        try:
            if (found := await address(seen)) is None:
                return
            where, seen = found
            async with aclosing(opened(caller, where, seen)) as parts:
                blocks = Blocks()
                async for part in parts:
                    waits = pause = caller.pause
                    for event in blocks.feed(part):
                        if event["id"] is None or seen is None or event["id"] > seen:
                            seen = seen if event["id"] is None else event["id"]
                            yield event
                    yield None
        except (Lost, Problem) as lost:
            if isinstance(lost, Problem):
                if lost.status < 500 and lost.status not in BUSY:
                    raise
                waits = max(pause, lost.retry_after or 0)
            elif not caller.may_heal(lost):
                raise
            say, why = log.warning, f" by {type(lost).__name__} {lost}"
        say("A stream was ended%s. Again in %.1f s.", why, waits)
        await caller.wait(waits)
        pause = min(2 * pause, LONGEST_PAUSE)


async def opened(caller: Caller, where: str, after: int | None) -> AsyncGenerator[bytes, None]:
    """What comes of a stream while it is open."""
    whole = urljoin(f"{caller.url}/", where)
    request = caller.request("GET", whole, query={"after": after}, wait=caller.silence)
    response = await caller.send(request, stream=True)
    if not response.is_success:
        raise problem_of(response)
    async with aclosing(caller.parts(response)) as parts:
        async for part in parts:
            yield part


async def events(*stream: Any) -> AsyncGenerator[Any, None]:
    """The events among the signs of a stream."""
    async with aclosing(signs(*stream)) as found:
        async for event in found:
            if event:
                yield event


async def watch(
    caller: Caller, /, game_id: str, after: int | None = None, *, invitation: str | None = None
) -> AsyncGenerator[LiveOfGame, None]:
    """The events of a game after that version, or from now on, until it is over."""
    last: int | None = None

    async def address(seen: int | None) -> tuple[str, int] | None:
        nonlocal last
        game = await caller.do("GET", "/games/{}", (game_id,), query={"invitation": invitation}, etag=True)
        last = game["version"] if game["status"] in OVER else None
        seen = game["version"] if seen is None else seen
        by = f"?{urlencode({'invitation': invitation})}" if invitation else ""
        return None if last is not None and seen >= last else (game["live_url"] + by, seen)

    async with aclosing(events(caller, after, address)) as found:
        async for event in found:
            yield event
            if event["event"] == "moved":
                is_end = event["data"]["type"] in {"finished", "called_off"}
                if is_end if last is None else event["data"]["version"] >= last:
                    return


def news(caller: Caller, /, after: int | None = None) -> AsyncGenerator[LiveOfPlayer, None]:
    """What one is told after that number, or from now on, and which of one's games change."""

    async def address(seen: int | None) -> tuple[str, int]:
        if seen is None:
            page = await caller.do("GET", "/me/notifications", query={"limit": 1})
            seen = page["results"][0]["number"] if page["results"] else 0
        return await my_stream(caller), seen

    return events(caller, after, address)


def results_live(caller: Caller, /, after: int | None = None) -> AsyncGenerator[LiveOfResults, None]:
    """What ends after that number, or from now on."""

    async def address(seen: int | None) -> tuple[str, int | None]:
        return (await my_stream(caller)).removesuffix("me/live") + "results/live", seen

    return events(caller, after, address)


async def my_stream(caller: Caller) -> str:
    """Where the stream of one's own games is; all others are beside it."""
    return str((await caller.do("GET", "/me"))["live_url"])


async def my_turns(caller: Caller) -> AsyncGenerator[Game, None]:
    """A game each time a turn of one's own begins; at the start and each minute those that wait."""

    async def address(_: Any) -> tuple[str, None]:
        return await my_stream(caller), None

    listed, waiting = float("-inf"), dict[str, Any]()
    async with aclosing(signs(caller, None, address)) as found:
        async for event in found:
            try:
                if is_due := time.monotonic() - listed >= LISTED_EVERY:
                    turns = pages(caller, lambda **keys: caller.do("GET", "/me/turns", query=keys))
                    games, listed, waiting = [game async for game in turns], time.monotonic(), {}
                elif event and event["event"] == "game" and event["data"]["your_turn"]:
                    before = waiting.get(event["data"]["id"])
                    if before and event["data"]["version"] <= before["version"]:
                        continue
                    game = await caller.do("GET", "/games/{}", (event["data"]["id"],), etag=True)
                    games = [game] if game["your_seat"] in game["to_act"] else []
                else:
                    continue
            except (Lost, Problem):
                continue  # what is for good, the stream meets as well; the rest is listed again
            for game in games:
                before = waiting.get(game["id"])
                waiting[game["id"]] = game
                if is_due or before is None or mark_of(before) != mark_of(game):
                    yield game


def mark_of(game: Any) -> Any:
    """What tells a turn from the next one: its deadline, or without a clock the version."""
    return game["deadlines"].get(str(game["your_seat"])) or game["version"]


async def pages(
    _: Caller, method: Callable[P, Awaitable[Page[T] | Ranks[T]]], *places: P.args, **keys: P.kwargs
) -> AsyncGenerator[T, None]:
    """The items of all pages of a list; `method` is one of the same client."""
    ask: Any = method
    asked: Any = keys
    while True:
        page = await done(ask(*places, **asked))
        for item in page["results"] if "results" in page else page["standings"]:
            yield item
        if not page["next"]:
            return
        asked = dict(httpx.URL(page["next"]).params)


async def with_headers(
    caller: Caller, method: Callable[P, Awaitable[T]], *places: P.args, **keys: P.kwargs
) -> tuple[T, httpx.Headers]:
    """What the method of an operation returns, and the headers of the answer, such as its `ETag`."""
    ask: Any = method
    response = await ask.__func__(SimpleNamespace(_do=caller.answer), *places, **keys)
    return value_of(response), response.headers


async def wait_for_turn(caller: Caller, /, game_id: str) -> Game:
    """The game once it waits for one's own seat, or is over."""
    while True:
        game = await caller.do("GET", "/games/{}", (game_id,), etag=True)
        seat = game["your_seat"]
        if game["status"] in OVER or seat in game["to_act"]:
            return game
        async with aclosing(watch(caller, game_id, game["version"])) as found:
            async for event in found:
                # Before the start the seat may still change.
                if event["event"] == "moved" and (game["status"] == "open" or seat in event["data"]["to_act"]):
                    break


async def log_in(caller: Caller, /, username: str, password: str, **more: Any) -> Token:
    """Take a token and use it; `scopes` and `token_name` are those of `POST auth/login`."""
    made = await caller.do("POST", "/auth/login", body={"username": username, "password": password, **more})
    caller.token = made["token"]
    return made


async def log_in_by_device(
    caller: Caller, /, client_id: str, scopes: Sequence[str], show: Callable[[Any], object]
) -> dict[str, Any]:
    """Have a player allow this program elsewhere, and use the token; `show`, maybe a coroutine, gets the letters."""
    asked = {"client_id": client_id, "scope": " ".join(scopes)}
    device = await caller.do("POST", f"{caller.url}/oauth/device/code", form=asked)
    await done(show(device))
    form = {"grant_type": DEVICE_GRANT, "device_code": device["device_code"], "client_id": client_id}
    interval = device["interval"]
    while True:
        await caller.wait(interval)
        try:
            return await take_token(caller, form)
        except Lost as lost:
            if not caller.may_heal(lost):
                raise
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
    made = await caller.do("POST", f"{caller.url}/oauth/token", form=form)
    caller.token = made["access_token"]
    return made


def authorize_url(caller: Caller, /, client_id: str, redirect_uri: str, scopes: Sequence[str]) -> dict[str, str]:
    """The `url` to which a page sends a player who logs in (AP9), with a fresh `state` and `verifier` to keep."""
    state, verifier = lots.token_urlsafe(32), lots.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    asked = {
        "response_type": "code", "client_id": client_id, "redirect_uri": redirect_uri, "scope": " ".join(scopes),
        "state": state, "code_challenge": challenge, "code_challenge_method": "S256",
    }  # fmt: skip
    return {"url": f"{caller.url}/oauth/authorize?{urlencode(asked)}", "state": state, "verifier": verifier}


def verify(secrets: str | Sequence[str], headers: Mapping[str, str], body: bytes | str) -> WebhookEvent:
    """Return what a webhook posted, if it is signed with one of the secrets and at most five minutes old.

    By Standard Webhooks, over the body as it came. Raises ValueError.
    """
    named = httpx.Headers(headers)
    number, sent, signed = (named.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not (number and signed and re.fullmatch("[0-9]+", sent)):
        raise ValueError("The headers of a signed webhook are not there.")
    if abs(time.time() - int(sent)) > 300:
        raise ValueError("The webhook was signed more than five minutes ago, or is from the future.")
    raw = body.encode() if isinstance(body, str) else body
    given = [each.removeprefix("v1,").encode() for each in signed.split() if each.startswith("v1,")]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except binascii.Error:
            raise ValueError("A webhook's secret is `whsec_` and base64.") from None
        made = base64.b64encode(hmac.digest(key, f"{number}.{sent}.".encode() + raw, "sha256"))
        if any(hmac.compare_digest(made, each) for each in given):
            found: WebhookEvent = json.loads(raw)
            return found
    raise ValueError("The webhook is not signed with this secret.")
