"""A tournament's state and its rows: only those that matter are read and written.

Without a lock one statement reads the state, so that all of it is of one version.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from functools import cached_property
from types import GenericAlias
from typing import Any, Generic, TypeVar
from uuid import UUID

import msgspec
from django.db.models import Model, QuerySet

from core import log
from core.rows import array_of, fetch_all, instance_of, row_of
from tournaments import models
from tournaments.models import row_id, stream_of
from tournaments.stream import (
    Elector,
    Entrant,
    Part,
    Plan,
    Proposal,
    Round,
    Table,
    Tournament,
    TournamentGame,
    evolve,
    fold_all,
)
from tournaments.stream.events import Happened
from tournaments.stream.reading import ENTRANT

K = TypeVar("K")
V = TypeVar("V")
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Rows(Generic[K, V, M]):
    """The rows of one kind of value. `where`: the columns of a key. `own`: fields that a row has in another form."""

    name: str
    model: type[M]
    kind: type[V]
    where: Callable[[K], dict[str, Any]]
    key: Callable[[M], K]
    own: Callable[[M], dict[str, Any]] = lambda _: {}

    def part(self, tournament_id: UUID) -> Part[K, V]:

        def fetch(keys: Sequence[K]) -> Mapping[K, V]:
            wheres = [self.where(key) for key in keys]
            each = " AND ".join(f'part."{name}" = %s' for name in wheres[0])
            asked = " OR ".join([f"({each})"] * len(wheres))
            return self._read(f"AND ({asked})", tournament_id, *(value for one in wheres for value in one.values()))

        return Part(fetch=fetch, fetch_all=lambda: self._read("", tournament_id))

    def by_key(self, found: Iterable[msgspec.Struct]) -> dict[K, V]:
        rows = [instance_of(self.model, row) for row in found]
        return {self.key(row): _read(self.kind, row, **self.own(row)) for row in rows}

    @cached_property
    def row(self) -> type[msgspec.Struct]:
        return row_of(self.model)

    @property
    def all_of_tournament(self) -> str:
        """SQL: a JSON array of all rows of the `tournament` that a statement reads."""
        return f"(SELECT json_agg({array_of('part', self.row)}) {self._of('tournament.id')})"

    def _read(self, where: str, *values: object) -> dict[K, V]:
        found = fetch_all(f"{self._select} {where}", values)
        return self.by_key([self._decoder.decode(text) for (text,) in found])

    @cached_property
    def _select(self) -> str:
        return f"SELECT {array_of('part', self.row)}::text {self._of('%s')}"

    def _of(self, tournament_id: str) -> str:
        return f"FROM {self.model._meta.db_table} part WHERE part.tournament_id = {tournament_id}"  # noqa: SLF001

    @cached_property
    def _decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.row)

    def save(self, tournament_id: UUID, changed: Mapping[K, V]) -> None:
        columns: dict[str, Any] = {}
        rows = []
        for key, value in changed.items():
            columns, names = _columns(self.model, value), self.where(key)
            row = row_id(tournament_id, self.name, *names.values())
            rows.append(self.model(id=row, tournament_id=tournament_id, **{**names, **columns}))
        manager = self.model._default_manager  # noqa: SLF001
        if rows:
            manager.bulk_create(
                rows, update_conflicts=True, unique_fields=["id"], update_fields=list(columns), batch_size=1000
            )


def _read(kind: type[V], row: Model, **own: Any) -> V:
    """The value whose fields are those of the row, but for its `own`."""
    names = [one.name for one in fields(kind) if one.name not in own]  # type: ignore[arg-type]
    return msgspec.convert({**own, **{name: getattr(row, name) for name in names}}, kind)


def _columns(model: type[Model], value: Any, **own: Any) -> dict[str, Any]:
    """The columns that have the value's fields, but for its `own`."""
    names = {one.name for one in fields(value)}.difference(own)
    columns = [one for one in model._meta.concrete_fields if one.name in names and not one.primary_key]  # noqa: SLF001
    return {one.attname: _stored(getattr(value, one.name)) for one in columns} | own


def _stored(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_as_json(one) for one in value]
    return _as_json(value)


def _as_json(value: Any) -> Any:
    """A value as JSON of a column, moments as text; what is no dataclass stays as it is."""
    if not is_dataclass(value):
        return dict(value) if isinstance(value, Mapping) else value
    named = {one.name: getattr(value, one.name) for one in fields(value)}
    return {name: one.isoformat() if isinstance(one, datetime) else _as_json(one) for name, one in named.items()}


ENTRANTS: Rows[str, Entrant, models.Entrant] = Rows(
    "entrant",
    models.Entrant,
    Entrant,
    # People write these names, too, so one may not belong to any entrant.
    where=lambda key: {"number": int(key[1:]) if ENTRANT.fullmatch(key) else None},
    key=lambda row: row.key,
    own=lambda row: {"player": row.player_id, "asked_game": str(row.asked_game) if row.asked_game else None},
)
ROUNDS: Rows[int, Round, models.Round] = Rows(
    "round", models.Round, Round, where=lambda number: {"number": number}, key=lambda row: row.number
)
TABLES: Rows[tuple[int, int], Table, models.Table] = Rows(
    "table",
    models.Table,
    Table,
    where=lambda place: {"round": place[0], "number": place[1]},
    key=lambda row: (row.round, row.number),
)
GAMES: Rows[str, TournamentGame, models.TournamentGame] = Rows(
    "game",
    models.TournamentGame,
    TournamentGame,
    where=lambda key: {"game": UUID(key)},
    key=lambda row: str(row.game),
    own=lambda row: {"id": str(row.game)},
)
PROPOSALS: Rows[int, Proposal, models.Proposal] = Rows(
    "proposal", models.Proposal, Proposal, where=lambda n: {"n": n}, key=lambda row: row.n
)
ELECTORS: Rows[tuple[int, str], Elector, models.Elector] = Rows(
    "elector",
    models.Elector,
    Elector,
    where=lambda key: {"proposal": key[0], "number": int(key[1][1:])},
    key=lambda row: (row.proposal, f"e{row.number}"),
    own=lambda row: {"entrant": f"e{row.number}"},
)


def _by_account(
    tournament_id: UUID, among: str, accounts: Callable[[models.Entrant], Iterable[UUID]]
) -> Part[UUID, str]:
    """The entrant of each of the `accounts` that a row has; `among` is the lookup of rows that have some of them."""
    entrants = models.Entrant.objects.filter(tournament=tournament_id).order_by("number")

    def found(rows: QuerySet[models.Entrant]) -> Mapping[UUID, str]:
        return {player: row.key for row in rows for player in accounts(row)}

    return Part(
        fetch=lambda players: found(entrants.filter(**{among: list(players)})),
        fetch_all=lambda: found(entrants.all()),
    )


_PARTS: dict[str, Rows[Any, Any, Any]] = {
    "entrants": ENTRANTS,
    "rounds": ROUNDS,
    "tables": TABLES,
    "games": GAMES,
    "proposals": PROPOSALS,
    "electors": ELECTORS,
}
_Own = row_of(models.Tournament)
_FROM = "FROM tournaments_tournament tournament WHERE tournament.id = %s"
_HELD = f"SELECT {array_of('tournament', _Own)}::text {_FROM} FOR NO KEY UPDATE"
_ALL = ", ".join((array_of("tournament", _Own), *(part.all_of_tournament for part in _PARTS.values())))
_WHOLE = f"SELECT json_build_array({_ALL})::text {_FROM}"
_decoder: msgspec.json.Decoder[msgspec.Struct] = msgspec.json.Decoder(_Own)
_whole_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
    GenericAlias(tuple, (_Own, *(GenericAlias(list, (part.row,)) | None for part in _PARTS.values())))
)


def held(tournament_id: UUID, *, skip_locked: bool) -> Tournament | None:
    """Locked until the end of the transaction; parts are fetched on access."""
    found = fetch_all(f"{_HELD} SKIP LOCKED" if skip_locked else _HELD, [tournament_id])
    return state_of(instance_of(models.Tournament, _decoder.decode(found[0][0]))) if found else None


def whole(tournament_id: UUID) -> Tournament | None:
    read = fetch_all(_WHOLE, [tournament_id])
    if not read:
        return None
    own, *lists = _whole_decoder.decode(read[0][0])
    parts: dict[str, Any] = {
        name: Part(_PARTS[name].by_key(rows or ())) for name, rows in zip(_PARTS, lists, strict=True)
    }
    t = replace(state_of(instance_of(models.Tournament, own)), **parts)
    in_order = sorted(t.entrants.values(), key=lambda entrant: entrant.number)
    return replace(
        t,
        players=Part({entrant.player: entrant.key for entrant in in_order if entrant.player is not None}),
        formers=Part({player: entrant.key for entrant in in_order for player in entrant.former}),
    )


def state_of(row: models.Tournament) -> Tournament:
    parts: dict[str, Any] = {name: part.part(row.id) for name, part in _PARTS.items()}
    return _read(
        Tournament,
        row,
        plan=Plan.from_json(row.plan),
        players=_by_account(row.id, "player__in", lambda one: [one.player_id] if one.player_id else []),
        formers=_by_account(row.id, "former__overlap", lambda one: one.former),
        **parts,
    )


def columns(t: Tournament) -> dict[str, Any]:
    shown = {name: getattr(t.plan, name) for name in ("title", "game", "kind", "visibility")}
    return _columns(models.Tournament, t, plan=t.plan.as_json(), **shown)


PREFIX = "tournament."


def happened(event: log.Happened) -> Happened:
    return Happened(event.type.removeprefix(PREFIX), event.data, event.version, event.recorded_at)


class TournamentKind:
    name = "tournament"

    def load(self, stream_id: UUID, lock: log.Lock) -> Tournament | None:
        """Lost rows are rebuilt from the log. A locked state (WAIT, SKIP) reads its parts when they are needed."""
        found = _look(stream_id, lock)
        if found is None and lock is not log.Lock.SKIP and log.read(stream_of(stream_id), upto=1):
            self.rebuild(stream_id)
            found = _look(stream_id, lock)
        return found

    def evolve(self, state: Tournament | None, event: log.Happened) -> Tournament:
        tournament_id = state.id if state is not None else UUID(event.stream.removeprefix("tournament-"))
        return evolve(tournament_id, state, happened(event))

    def save(self, before: Tournament | None, after: Tournament) -> None:
        """Raises LostRace."""
        new = columns(after)
        if before is None:
            log.insert_row(models.Tournament(id=after.id, **new))
        else:
            old = columns(before)
            changed = {name: value for name, value in new.items() if value != old[name]}
            rows = models.Tournament.objects.filter(pk=after.id, version=before.version)
            if not rows.update(**changed):
                raise log.LostRace(f"tournament {after.id} has moved on")
        for name, part in _PARTS.items():
            part.save(after.id, getattr(after, name).changed)

    def rebuild(self, stream_id: UUID) -> log.Rebuilt:
        return rebuild(stream_id)


def _look(tournament_id: UUID, lock: log.Lock) -> Tournament | None:
    if lock is log.Lock.NONE:
        return whole(tournament_id)
    return held(tournament_id, skip_locked=lock is log.Lock.SKIP)


TOURNAMENT_ROWS = log.StreamRows(
    kind="tournament",
    table="tournaments_tournament",
    parts=[
        "tournaments_elector",
        "tournaments_proposal",
        "tournaments_tournamentgame",
        "tournaments_table",
        "tournaments_round",
        "tournaments_entrant",
    ],
    column="tournament_id",
    texts="""
SELECT 'tournament', (to_jsonb(t) - 'look_at')::text FROM tournaments_tournament t WHERE t.id = %(id)s
UNION ALL SELECT 'entrant e' || e.number, to_jsonb(e)::text FROM tournaments_entrant e WHERE e.tournament_id = %(id)s
UNION ALL SELECT 'round ' || r.number, to_jsonb(r)::text FROM tournaments_round r WHERE r.tournament_id = %(id)s
UNION ALL SELECT 'table ' || t.round || '/' || t.number, to_jsonb(t)::text
    FROM tournaments_table t WHERE t.tournament_id = %(id)s
UNION ALL SELECT 'game ' || g.game, to_jsonb(g)::text FROM tournaments_tournamentgame g WHERE g.tournament_id = %(id)s
UNION ALL SELECT 'proposal ' || p.n, to_jsonb(p)::text FROM tournaments_proposal p WHERE p.tournament_id = %(id)s
UNION ALL SELECT 'elector ' || e.proposal || '/e' || e.number, to_jsonb(e)::text
    FROM tournaments_elector e WHERE e.tournament_id = %(id)s
""",
)


def rebuild(tournament_id: UUID) -> log.Rebuilt:
    """Drop a tournament's rows and make them again, in one transaction. A row without a stream is a difference."""

    def write(events: Sequence[log.Event]) -> None:
        state = fold_all(tournament_id, (happened(event) for event in events))
        if state is not None:
            TOURNAMENT.save(None, state)

    return TOURNAMENT_ROWS.rebuild(tournament_id, write)


TOURNAMENT = TournamentKind()
