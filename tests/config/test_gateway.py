"""How a request reaches the application."""

import asyncio
import threading
from types import SimpleNamespace
from typing import Any

from config.gateway import Client, Lane, client_of, environ_of
from core.http.problems import Problem


class Headers:
    """granian's: names in lower case, each with all its values."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self._pairs = pairs

    def keys(self) -> list[str]:
        return list(dict.fromkeys(name for name, _ in self._pairs))

    def get_all(self, wanted: str) -> list[str]:
        return [value for name, value in self._pairs if name == wanted]


def environ(*pairs: tuple[str, str]) -> dict[str, Any]:
    scope: Any = SimpleNamespace(
        server="127.0.0.1:8000", client="10.0.0.2:5000", method="GET", path="/", query_string="", scheme="http",
        http_version="1.1", authority=None, headers=Headers(*pairs),
    )  # fmt: skip
    return environ_of(scope, b"")


def test_a_header_with_an_underscore_does_not_pass_for_the_one_with_a_dash() -> None:
    """A proxy replaces X-Forwarded-For, by which limits count addresses, but lets X_Forwarded_For through."""
    found = environ(("x-forwarded-for", "203.0.113.1"), ("x_forwarded_for", "192.0.2.1"), ("content_length", "9"))
    assert found["HTTP_X_FORWARDED_FOR"] == "203.0.113.1"
    assert "CONTENT_LENGTH" not in found
    assert "HTTP_X_FORWARDED_FOR" not in environ(("x_forwarded_for", "192.0.2.1"))


def test_values_of_a_header_that_comes_several_times_are_joined() -> None:
    found = environ(("accept", "a"), ("accept", "b"), ("cookie", "c=1"), ("cookie", "d=2"))
    assert (found["HTTP_ACCEPT"], found["HTTP_COOKIE"]) == ("a,b", "c=1; d=2")


def test_clients_get_threads_in_turn_and_the_one_with_most_requests_loses_its_newest() -> None:
    done: list[str] = []
    gate = threading.Event()

    def work(name: str) -> None:
        gate.wait()
        done.append(name)

    async def called() -> list[object]:
        lane = Lane("test", 1, waiting=4)
        calls = []
        for name in ("alice 1", "alice 2", "alice 3", "alice 4", "alice 5", "bob 1", "bob 2"):
            calls.append(asyncio.ensure_future(lane.run(Client("", name.split()[0]), work, name)))
            await asyncio.sleep(0)
        gate.set()
        return await asyncio.gather(*calls, return_exceptions=True)

    found = asyncio.run(called())
    assert done == ["alice 1", "bob 1", "alice 2", "bob 2", "alice 3"]
    refused = [one.status for one in found if isinstance(one, Problem)]
    assert refused == [503, 503]


def test_those_who_wait_too_long_are_refused_and_the_thread_goes_to_the_next() -> None:
    gate = threading.Event()

    async def called() -> list[object]:
        lane = Lane("test", 1, patience=0.01)
        first = asyncio.ensure_future(lane.run(Client("", "alice"), gate.wait))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        late = await asyncio.gather(*(lane.run(Client("", "bob"), gate.wait) for _ in range(3)), return_exceptions=True)  # type: ignore[arg-type]
        gate.set()
        return [*late, await first, await lane.run(Client("", "bob"), gate.wait)]  # type: ignore[arg-type]

    found = asyncio.run(called())
    assert [one.status if isinstance(one, Problem) else one for one in found] == [503, 503, 503, None, None]


def test_a_client_is_whoever_has_the_token_or_the_session() -> None:
    def one(*pairs: tuple[str, str]) -> Client:
        return client_of(environ(*pairs))

    assert one(("authorization", "Bearer a"), ("cookie", "sessionid=s")) == ("10.0.0.2", "a")
    assert one(("authorization", "bEARER   a")) == one(("authorization", "Bearer a"))
    assert one(("cookie", "a=1; sessionid=s; b=2")) == one(("cookie", "sessionid=s")) == ("10.0.0.2", "sessionid=s")
    assert one(("cookie", "mysessionid=s")) == one() == one(("authorization", " ")) == ("10.0.0.2", "")


def test_an_address_that_names_another_token_with_each_request_has_one_turn() -> None:
    done: list[str] = []
    gate = threading.Event()

    def work(name: str) -> None:
        gate.wait()
        done.append(name)

    async def called() -> list[object]:
        lane = Lane("test", 1, waiting=4)
        calls = []
        for address, name in (*(("mallory", f"{number}") for number in range(6)), ("alice", "a"), ("alice", "b")):
            calls.append(asyncio.ensure_future(lane.run(Client(address, name), work, f"{address} {name}")))
            await asyncio.sleep(0)
        gate.set()
        return await asyncio.gather(*calls, return_exceptions=True)

    found = asyncio.run(called())
    assert done == ["mallory 0", "alice a", "mallory 1", "alice b", "mallory 2"]
    assert [number for number, one in enumerate(found) if isinstance(one, Problem)] == [3, 4, 5]
