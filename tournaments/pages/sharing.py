"""The picture that messengers show of a link to a tournament: its title, the round, and who leads, plays or is in."""

from collections.abc import Sequence
from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from core.pictures import Row, answer_picture
from games.rules.words import listed
from tournaments.models import WAS_OPENED, Tournament
from tournaments.pages.contents import open_games, rounds_shown, words_of
from tournaments.picture import Picture
from tournaments.picture.tables import TableLine
from tournaments.picture.wording import Name
from tournaments.picture.words import terms_in_short
from tournaments.stream import Status

MOST_NAMES = 6


@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of a public tournament. A private one, and one that is being set up, has none: 404."""
    row = Tournament.objects.filter(WAS_OPENED, slug=slug, visibility="public").first()
    if row is None:
        raise Http404
    shown = Picture(row)
    return answer_picture(request, replace(words_of(shown), rows=rows_of(shown)))


def rows_of(picture_: Picture) -> list[Row]:
    """Return the first places. Before there are any: who plays. Before the start: the entrants, dates and mode."""
    t = picture_.tournament
    if picture_.leaders:
        placed = [row for row in picture_.rows if row.place is not None]
        # Points of a knockout are those of one table.
        return [Row(f"{row.place}.", row.name.text, "" if t.kind == "knockout" else row.total) for row in placed]
    now = _now(picture_) if t.status == Status.RUNNING else []
    if now and t.kind != "season":
        return now
    there = [] if now or picture_.is_over else _named("In", [name for name, _ in picture_.holders])
    dates = [Row(capfirst(word), f"{at.day} {at:%B %Y, %H:%M} UTC") for word, at in picture_.dates]
    terms = [] if picture_.has_started else [Row(*one) for one in terms_in_short(picture_.plan)]
    return [*now, *there, *dates, *terms]


def _now(picture_: Picture) -> list[Row]:
    is_cup = picture_.tournament.kind == "knockout"
    playing = [table for table in _tables(picture_) if any(game.status == "running" for game in table.games)]
    if is_cup and playing and picture_.round_rows[0].state.tables == 1:
        return [Row("" if at else "Final", name.text) for at, name in enumerate(playing[0].names)]
    at_tables = {name.key for table in playing for name in table.names}
    through = [row.name for row in picture_.rows if row.status == "in" and row.name.key not in at_tables]
    rows = [Row(f"Table {one.number}" if one.number else "Playing", _together(one.names)) for one in playing]
    return [*rows, *(_named("Through", through) if is_cup else ())]


def _tables(picture_: Picture) -> Sequence[TableLine]:
    if picture_.tournament.kind == "season":
        return picture_.rooms_of(open_games(picture_))
    rounds, _ = rounds_shown(picture_.round_rows)
    return [table for one in picture_.rounds_of(rounds) for table in one.tables]


def _named(what: str, names: Sequence[Name]) -> list[Row]:
    return [Row(what, _together(names))] if names else []


def _together(names: Sequence[Name]) -> str:
    shown = [name.text for name in (names if len(names) <= MOST_NAMES else names[: MOST_NAMES - 1])]
    return listed(shown if len(shown) == len(names) else [*shown, f"{len(names) - len(shown)} more"])
