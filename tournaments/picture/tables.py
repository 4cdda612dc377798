"""Rounds, tables and a season's games on the pages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.wording import listed
from tournaments.models import TournamentGame
from tournaments.picture.names import Name
from tournaments.picture.numbers import NONE, ordinal
from tournaments.picture.rounds import GameNow, RoundNow, TableNow

# The statuses of a game that has no outcome yet, while it may still get one.
GOING_ON = ("pending", "open", "running")

Marks = Mapping[int | None, str]
"""The marks of results by the proposal whose rules they were played by (`ratifying.rules_names`)."""


@dataclass(frozen=True, slots=True)
class Awaited:
    name: Name
    since: datetime | None
    until: datetime | None


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
    """True if there are enough games among the same entrants (PT5)."""

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
    awaited: Sequence[Awaited]
    games: Sequence[GameNow]
    left_to_bots: str = ""
    """The names of those for whom a bot plays."""
    rules: str | None = None
    """The rules it is played by, once there are several (RT5)."""

    @property
    def is_open(self) -> bool:
        return self.status == "open"

    @property
    def who(self) -> str:
        return ", ".join(name.text for name in self.names)

    @property
    def waiting(self) -> list[Waiting]:
        moments: dict[datetime | None, list[Awaited]] = {}
        for one in self.awaited:
            moments.setdefault(one.until, []).append(one)
        everybody = len(self.awaited) == len(self.names) > 1 and len(moments) == 1
        return [
            Waiting("everybody" if everybody else listed([one.name.text for one in together]), together[0].since, until)
            for until, together in moments.items()
        ]

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
    tables: Sequence[TableLine]
    byes: Sequence[Name]
    seated_at: datetime
    deadline_at: datetime | None
    overdue: bool
    closed_at: datetime | None

    @property
    def was_left(self) -> bool:
        """True if it was never closed and none of its games goes on, since the tournament is over."""
        return self.closed_at is None and not any(table.is_open for table in self.tables)


def _can_be_seen(game: GameNow) -> bool:
    if game.game is not None and game.game.status == "cancelled" and game.game.started_at is None:
        return False
    return game.row.source == "game" if game.row.outcome != "open" else game.game is not None


def round_of(now: RoundNow, names: Mapping[str, Name], marks: Marks) -> RoundLine:
    row = now.row
    return RoundLine(
        number=row.number,
        tables=[table_of(table, names, marks) for table in now.tables],
        byes=[names[key] for key in row.byes],
        seated_at=row.seated_at,
        deadline_at=row.deadline_at,
        overdue=row.overdue,
        closed_at=row.closed_at,
    )


def table_of(now: TableNow, names: Mapping[str, Name], marks: Marks) -> TableLine:
    return TableLine(
        number=now.row.number,
        status=now.status if now.status != "open" else _open_or_closed(now.games),
        names=[names[key] for key in now.row.entrants],
        results=[_places(game, names) for game in now.games if game.row.result is not None],
        awaited=_awaited(now.games, names),
        left_to_bots=_left_to_bots(now.games, names),
        games=now.games,
        rules=marks.get(now.games[0].row.proposal) if now.games else None,
    )


def room_of(now: GameNow, names: Mapping[str, Name], marks: Marks) -> TableLine:
    return TableLine(
        number=0,
        status=_open_or_closed([now]),
        names=[names[key] for key in now.entrants],
        results=[_places(now, names)] if now.row.result is not None else [],
        awaited=_awaited([now], names),
        left_to_bots=_left_to_bots([now], names),
        games=[now],
        rules=marks.get(now.row.proposal),
    )


def _open_or_closed(games: Iterable[GameNow]) -> str:
    """Open while one of the games goes on; games that were called off with their tournament do not."""
    return "open" if any(game.status in GOING_ON for game in games) else "closed"


def where_played(row: TournamentGame, *, several: bool = False) -> str:
    """Where a game was played, told apart from the others: "Round 2, table 1", or in a season "Game 7".

    `several`: a table plays several games. A game that the season counts but did not open is named by its day instead
    of a number.
    """
    if row.round is not None:
        where = f"Round {row.round}, table {row.table}"
        return f"{where}, game {row.number}" if several and row.number else where
    if row.number is not None:
        return f"Game {row.number}"
    return f"{'Real table' if row.source == 'table' else 'Game'} of {row.since.day} {row.since:%B}"


def _places(now: GameNow, names: Mapping[str, Name]) -> ResultLine:
    said = [(names[key], place) for key, place in places_among_present((now.row.result or {}).get("players", ()))]
    return ResultLine(said, is_void=now.row.outcome == "void", is_beyond=now.beyond_same_table)


def places_among_present(players: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Each entrant of a result with its place in words: the place among those who came (PT8), and the absent last."""
    absent = [row["entrant"] for row in players if row.get("absent")]
    came = sorted((row for row in players if not row.get("absent")), key=lambda row: row.get("place") or 10**6)
    taken = [row["place"] for row in came if row.get("place")]
    said = [(row["entrant"], ordinal(taken.index(row["place"]) + 1) if row.get("place") else NONE) for row in came]
    return said + [(key, "absent") for key in absent]


def _awaited(games: Iterable[GameNow], names: Mapping[str, Name]) -> list[Awaited]:
    """The people that games wait for, since when and until when; bots do not keep anybody waiting."""
    return [
        Awaited(names[one.entrant], one.since, one.until) for game in games for one in game.awaited if not one.is_bot
    ]


def _left_to_bots(games: Iterable[GameNow], names: Mapping[str, Name]) -> str:
    keys = dict.fromkeys(key for game in games for key in game.left_to_bots)
    return listed([names[key].text for key in keys]) if keys else ""
