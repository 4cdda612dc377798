"""Tables that an export of the log carries, because their rows cannot be made from the log."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models

from core.rows import fetch_all

BATCH = 500


class Table:
    """A model's table as a `Companion`: each row is the JSON that PostgreSQL makes of it.

    Columns that the export does not know get their defaults. A column that this database does not know is an error, and
    so is a different row with the same key.
    """

    def __init__(self, model: type[models.Model]) -> None:
        self._model = model
        self._table = _quoted(model._meta.db_table)  # noqa: SLF001  Django's public way to a model's fields
        self._key = _quoted(str(model._meta.pk.column))  # noqa: SLF001

    @property
    def name(self) -> str:
        """The table."""
        return self._model._meta.db_table  # noqa: SLF001

    def count(self) -> int:
        """Return the number of rows."""
        [(count,)] = self._asked("SELECT count(*) FROM {table}")
        return int(count)

    def dump(self) -> Iterator[Any]:
        """The rows, by their keys."""
        rows = self._asked("SELECT row_to_json(t)::text, {key} FROM {table} t ORDER BY {key} LIMIT %s", BATCH)
        while rows:
            yield from (json.loads(text) for text, _ in rows)
            after = "SELECT row_to_json(t)::text, {key} FROM {table} t WHERE {key} > %s ORDER BY {key} LIMIT %s"
            rows = self._asked(after, rows[-1][1], BATCH)

    def load(self, rows: Iterable[Any]) -> None:
        """Write missing rows. Raises DatabaseError, or ValueError for rows that do not fit."""
        waiting = iter(rows)
        while batch := list(islice(waiting, BATCH)):
            self._write(batch)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), [self._model]):
                cursor.execute(statement)

    def _write(self, batch: list[Any]) -> None:
        if not all(isinstance(row, dict) for row in batch):
            raise ValueError("a row is an object")
        names = list(batch[0])
        here = {field.column for field in self._model._meta.concrete_fields}  # noqa: SLF001
        if unknown := sorted(set(names) - here):
            raise ValueError(f"there is no column {unknown[0]!r} here")
        if not names:
            raise ValueError("there are no columns")
        if any(row.keys() != batch[0].keys() for row in batch):
            raise ValueError("the rows have different columns")
        columns, theirs, ours = (
            ", ".join(f"{prefix}{_quoted(name)}" for name in names) for prefix in ("", "new.", "t.")
        )
        new, text = f"json_populate_recordset(NULL::{self._table}, %s::json) new", json.dumps(batch)
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {self._table} ({columns}) SELECT {theirs} FROM {new} ON CONFLICT DO NOTHING",  # noqa: S608
                [text],
            )
        same = f"t.{self._key} = new.{self._key} AND ({ours}) IS NOT DISTINCT FROM ({theirs})"
        missing = f"FROM {new} WHERE NOT EXISTS (SELECT 1 FROM {self._table} t WHERE {same})"  # noqa: S608
        if others := self._asked(f"SELECT new.{{key}} {missing}", text):
            raise ValueError(f"another row has the place of {others[0][0]}")

    def _asked(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return fetch_all(statement.format(table=self._table, key=self._key), values)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
