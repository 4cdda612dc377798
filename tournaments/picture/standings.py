from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import dropwhile
from typing import Any

from django.http import HttpResponse

from core import log
from core.http.csv import csv_file
from tournaments.models import Tournament
from tournaments.picture.wording import (
    TIE_BREAKS,
    Name,
    decimals,
    exact,
    ordinal,
    span,
    tie_break_value,
)
from tournaments.rules.counting import bye_worth
from tournaments.rules.exact import two_decimals
from tournaments.rules.settings import Settings
from tournaments.rules.tie_breaks import TIE_BREAKS as ALL_TIE_BREAKS
from tournaments.selectors import OfStage, Reckoned, Reckoning, names_of, reckoning_for, told_apart

# Nobody reads a larger crosstable.
MOST_IN_CROSSTABLE = 40


@dataclass(frozen=True, slots=True)
class StandingsRow:
    name: Name
    place: int | None
    total: str
    exact_total: str
    games: int
    byes: int
    status: str
    decided_by: str | None
    moved: int | None = None
    """The number of places it has gone up since the last round, or down (negative)."""
    fell_out_of: str | None = None
    """Of the first row below a cut: the title of the stage that these did not outlast."""
    cut: str = ""
    """Before another stage, in words: whether it is through, or cannot be any more (SG8)."""
    first_outside: bool = False
    """In the break: the first row that does not go on."""
    late: tuple[str, datetime] | None = None
    """Of who came in after the first game: before which round (in a season empty), and when."""

    @property
    def down(self) -> int:
        return -(self.moved or 0)


@dataclass(frozen=True, slots=True)
class GameLine:
    id: str
    where: str
    place: str
    points: str
    kept: bool
    opponents: Sequence[Name]
    replay: bool


@dataclass(frozen=True, slots=True)
class Sums:
    """What an entrant's total is made of, in a stage with this title."""

    title: str | None
    games: Sequence[GameLine]
    sums: Sequence[tuple[str, str]]
    total: str
    tie_breaks: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Details:
    """What a row is made of, and what can still happen to it (`bound`; empty for nothing).

    `stages` are those that the entrant was in, the last one first.
    """

    row: StandingsRow
    stages: Sequence[Sums]
    bound: Mapping[str, Any]

    @property
    def bounds(self) -> str:
        if not self.bound:
            return ""
        text = f"After the open games: {span(self.bound['round'])} by total."
        return f"{text} At the end: {span(self.bound['final'])}." if "final" in self.bound else text

    @property
    def needs(self) -> list[tuple[str, str]]:
        return [(ordinal(int(place)), span(to)) for place, to in self.bound.get("needs", {}).items()]

    @property
    def games(self) -> Sequence[GameLine]:
        """Those of its last stage."""
        return self.stages[0].games


def row_of(row: Mapping[str, Any], names: Mapping[str, Name], was: int | None = None, **more: Any) -> StandingsRow:
    return StandingsRow(
        name=names[row["entrant"]],
        place=row["place"],
        total=decimals(row["total"]),
        exact_total=exact(row["total"]),
        games=row["games"],
        byes=row["byes"],
        status=row["status"],
        decided_by=TIE_BREAKS[row["decided_by"]] if row["decided_by"] else None,
        moved=was - row["place"] if was is not None and row["place"] is not None else None,
        **more,
    )


@dataclass(frozen=True, slots=True)
class StageTable:
    """Who went on stands above a line, unless others stand between them now; then each row says it."""

    number: int
    title: str
    rows: Sequence[tuple[StandingsRow, bool]]
    """Each row, and whether it is to say that it went on."""
    below: str | None
    """The first one below the line."""


def stage_tables(stages: Sequence[OfStage], titles: Sequence[str], names: Mapping[str, Name]) -> list[StageTable]:
    found = []
    for number, (stage, title) in enumerate(zip(stages, titles, strict=False), 1):
        rows = [(row_of(row, names), row["stage"] > number) for row in stage.standings]
        others = [row.name.key for row, _ in dropwhile(lambda one: one[1], rows)]
        mixed = any(went_on and row.name.key in others for row, went_on in rows)
        below = others[0] if others and len(others) < len(rows) and not mixed else None
        found.append(StageTable(number, title, [(row, went_on and mixed) for row, went_on in rows], below))
    return found


def moved_since(tournament: Tournament, reckoning: Reckoning) -> tuple[str, Mapping[str, int | None]]:
    """What has moved places ("by round 2", "since 3 June"), and those before it; empty if nobody had played."""
    if tournament.kind == "season":
        since, version = reckoning.week or (None, 0)
        moved = f"since {since.day} {since:%B}" if since is not None else ""
    else:
        played = max((game.round or 0 for game in reckoning.games), default=0)
        moved, version = f"by {tournament.state.round_name(played)}", 0
        if tournament.kind == "rounds" and played > 1:
            seated = log.read(tournament.stream, types=["tournament.seated"], upto=tournament.version)
            version = next((event.version for event in seated if event.data["round"] == played), 0)
    then = reckoning_for(tournament, version) if version else None
    if then is None or not then.games:
        return "", {}
    return moved, {row["entrant"]: row["place"] for row in then.standings}


def lead_in(standings: Sequence[Mapping[str, Any]]) -> str | None:
    """How far the first place is ahead of the second, or None where it is shared."""
    placed = [row for row in standings if row["place"] is not None and row["total"] is not None]
    if len(placed) < 2 or placed[1]["place"] == 1:
        return None
    ahead = abs(Fraction(placed[0]["total"]) - Fraction(placed[1]["total"]))
    return decimals(ahead) if ahead else None


def sums_of(
    row: Mapping[str, Any],
    stage: OfStage,
    title: str | None,
    settings: Settings,
    names: Mapping[str, Name],
    *,
    where: Mapping[str, str],
) -> Sums:
    """The games and sums of a row of a stage; `where` says where each game was played, by id."""
    key, kept, lines, total = row["entrant"], set(row["kept"]), [], Fraction()
    for game in stage.games:
        if (share := next((share for share in game.shares if share[0] == key), None)) is None:
            continue
        _, points, place = share
        total += Fraction(points) if game.id in kept else 0
        lines.append(
            GameLine(
                id=game.id,
                where=where[game.id],
                place="absent" if place is None else ordinal(place),
                points=exact(points),
                kept=game.id in kept,
                opponents=[names[other] for other, _, at in game.shares if other != key and at is not None],
                replay=game.source == "game",
            )
        )
    tie_breaks = [(TIE_BREAKS[name], tie_break_value(name, value)) for name, value in row["tie_breaks"].items()]
    return Sums(title, lines, _sums(settings, row, total), exact(row["total"]), tie_breaks)


def _sums(settings: Settings, row: Mapping[str, Any], points: Fraction) -> list[tuple[str, str]]:
    penalty = settings.less_is_better
    sums = [("penalty points of the games" if penalty else "points of the kept games", exact(points))]
    if row["byes"] and settings.total == "sum" and not penalty:
        worth = exact(bye_worth(settings))
        sums.append((f"byes ({row['byes']}, each game of one worth {worth})", str(row["byes"])))
    if settings.prior:
        sums.append(("average games that everyone starts with", str(settings.prior)))
    if row["adjusted"] != "0":
        sums.append(("adjustments", exact(row["adjusted"])))
    return sums


Crosstable = Sequence[tuple[Name, Sequence[str]]]
"""The number of times each of a pair was better placed, row against column."""


def crosstable(games: Iterable[Reckoned], names: Sequence[Name]) -> Crosstable:
    won: defaultdict[tuple[str, str], Fraction] = defaultdict(Fraction)
    met: defaultdict[tuple[str, str], int] = defaultdict(int)
    for game in games:
        present = [(entrant, place) for entrant, _, place in game.shares if place is not None]
        for one, place in present:
            for other, behind in present:
                if one != other:
                    met[one, other] += 1
                    won[one, other] += Fraction(2 * (place < behind) + (place == behind), 2)

    def cell(one: str, other: str) -> str:
        if one == other:
            return ""
        return f"{decimals(won[one, other])}/{met[one, other]}" if met[one, other] else "·"

    return [(row, [cell(row.key, column.key) for column in names]) for row in names]


_COLUMNS = ("place", "entrant", "name", "total", "games", "byes", "adjusted", "status", "decided_by")
_EXACT = {"total", "adjusted", *ALL_TIE_BREAKS} - {"lot"}


def standings_file(tournament: Tournament, rows: Sequence[Mapping[str, Any]]) -> HttpResponse:
    """The rows with names as on the page, and beside each exact number its column with two decimals."""
    stage = ["stage"] if any("stage" in row for row in rows) else []
    # Stages have tie-breaks of their own.
    columns = [*_COLUMNS, *stage, *dict.fromkeys(name for row in rows for name in row["tie_breaks"])]
    header = [name for column in columns for name in ([column, f"{column}_exact"] if column in _EXACT else [column])]
    names = told_apart(names_of(tournament) | {row["entrant"]: row["name"] for row in rows})

    def cells(row: Mapping[str, Any]) -> Iterator[object]:
        shown = {**row, **row["tie_breaks"], "name": names[row["entrant"]]}
        for column in columns:
            value = shown.get(column)
            if column not in _EXACT:
                yield value
            elif isinstance(value, list):
                yield [two_decimals(Fraction(number)) for number in value]
                yield [Fraction(number) for number in value]
            else:
                yield value and two_decimals(Fraction(value))
                yield value and Fraction(value)

    return csv_file(tournament.slug, header, (list(cells(row)) for row in rows))
