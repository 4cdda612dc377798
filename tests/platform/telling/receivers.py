"""A receiver of webhooks on this machine, as good or as bad as a test wants it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any


@dataclass
class Receiver:
    """Answers as `behave` says; `got` has what was posted: path, headers, body."""

    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    behaviour: str = "answers"
    released: Event = field(default_factory=Event)
    sent_bytes: int = 0

    def __enter__(self) -> Receiver:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                receiver.got.append((self.path, dict(self.headers), body))
                getattr(receiver, receiver.behaviour)(self)

            def log_message(self, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook/s3cret-token"

    def answers(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(self.status)
        for name, value in self.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def hangs(self, handler: BaseHTTPRequestHandler) -> None:
        self.released.wait(60)

    def drips(self, handler: BaseHTTPRequestHandler) -> None:
        """A byte of the head of its answer at a time, so that no single read takes long."""
        try:
            for letter in b"HTTP/1.1 200 OK\r\nX-Drip: " + b"x" * 10_000:
                handler.wfile.write(bytes([letter]))
                handler.wfile.flush()
                if self.released.wait(0.05):
                    return
        except OSError:
            return

    def floods(self, handler: BaseHTTPRequestHandler) -> None:
        """Gigabytes."""
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(100_000):
                handler.wfile.write(b"x" * 65536)
                self.sent_bytes += 65536
        except OSError:
            return


def wait_until(true: Any, seconds: float = 20.0) -> None:
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it did not become true"
        Event().wait(0.02)
