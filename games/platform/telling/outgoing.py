"""One way out for all that is posted to addresses that people gave, with one rule on them (NT13).

Every address that the name resolves to must be public, and the vetted one is the one that is connected to: the look-up
happens here, once, and not again in the connection. No redirects are followed. The whole exchange takes at most
`SECONDS`, whatever the receiver does, and at most `MOST` bytes of the answer are read.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from time import monotonic
from typing import Any

import httpcore
import httpx
from django.conf import settings

SECONDS = 10.0
MOST = 64 * 1024
AGENT = "Trey"
# Of a host's name (RFC 1035).
_LONGEST = 253

IP = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Sequence[str]]

# Addresses of IPv6 that stand for one of IPv4, which a gateway may lead inside.
_EMBEDDING = tuple(ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))


class BadAddress(Exception):  # noqa: N818  a verdict
    """An address that nothing is posted to, and why."""


class Unreachable(Exception):  # noqa: N818  a state of the receiver
    """A receiver that did not answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a receiver answered: the status, its wish when to be asked again (seconds), the beginning of the body."""

    status: int
    retry_after: str | None
    body: bytes


def check_url(url: str) -> str:
    """The host of an address that may be posted to, as far as that can be said without a look-up. Raises BadAddress.

    It is read as the client reads it that posts there, and the host as the resolver asks for it (`xn--...`).
    """
    try:
        parts = httpx.URL(url)
        host, port = parts.raw_host.decode(), parts.port
        host.encode("idna")  # a label that is empty or too long has no address
    except (httpx.InvalidURL, UnicodeError):
        raise BadAddress("This is no address.") from None
    schemes = ("http", "https") if settings.TREY_HOOKS_LOCAL else ("https",)
    if parts.scheme not in schemes:
        raise BadAddress("The address must begin with https://.")
    if not 1 <= len(host) <= _LONGEST or any(ord(letter) <= 32 for letter in url):
        raise BadAddress("This is no address.")
    if port is not None and not 1 <= port <= 65535:
        raise BadAddress("This is no address.")
    if parts.userinfo:
        raise BadAddress("A name and password in the address are not sent. Put a token into its path.")
    try:
        literal = ip_address(host)
    except ValueError:
        return host
    check_ip(literal)
    return host


def check_ip(address: IP) -> None:
    """Raises BadAddress for an address that is not public."""
    if settings.TREY_HOOKS_LOCAL:
        if not address.is_loopback:
            raise BadAddress(f"{address} is not this machine: TREY_HOOKS_LOCAL permits no other.")
        return
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    if mapped is not None:
        check_ip(mapped)
        return
    inside = isinstance(address, IPv6Address) and (
        address.is_site_local or any(address in network for network in _EMBEDDING)
    )
    if inside or not address.is_global or address.is_multicast or address.is_reserved:
        raise BadAddress(f"{address} is not a public address.")


def look_up(host: str, port: int) -> list[str]:
    """All addresses of a name, by the system's resolver. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def post(
    url: str, body: bytes, headers: Mapping[str, str], *, resolve: Resolve | None = None, seconds: float = SECONDS
) -> Reply:
    """Post a body and return the answer, whatever its status.

    Raises BadAddress, and Unreachable for a receiver that does not answer, or takes too long.
    """
    check_url(url)
    try:
        return _exchange(url, body, headers, resolve or look_up, seconds)
    except httpx.HTTPError as error:
        raise Unreachable(str(error) or type(error).__name__) from error


def _exchange(url: str, body: bytes, headers: Mapping[str, str], resolve: Resolve, seconds: float) -> Reply:
    transport = _Vetted(_Network(resolve, monotonic() + seconds))
    sent = {"User-Agent": AGENT, "Accept-Encoding": "identity", "Connection": "close", **headers}
    with (
        httpx.Client(transport=transport, follow_redirects=False, trust_env=False) as client,
        client.stream("POST", url, content=body, headers=sent, timeout=seconds) as answer,
    ):
        read = b""
        try:
            for chunk in answer.iter_raw(4096):
                read += chunk
                if len(read) >= MOST:
                    break
        except httpx.HTTPError:
            # The status has come: what the rest would have said does not matter.
            pass
        return Reply(answer.status_code, answer.headers.get("Retry-After"), read[:MOST])


class _Network(httpcore.NetworkBackend):
    """Connects to vetted addresses only, and makes no exchange longer than its end."""

    def __init__(self, resolve: Resolve, ends: float) -> None:
        self._resolve = resolve
        self._ends = ends
        self._below = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002  httpcore's signature; the end of the exchange counts
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Look the name up, vet all its addresses, and connect to the first that answers."""
        addresses = self._addresses(host, port)
        for number, address in enumerate(addresses, 1):
            try:
                stream = self._below.connect_tcp(
                    address, port, timeout=_left(self._ends), socket_options=socket_options
                )
            except httpcore.ConnectError:
                if number == len(addresses):
                    raise
            else:
                return _Bounded(stream, self._ends)
        raise httpcore.ConnectError(f"{host} has no address")

    def _addresses(self, host: str, port: int) -> list[str]:
        try:
            found = _resolvers().submit(self._resolve, host, port).result(timeout=_left(self._ends))
        except TooSlow:
            raise httpcore.ConnectTimeout(f"looking up {host} took too long") from None
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(f"{host} cannot be looked up: {error}") from None
        for address in found:
            check_ip(ip_address(address.partition("%")[0]))
        return list(found)


class _Bounded(httpcore.NetworkStream):
    """A connection whose reads and writes all end when the exchange has to."""

    def __init__(self, below: httpcore.NetworkStream, ends: float) -> None:
        self._below = below
        self._ends = ends

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002  as above
        """Read some bytes."""
        return self._below.read(max_bytes, timeout=_left(self._ends))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Write all."""
        self._below.write(buffer, timeout=_left(self._ends))

    def close(self) -> None:
        """Close."""
        self._below.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        """The same connection, encrypted. The certificate must be the name's, whatever the address."""
        below = self._below.start_tls(ssl_context, server_hostname=server_hostname, timeout=_left(self._ends))
        return _Bounded(below, self._ends)

    def get_extra_info(self, info: str) -> Any:
        """What the connection below knows."""
        return self._below.get_extra_info(info)


class _Vetted(httpx.BaseTransport):
    """httpx over such a network."""

    def __init__(self, network: _Network) -> None:
        self._pool = httpcore.ConnectionPool(ssl_context=_tls(), network_backend=network)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """One exchange. Errors of the network become httpx's."""
        asked = httpcore.Request(
            request.method,
            httpcore.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
        )
        try:
            answer = self._pool.handle_request(asked)
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
            raise httpx.TransportError(str(error) or type(error).__name__) from error
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer))

    def close(self) -> None:
        """Close the connection."""
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Any:
        try:
            yield from self._answer.iter_stream()
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
            raise httpx.ReadError(str(error) or type(error).__name__) from error

    def close(self) -> None:
        self._answer.close()


def _left(ends: float) -> float:
    left = ends - monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the exchange took too long")
    return left


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return httpx.create_ssl_context()


@lru_cache(maxsize=1)
def _resolvers() -> ThreadPoolExecutor:
    # A look-up cannot be called off; one that hangs is left behind.
    return ThreadPoolExecutor(32, thread_name_prefix="resolver")
