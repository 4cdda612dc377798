"""Lists as CSV files."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

MOST_ROWS = 10_000
# What a spreadsheet would take for a formula.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def csv_file(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """A CSV file to download; no cell is read as a formula."""
    response = HttpResponse(
        content_type="text/csv; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}.csv"'}
    )
    writer = csv.writer(response)
    writer.writerow(header)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return response


def csv_action(name: str) -> Callable[..., HttpResponse]:
    """The action "Download as CSV" of a list, with the columns that the list shows."""

    @admin.action(description="Download as CSV", permissions=["view"])
    def download(page: admin.ModelAdmin[Any], request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
        columns = [str(column) for column in page.get_list_display(request)]
        rows = ([_cell(page, row, column) for column in columns] for row in queryset[:MOST_ROWS])
        return csv_file(name, columns, rows)

    return download


def _cell(page: admin.ModelAdmin[Any], row: Any, column: str) -> object:
    own = getattr(page, column, None)
    return own(row) if callable(own) else getattr(row, column)


def _safe(value: object) -> object:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULAS) and not text.lstrip("-+").replace(".", "", 1).isdigit() else text
