"""Reading the SQL scripts in which pg_dump writes the rows of tables.

Archives of pg_dump can only be read by tools of its own version or newer, and go into servers of its version or newer.
The rows in a script are in the format of COPY, which all versions of PostgreSQL read and write alike.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.db import connection

from games.platform import log

_COPY = re.compile(rb'COPY public\.(\w+) \([\w", ]+\) FROM stdin;')
_SEQUENCE = re.compile(rb"SELECT pg_catalog\.setval\('public\.\w+', \d+, (?:true|false)\);")
# What prepares psql and the session: a newer version has settings that an older server does not know.
_PREPARES = re.compile(
    rb"|--.*|\\(un)?restrict \w+|SET \w+ = .*;|SELECT pg_catalog\.set_config\('search_path', '', false\);"
)
_COMPLETE = b"-- PostgreSQL database dump complete"


class BadScript(Exception):  # noqa: N818  named after what it says
    """What is wrong with a script, without a full stop."""


def is_script(file: Path) -> bool:
    """Return whether the file begins like a script of pg_dump, compressed or not. Raises BadScript."""
    return next(_lines(file), None) == (1, b"--")


def tables(file: Path) -> set[str]:
    """Return the names of the tables whose rows are in the script, after reading all of it. Raises BadScript."""
    return {step.table for step in _steps(file) if step.table}


def execute(file: Path) -> None:
    """Write the rows into the tables, which are there, in the caller's transaction.

    Raises BadScript, and DatabaseError for rows that do not fit.
    """
    with connection.wrap_database_errors, connection.cursor() as cursor:
        for step in _steps(file):
            if not step.table:
                cursor.execute(step.statement)
                continue
            with cursor.copy(step.statement) as copy:
                for row in step.rows:
                    copy.write(row + b"\n")


@dataclass(frozen=True, slots=True)
class _Step:
    """A statement; if it copies, also the table and its rows."""

    statement: str
    table: str = ""
    rows: Iterable[bytes] = ()


def _steps(file: Path) -> Iterator[_Step]:
    lines = _lines(file)
    complete = False
    for number, line in lines:
        if copy := _COPY.fullmatch(line):
            rows = _rows(lines)
            yield _Step(line.decode(), copy[1].decode(), rows)
            # Those that the caller did not want.
            deque(rows, maxlen=0)
        elif _SEQUENCE.fullmatch(line):
            yield _Step(line.decode())
        elif line == _COMPLETE:
            complete = True
        elif not _PREPARES.fullmatch(line):
            raise BadScript(f"line {number} is not what `manage.py backup accounts` writes")
    if not complete:
        raise BadScript("it is cut off")


def _rows(lines: Iterator[tuple[int, bytes]]) -> Iterator[bytes]:
    for _, line in lines:
        if line == b"\\.":
            return
        yield line
    raise BadScript("it is cut off")


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    try:
        for number, line in enumerate(log.lines_of(file), 1):
            yield number, line.removesuffix(b"\n")
    except OSError as error:
        raise BadScript(f"it cannot be read ({error})") from None
