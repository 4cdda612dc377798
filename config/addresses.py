"""DATABASE_URL and REDIS_URL in the forms that Django, the Redis client and Celery want."""

from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

from config.errors import StartupError

_DATABASE_FORM = "DATABASE_URL must look like postgresql://user:password@host:5432/name"
_REDIS_FORM = "REDIS_URL must look like redis://host:6379/0, rediss://host:6379/0 or unix:///path?db=0"
# The options of libpq that people need. Anything else is probably a typo.
_DATABASE_OPTIONS = {
    "application_name",
    "channel_binding",
    "connect_timeout",
    "gssencmode",
    "keepalives",
    "keepalives_idle",
    "options",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "target_session_attrs",
    "tcp_user_timeout",
}


def database(url: str) -> dict[str, Any]:
    """Django's settings for the PostgreSQL database at `url`. `?host=/folder` is the folder of a socket.

    Raises:
        StartupError: this is not the URL of a PostgreSQL database.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise StartupError(f"{_DATABASE_FORM}: {error}.") from None
    if parts.scheme not in ("postgresql", "postgres"):
        raise StartupError(f"{_DATABASE_FORM}. Trey stores its data in PostgreSQL only.")
    name = unquote(parts.path[1:])
    if not name or "/" in name:
        raise StartupError(f"{_DATABASE_FORM}. The name of the database is missing.")
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    host = options.pop("host", None) or unquote(parts.hostname or "")
    unknown = sorted(set(options) - _DATABASE_OPTIONS)
    if unknown:
        raise StartupError(f"DATABASE_URL has an unknown option: {unknown[0]}.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(port or ""),
        "OPTIONS": options,
    }


def time_limits(options: str, **seconds: int) -> str:
    """Libpq's `options` with PostgreSQL's time-outs; those that `options` sets itself stay as they are."""
    limits = " ".join(f"-c {name}={value}s" for name, value in seconds.items())
    # Of two settings PostgreSQL takes the last.
    return f"{limits} {options}".strip()


def redis(url: str) -> str:
    """The URL itself, if the Redis client understands it. Raises StartupError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise StartupError(f"{_REDIS_FORM}: {error}.") from None
    if parts.scheme in ("redis", "rediss"):
        number = parts.path[1:] or parse_qs(parts.query).get("db", ["0"])[0]
        usable = bool(parts.hostname) and port != 0 and number.isdecimal()
    else:
        usable = parts.scheme == "unix" and len(parts.path) > 1
    if not usable:
        raise StartupError(f"{_REDIS_FORM}.")
    return url


def broker(redis_url: str) -> str:
    """The same Redis as Celery writes it: sockets have another scheme there."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    number = parse_qs(parts.query).get("db", ["0"])[0]
    password = f":{parts.password}@" if parts.password else ""
    return f"redis+socket://{password}{parts.path}?virtual_host={number}"
