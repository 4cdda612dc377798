"""DATABASE_URL, REDIS_URL and TREY_SITE_URL in the forms that Django, the Redis client and Celery want."""

from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

from config.errors import StartupError

_DATABASE_FORM = "DATABASE_URL must look like postgresql://user:password@host:5432/name"
_REDIS_FORM = "REDIS_URL must look like redis://host:6379/0, rediss://host:6379/0 or unix:///path?db=0"
_MAIL_FORM = (
    "TREY_MAIL_URL must look like smtp://user:password@host:25, smtp+tls://... (STARTTLS), smtps://..., console: or "
    "file:///folder"
)
# Scheme: the port, and which of Django's settings encrypts.
_SMTP: dict[str, tuple[int, str | None]] = {
    "smtp": (25, None),
    "smtp+tls": (587, "EMAIL_USE_TLS"),
    "smtps": (465, "EMAIL_USE_SSL"),
}
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


def site(url: str) -> str:
    """The origin of the site, such as https://trey.example.org. Raises StartupError."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise StartupError(f"TREY_SITE_URL must look like https://trey.example.org, not {url!r}.")
    return f"{parts.scheme}://{parts.netloc}"


def passkey_host(site_url: str) -> str:
    """The host that passkeys of this site belong to. An address can have none: there it is localhost."""
    host = urlsplit(site_url).hostname or "localhost"
    return "localhost" if ":" in host or host.replace(".", "").isdigit() else host


def broker(redis_url: str) -> str:
    """The same Redis as Celery writes it: sockets have another scheme there."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    number = parse_qs(parts.query).get("db", ["0"])[0]
    password = f":{parts.password}@" if parts.password else ""
    return f"redis+socket://{password}{parts.path}?virtual_host={number}"


def mail(url: str) -> dict[str, Any]:
    """Django's settings for sending mail by the server at `url`, onto the console, or into files of a folder.

    Raises:
        StartupError: this is no such address.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise StartupError(f"{_MAIL_FORM}: {error}.") from None
    backend = "django.core.mail.backends."
    if url.rstrip(":") == "console":
        return {"EMAIL_BACKEND": f"{backend}console.EmailBackend"}
    if parts.scheme == "file" and not parts.netloc and len(parts.path) > 1:
        return {"EMAIL_BACKEND": f"{backend}filebased.EmailBackend", "EMAIL_FILE_PATH": unquote(parts.path)}
    if parts.scheme not in _SMTP or not parts.hostname or port == 0 or parts.path.strip("/") or parts.query:
        raise StartupError(f"{_MAIL_FORM}.")
    usual, encrypts = _SMTP[parts.scheme]
    return {
        "EMAIL_BACKEND": f"{backend}smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or usual,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        **({encrypts: True} if encrypts is not None else {}),
    }
