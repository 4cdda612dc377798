from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.text import capfirst

from core import clock as service_clock
from games.rules.words import listed
from tournaments import selectors
from tournaments.models import Round, Tournament, TournamentGame
from tournaments.picture.open_games import Awaited, GameNow, games_now
from tournaments.picture.ratifying import name_of_rules
from tournaments.picture.wording import NONE, Name, ordinal
from tournaments.projections import TABLES, happened
from tournaments.selectors import deadlines_of
from tournaments.stream import InStages
from tournaments.stream.outcomes import counts_instead

# The statuses of a game that has no outcome yet, while it may still get one.
GOING_ON = ("pending", "open", "running")


@dataclass(frozen=True, slots=True)
class Waiting:
    names: str
    since: datetime | None
    until: datetime | None


@dataclass(frozen=True, slots=True)
class ResultLine:
    places: Sequence[tuple[Name, str]]
    is_void: bool
    is_beyond: bool = False
    corrected: str = ""
    """Where the result is that counts instead of this one."""

    @property
    def counts(self) -> bool:
        return not (self.is_void or self.is_beyond)


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of a round, or a game of a season (number 0). `status`: open, closed or not_played."""

    number: int
    status: str
    names: Sequence[Name]
    results: Sequence[ResultLine]
    waiting: Sequence[Waiting]
    games: Sequence[GameNow]
    left_to_bots: str = ""
    rules: str | None = None
    left_to: str = ""
    """Who has to rule on it, where the organiser who reads cannot."""

    @property
    def is_open(self) -> bool:
        return self.status == "open"

    @property
    def who(self) -> str:
        return ", ".join(name.text for name in self.names)

    @property
    def replays(self) -> list[str]:
        """The games that can be looked at: all but those that never began, or were played with real cards."""
        return [str(game.row.game) for game in self.games if _can_be_seen(game)]

    @property
    def lacks_result(self) -> bool:
        return any(game.row.outcome == "none" for game in self.games) and not self.results


@dataclass(frozen=True, slots=True)
class RoundLine:
    number: int
    title: str
    tables: Sequence[TableLine]
    byes: Sequence[Name]
    seated_at: datetime
    deadline_at: datetime | None
    overdue: bool
    closed_at: datetime | None
    open_tables: int = 0
    proposal: int | None = None
    stage: str | None = None
    """The title of its stage, in which people count it as `in_stage`."""
    in_stage: int = 0

    @property
    def was_left(self) -> bool:
        """True if it was never closed and none of its games goes on, since the tournament is over."""
        return self.closed_at is None and not any(table.is_open for table in self.tables)


def _can_be_seen(game: GameNow) -> bool:
    if game.game is not None and game.game.status == "cancelled" and game.game.started_at is None:
        return False
    return game.row.source == "game" if game.row.outcome != "open" else game.game is not None


def rounds_of(tournament: Tournament, rows: Sequence[Round], names: Mapping[str, Name]) -> list[RoundLine]:
    numbers = [row.number for row in rows]
    found = TournamentGame.objects.filter(tournament=tournament, round__in=numbers).order_by("table", "number")
    games: defaultdict[tuple[int | None, int | None], list[GameNow]] = defaultdict(list)
    for game in corrected(tournament, games_now(tournament, list(found))):
        games[game.row.round, game.row.table].append(game)
    tables: defaultdict[int, list[TableLine]] = defaultdict(list)
    for table in TABLES.of(tournament.pk, round__in=numbers):
        played = games[table.round, table.number]
        tables[table.round].append(_line(tournament, table.number, table.entrants, played, names))
    return [
        RoundLine(
            number=row.number,
            title=capfirst(tournament.state.round_name(row.number)),
            tables=tables[row.number],
            byes=[names[key] for key in row.state.byes],
            seated_at=row.state.seated_at,
            deadline_at=ends,
            overdue=row.overdue,
            closed_at=row.closed_at,
            open_tables=row.state.open_tables,
            proposal=row.state.proposal,
            stage=tournament.state.stage_title(tournament.state.stage_of(row.number)),
            in_stage=tournament.state.in_stage(row.number),
        )
        for row, ends in zip(rows, deadlines_of([row.state for row in rows], service_clock.now()), strict=True)
    ]


def corrected(tournament: Tournament, games: Sequence[GameNow]) -> list[GameNow]:
    """The games; those whose result was corrected name the one that counts. Three queries if any is void."""
    is_void = any(now.row.outcome == "void" for now in games)
    rows = TournamentGame.objects.filter(tournament=tournament, outcome="result").exclude(source="game")
    stand = {str(row.game): row for row in rows} if is_void else {}
    ruled = [happened(event) for event in selectors.ruled(tournament)] if stand else []

    def one(now: GameNow) -> GameNow:
        key = counts_instead(str(now.row.game), ruled, stand.__contains__) if now.row.outcome == "void" else None
        return replace(now, corrected_by=stand[key]) if key else now

    return list(map(one, games))


def room_of(tournament: Tournament, now: GameNow, names: Mapping[str, Name]) -> TableLine:
    return _line(tournament, 0, now.entrants, [now], names)


def _line(
    tournament: Tournament, number: int, entrants: Sequence[str], games: Sequence[GameNow], names: Mapping[str, Name]
) -> TableLine:
    # Games that were called off with their tournament do not go on.
    status = "open" if any(game.status in GOING_ON for game in games) else "closed"
    left = dict.fromkeys(key for game in games for key in game.left_to_bots)
    return TableLine(
        number=number,
        status=status if games else "not_played",
        names=[names[key] for key in entrants],
        results=[_places(tournament, game, names) for game in games if game.row.state.result is not None],
        waiting=_waiting(entrants, games, names),
        games=games,
        left_to_bots=listed([names[key].text for key in left]),
        rules=name_of_rules(games[0].row.state.proposal) if games and tournament.state.ratified else None,
    )


def where_played(tournament: Tournament, row: TournamentGame, *, several: bool = False) -> str:
    """Where a game was played, told apart from the others: "Round 2, table 1", in a season "Game 7" or its day.

    `several`: a table plays several games.
    """
    if row.round is not None and row.table is not None:
        where = table_name(tournament.state, row.round, row.table)
        return f"{where}, game {row.number}" if several and row.number else where
    if row.number is not None:
        return f"Game {row.number}"
    return f"{'Real table' if row.source == 'table' else 'Game'} of {row.since.day} {row.since:%B}"


def table_name(tournament: InStages, number: int, table: int) -> str:
    """What people call a table of a round: "Round 2, table 1", in a stage "Final, round 2, table 1"."""
    return f"{capfirst(tournament.round_name(number))}, table {table}"


def _places(tournament: Tournament, now: GameNow, names: Mapping[str, Name]) -> ResultLine:
    said = [(names[key], place) for key, place in places_among_present((now.row.state.result or {}).get("players", ()))]
    where = ""
    if (by := now.corrected_by) is not None:
        at_its_table = "below" if (by.number or 0) > (now.row.number or 0) else "above"
        where = f"“{where_played(tournament, by)}”" if by.round is None else at_its_table
    return ResultLine(said, now.row.outcome == "void", now.beyond_same_table, where)


def places_among_present(players: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Each entrant of a result with its place in words: the place among those who came (PT8), and the absent last."""
    absent = [row["entrant"] for row in players if row.get("absent")]
    came = sorted((row for row in players if not row.get("absent")), key=lambda row: row.get("place") or 10**6)
    taken = [row["place"] for row in came if row.get("place")]
    said = [(row["entrant"], ordinal(taken.index(row["place"]) + 1) if row.get("place") else NONE) for row in came]
    return said + [(key, "absent") for key in absent]


def _waiting(entrants: Sequence[str], games: Sequence[GameNow], names: Mapping[str, Name]) -> list[Waiting]:
    """The people that games wait for, by the moment until which; bots do not keep anybody waiting."""
    awaited = [one for game in games for one in game.awaited if not one.is_bot]
    moments: dict[datetime | None, list[Awaited]] = {}
    for one in awaited:
        moments.setdefault(one.until, []).append(one)
    everybody = len(awaited) == len(entrants) > 1 and len(moments) == 1
    return [
        Waiting(
            "everybody" if everybody else listed([names[one.entrant].text for one in together]),
            together[0].since,
            until,
        )
        for until, together in moments.items()
    ]


@dataclass(frozen=True, slots=True)
class Cell:
    """A round of an entrant: `text` for the eye, `said` for a screen reader."""

    text: str
    said: str


ABSENT = Cell("abs", "absent")


def progress_of(
    rounds: Sequence[RoundLine], games: Iterable[TournamentGame], names: Iterable[Name], *, called_off: bool
) -> dict[str, Any] | None:
    """Rounds, the newest first, x entrants: places taken, games running, byes."""
    if not rounds:
        return None
    cells: defaultdict[tuple[str, int | None], list[Cell]] = defaultdict(list)
    replaced = {now.row.game for one in rounds for table in one.tables for now in table.games if now.corrected_by}
    for game in games:
        if game.game in replaced:
            continue
        for key in game.state.entrants:
            cells[key, game.round].append(_cell(game, key, called_off=called_off))
    for one in rounds:
        for name in one.byes:
            cells[name.key, one.number] = [Cell("bye", "bye")]
    return {
        "rounds": rounds[::-1],
        "absent": any(one == ABSENT for found in cells.values() for one in found),
        "rows": [(name.text, [cells[name.key, one.number] for one in rounds[::-1]]) for name in names],
    }


def _cell(game: TournamentGame, key: str, *, called_off: bool) -> Cell:
    if game.outcome == "open":
        return Cell(NONE, "called off") if called_off else Cell("…", "running")
    if game.outcome != "result":
        return Cell("✕", "void")
    row = next((row for row in (game.state.result or {}).get("players", ()) if row["entrant"] == key), None)
    if row is None or row.get("absent"):
        return ABSENT
    return Cell(str(row["place"]), f"place {row['place']}")
