"""A version of a tournament as pages show it, without names: made once, kept, and given names when it is drawn.

An account that is renamed makes no new version, so no name may be in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from core import log
from tournaments import selectors
from tournaments.models import Tournament
from tournaments.picture.chart import Chart, totals_chart
from tournaments.picture.names import Name
from tournaments.picture.numbers import decimals
from tournaments.picture.standings import StandingsRow, row_of


@dataclass(frozen=True, slots=True)
class Moved:
    """What places are compared with: those after a round, or in a season those a week before the newest result."""

    round: int | None
    day: datetime | None


@dataclass(frozen=True, slots=True)
class Facts:
    """Standings and chart of a version; entrants are named by their keys."""

    rows: Sequence[tuple[Any, ...]]
    lead: str | None
    has_games: bool
    moved: Moved | None
    chart: Chart | None

    def rows_with(self, names: Mapping[str, Name]) -> list[StandingsRow]:
        """The standings."""
        return [StandingsRow(names[key], *rest) for key, *rest in self.rows]


def facts_of(tournament: Tournament) -> Facts:
    """The facts as of now."""
    kept = selectors.kept_of_version(tournament, "facts", tournament.version, lambda: _plain(_made(tournament)))
    return Facts(*kept)


def _plain(facts: Facts) -> tuple[Any, ...]:
    return facts.rows, facts.lead, facts.has_games, facts.moved, facts.chart


def _made(tournament: Tournament) -> Facts:
    reckoning = selectors.reckoning_for(tournament)
    moved, before = _before(tournament, reckoning)
    keys = {row["entrant"]: Name(row["entrant"], row["entrant"], None) for row in reckoning.standings}
    rows = [row_of(row, keys, before.get(row["entrant"])) for row in reckoning.standings]
    chart = totals_chart(reckoning.leaders, reckoning.course, by_round=tournament.kind == "rounds")
    told = moved if any(row.moved for row in rows) else None
    return Facts([_row(row) for row in rows], _lead(reckoning.standings), bool(reckoning.games), told, chart)


def _row(row: StandingsRow) -> tuple[Any, ...]:
    numbers = (row.place, row.total, row.exact_total, row.games, row.byes, row.status, row.decided_by, row.moved)
    return (row.name.key, *numbers)


def _lead(standings: Sequence[Mapping[str, Any]]) -> str | None:
    """Return how far the first place is ahead of the second, or None where it is shared."""
    placed = [row for row in standings if row["place"] is not None and row["total"] is not None]
    if len(placed) < 2 or placed[1]["place"] == 1:
        return None
    ahead = abs(Fraction(placed[0]["total"]) - Fraction(placed[1]["total"]))
    return decimals(ahead) if ahead else None


def _before(tournament: Tournament, reckoning: selectors.Reckoning) -> tuple[Moved | None, Mapping[str, int | None]]:
    """Return what places are compared with, and the places then; none if nobody had played."""
    if tournament.kind == "season":
        return _a_week_ago(tournament, reckoning)
    played = max((game.round or 0 for game in reckoning.games), default=0)
    if tournament.kind != "rounds" or played < 2:
        return None, {}
    seated = log.read(tournament.stream, types=["tournament.seated"], upto=tournament.version)
    version = next((event.version for event in seated if event.data["round"] == played), None)
    if version is None:
        return None, {}
    then = selectors.reckoning_for(tournament, version)
    return Moved(played, None), _places(then) if then.games else {}


def _a_week_ago(
    tournament: Tournament, reckoning: selectors.Reckoning
) -> tuple[Moved | None, Mapping[str, int | None]]:
    since, version = reckoning.week or (None, 0)
    if not version:
        return None, {}
    then = selectors.reckoning_for(tournament, version)
    return Moved(None, since), _places(then) if then.games else {}


def _places(reckoning: selectors.Reckoning) -> Mapping[str, int | None]:
    return {row["entrant"]: row["place"] for row in reckoning.standings}
