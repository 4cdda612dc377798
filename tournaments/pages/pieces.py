"""The pieces of a tournament's page that depend on its stream alone, drawn once per version with marks for names.

Open games are drawn with the page, since whom they wait for can change without a new version.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, QuerySet

from tournaments import selectors
from tournaments.models import Round, TournamentGame
from tournaments.pages.drawing import rows_drawn, tables_drawn
from tournaments.picture import Picture
from tournaments.picture.tables import RoundLine

ROWS = 200
TABLES = 48
"""The most tables on the first page of a tournament and on a page of a round; the rest have pages of their own."""
ENDED = 12
"""The number of games that are over on the first page of a season."""
QUERY = "\0query\0"


@dataclass(frozen=True, slots=True)
class Pieces:
    """The drawn pieces of a version."""

    rows: str
    """The first page of the standings."""
    closed: Sequence[tuple[RoundLine, str]]
    """Closed rounds with their tables, newest first."""
    ended: str
    """A season's newest games that are over."""
    rooms: int
    """The number of games that a season has."""
    over: int
    """The number of them that are shown as over."""


def pieces_of(picture: Picture, base: str) -> Pieces:
    """The pieces for the first page of a tournament, of a picture with marks."""
    t = picture.tournament
    return Pieces(*selectors.kept_of_version(t, "pieces", t.version, lambda: _plain(_drawn(picture, base))))


def rounds_shown(rounds: Sequence[Round]) -> tuple[list[Round], list[Round]]:
    """The open rounds, or the newest one, as many as fit on the first page, and the others."""
    left, count = TABLES, 0
    for one in rounds:
        if one.tables > left or (count and one.closed_at is not None):
            break
        left, count = left - one.tables, count + 1
    return list(rounds[:count]), list(rounds[count:])


def open_games(picture: Picture) -> list[TournamentGame]:
    """A season's games that are not over, newest first, as many as fit on the first page."""
    return list(_rooms(picture).filter(outcome="open")[:TABLES])


def _plain(pieces: Pieces) -> tuple[Any, ...]:
    return pieces.rows, pieces.closed, pieces.ended, pieces.rooms, pieces.over


def _drawn(picture: Picture, base: str) -> Pieces:
    rows = str(rows_drawn(picture.rows[:ROWS], base, QUERY, leader=bool(picture.leaders)))
    shown, _ = rounds_shown(picture.round_rows)
    closed = picture.rounds_of([one for one in shown if one.closed_at is not None])
    drawn = [(replace(one, tables=()), str(tables_drawn(one.tables))) for one in closed]
    if picture.tournament.kind != "season":
        return Pieces(rows, drawn, "", 0, 0)
    going = _rooms(picture).filter(outcome="open").count()
    ended = list(_rooms(picture).filter(~Q(outcome="open"))[: max(0, min(ENDED, TABLES - going))])
    over = str(tables_drawn(picture.rooms_of(ended), heading=3))
    return Pieces(rows, drawn, over, _rooms(picture).count(), len(ended))


def _rooms(picture: Picture) -> QuerySet[TournamentGame]:
    return TournamentGame.objects.filter(tournament=picture.tournament, round=None).order_by("-since", "-id")
