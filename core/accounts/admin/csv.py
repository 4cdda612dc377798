"""CSV files to download."""

import csv
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

# The characters that a spreadsheet takes for the start of a formula.
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


def _safe(value: object) -> object:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULAS) and not text.lstrip("-+").replace(".", "", 1).isdigit() else text
