"""The only way out for posts to addresses that people gave, with one rule on addresses.

Every address that the name resolves to must be public, and the connection goes to one that was checked: the name is not
looked up again. Redirects are not followed. The exchange takes at most `SECONDS`, and at most `MOST` bytes are read.
"""

import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
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
# The longest host name (RFC 1035).
_LONGEST = 253

IP = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Sequence[str]]

# IPv6 addresses that stand for an IPv4 address, which a gateway may route to the inside.
_EMBEDDING = tuple(ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))
# Not public either, which Python's own list does not know before 3.13: protocols, documentation, segments (SRv6).
_SPECIAL = tuple(ip_network(net) for net in ("192.0.0.0/24", "3fff::/20", "5f00::/16"))


class BadAddress(Exception):  # noqa: N818  a verdict
    """An address that may not be posted to, and why."""


class Unreachable(Exception):  # noqa: N818  a state of the receiver
    """A receiver that did not answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The response of a receiver: the status, the headers by lower-case names, and the beginning of the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def check_url(url: str) -> str:
    """The host of an address that may be posted to, as the resolver uses it (`xn--...`), without a look-up.

    Raises BadAddress. The address is parsed as the posting client parses it.
    """
    try:
        parts = httpx.URL(url)
        host, port = parts.raw_host.decode(), parts.port
        host.encode("idna")  # a label that is empty or too long has no address
    except (httpx.InvalidURL, UnicodeError):
        raise BadAddress("This is not an address.") from None
    schemes = ("http", "https") if settings.TREY_HOOKS_LOCAL else ("https",)
    if parts.scheme not in schemes:
        raise BadAddress("The address must begin with https://.")
    if not 1 <= len(host) <= _LONGEST or any(ord(letter) <= 32 for letter in url):
        raise BadAddress("This is not an address.")
    if port is not None and not 1 <= port <= 65535:
        raise BadAddress("This is not an address.")
    if parts.userinfo:
        raise BadAddress("The address cannot contain a username and password. Put a token into its path instead.")
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
    site_local = isinstance(address, IPv6Address) and address.is_site_local
    inside = any(address in network for network in (*_EMBEDDING, *_SPECIAL))
    if site_local or inside or not address.is_global or address.is_multicast or address.is_reserved:
        raise BadAddress(f"{address} is not a public address.")


def look_up(host: str, port: int) -> list[str]:
    """All addresses of a name, by the system's resolver. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    resolve: Resolve | None = None,
    seconds: float = SECONDS,
) -> Reply:
    """Post a body and return the response, whatever its status. Raises BadAddress, Unreachable."""
    check_url(url)
    ends = monotonic() + seconds
    try:
        line = _connected(httpx.URL(url), resolve or look_up, ends)
        return _exchange(line, url, body, headers)
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
        raise Unreachable(str(error) or type(error).__name__) from error


def _exchange(line: "_Line", url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
    to = httpx.URL(url)
    target = httpcore.URL(scheme=to.raw_scheme, host=to.raw_host, port=to.port, target=to.raw_path)
    always = {"User-Agent": AGENT, "Accept": "*/*", "Accept-Encoding": "identity", "Connection": "close"}
    sent: list[tuple[bytes | str, bytes | str]] = [*{**always, **headers}.items()]
    with (
        httpcore.HTTP11Connection(target.origin, line) as connection,
        connection.stream("POST", target, headers=sent, content=body) as answer,
    ):
        read = b""
        try:
            for chunk in answer.iter_stream():
                read += chunk
                if len(read) >= MOST:
                    break
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError):
            # The status has arrived; the rest does not matter.
            pass
        said = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in answer.headers}
        return Reply(answer.status, said, read[:MOST])


def _connected(url: httpx.URL, resolve: Resolve, ends: float) -> "_Line":
    """A connection to the first checked address that responds; for https the certificate must match the name."""
    host = url.raw_host.decode()
    stream = _first_that_answers(host, url.port or (443 if url.scheme == "https" else 80), resolve, ends)
    if url.scheme == "https":
        stream = stream.start_tls(_tls(), server_hostname=host, timeout=_left(ends))
    return _Line(stream, ends)


def _first_that_answers(host: str, port: int, resolve: Resolve, ends: float) -> httpcore.NetworkStream:
    addresses = _vetted(host, port, resolve, ends)
    for number, address in enumerate(addresses, 1):
        try:
            return httpcore.SyncBackend().connect_tcp(address, port, timeout=_left(ends))
        except httpcore.ConnectError:
            if number == len(addresses):
                raise
    raise httpcore.ConnectError(f"{host} has no address")


def _vetted(host: str, port: int, resolve: Resolve, ends: float) -> list[str]:
    """All addresses of a name. Raises httpcore.ConnectError if it has none, or one that is not public."""
    looking = _resolvers().submit(resolve, host, port)
    try:
        found = looking.result(timeout=_left(ends))
    except TooSlow:
        # If it has not begun, it never will: while names resolve slowly, look-ups that nobody waits for do not add up.
        looking.cancel()
        raise httpcore.ConnectTimeout(f"looking up {host} took too long") from None
    except (OSError, UnicodeError):
        found = []
    try:
        if not found:
            raise BadAddress("It has no address.")
        for address in found:
            check_ip(ip_address(address.partition("%")[0]))
    except BadAddress:
        if found and settings.TREY_HOOKS_LOCAL:
            raise
        # As if there was no such name: names and addresses that are known inside only are nobody's business.
        raise httpcore.ConnectError(f"{host} has no public address") from None
    return list(found)


class _Line(httpcore.NetworkStream):
    """A connection whose reads and writes end when the whole exchange has to, whatever timeout httpcore passes."""

    def __init__(self, below: httpcore.NetworkStream, ends: float) -> None:
        self._below = below
        self._ends = ends

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._below.read(max_bytes, timeout=_left(self._ends))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._below.write(buffer, timeout=_left(self._ends))

    def close(self) -> None:
        self._below.close()

    def get_extra_info(self, info: str) -> Any:
        return self._below.get_extra_info(info)


def _left(ends: float) -> float:
    left = ends - monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the exchange took too long")
    return left


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    context = httpx.create_ssl_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


@lru_cache(maxsize=1)
def _resolvers() -> ThreadPoolExecutor:
    # A look-up cannot be cancelled; one that hangs is abandoned.
    return ThreadPoolExecutor(32, thread_name_prefix="resolver")
