"""The lowest baseline of `benchmarks/request_cost.py`: a plain WSGI function, without Django, on Trey's own server.

`GET /api/plain` reads one row by a prepared statement of psycopg, `POST /api/plain` inserts one. All else is Trey's.
"""

import json
from typing import Any

import django
from django.conf import settings

settings.ROOT_URLCONF = "benchmarks.bare"
django.setup()

from django.db import connection  # noqa: E402  Django is set up above
from psycopg_pool import ConnectionPool  # noqa: E402

from config.gateway import LARGEST_BODY, Gateway  # noqa: E402
from config.serving import lane_of  # noqa: E402
from config.wsgi import application  # noqa: E402

PATH = "/api/plain"
_READ = "SELECT id, text FROM bare_row WHERE id = %s"
_INSERT = "INSERT INTO bare_row (text) VALUES (%s) RETURNING id, text"
_parameters = connection.get_connection_params()
_pool = ConnectionPool(
    kwargs={key: _parameters[key] for key in ("dbname", "user", "password", "host", "port") if _parameters.get(key)}
    | {"autocommit": True},
    min_size=16,
    open=True,
)


def plain(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answer with the row that was read or inserted."""
    with _pool.connection() as database:
        if environ["REQUEST_METHOD"] == "GET":
            row = database.execute(_READ, [1], prepare=True).fetchone()
        else:
            row = database.execute(_INSERT, [json.load(environ["wsgi.input"])["text"]], prepare=True).fetchone()
    content = json.dumps(row).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(content)))])
    return [content]


def _application(environ: dict[str, Any], start_response: Any) -> Any:
    return (plain if environ["PATH_INFO"] == PATH else application)(environ, start_response)


gateway = Gateway(_application, lane_of, 10, lambda _: LARGEST_BODY)
