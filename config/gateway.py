"""What granian serves: the WSGI application behind a gate that a slow client cannot block.

granian's own WSGI gives a thread to a request before its body has come, so a few clients that send a byte a second
take all threads. Here a body is read in the event loop, and a thread is taken for whole requests only. Bodies must
arrive in time; when more than `BODIES` are on their way, the one that has taken longest is given up, so that clients
that send at once always come through. Requests that are slow by nature have threads of their own, so that those waiting
for them hold up nobody else.
"""

import asyncio
import io
import logging
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from wsgiref.types import WSGIApplication

from granian.rsgi import HTTPProtocol, ProtocolClosed, ProtocolError, Scope  # type: ignore[attr-defined]

from games.http.problems import CONTENT_TYPE, Problem, content_of, internal_error

BODIES = 64
# More than the largest body that any page or call takes.
LARGEST_BODY = 1024 * 1024
WAITING = 256
RETRY_AFTER = 2

logger = logging.getLogger("trey.web")


class Lane:
    """Threads for one kind of request. Up to `waiting` more queue for them; any further request gets 503."""

    def __init__(self, name: str, threads: int, waiting: int = WAITING) -> None:
        self._pool = ThreadPoolExecutor(threads, name)
        self._most = threads + waiting
        self._present = 0

    async def run(self, work: Callable[..., None], *arguments: object) -> None:
        """Do the work in one of the threads. Raises Problem (busy)."""
        if self._present >= self._most:
            detail = "The server has too much to do. Try again soon."
            raise Problem("busy", detail, status=503, headers={"Retry-After": str(RETRY_AFTER)})
        self._present += 1
        try:
            await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)
        finally:
            self._present -= 1


class Gateway:
    """Runs a WSGI application in the threads of its lanes. A body must arrive within `body_seconds`.

    `lanes` are by method and path; all other requests use the `main` lane.
    """

    def __init__(
        self,
        application: WSGIApplication,
        main: Lane,
        body_seconds: float,
        lanes: Mapping[tuple[str, str], Lane] | None = None,
    ) -> None:
        self._application = application
        self._main = main
        self._body_seconds = body_seconds
        self._lanes = lanes or {}
        # In the order in which they began.
        self._bodies: dict[asyncio.Timeout, None] = {}

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        """Answer a request."""
        try:
            body = await self._body(scope, protocol)
            lane = self._lanes.get((scope.method, scope.path), self._main)
            await lane.run(self._run, scope, body, protocol)
        except Problem as problem:
            _refuse(protocol, problem)
        except Exception:
            logger.exception("no answer to %s %s", scope.method, scope.path)
            _refuse(protocol, internal_error())

    async def _body(self, scope: Scope, protocol: HTTPProtocol) -> bytes:
        """The body. Nothing of one that is too long or chunked: the application refuses it by its headers."""
        length = str(scope.headers.get("content-length", "0"))
        if not (length.isascii() and length.isdecimal() and 0 < int(length) <= LARGEST_BODY):
            return b""
        try:
            async with asyncio.timeout(self._body_seconds) as limit:
                self._make_room()
                self._bodies[limit] = None
                try:
                    return await protocol()
                finally:
                    self._bodies.pop(limit, None)
        except TimeoutError:
            raise Problem("body_timeout", "The body did not arrive in time.", headers={"Connection": "close"}) from None
        except (ProtocolClosed, ProtocolError):
            raise Problem("malformed", "The body is shorter than its Content-Length.") from None

    def _make_room(self) -> None:
        if len(self._bodies) >= BODIES:
            oldest = next(iter(self._bodies))
            del self._bodies[oldest]
            # RuntimeError: its time is up at this very moment.
            with suppress(RuntimeError):
                oldest.reschedule(0)

    def _run(self, scope: Scope, body: bytes, protocol: HTTPProtocol) -> None:
        """Run the application in this thread, and send its answer from here: the event loop may be busy."""
        begun: list[tuple[int, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[[bytes], object]:
            begun.append((int(status[:3]), headers))
            return _no_write

        chunks = self._application(environ_of(scope, body), start_response)
        try:
            protocol.response_bytes(*begun[-1], b"".join(chunks))
        finally:
            if close := getattr(chunks, "close", None):
                close()


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """The request as WSGI (PEP 3333) has it."""
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
    for name in headers.keys():  # noqa: SIM118  it is no dict
        key = name.upper().replace("-", "_")
        separator = "; " if key == "COOKIE" else ","
        # A value that is not ASCII comes as an empty one.
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


def _refuse(protocol: HTTPProtocol, problem: Problem) -> None:
    headers = {"Content-Type": CONTENT_TYPE, "Cache-Control": "no-store", **problem.headers}
    protocol.response_bytes(problem.status, list(headers.items()), content_of(problem).encode())


def _no_write(_: bytes) -> object:
    raise NotImplementedError("write() of WSGI is not supported")
