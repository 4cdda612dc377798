"""The application that granian serves: WSGI behind a gate that a slow client cannot block.

granian's own WSGI gives a thread to a request before its body has arrived, so a few clients that send a byte a second
take all threads. Here bodies are read in the event loop, in limited time and space: of too many, the one that has taken
longest is given up. A connection on which a body was left unread is closed after the response, because what follows on
it is the body, not another request.
"""

import asyncio
import io
import logging
import re
import sys
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple
from wsgiref.types import WSGIApplication

from django.conf import settings
from django.http import StreamingHttpResponse
from granian.rsgi import HTTPProtocol, ProtocolClosed, ProtocolError, Scope

from config.ops import metrics
from config.pages import refusal
from core.http.problems import Problem, internal_error
from core.http.throttling import address_in

# More than the largest body of any page. Calls of the API have smaller limits of their own.
LARGEST_BODY = 1024 * 1024
# The limit on all bodies on their way, in bytes. A limit on their number would refuse hundreds of clients that move at
# once.
BODIES = 8 * LARGEST_BODY
WAITING = 256
RETRY_AFTER = 2

_SESSION = re.compile(rf"\b{settings.SESSION_COOKIE_NAME}=[^;]*")

logger = logging.getLogger("trey.web")


class Client(NamedTuple):
    """Who sends a request: an address, and the token or session that it names, which need not exist."""

    address: str
    name: str


class Lane:
    """Threads for one kind of request, which addresses get in turn, and the clients at an address too.

    Not clients alone: anybody can name another token with each request. Up to `waiting` more requests queue for the
    threads, each for `patience` seconds at most. If there are more, the address with the most of them loses the newest
    of its client with the most: it gets 503, and so do those that have waited too long.
    """

    def __init__(self, name: str, threads: int, waiting: int = WAITING, patience: float | None = None) -> None:
        self._pool = ThreadPoolExecutor(threads, name)
        self._waiting = waiting
        self._patience = patience
        self._free = threads
        # By address and name, each in the order of their turns.
        self._queues: dict[str, dict[str, deque[asyncio.Future[None]]]] = {}

    async def run(self, client: Client, work: Callable[..., None], *arguments: object) -> None:
        """Do the work of a client in one of the threads. Raises Problem (busy)."""
        await self._turn(client)
        try:
            await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)
        finally:
            self._pass_on()

    async def _turn(self, client: Client) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client.address, {}).setdefault(client.name, deque()).append(turn)
        lengths = {each: sum(map(len, names.values())) for each, names in self._queues.items()}
        if sum(lengths.values()) > self._waiting:
            # Of those with equally many the one that was served last.
            address = max(reversed(lengths), key=lambda each: lengths[each])
            names = self._queues[address]
            name = max(reversed(names), key=lambda each: len(names[each]))
            if not (newest := self._take(Client(address, name), -1)).done():
                newest.set_exception(_busy())
        try:
            async with asyncio.timeout(self._patience):
                await turn
        except BaseException as error:
            queue = self._queues.get(client.address, {}).get(client.name, deque())
            if turn in queue:
                self._take(client, queue.index(turn))
            elif not turn.cancelled() and turn.exception() is None:
                self._pass_on()
            if isinstance(error, TimeoutError):
                raise _busy() from None
            raise

    def _take(self, client: Client, index: int) -> asyncio.Future[None]:
        """Take a request out of the queue of a client, whose others then wait behind those of all other clients."""
        names = self._queues.pop(client.address)
        queue = names.pop(client.name)
        turn = queue[index]
        del queue[index]
        if queue:
            names[client.name] = queue
        if names:
            self._queues[client.address] = names
        return turn

    def _pass_on(self) -> None:
        while self._queues:
            address, names = next(iter(self._queues.items()))
            if not (turn := self._take(Client(address, next(iter(names))), 0)).done():
                turn.set_result(None)
                return
        self._free += 1


def _busy() -> Problem:
    detail = "The server is busy. Try again soon."
    return Problem("busy", detail, status=503, headers={"Retry-After": str(RETRY_AFTER)})


class Gateway:
    """Runs a WSGI application in the threads of its lanes. `most_of` is the most bytes of a body that a path takes."""

    def __init__(
        self,
        application: WSGIApplication,
        lane_of: Callable[[str, str], Lane],
        body_seconds: float,
        most_of: Callable[[str], int] = lambda _: LARGEST_BODY,
    ) -> None:
        self._application = application
        self._lane_of = lane_of
        self._body_seconds = body_seconds
        self._most_of = most_of
        # The lengths of the bodies, in the order in which they began.
        self._bodies: dict[asyncio.Timeout, int] = {}

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        try:
            body = await self._body(scope, protocol)
            lane = self._lane_of(scope.method, scope.path)
            environ = environ_of(scope, body or b"")
            is_unread = body is None
            await lane.run(client_of(environ), self._run, environ, is_unread, protocol)
        except Problem as problem:
            _refuse(scope, protocol, problem)
        except Exception:
            logger.exception("no answer to %s %s", scope.method, scope.path)
            _refuse(scope, protocol, internal_error())

    async def _body(self, scope: Scope, protocol: HTTPProtocol) -> bytes | None:
        """The body. None if it is not read because the application refuses the request by its headers."""
        length = str(scope.headers.get("content-length", "0"))
        if "transfer-encoding" in scope.headers or not (length.isascii() and length.isdecimal()):
            return None
        if int(length) == 0:
            return b""
        if int(length) > self._most_of(scope.path):
            return None
        try:
            async with asyncio.timeout(self._body_seconds) as limit:
                self._bodies[limit] = int(length)
                self._make_room()
                try:
                    return await protocol()
                finally:
                    self._bodies.pop(limit, None)
        except TimeoutError:
            raise Problem("body_timeout", "The body did not arrive in time.", headers={"Connection": "close"}) from None
        except (ProtocolClosed, ProtocolError):
            raise Problem("malformed", "The body is shorter than its Content-Length.") from None

    def _make_room(self) -> None:
        while sum(self._bodies.values()) > BODIES:
            oldest = next(iter(self._bodies))
            del self._bodies[oldest]
            # RuntimeError: its time has run out at this very moment.
            with suppress(RuntimeError):
                oldest.reschedule(0)

    def _run(self, environ: dict[str, Any], is_unread: bool, protocol: HTTPProtocol) -> None:
        """Run the application in this thread, and send its response from here, since the event loop may be busy."""
        begun: list[tuple[int, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[[bytes], object]:
            begun.append((int(status[:3]), headers))
            return _no_write

        chunks = self._application(environ, start_response)
        try:
            arriving = iter(chunks)
            # What fails before its first part is ready is a response of its own.
            content = next(arriving, b"")
            status, headers = begun[-1]
            if is_unread:
                headers = [pair for pair in headers if pair[0] != "Connection"] + [("Connection", "close")]
            if isinstance(chunks, StreamingHttpResponse) and "Content-Length" not in chunks:
                stream = protocol.response_stream(status, headers)
                with suppress(ProtocolClosed):
                    for part in filter(None, chain((content,), arriving)):
                        # Nothing is awaited: granian keeps what the client has not read yet.
                        next(stream.send_bytes(part).__await__(), None)
            else:
                protocol.response_bytes(status, headers, content + b"".join(arriving))
        finally:
            if close := getattr(chunks, "close", None):
                close()


def client_of(environ: dict[str, Any]) -> Client:
    """Return who sends a request: the holder of a token or of a session, else everybody else at an address."""
    name = ""
    # A token is the same one however "Bearer" and the spaces are written.
    if words := environ.get("HTTP_AUTHORIZATION", "").split():
        name = words[-1]
    elif session := _SESSION.search(environ.get("HTTP_COOKIE", "")):
        name = session[0]
    return Client(address_in(environ), name)


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """The request as a WSGI environment (PEP 3333)."""
    server, _, port = scope.server.rpartition(":")
    environ: dict[str, Any] = {
        **_ALWAYS,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": server,
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
    }
    # Its stub leaves out get_all.
    headers: Any = scope.headers
    for name in headers.keys():  # noqa: SIM118  it is not a dict
        if "_" in name:
            continue  # it would pass for another one, such as the proxy's X-Forwarded-For
        key = name.upper().replace("-", "_")
        separator = "; " if key == "COOKIE" else ","
        # A value that is not ASCII arrives empty.
        value = separator.join(headers.get_all(name))
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
    environ.setdefault("HTTP_HOST", scope.authority or "")
    return environ


_ALWAYS: Mapping[str, Any] = {
    "GATEWAY_INTERFACE": "CGI/1.1",
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "granian",
    "wsgi.errors": sys.stderr,
    "wsgi.version": (1, 0),
    "wsgi.multiprocess": True,
    "wsgi.multithread": True,
    "wsgi.run_once": False,
}


def _refuse(scope: Scope, protocol: HTTPProtocol, problem: Problem) -> None:
    # No middleware sees these.
    metrics.count_failure(problem.status)
    headers, content = refusal(scope.path, problem, again="" if scope.method in ("GET", "HEAD") else None)
    protocol.response_bytes(problem.status, list(headers.items()), content)


def _no_write(_: bytes) -> object:
    raise NotImplementedError("write() of WSGI is not supported")
