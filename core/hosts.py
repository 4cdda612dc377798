"""The hosts in an address such as `user:password@one:5432,two:5432`."""

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True, slots=True)
class Hosts:
    """The user that connects, and the hosts to try in turn, each with its port (None: the usual one)."""

    user: str
    password: str
    hosts: tuple[tuple[str, int | None], ...]


def hosts_of(place: str) -> Hosts:
    """Read what stands between `//` and the path of an address. Raises ValueError, with what is wrong."""
    who, _, where = place.rpartition("@")
    user, _, password = who.partition(":")
    hosts = []
    for one in where.split(","):
        # A single host is read as in any address, including IPv6 in brackets.
        parts = urlsplit(f"//{one}")
        if not parts.hostname and "," in where:
            raise ValueError("a host between two commas has no name")
        if parts.port == 0:
            raise ValueError("there is no port 0")
        hosts.append((unquote(parts.hostname or ""), parts.port))
    return Hosts(unquote(user), unquote(password), tuple(hosts))
