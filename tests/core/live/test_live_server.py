"""The server of live streams by itself: bytes in, bytes out."""

import asyncio
import socket
from collections.abc import Awaitable, Callable

import pytest

from core.http.problems import Problem
from core.live import server
from core.live.server import Connection, Request

BUFFER = 16 * 1024


async def nothing(request: Request, connection: Connection) -> None:
    connection.respond(200, {"Content-Type": "text/plain"}, request.path.encode())


async def listening(respond: Callable[[Request, Connection], Awaitable[None]]) -> tuple[asyncio.Server, int]:
    started = await server.serve(respond, "127.0.0.1", 0, buffer=BUFFER)
    return started, started.sockets[0].getsockname()[1]


def exchanged(sent: bytes, respond: Callable[[Request, Connection], Awaitable[None]] = nothing) -> bytes:
    """What comes back for these bytes until the server closes."""

    async def run() -> bytes:
        started, port = await listening(respond)
        async with started:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            received = await asyncio.wait_for(reader.read(), 10)
            writer.close()
            return received

    return asyncio.run(run())


def test_a_request_in_parts_is_one_request() -> None:
    async def run() -> bytes:
        started, port = await listening(nothing)
        async with started:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for part in (b"GE", b"T /a%20b?x=1 HT", b"TP/1.1\r\nHost: h\r\n", b"\r\n"):
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(0)
            received = await reader.read()
            writer.close()
            return received

    assert asyncio.run(run()).endswith(b"\r\n\r\n/a b")


@pytest.mark.parametrize(
    "sent",
    [
        b"\x00\x01\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /" + b"x" * 100_000,
        b"GET / HTTP/1.1\r\nHost: \x00\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(sent: bytes) -> None:
    assert exchanged(sent).startswith(b"HTTP/1.1 400 ")


def test_an_error_is_a_500_that_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def fails(request: Request, connection: Connection) -> None:
        raise RuntimeError("secret")

    answer = exchanged(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", fails)
    assert answer.startswith(b"HTTP/1.1 500 ")
    assert b"secret" not in answer
    assert "no answer to GET /" in caplog.text


def test_a_problem_is_a_problem_document() -> None:
    async def refuses(request: Request, connection: Connection) -> None:
        raise Problem("not_found", "There is nothing at this address.")

    answer = exchanged(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", refuses)
    assert b"application/problem+json" in answer
    assert b'"code":"not_found"' in answer


def test_lv5_a_reader_that_does_not_read_is_cut_off_at_a_bounded_buffer() -> None:
    written = 0

    async def talks(request: Request, connection: Connection) -> None:
        nonlocal written
        connection.open_stream({})
        while not connection.closed:
            connection.send(b"x" * 1024)
            written += 1024
            await asyncio.sleep(0)

    async def run() -> None:
        started, port = await listening(talks)
        async with started:
            with socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.setblocking(False)
                loop = asyncio.get_running_loop()
                await loop.sock_connect(client, ("127.0.0.1", port))
                await loop.sock_sendall(client, b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                async with asyncio.timeout(20):
                    while not written or any(
                        not task.done() for task in asyncio.all_tasks() - {asyncio.current_task()}
                    ):
                        await asyncio.sleep(0.01)

    asyncio.run(run())
    # Ours, and twice as much in each kernel's: Linux doubles what is asked for.
    assert BUFFER < written < 8 * BUFFER


def test_a_slow_reader_is_waited_for() -> None:
    """Whoever sends a long past waits until it is read, instead of cutting the client off."""
    total = 64 * BUFFER

    async def sends(request: Request, connection: Connection) -> None:
        connection.open_stream({})
        for _ in range(total // 1024):
            connection.send(b"x" * 1024)
            await connection.drained()
        connection.close()

    answer = exchanged(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", sends)
    assert len(answer.partition(b"\r\n\r\n")[2]) == total


def test_a_client_that_sends_no_request_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.05)
    assert exchanged(b"GET / HT") == b""
