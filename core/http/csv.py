"""CSV files to download, whose cells a spreadsheet reads as what they are."""

import csv
import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from unicodedata import normalize

from django.http import HttpResponse

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
# What a spreadsheet takes for a number, a date or a truth value.
_VALUES = re.compile(
    r"[\s.,]*\d[\d\s.,:/%e+-]*|true|false"
    r"|(?=.*\d)\d*[\s./-]*(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?"
    r"|nov(ember)?|dec(ember)?)[\s./-]*\d*",
    re.IGNORECASE,
)


def csv_file(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """A CSV file (RFC 4180, UTF-8 with a BOM). A fraction has the fraction slash: 5/3 would be a date.

    A text that would be read as a formula, a number or a date begins with an apostrophe.
    """
    response = HttpResponse(
        "\ufeff",
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )
    writer = csv.writer(response)
    writer.writerow(header)
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return response


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(map(_cell, value))
    if isinstance(value, int | float | Decimal | date):
        return str(value)
    if isinstance(value, Fraction):
        return str(value).replace("/", "\N{FRACTION SLASH}")
    text = str(value)
    # Their full-width forms mean the same to a spreadsheet.
    read = normalize("NFKC", text)
    return f"'{text}" if read.startswith(_FORMULAS) or _VALUES.fullmatch(read) else text
