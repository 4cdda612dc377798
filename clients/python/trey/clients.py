"""The two clients: the same methods, with and without `await`."""

from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from . import flows
from .call import Blocking, Call, Caller, Looping
from .schema import AsyncOperations, Operations
from .signing import authorize_url

P = ParamSpec("P")
T = TypeVar("T")
Items = AsyncGenerator[T, None]


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


def each(
    flow: Callable[Concatenate[Caller, P], AsyncGenerator[T, None]],
) -> Callable[Concatenate["Trey", P], Iterator[T]]:
    """A method that iterates over what a flow yields."""
    made: Any = wraps(flow)(lambda self, *places, **keys: iterate(flow(self, *places, **keys)))
    return made


class Trey(Caller, Operations):
    """A client of a Trey server. Each operation of the API is a method; docs/clients.md has what it does by itself.

    Raises Problem for what the server refuses, httpx.TransportError where it cannot be reached.
    """

    watch, news, results_live = each(flows.watch), each(flows.news), each(flows.results_live)
    pages, my_turns, wait_for_turn = each(flows.pages), each(flows.my_turns), one(flows.wait_for_turn)
    log_in, log_in_by_device, exchange = one(flows.log_in), one(flows.log_in_by_device), one(flows.exchange)
    authorize_url = authorize_url

    def __init__(self, url: str, *, token: str | None = None, **spans: float) -> None:
        super().__init__(Blocking(), url, token, **spans)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        run(self.wire.close())

    def _do(self, call: Call) -> Any:
        return run(self.do(call))


class AsyncTrey(Caller, AsyncOperations):
    """`Trey` for asyncio: the same methods, to await or to iterate over with `async for`."""

    watch, news, results_live, my_turns = flows.watch, flows.news, flows.results_live, flows.my_turns
    wait_for_turn, log_in, log_in_by_device = flows.wait_for_turn, flows.log_in, flows.log_in_by_device
    exchange, pages, authorize_url = flows.exchange, flows.pages, authorize_url

    def __init__(self, url: str, *, token: str | None = None, **spans: float) -> None:
        super().__init__(Looping(), url, token, **spans)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self.wire.close()

    async def _do(self, call: Call) -> Any:
        return await self.do(call)
