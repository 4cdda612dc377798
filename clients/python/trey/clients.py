"""The two clients (AP19, AP20): the same methods, with and without `await`; and what verifies webhooks."""

import base64
import hashlib
import hmac
import json
import re
import secrets as lots
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from functools import wraps
from types import SimpleNamespace
from typing import Any, Concatenate, Generic, NotRequired, ParamSpec, Self, TypedDict, TypeVar
from urllib.parse import urlencode

import httpx

from .call import Caller, Lost, Problem, done, value_of
from .schema import Game, LiveOfGame, LiveOfPlayer, LiveOfResults, Operations, Token, WebhookEvent

OVER = {"finished", "cancelled"}
LISTED_EVERY = 60.0
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
P = ParamSpec("P")
T = TypeVar("T")
Granted = dict[str, Any]  # what RFC 6749 answers
Address = Callable[[int | None], Awaitable[tuple[str, int | None] | None]]


class Page(TypedDict, Generic[T]):
    results: list[T]
    next: str | None


class Ranks(TypedDict, Generic[T]):
    standings: list[T]
    next: NotRequired[str | None]


class AsyncTrey(Caller):
    """`Trey` for asyncio: the same methods, to await or to iterate over with `async for`."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def _stream(self, seen: int | None, address: Address, *, ticks: bool = False) -> AsyncGenerator[Any, None]:
        """The events of a stream that is opened again whenever it ends; None, too, at each attempt and after each part.

        `address` gets the last id that came, and says where it is and after which id to open it, or None if it is over.
        """
        pause = self.pause
        while True:
            if ticks:
                yield None
            no: Problem | Lost | None = None
            try:
                if (place := await address(seen)) is None:
                    return
                seen = place[1]
                async with aclosing(self._opened(*place)) as events:
                    async for event in events:
                        pause = self.pause
                        number = event and event["id"]
                        if number is None or seen is None or number > seen:
                            seen = seen if number is None else number
                            if event or ticks:
                                yield event
            except (Lost, Problem) as lost:
                no = lost
            pause = await self._rest("A stream", no, pause, statuses={429, *range(500, 600)})

    async def watch(
        self, game_id: str, after: int | None = None, *, invitation: str | None = None
    ) -> AsyncGenerator[LiveOfGame, None]:
        """The events of a game after that version, or from now on, until it is over."""
        last: int | None = None
        asked: Any = {"invitation": invitation} if invitation else {}

        async def address(seen: int | None) -> tuple[str, int] | None:
            nonlocal last
            game = await self.get_game(game_id, **asked)
            last = game["version"] if game["status"] in OVER else None
            seen = game["version"] if seen is None else seen
            return None if last is not None and seen >= last else (f"{game['live_url']}?{urlencode(asked)}", seen)

        async with aclosing(self._stream(after, address)) as events:
            async for event in events:
                yield event
                if event["event"] == "moved":
                    is_end = event["data"]["type"] in {"finished", "called_off"}
                    if is_end if last is None else event["data"]["version"] >= last:
                        return

    def news(self, after: int | None = None) -> AsyncGenerator[LiveOfPlayer, None]:
        """What one is told after that number, or from now on, and which of one's games change."""

        async def address(seen: int | None) -> tuple[str, int | None]:
            if seen is None:
                page = await self.my_notifications(limit=1)
                seen = page["results"][0]["number"] if page["results"] else 0
            return await self._beside("me/live", seen)

        return self._stream(after, address)

    def results_live(self, after: int | None = None) -> AsyncGenerator[LiveOfResults, None]:
        """What ends after that number, or from now on."""
        return self._stream(after, lambda seen: self._beside("results/live", seen))

    async def _beside(self, name: str, seen: int | None = None) -> tuple[str, int | None]:
        """Where a stream is: all are beside that of one's own games."""
        return (await self.my_profile())["live_url"].removesuffix("me/live") + name, seen

    async def my_turns(self) -> AsyncGenerator[Game, None]:
        """A game each time a turn of one's own begins; at the start and each minute those that wait."""
        listed = float("-inf")
        waiting: dict[str, Any] = {}  # of each game the version, and what tells its turn from the next
        async with aclosing(self._stream(None, lambda _: self._beside("me/live"), ticks=True)) as events:
            async for event in events:
                games: list[Game] = []
                try:
                    if time.monotonic() - listed >= LISTED_EVERY:
                        games = [game async for game in self.pages(self.list_my_turns)]
                        listed, waiting = time.monotonic(), {}
                    elif event and event["event"] == "game" and event["data"]["your_turn"]:
                        game_id, version = event["data"]["id"], event["data"]["version"]
                        if version > waiting.get(game_id, (0, None))[0]:
                            game = await self.get_game(game_id)
                            games = [game] if game["your_seat"] in game["to_act"] else []
                except (Lost, Problem):
                    continue  # what is for good, the stream meets as well; the rest is listed again
                for game in games:
                    turn = game["deadlines"].get(str(game["your_seat"])) or game["version"]
                    _, before = waiting.get(game["id"], (0, None))
                    waiting[game["id"]] = game["version"], turn
                    if turn != before:
                        yield game

    async def wait_for_turn(self, game_id: str) -> Game:
        """The game once it waits for one's own seat, or is over."""
        while True:
            game = await self.get_game(game_id)
            seat = game["your_seat"]  # before the start it may still change
            if game["status"] in OVER or seat in game["to_act"]:
                return game
            async with aclosing(self.watch(game_id, game["version"])) as events:
                async for event in events:
                    if event["event"] == "moved" and (game["status"] == "open" or seat in event["data"]["to_act"]):
                        break

    async def pages(
        self, method: Callable[P, Awaitable[Page[T] | Ranks[T]]], *places: P.args, **keys: P.kwargs
    ) -> AsyncGenerator[T, None]:
        """The items of all pages of a list; `method` is one of the same client."""
        ask: Any = method
        asked: Any = keys
        while asked is not None:
            page = await done(ask(*places, **asked))
            for item in page["results"] if "results" in page else page["standings"]:
                yield item
            asked = dict(httpx.URL(page["next"]).params) if page.get("next") else None

    async def with_headers(
        self, method: Callable[P, Awaitable[T]], *places: P.args, **keys: P.kwargs
    ) -> tuple[T, httpx.Headers]:
        """What the method of an operation returns, and the headers of the answer, such as its `ETag`."""
        ask: Any = method
        response = await ask.__func__(SimpleNamespace(_do=self._answer), *places, **keys)
        return value_of(response), response.headers

    async def log_in(self, /, username: str, password: str, **more: Any) -> Token:
        """Take a token and use it; `scopes` and `token_name` are those of `POST auth/login`."""
        return await self._take("/auth/login", body={"username": username, "password": password, **more})

    async def log_in_by_device(self, client_id: str, scopes: Sequence[str], show: Callable[[Any], object]) -> Granted:
        """Have a player allow this program elsewhere, and use the token; `show`, maybe async, gets the letters."""
        asked = {"client_id": client_id, "scope": " ".join(scopes)}
        device = await self._do("POST", f"{self.url}/oauth/device/code", form=asked)
        await done(show(device))
        form = {"grant_type": DEVICE_GRANT, "device_code": device["device_code"], "client_id": client_id}
        interval = device["interval"]
        while True:
            await self._wait(interval)
            try:
                return await self._take(f"{self.url}/oauth/token", form=form)
            except Lost as lost:
                if not self._may_heal(lost):
                    raise
            except Problem as problem:
                if problem.code not in {"authorization_pending", "slow_down"}:
                    raise
                interval += 5 * (problem.code == "slow_down")

    async def exchange(self, code: str, verifier: str, client_id: str, redirect_uri: str) -> Granted:
        """Take a token for the code with which a player came back, and use it (AP11)."""
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri, "client_id": client_id}
        return await self._take(f"{self.url}/oauth/token", form=form | {"code_verifier": verifier})

    async def _take(self, path: str, **sent: Any) -> Any:
        made = await self._do("POST", path, **sent)
        self.token = made.get("access_token") or made["token"]
        return made

    def authorize_url(self, client_id: str, redirect_uri: str, scopes: Sequence[str]) -> dict[str, str]:
        """The `url` to which a page sends a player who logs in (AP9), with a fresh `state` and `verifier` to keep."""
        state, verifier = lots.token_urlsafe(32), lots.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        asked = {
            "response_type": "code", "client_id": client_id, "redirect_uri": redirect_uri, "scope": " ".join(scopes),
            "state": state, "code_challenge": challenge, "code_challenge_method": "S256",
        }  # fmt: skip
        return {"url": f"{self.url}/oauth/authorize?{urlencode(asked)}", "state": state, "verifier": verifier}


def run(coroutine: Any) -> Any:
    """What a coroutine returns that waits for no loop."""
    try:
        coroutine.send(None)
    except StopIteration as ended:
        return ended.value
    raise RuntimeError("A client without `await` waited for a loop.")


def iterate(items: Any) -> Iterator[Any]:
    """The items of a generator that waits for no loop."""
    try:
        with suppress(StopAsyncIteration):
            while True:
                yield run(anext(items))
    finally:
        run(items.aclose())


def one(flow: Callable[Concatenate[AsyncTrey, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate["Trey", P], T]:
    made: Any = wraps(flow)(lambda self, *places, **keys: run(flow(self._trey, *places, **keys)))
    return made


def each(flow: Callable[Concatenate[AsyncTrey, P], AsyncIterator[T]]) -> Callable[Concatenate["Trey", P], Iterator[T]]:
    made: Any = wraps(flow)(lambda self, *places, **keys: iterate(flow(self._trey, *places, **keys)))
    return made


class Trey(Operations):
    """A client of a Trey server. Each operation of the API is a method; docs/build/clients.md says what else it does.

    Raises Problem for what the server refuses, Lost where it cannot be reached. `http` is a client of your own.
    """

    watch, news, results_live = each(AsyncTrey.watch), each(AsyncTrey.news), each(AsyncTrey.results_live)
    my_turns, wait_for_turn, exchange = each(AsyncTrey.my_turns), one(AsyncTrey.wait_for_turn), one(AsyncTrey.exchange)
    log_in, log_in_by_device = one(AsyncTrey.log_in), one(AsyncTrey.log_in_by_device)

    def __init__(self, url: str, *, token: str | None = None, http: httpx.Client | None = None, **spans: float) -> None:
        used: Any = http or httpx.Client()
        self._trey, self._own = AsyncTrey(url, token=token, http=used, **spans), None if http else used

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._own:
            self._own.close()

    @property
    def token(self) -> str | None:
        return self._trey.token

    @token.setter
    def token(self, token: str | None) -> None:
        self._trey.token = token

    def authorize_url(self, client_id: str, redirect_uri: str, scopes: Sequence[str]) -> dict[str, str]:
        """The `url` to which a page sends a player who logs in (AP9), with a fresh `state` and `verifier` to keep."""
        return self._trey.authorize_url(client_id, redirect_uri, scopes)

    def pages(self, method: Callable[P, Page[T] | Ranks[T]], *places: P.args, **keys: P.kwargs) -> Iterator[T]:
        """The items of all pages of a list; `method` is one of the same client."""
        return iterate(self._trey.pages(method, *places, **keys))  # type: ignore[arg-type]

    def with_headers(self, method: Callable[P, T], *places: P.args, **keys: P.kwargs) -> tuple[T, httpx.Headers]:
        """What the method of an operation returns, and the headers of the answer, such as its `ETag`."""
        return run(self._trey.with_headers(method, *places, **keys))  # type: ignore[arg-type]

    def _do(self, *call: Any, **sent: Any) -> Any:
        return run(self._trey._do(*call, **sent))  # noqa: SLF001


def verify(secrets: str | Sequence[str], headers: Mapping[str, str], body: bytes | str) -> WebhookEvent:
    """Return what a webhook posted, if it is signed with one of the secrets and at most five minutes old.

    As described by Standard Webhooks, over the body as it came. Raises ValueError.
    """
    named, raw = httpx.Headers(headers), body.encode() if isinstance(body, str) else body
    number, sent, signed = (named.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not (number and signed and re.fullmatch("[0-9]+", sent)):
        raise ValueError("The headers of a signed webhook are missing.")
    if abs(time.time() - int(sent)) > 300:
        raise ValueError("The webhook was signed more than five minutes ago, or is from the future.")
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except ValueError:
            raise ValueError("A webhook's secret is `whsec_` and base64.") from None
        made = b"v1," + base64.b64encode(hmac.digest(key, f"{number}.{sent}.".encode() + raw, "sha256"))
        if any(hmac.compare_digest(made, each.encode()) for each in signed.split()):
            return json.loads(raw)
    raise ValueError("The webhook is not signed with this secret.")
