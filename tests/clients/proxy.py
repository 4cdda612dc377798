"""A proxy between a client and the server: it cuts, is silent, and answers in its place. A fault is for one request."""

import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread


@dataclass(frozen=True)
class Fault:
    """What happens to the next request whose path has `where` in it."""

    where: str
    kind: str  # refused, lost (the server has it), unanswered, cut, silent, slow, instead
    after: int = 0  # bytes of the body, of cut, silent and slow
    instead: bytes = b""


@dataclass
class Proxy:
    """Its address, the faults to come, and the requests that came: method, path, status."""

    upstream: int
    faults: deque[Fault] = field(default_factory=deque)
    seen: list[tuple[str, str, int]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._stop, self._lock = Event(), Lock()
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._stop.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def fails(self, *faults: Fault) -> None:
        self.faults.extend(faults)

    def answers(self, where: str, status: str, body: bytes = b"{}", **headers: str) -> None:
        """Answer the next such request in place of the server."""
        named = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        self.fails(Fault(where, "instead", instead=f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body))

    def _accept(self) -> None:
        with suppress(OSError):
            while not self._stop.is_set():
                client, _ = self._listener.accept()
                Thread(target=self._serve, args=(client,), daemon=True).start()

    def _fault(self, path: str) -> Fault | None:
        with self._lock:
            for fault in self.faults:
                if fault.where in path:
                    self.faults.remove(fault)
                    return fault
        return None

    def _serve(self, client: socket.socket) -> None:
        with closing(client), suppress(OSError):
            request = _request(client)
            if not request:
                return
            method, path, _ = request.split(b"\r\n", 1)[0].decode().split(" ", 2)
            self.heads.append(request.split(b"\r\n\r\n")[0].decode())
            fault = self._fault(path)
            kind = fault.kind if fault else ""
            if fault and kind in {"refused", "instead"}:
                self.seen.append((method, path, 0))
                client.sendall(fault.instead)
                return
            with closing(socket.create_connection(("127.0.0.1", self.upstream))) as server:
                server.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
                self._relay(client, server, (method, path), fault)

    def _relay(  # noqa: C901  one connection, from its head to its end
        self, client: socket.socket, server: socket.socket, what: tuple[str, str], fault: Fault | None
    ) -> None:
        head, body = b"", b""
        while b"\r\n\r\n" not in head:
            if not (part := server.recv(65536)):
                return
            head += part
        head, _, body = head.partition(b"\r\n\r\n")
        self.seen.append((*what, int(head.split()[1])))
        kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
        out: Callable[[bytes], None] = client.sendall
        if fault and fault.kind in {"lost", "unanswered"}:
            while server.recv(65536):
                pass
            if fault.kind == "unanswered":
                client.recv(1)  # until it gives up
            return
        out(b"\r\n".join([*kept, b"Connection: close"]) + b"\r\n\r\n")
        left = fault.after if fault else None
        server.settimeout(0.2)
        while True:
            if left is not None and len(body) >= left:
                out(body[:left])
                if fault and fault.kind == "slow":
                    body, left = body[left:], fault.after
                    time.sleep(1)
                    continue
                if fault and fault.kind == "silent":
                    client.recv(1)
                return
            out(body)
            left = None if left is None else left - len(body)
            while True:
                try:
                    body = server.recv(65536)
                    break
                except TimeoutError:
                    if self._stop.is_set() or _is_gone(client):
                        return
            if not body:
                return


def _is_gone(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    finally:
        client.setblocking(True)


def _request(client: socket.socket) -> bytes:
    found = b""
    while b"\r\n\r\n" not in found:
        if not (part := client.recv(65536)):
            return b""
        found += part
    head, _, body = found.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while lengths and len(body) < int(lengths[0]):
        body += client.recv(65536)
    return head + b"\r\n\r\n" + body
