"""Rounds with their tables and games, and drafts of rounds."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from core.http.bodies import Body, Moment, doc, one_of, schema
from tournaments import picture
from tournaments.api.bodies.parts import BY_RULES, NamedEntrantBody, names_of
from tournaments.models import Round, Tournament

GAME_STATUSES = ("pending", "open", "running", "counted", "voided", "without_result")


BEYOND_SAME_TABLE = (
    "True if the result does not count although the game is `counted`: the tournament counts only the first "
    "`same_table` games among exactly the same entrants."
)


class AwaitedBody(Body):
    """An entrant for whom a game waits."""

    entrant: str
    since: Moment | None
    until: Annotated[Moment | None, doc("The deadline; null: there is none, as for a bot.")]


class ResultPlayerBody(Body):
    """The outcome of a game for an entrant."""

    entrant: str
    place: Annotated[int, Meta(ge=1)]
    score: int | None
    timeouts: Annotated[int, Meta(ge=0)]
    absent: bool | UnsetType = UNSET


class TournamentGameBody(Body):
    """A game of a tournament. Its `id` is that of GET games/{id}, unless it is a result without a game."""

    id: UUID
    round: int | None
    table: int | None
    number: int | None
    status: Annotated[str, one_of(GAME_STATUSES)]
    beyond_same_table: Annotated[bool, doc(BEYOND_SAME_TABLE)]
    source: Annotated[str, one_of(["game", "table", "ruling"])] | None
    entrants: Sequence[str]
    rounds: Annotated[int | None, doc("The number of scored rounds (Three Thirteen).")]
    players: Sequence[ResultPlayerBody] | None
    absent: Annotated[Sequence[str], doc("The entrants that were ruled absent.")]
    waits_for: Sequence[AwaitedBody]
    since: Moment
    ended_at: Moment | None
    proposal: Annotated[int | None, doc(BY_RULES)]


class TournamentTableBody(Body):
    """A table of a round."""

    table: int
    status: Annotated[str, one_of(["open", "closed", "not_played"])]
    entrants: Sequence[NamedEntrantBody]
    games: Sequence[TournamentGameBody]


class RoundBody(Body):
    """A round, and whom its tables wait for."""

    round: int
    status: Annotated[str, one_of(["open", "closed"])]
    seated_at: Moment
    deadline_at: Annotated[Moment | None, doc("Outages of the service come on top.")]
    overdue: bool
    closed_at: Moment | None
    open_tables: int
    proposal: Annotated[int | None, doc(BY_RULES)]
    byes: Sequence[NamedEntrantBody]
    tables: Sequence[TournamentTableBody]


class DraftBody(Body):
    """A seating before it is published, and the figures that judge it."""

    round: int
    tables: Sequence[Sequence[str]]
    byes: Sequence[str]
    repeats: Annotated[int | None, doc("Pairs that have sat together before.")]
    cost: Annotated[str, schema({"pattern": r"^-?\d+(/\d+)?$"})] | None
    q: int | None
    bound: int | None


def game_body(game: picture.GameNow) -> TournamentGameBody:
    """A game of a tournament, with its result and whom it waits for."""
    row = game.row
    result: Mapping[str, Any] = row.result or {}
    return TournamentGameBody(
        id=row.game,
        round=row.round,
        table=row.table,
        number=row.number,
        status=game.status,
        beyond_same_table=game.beyond_same_table,
        source=row.source,
        entrants=game.entrants,
        rounds=result.get("rounds"),
        players=result.get("players"),
        absent=row.absent,
        waits_for=[AwaitedBody(one.entrant, one.since, one.until) for one in game.awaited],
        since=row.since,
        ended_at=row.ended_at,
        proposal=row.proposal,
    )


def rounds_bodies(row: Tournament, rounds: Sequence[Round]) -> list[RoundBody]:
    """Rounds with their tables, games and names."""
    found = picture.rounds_now(row, rounds)
    keys = {key for one in found for table in one.tables for key in table.row.entrants}
    names = names_of(row, keys | {key for one in found for key in one.row.byes})
    return [_round_body(one, names) for one in found]


def _round_body(now: picture.RoundNow, names: Mapping[str, str]) -> RoundBody:
    row = now.row

    def named(keys: Sequence[str]) -> list[NamedEntrantBody]:
        return [NamedEntrantBody(key, names.get(key)) for key in keys]

    return RoundBody(
        round=row.number,
        status="open" if row.closed_at is None else "closed",
        seated_at=row.seated_at,
        deadline_at=row.deadline_at,
        overdue=row.overdue,
        closed_at=row.closed_at,
        open_tables=row.open_tables,
        proposal=row.proposal,
        byes=named(row.byes),
        tables=[
            TournamentTableBody(
                table.row.number, table.status, named(table.row.entrants), [game_body(game) for game in table.games]
            )
            for table in now.tables
        ],
    )


def draft_body(draft: Mapping[str, Any]) -> DraftBody:
    """A draft with the figures that judge it."""
    figures = {name: draft["figures"].get(name) for name in ("repeats", "cost", "q", "bound")}
    return DraftBody(draft["round"], draft["tables"], draft["byes"], **figures)
