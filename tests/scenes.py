"""Scenes that many tests begin with: the services make each once in a process, and then its rows are put back.

    made = remembered(f"a cup of {people}", lambda: a_cup(people))

A scene is known by its name, by those that were made before it in the same test, and by the time of the clock. It is
made anew where something else was written before it, where the clock runs, and where the test commits.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from django.db import connection, transaction
from psycopg import sql

from core import clock

T = TypeVar("T")

# What `migrate` writes, and no scene changes.
_ALWAYS_THERE = {"django_content_type", "auth_permission"}
_READS = ("SELECT", "SAVEPOINT", "RELEASE", "SET ", "SHOW ")


class _Kept(NamedTuple):
    rows: list[tuple[str, str]]
    result: Any


class Scenes:
    """The scenes of a test. `draw` has the lots of a scene follow from its name, whichever test makes it first."""

    _kept: dict[tuple[str, ...], _Kept] = {}

    def __init__(self, draw: Callable[[str], AbstractContextManager[None]]) -> None:
        self._draw = draw
        self._made: tuple[str, ...] | None = ()
        self._making = False

    def watch(self, execute: Any, statement: Any, *arguments: Any) -> Any:
        """A wrapper of statements: no scene is put back after something else was written."""
        if not self._making and not str(statement).lstrip().upper().startswith(_READS):
            self._made = None
        return execute(statement, *arguments)

    def remembered(self, name: str, make: Callable[[], T]) -> T:
        if self._making or self._made is None or clock._frozen is None or not rolled_back():
            return make()
        self._made = (*self._made, f"{name} at {clock.now()}")
        self._making = True
        try:
            if (kept := self._kept.get(self._made)) is not None:
                _put_back(kept.rows)
                return deepcopy(kept.result)
            with self._draw(" ".join(self._made)):
                made = make()
            self._kept[self._made] = _Kept(_rows(), deepcopy(made))
            return made
        finally:
            self._making = False


_now: Scenes | None = None
_committed: dict[str, _Kept] = {}


def begin(draw: Callable[[str], AbstractContextManager[None]] | None) -> None:
    """Begin a test, in which nothing was written yet. Without lots all its scenes are made anew."""
    global _now
    if _now is not None and _now.watch in connection.execute_wrappers:
        connection.execute_wrappers.remove(_now.watch)
    _now = Scenes(draw) if draw is not None else None
    if _now is not None:
        connection.execute_wrappers.append(_now.watch)


def remembered(name: str, make: Callable[[], T]) -> T:
    """What `make` returns: it is called, or the rows that it wrote before are put back."""
    return _now.remembered(name, make) if _now is not None else make()


def committed(name: str, make: Callable[[], T]) -> T:
    """The same for a test that commits, or a module, that begins with this scene: its rows come into empty tables.

    Where the clock runs, the times in them are those of when it was made.
    """
    key = f"{name} at {clock.now()}" if clock._frozen else name
    if (kept := _committed.get(key)) is None:
        with _now._draw(key) if _now is not None else nullcontext():
            made = make()
        _committed[key] = _Kept(_rows(), deepcopy(made))
        return made
    with transaction.atomic():
        _put_back(kept.rows)
    return deepcopy(kept.result)


def rolled_back() -> int:
    """How many transactions of Django's test cases are around what runs now: none if it commits."""
    return sum(getattr(block, "_from_testcase", False) for block in connection.atomic_blocks)


def _rows() -> list[tuple[str, str]]:
    """All rows as JSON, by their table."""
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = sorted(set(names) - _ALWAYS_THERE)
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for table in tables))
        full = [table for (table,) in cursor.fetchall()]
        cursor.execute(" UNION ALL ".join(f"SELECT '{table}', json_agg(t)::text FROM {table} t" for table in full))
        return list(cursor.fetchall())


def _put_back(rows: list[tuple[str, str]]) -> None:
    """In one go, without the triggers that keep the log as it is."""
    statements = [sql.SQL("SET LOCAL session_replication_role = replica")]
    for table, content in rows:
        insert = sql.SQL("DELETE FROM {0}; INSERT INTO {0} SELECT * FROM json_populate_recordset(NULL::{0}, {1})")
        statements.append(insert.format(sql.Identifier(table), sql.Literal(content)))
    statements.append(sql.SQL("SET LOCAL session_replication_role = DEFAULT"))
    with connection.cursor() as cursor:
        cursor.connection.execute(sql.SQL(";\n").join(statements))


def done_at(moment: datetime, act: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """What a service returns that takes the time from the clock, at a moment."""
    with clock.frozen(moment):
        return act(*arguments, **named)
