"""Everything that the page of a tournament shows, as plain values. Nothing of a running game's cards is among it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import Prefetch

from games import log
from games.accounts.models import Player
from games.models import Game, Seat
from games.rules import GAMES
from games.selectors import deadline_of, outages_for
from tournaments import selectors
from tournaments.models import Entrant, Round, Table, Tournament, TournamentGame
from tournaments.pages.numbers import NONE, TIE_BREAKS, decimals, exact, ordinal, span, tie_break_value
from tournaments.pages.rulings import RulingLine, rulings_of
from tournaments.projections import happened
from tournaments.rules import read_record
from tournaments.rules.counting import bye_worth, tally
from tournaments.rules.record import Record
from tournaments.rules.tally import Tally
from tournaments.stream import Plan

# Beyond this a crosstable is no longer read by anybody.
MOST_IN_CROSSTABLE = 40
KINDS = {"season": "Season", "rounds": "Rounds", "knockout": "Knockout"}
STATUSES = {
    "draft": "being set up",
    "registration": "open for registration",
    "running": "running",
    "finished": "finished",
    "cancelled": "cancelled",
}


@dataclass(frozen=True, slots=True)
class Name:
    """An entrant as the page names it; `player` is the name of a page to link to, if there is one."""

    key: str
    text: str
    player: str | None


@dataclass(frozen=True, slots=True)
class GameLine:
    """One counted game of an entrant."""

    id: str
    where: str
    place: str
    points: str
    kept: bool
    opponents: Sequence[Name]


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A row of the standings, with what it opens to."""

    name: Name
    place: int | None
    total: str
    exact_total: str
    games: int
    byes: int
    status: str
    decided_by: str | None
    games_played: Sequence[GameLine]
    sums: Sequence[tuple[str, str]]
    tie_breaks: Sequence[tuple[str, str]]
    bounds: str | None
    needs: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Awaited:
    """Whom a table waits for."""

    name: Name
    since: datetime | None
    until: datetime | None


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of a round."""

    number: int
    names: Sequence[Name]
    results: Sequence[Sequence[tuple[Name, str]]]
    awaited: Sequence[Awaited]
    is_open: bool


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round with its tables."""

    number: int
    tables: Sequence[TableLine]
    byes: Sequence[Name]
    seated_at: datetime
    deadline_at: datetime | None
    overdue: bool
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Crosstable:
    """How often each of a pair was better placed, row against column."""

    names: Sequence[Name]
    cells: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A tournament's page."""

    tournament: Tournament
    game_title: str
    kind: str
    status: str
    organisers: Sequence[str]
    entrants: int
    penalties: bool
    rows: Sequence[StandingsRow]
    crosstable: Crosstable | None
    rounds: Sequence[RoundLine]
    free_games: Sequence[TableLine]
    rulings: Sequence[RulingLine]
    games: Sequence[TournamentGame]


def sheet_of(tournament: Tournament) -> Sheet:
    """The page of a tournament as of now."""
    events = log.read(tournament.stream, upto=tournament.version)
    plan = Plan.from_json(tournament.plan)
    past = [happened(event) for event in events]
    record = read_record(selectors.document(plan, tournament.shown_seed, past))
    names = _names(tournament, record)
    counted = tally(record)
    rows = selectors.standings_for(tournament.id, tournament.version, past)
    games = list(TournamentGame.objects.filter(tournament=tournament))
    awaited = _awaited(games, names)
    return Sheet(
        tournament=tournament,
        game_title=GAMES[tournament.game].title,
        kind=KINDS[tournament.kind],
        status=STATUSES[tournament.status],
        organisers=sorted(
            Player.objects.filter(pk__in=tournament.organisers).values_list("username", flat=True), key=str.casefold
        ),
        entrants=sum(not entrant.removed for entrant in record.entrants.values()),
        penalties=record.settings.less_is_better,
        rows=[_row(record, counted, names, row, rows["bounds"].get(row["entrant"])) for row in rows["standings"]],
        crosstable=_crosstable(counted, [names[row["entrant"]] for row in rows["standings"]]),
        rounds=_rounds(tournament, games, names, awaited),
        free_games=[_free_game(game, names, awaited) for game in games if game.round is None],
        rulings=rulings_of(events, {key: name.text for key, name in names.items()} | _places_of(games)),
        games=games,
    )


def _places_of(games: Iterable[TournamentGame]) -> dict[str, str]:
    return {
        str(game.game): f"The game at table {game.table} of round {game.round}" if game.round else "A free game"
        for game in games
    }


def _names(tournament: Tournament, record: Record) -> dict[str, Name]:
    entrants = Entrant.objects.filter(tournament=tournament)
    players = {entrant.key: entrant.player_id for entrant in entrants}
    ids = [player for player in players.values() if player is not None]
    hidden = {"unlisted": True}
    shown = Player.objects.filter(pk__in=ids, closed_at__isnull=True).exclude(preferences__contains=hidden)
    linked = dict(shown.values_list("pk", "username"))
    known = {key: record.entrants.get(key) for key in players}
    texts = selectors.told_apart({key: (one.name if one is not None else None) or key for key, one in known.items()})
    return {
        key: Name(key, texts[key], linked.get(player) if player is not None else None)
        for key, player in players.items()
    }


def _row(
    record: Record, counted: Tally, names: Mapping[str, Name], row: Mapping[str, Any], bound: Mapping[str, Any] | None
) -> StandingsRow:
    key = row["entrant"]
    played = counted.counted[key]
    kept = set(row["kept"])
    lines = [
        GameLine(
            id=game.id,
            where=_where(record, game.id),
            place="absent" if share.place is None else ordinal(share.place),
            points=exact(share.points),
            kept=game.id in kept,
            opponents=[names[other.entrant] for other in game.present if other.entrant != key],
        )
        for game, share in played
    ]
    return StandingsRow(
        name=names[key],
        place=row["place"],
        total=decimals(row["total"]),
        exact_total=row["total"] or NONE,
        games=row["games"],
        byes=row["byes"],
        status=row["status"],
        decided_by=TIE_BREAKS[row["decided_by"]] if row["decided_by"] else None,
        games_played=lines,
        sums=_sums(record, row, [share.points for game, share in played if game.id in kept]),
        tie_breaks=[(TIE_BREAKS[name], tie_break_value(name, value)) for name, value in row["tie_breaks"].items()],
        bounds=_bounds(bound),
        needs=[(ordinal(int(place)), span(to)) for place, to in bound.get("needs", {}).items()] if bound else [],
    )


def _sums(record: Record, row: Mapping[str, Any], points: Iterable[Fraction]) -> list[tuple[str, str]]:
    """What the total is made of, in words."""
    settings = record.settings
    penalty = settings.less_is_better
    sums = [("penalty points of the games" if penalty else "points of the kept games", exact(sum(points, Fraction())))]
    if row["byes"] and settings.total == "sum" and not penalty:
        worth = exact(bye_worth(settings))
        sums.append((f"byes ({row['byes']}, each game of one worth {worth})", str(row["byes"])))
    if settings.prior:
        sums.append(("average games that everybody starts with", str(settings.prior)))
    if row["adjusted"] != "0":
        sums.append(("adjustments", row["adjusted"]))
    return sums


def _bounds(bound: Mapping[str, Any] | None) -> str | None:
    if bound is None:
        return None
    text = f"After the open games: {span(bound['round'])} by total."
    return f"{text} At the end: {span(bound['final'])}." if "final" in bound else text


def _where(record: Record, game: str) -> str:
    result = record.results[game]
    return f"Round {result.round}, table {result.table}" if result.round is not None else "Free game"


def _crosstable(counted: Tally, names: Sequence[Name]) -> Crosstable | None:
    if not 2 <= len(names) <= MOST_IN_CROSSTABLE:
        return None
    won: defaultdict[tuple[str, str], Fraction] = defaultdict(Fraction)
    met: defaultdict[tuple[str, str], int] = defaultdict(int)
    for game in counted.games:
        for one in game.present:
            for other in game.present:
                if one.entrant != other.entrant and one.place is not None and other.place is not None:
                    met[one.entrant, other.entrant] += 1
                    won[one.entrant, other.entrant] += Fraction(
                        2 * (one.place < other.place) + (one.place == other.place), 2
                    )
    cells = [
        [
            "" if row.key == column.key else _meeting(won[row.key, column.key], met[row.key, column.key])
            for column in names
        ]
        for row in names
    ]
    return Crosstable(names, cells)


def _meeting(won: Fraction, met: int) -> str:
    return f"{exact(won) if won.denominator == 1 else decimals(won)}/{met}" if met else "·"


def _rounds(
    tournament: Tournament,
    games: Sequence[TournamentGame],
    names: Mapping[str, Name],
    awaited: Mapping[UUID, Sequence[Awaited]],
) -> list[RoundLine]:
    at_table: defaultdict[tuple[int | None, int | None], list[TournamentGame]] = defaultdict(list)
    for game in sorted(games, key=lambda game: (game.number or 0, game.since)):
        at_table[game.round, game.table].append(game)
    tables: defaultdict[int, list[Table]] = defaultdict(list)
    for table in Table.objects.filter(tournament=tournament).order_by("round", "number"):
        tables[table.round].append(table)
    return [
        RoundLine(
            number=one.number,
            tables=[_table(table, at_table[table.round, table.number], names, awaited) for table in tables[one.number]],
            byes=[names[key] for key in one.byes],
            seated_at=one.seated_at,
            deadline_at=one.deadline_at,
            overdue=one.overdue,
            closed_at=one.closed_at,
        )
        for one in Round.objects.filter(tournament=tournament).order_by("-number")
    ]


def _table(
    table: Table,
    games: Sequence[TournamentGame],
    names: Mapping[str, Name],
    awaited: Mapping[UUID, Sequence[Awaited]],
) -> TableLine:
    return TableLine(
        number=table.number,
        names=[names[key] for key in table.entrants],
        results=[_places(game, names) for game in games if game.result is not None],
        awaited=[one for game in games for one in awaited.get(game.game, ())],
        is_open=any(game.outcome == "open" for game in games) or not games,
    )


def _free_game(game: TournamentGame, names: Mapping[str, Name], awaited: Mapping[UUID, Sequence[Awaited]]) -> TableLine:
    return TableLine(
        number=0,
        names=[names[key] for key in game.entrants],
        results=[_places(game, names)] if game.result is not None else [],
        awaited=awaited.get(game.game, ()),
        is_open=game.outcome == "open",
    )


def _places(game: TournamentGame, names: Mapping[str, Name]) -> list[tuple[Name, str]]:
    """Who took which place, best first; a void result says so."""
    result = game.result or {}
    rows = sorted(result.get("players", ()), key=lambda row: row.get("place") or 10**6)
    said = [
        (names[row["entrant"]], "absent" if row.get("absent") else ordinal(row["place"]) if row.get("place") else NONE)
        for row in rows
    ]
    return said if game.outcome == "result" else [(name, f"{place} (void)") for name, place in said]


def _awaited(games: Iterable[TournamentGame], names: Mapping[str, Name]) -> dict[UUID, list[Awaited]]:
    """Whom each open game waits for, since when and until when."""
    running = {game.game: game.entrants for game in games if game.outcome == "open"}
    found: dict[UUID, list[Awaited]] = {}
    playing = Game.objects.filter(pk__in=running, status__in=("setup", "playing")).defer("state")
    rows = list(playing.prefetch_related(Prefetch("players", Seat.objects.select_related("player"))))
    outages = outages_for(rows)
    for game in rows:
        seats: list[Seat] = [seat for seat in game.seat_rows() if seat.to_act and seat.bot is None]
        found[game.pk] = [
            Awaited(names[running[game.pk][seat.index]], seat.duty_since, deadline_of(game.clock, seat, outages))
            for seat in seats
        ]
    return found
