"""DATABASE_URL, REDIS_URL and TREY_SITE_URL in the forms that Django, the Redis client and Celery want."""

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict
from redis import ConnectionPool

from config.environment import StartupError

_DATABASE_FORM = "must look like postgresql://user:password@host:5432/name"
_REDIS_FORM = "REDIS_URL must look like redis://host:6379/0, rediss://host:6379/0 or unix:///path?db=0"
_ONE_HOST = (
    "it has several hosts but must have one, such as a HAProxy in front of the primary (docs/operate/scaling.md)"
)
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


def database(url: str) -> dict[str, Any]:
    """Django's settings for the PostgreSQL database at `url`. Raises StartupError.

    `?host=/folder` is the folder of a socket.
    """
    if url.partition("://")[0] not in ("postgresql", "postgres"):
        raise StartupError(f"DATABASE_URL {_DATABASE_FORM}. Trey stores its data in PostgreSQL only.")
    try:
        options: dict[str, Any] = conninfo_to_dict(url)
    except ProgrammingError as error:
        # libpq may quote the address, with the password in it.
        reason = str(error).partition(" in URI: ")[0].strip()
        raise StartupError(f"DATABASE_URL {_DATABASE_FORM}: {reason}.") from None
    name, user, password, host, port = (options.pop(key, "") for key in ("dbname", "user", "password", "host", "port"))
    if not name or "/" in name:
        raise StartupError(f"DATABASE_URL {_DATABASE_FORM}. The name of the database is missing.")
    if "," in host:
        raise StartupError(f"DATABASE_URL {_DATABASE_FORM}: {_ONE_HOST}.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": user,
        "PASSWORD": password,
        "HOST": host,
        "PORT": port,
        "OPTIONS": options,
    }


def time_limits(options: str, **seconds: int) -> str:
    """The `options` of libpq with PostgreSQL's time-outs; those already in `options` stay as they are."""
    limits = " ".join(f"-c {name}={value}s" for name, value in seconds.items())
    # If a setting occurs twice, PostgreSQL takes the last one.
    return f"{limits} {options}".strip()


def redis(url: str) -> str:
    """The URL itself, if the Redis client understands it. Raises StartupError."""
    try:
        ConnectionPool.from_url(url)
    except ValueError as error:
        raise StartupError(f"{_REDIS_FORM}: {error}.") from None
    if "," in urlsplit(url).netloc:
        raise StartupError(f"{_REDIS_FORM}: {_ONE_HOST}.")
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
    """The host that this site's passkeys belong to. An IP address cannot have passkeys; localhost stands in for it."""
    host = urlsplit(site_url).hostname or "localhost"
    return "localhost" if ":" in host or host.replace(".", "").isdigit() else host


def broker(redis_url: str) -> str:
    """The same Redis in Celery's form, which has another scheme for sockets."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    number = parse_qs(parts.query).get("db", ["0"])[0]
    password = f":{parts.password}@" if parts.password else ""
    return f"redis+socket://{password}{parts.path}?virtual_host={number}"


def mail(url: str) -> dict[str, Any]:
    """Django's settings for sending mail by the server at `url`, to the console or into files. Raises StartupError."""
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
