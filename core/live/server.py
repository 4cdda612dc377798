"""A small HTTP server for responses that stay open: h11 reads the request; a stream is plain bytes on the transport."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import parse_qsl, unquote

import h11

from core.http.problems import CONTENT_TYPE, Problem, content_of, internal_error
from core.refusals import Refused

# Seconds within which the head of a request must arrive.
HEAD_SECONDS = 10.0
# Connections that wait to be accepted.
BACKLOG = 2048

logger = logging.getLogger(__name__)

Headers = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Request:
    """A request without its body; names of `headers` are lower case, and of two the last one counts."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Headers


Respond = Callable[[Request, "Connection"], Awaitable[None]]


class Connection(asyncio.Protocol):
    """One client. It sends one request, and gets either a whole response or a stream."""

    __slots__ = ("_buffer", "_drained", "_http", "_limit", "_respond", "_task", "_transport", "on_close", "sent_at")

    def __init__(self, respond: Respond, buffer: int) -> None:
        self._respond, self._buffer = respond, buffer
        self._http: h11.Connection | None = h11.Connection(h11.SERVER)
        self._drained: asyncio.Event | None = None
        self._task: asyncio.Task[None] | None = None
        self.on_close: Callable[[], None] | None = None
        self.sent_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=self._buffer // 2, low=self._buffer // 8)
        self._limit: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(HEAD_SECONDS, self.abort)

    def data_received(self, data: bytes) -> None:
        if self._http is None or self._task is not None:
            return
        try:
            self._http.receive_data(data)
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                return
            request = _request_of(cast("h11.Request", event))
        except (h11.RemoteProtocolError, UnicodeDecodeError):
            self.refuse(Problem("bad_request", "The request could not be read."))
            return
        self._stop_timer()
        self._task = asyncio.get_running_loop().create_task(self._run(request))

    def pause_writing(self) -> None:
        self._drained = asyncio.Event()

    def resume_writing(self) -> None:
        if self._drained is not None:
            self._drained.set()
            self._drained = None

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  asyncio's signature
        self._stop_timer()
        self.resume_writing()
        if self._task is not None:
            self._task.cancel()
        if self.on_close is not None:
            self.on_close()
            self.on_close = None

    @property
    def closed(self) -> bool:
        return self._transport.is_closing()

    def respond(self, status: int, headers: Headers, body: bytes) -> None:
        self._send_head(status, {**headers, "Content-Length": str(len(body))})
        self._transport.write(body)
        self._transport.close()

    def refuse(self, problem: Refused, headers: Headers | None = None) -> None:
        """Respond with a problem; a stream that has begun just ends."""
        if self._http is None:
            self.close()
            return
        both = {"Content-Type": CONTENT_TYPE, "Cache-Control": "no-store", **(headers or {}), **problem.headers}
        self.respond(problem.status, both, content_of(problem).encode())

    def open_stream(self, headers: Headers) -> None:
        """Send the head of a response that ends when the connection does (RFC 9112, 6.3)."""
        self._send_head(200, headers)

    def send(self, data: bytes) -> None:
        """Send more of a stream. A client that does not read is disconnected once `buffer` bytes wait for it."""
        if self.closed:
            return
        self.sent_at = asyncio.get_running_loop().time()
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > self._buffer:
            self.abort()

    async def drained(self) -> None:
        if self._drained is not None:
            await self._drained.wait()

    def close(self) -> None:
        self._transport.close()

    def abort(self) -> None:
        self._transport.abort()

    async def _run(self, request: Request) -> None:
        try:
            await self._respond(request, self)
        except Refused as refused:
            self.refuse(refused)
        except Exception:
            logger.exception("no answer to %s %s", request.method, request.path)
            self.refuse(internal_error())
        finally:
            self._task = None

    def _send_head(self, status: int, headers: Headers) -> None:
        lines = [f"HTTP/1.1 {status} ", *(f"{name}: {value}" for name, value in headers.items()), "Connection: close"]
        self._transport.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        self._stop_timer()
        self._http = None

    def _stop_timer(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


def _request_of(event: h11.Request) -> Request:
    path, _, query = event.target.decode("ascii").partition("?")
    headers = {name.decode("ascii"): value.decode("latin-1") for name, value in event.headers}
    return Request(event.method.decode("ascii"), unquote(path), dict(parse_qsl(query, keep_blank_values=True)), headers)


async def serve(respond: Respond, host: str, port: int, *, buffer: int) -> asyncio.Server:
    """Listen, and have `respond` handle each request.

    `buffer` (bytes) limits what waits for one client in this process, and again in the kernel. Raises OSError if
    nothing can listen there.
    """
    loop = asyncio.get_running_loop()
    [(family, kind, protocol, _, address), *_] = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Connections inherit it.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
    try:
        listener.bind(cast("Any", address))
    except OSError:
        listener.close()
        raise
    return await loop.create_server(lambda: Connection(respond, buffer), sock=listener, backlog=BACKLOG)
