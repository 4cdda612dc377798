"""Checks before the start, so that obstacles are reported in one sentence."""

import socket
from collections.abc import Mapping
from typing import Any

import psycopg
import redis
from django.db import connection

from config.environment import StartupError

_OLDEST_POSTGRESQL = 15


def check_port(host: str, port: int, variable: str = "PORT") -> None:
    """Raise `StartupError` if a server could not listen there. `variable` of `make run` sets the port.

    granian's processes share their port, so a second server would share it, too, and get half of all requests.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
            # With SO_REUSEADDR two sockets can bind as long as neither listens.
            trial.listen(1)
    except PermissionError:
        raise StartupError(
            f"Port {port} needs more rights than this user has. Choose one above 1023: {variable}=8000."
        ) from None
    except OSError as error:
        if error.errno == 98 or "in use" in str(error):
            raise StartupError(
                f"Port {port} on {host} is in use by another program. Stop it or choose another port, "
                f"for example: make run {variable}={port + 10 if port < 65525 else 8000}."
            ) from None
        raise StartupError(f"Trey cannot listen on {host}, port {port}: {error.strerror or error}.") from None


def check_database() -> None:
    """Raise `StartupError` unless a PostgreSQL that is new enough responds at DATABASE_URL."""
    arguments: dict[str, Any] = {"connect_timeout": 5, **connection.get_connection_params()}
    try:
        with psycopg.connect(**arguments) as opened:
            found = opened.info.server_version // 10000
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[-1]
        raise StartupError(f"The database at DATABASE_URL does not respond ({reason}).") from None
    if found < _OLDEST_POSTGRESQL:
        raise StartupError(
            f"The database at DATABASE_URL is PostgreSQL {found}. Trey needs {_OLDEST_POSTGRESQL} or newer."
        )


def check_redis(settings: Mapping[str, Any]) -> None:
    """Raise `StartupError` unless a Redis responds at REDIS_URL, in the form of the settings of Django's cache."""
    try:
        pool = settings["OPTIONS"]["pool_class"].from_url(*settings["LOCATION"], timeout=5)
        with redis.Redis.from_pool(pool) as client:
            client.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        raise StartupError(f"The Redis at REDIS_URL does not respond ({error}).") from None
