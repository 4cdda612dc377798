"""The results of a tournament as a spreadsheet, for people: a sheet of standings and one of games."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from io import BytesIO
from typing import Any

from django.http import HttpResponse
from xlsxwriter import Workbook

from tournaments.picture.wording import TIE_BREAKS, tie_break_value
from tournaments.picture.words import Picture
from tournaments.rules.exact import two_decimals

_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# A cell with a name in it is text, whatever it begins with.
_AS_TEXT = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


def results_file(picture: Picture) -> HttpResponse:
    """An .xlsx file (ECMA-376) with names as on the page. Points are rounded to two decimals, times are UTC."""
    written = BytesIO()
    with Workbook(written, {"in_memory": True, "remove_timezone": True, **_AS_TEXT}) as book:
        formats = [book.add_format({"bold": True, "bottom": 1}), book.add_format({"num_format": "d mmm yyyy, hh:mm"})]
        for title, rows in (("Standings", _standings(picture)), ("Games", _games(picture))):
            sheet = book.add_worksheet(title)
            sheet.freeze_panes(1, 0)
            for at, row in enumerate(rows):
                for column, value in enumerate(row):
                    is_time = hasattr(value, "isoformat")
                    sheet.write(at, column, value, formats[0] if at == 0 else formats[1] if is_time else None)
            sheet.autofit()
    name = f"{picture.tournament.slug}.xlsx"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(written.getvalue(), content_type=_TYPE, headers=headers)


def _standings(picture: Picture) -> Iterator[Sequence[object]]:
    standings = picture.reckoning.standings
    # Stages have tie-breaks of their own.
    tie_breaks = list(dict.fromkeys(name for row in standings for name in row["tie_breaks"]))
    with_byes = any(row["byes"] for row in standings)
    yield (
        "Place",
        "Entrant",
        _points_are(picture),
        "Games",
        *(["Byes"] if with_byes else []),
        "Status",
        "Separated from the row above by",
        *(TIE_BREAKS[name].capitalize() for name in tie_breaks),
    )
    for row, shown in zip(standings, picture.rows, strict=True):
        yield (
            row["place"],
            shown.name.text,
            _number(row["total"]),
            row["games"],
            *([row["byes"]] if with_byes else []),
            row["status"],
            shown.decided_by,
            *(tie_break_value(name, row["tie_breaks"].get(name)) for name in tie_breaks),
        )


def _games(picture: Picture) -> Iterator[Sequence[object]]:
    """A line for each entrant of a game that was played, in the order of the games."""
    yield "Game", "Ended (UTC)", "Entrant", "Place", _points_are(picture), "Counts"
    # What a stage carries from the one before counts as that stage has it (SG6).
    games = {game.id: (game, at) for at, stage in enumerate(picture.reckoning.stages) for game in stage.games}
    kept = [{row["entrant"]: set(row["kept"]) for row in stage.standings} for stage in picture.reckoning.stages]
    ended = {str(row.game): row.state.ended_at for row in picture.games}
    for game, at in games.values():
        for entrant, points, place in game.shares:
            counts = game.id in kept[at].get(entrant, ())
            name, where = picture.names[entrant].text, picture.where[game.id]
            shown = "absent" if place is None else place
            yield where, ended[game.id], name, shown, _number(points), "yes" if counts else "no"


def _points_are(picture: Picture) -> str:
    return "Penalty points" if picture.penalties else "Points"


def _number(exact: Any) -> float | None:
    return None if exact is None else float(two_decimals(Fraction(exact)))
