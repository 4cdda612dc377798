"""Looking before starting: what would stop Trey is said in one sentence, before anything runs."""

import socket

import psycopg
import redis

from config.errors import StartupError

_OLDEST_POSTGRESQL = 15


def port_is_free(host: str, port: int) -> None:
    """Raise `StartupError` when the web server could not listen there."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
            # Two can bind with SO_REUSEADDR as long as neither listens.
            trial.listen(1)
    except PermissionError:
        raise StartupError(
            f"Port {port} needs more rights than this user has; choose one above 1023: PORT=8000."
        ) from None
    except OSError as error:
        if error.errno == 98 or "in use" in str(error):
            raise StartupError(
                f"Port {port} on {host} is taken by another program; stop it, or choose another port, "
                f"for example: make run PORT={port + 1 if port < 65535 else 8000}."
            ) from None
        raise StartupError(f"Trey cannot listen on {host}, port {port}: {error.strerror or error}.") from None


def database_answers(url: str) -> None:
    """Raise `StartupError` when no PostgreSQL that is new enough answers at DATABASE_URL."""
    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            found = connection.info.server_version // 10000
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[-1]
        raise StartupError(f"The database that DATABASE_URL names does not answer ({reason}).") from None
    if found < _OLDEST_POSTGRESQL:
        raise StartupError(f"DATABASE_URL names a PostgreSQL {found}; Trey needs {_OLDEST_POSTGRESQL} or newer.")


def redis_answers(url: str) -> None:
    """Raise `StartupError` when no Redis answers at REDIS_URL."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5) as client:
            client.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        raise StartupError(f"The Redis that REDIS_URL names does not answer ({error}).") from None
