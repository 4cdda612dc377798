"""The two clients: the same methods, with and without `await`."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx

from . import flows
from .call import Caller
from .flows import Page, Ranks
from .schema import AsyncOperations, Operations

P = ParamSpec("P")
T = TypeVar("T")


def run(coroutine: Any) -> Any:
    """What a coroutine returns that waits for no loop."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError("A client without `await` waited for a loop.")


def iterate(items: Any) -> Iterator[Any]:
    """The items of a generator that waits for no loop."""
    try:
        while True:
            yield run(anext(items))
    except StopAsyncIteration:
        return
    finally:
        run(items.aclose())


def one(flow: Callable[Concatenate[Caller, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate["Trey", P], T]:
    """A method that returns what a flow returns."""
    made: Any = wraps(flow)(lambda self, *places, **keys: run(flow(self, *places, **keys)))
    return made


def each(flow: Callable[Concatenate[Caller, P], AsyncIterator[T]]) -> Callable[Concatenate["Trey", P], Iterator[T]]:
    """A method that iterates over what a flow yields."""
    made: Any = wraps(flow)(lambda self, *places, **keys: iterate(flow(self, *places, **keys)))
    return made


class Trey(Caller, Operations):
    """A client of a Trey server. Each operation of the API is a method; docs/clients.md has what it does by itself.

    Raises Problem for what the server refuses, Lost where it cannot be reached. `http` is a client of your own.
    """

    watch, news, results_live = each(flows.watch), each(flows.news), each(flows.results_live)
    my_turns, wait_for_turn, exchange = each(flows.my_turns), one(flows.wait_for_turn), one(flows.exchange)
    log_in, log_in_by_device, authorize_url = one(flows.log_in), one(flows.log_in_by_device), flows.authorize_url

    def __init__(self, url: str, *, token: str | None = None, http: httpx.Client | None = None, **spans: float) -> None:
        super().__init__(http or httpx.Client(), url, token, **spans)
        self._is_own = http is None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._is_own:
            self._http.close()

    def pages(self, method: Callable[P, Page[T] | Ranks[T]], *places: P.args, **keys: P.kwargs) -> Iterator[T]:
        """The items of all pages of a list; `method` is one of the same client."""
        flow: Any = flows.pages
        return iterate(flow(self, method, *places, **keys))

    def with_headers(self, method: Callable[P, T], *places: P.args, **keys: P.kwargs) -> tuple[T, httpx.Headers]:
        """What the method of an operation returns, and the headers of the answer, such as its `ETag`."""
        flow: Any = flows.with_headers
        found: tuple[T, httpx.Headers] = run(flow(self, method, *places, **keys))
        return found

    def _do(self, *call: Any, **sent: Any) -> Any:
        return run(self.do(*call, **sent))


class AsyncTrey(Caller, AsyncOperations):
    """`Trey` for asyncio: the same methods, to await or to iterate over with `async for`."""

    watch, news, results_live, my_turns = flows.watch, flows.news, flows.results_live, flows.my_turns
    wait_for_turn, log_in, log_in_by_device = flows.wait_for_turn, flows.log_in, flows.log_in_by_device
    exchange, pages, with_headers, authorize_url = flows.exchange, flows.pages, flows.with_headers, flows.authorize_url

    def __init__(
        self, url: str, *, token: str | None = None, http: httpx.AsyncClient | None = None, **spans: float
    ) -> None:
        super().__init__(http or httpx.AsyncClient(), url, token, **spans)
        self._is_own = http is None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def _do(self, *call: Any, **sent: Any) -> Any:
        return await self.do(*call, **sent)
