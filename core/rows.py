"""Rows read by handwritten statements as JSON arrays, for which the ORM takes longer than PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from django.contrib.postgres.fields import ArrayField
from django.db import DEFAULT_DB_ALIAS, connection, models

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
    """A model instance made from a row. Columns that were left out are read on access."""
    return model.from_db(DEFAULT_DB_ALIAS, row.__struct_fields__, msgspec.structs.astuple(row))


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
