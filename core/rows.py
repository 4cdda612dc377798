"""Rows read by handwritten statements as JSON arrays, for which the ORM takes longer than PostgreSQL."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from django.contrib.postgres.fields import ArrayField
from django.db import DEFAULT_DB_ALIAS, connection, models, transaction
from django.db.models.base import ModelState

M = TypeVar("M", bound=models.Model)

_TYPES: dict[type, Any] = {models.UUIDField: UUID | None, models.DateTimeField: datetime | None}


def row_of(model: type[models.Model], *names: str) -> type[msgspec.Struct]:
    """Return the struct into which a JSON array of the model's columns (these, or all) is decoded."""
    fields = model._meta.concrete_fields  # noqa: SLF001  Django's public way to a model's fields
    typed = [(field.attname, _type_of(field)) for field in fields]
    return msgspec.defstruct(
        model.__name__, [(name, kind) for name, kind in typed if not names or name in names], array_like=True
    )


def _type_of(field: Any) -> Any:
    if isinstance(field, ArrayField):
        return list[_type_of(field.base_field)] | None  # type: ignore[misc]
    return _TYPES.get(type(getattr(field, "target_field", field)), Any)


def array_of(alias: str, row: type[msgspec.Struct]) -> str:
    """The SQL of that array, of the table with this alias."""
    columns = ", ".join(f'{alias}."{name}"' for name in row.__struct_fields__)
    return f"json_build_array({columns})"


def instance_of(model: type[M], row: msgspec.Struct) -> M:
    """A model instance made from a row, without the signals of `Model.__init__`, which takes three times as long.

    Columns that were left out are read on access.
    """
    instance = model.__new__(model)
    instance.__dict__ |= msgspec.structs.asdict(row)
    instance._state = ModelState()  # noqa: SLF001  as in Django's example of `from_db`
    instance._state.adding, instance._state.db = False, DEFAULT_DB_ALIAS  # noqa: SLF001
    return instance


def fetch_all(query: str, values: Sequence[Any] | Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def execute(query: str, values: Sequence[Any] | Mapping[str, Any] | None = None) -> int:
    """The number of rows that the statement has changed."""
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return int(cursor.rowcount)


@contextmanager
def as_of_one_moment() -> Iterator[None]:
    """All statements within see the database as of the first of them, unless a transaction has begun before."""
    within = connection.in_atomic_block
    with transaction.atomic():
        if not within:
            execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield
