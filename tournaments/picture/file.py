from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.http import HttpResponse

from core.http.csv import csv_file
from tournaments import selectors
from tournaments.models import Tournament
from tournaments.picture.names import called_of, entrants_of
from tournaments.rules.exact import two_decimals
from tournaments.rules.tie_breaks import TIE_BREAKS

_COLUMNS = ("place", "entrant", "name", "total", "games", "byes", "adjusted", "status", "decided_by")
_EXACT = {"total", "adjusted", *TIE_BREAKS} - {"lot"}


def standings_file(tournament: Tournament, rows: Sequence[Mapping[str, Any]]) -> HttpResponse:
    """The rows with names as on the page, and beside each exact number its column with two decimals."""
    columns = [*_COLUMNS, *(rows[0]["tie_breaks"] if rows else ())]
    header = [name for column in columns for name in ([column, f"{column}_exact"] if column in _EXACT else [column])]
    called = {one.key: called_of(one) for one in entrants_of(tournament)}
    names = selectors.told_apart(called | {row["entrant"]: row["name"] for row in rows})

    def cells(row: Mapping[str, Any]) -> Iterator[object]:
        shown = {**row, **row["tie_breaks"], "name": names[row["entrant"]]}
        for column in columns:
            value = shown[column]
            if column not in _EXACT:
                yield value
            elif isinstance(value, list):
                yield [two_decimals(Fraction(number)) for number in value]
                yield [Fraction(number) for number in value]
            else:
                yield value and two_decimals(Fraction(value))
                yield value and Fraction(value)

    return csv_file(tournament.slug, header, (list(cells(row)) for row in rows))
