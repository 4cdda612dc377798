"""A tournament's state and its rows: only those that matter are read and written.

Without a lock one statement reads the state, so that all of it is of one version.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, TypeVar
from uuid import UUID

import msgspec
from django.db.models import Model, QuerySet

from core import log
from core.rows import fetch_all
from tournaments import models
from tournaments.models import row_id
from tournaments.stream import Elector, Entrant, Part, Proposal, Round, Table, Tournament, TournamentGame, evolve
from tournaments.stream.events import Happened

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class Rows(Generic[K, V]):
    """The rows of one kind of value: in a table of their own if they are searched, else in that of all parts."""

    name: str
    kind: type[V]
    key: Callable[[V], K]
    model: type[Model] = models.Part

    def part(self, tournament_id: UUID) -> Part[K, V]:
        def fetch(keys: Sequence[K]) -> Mapping[K, V]:
            return self._read("id = ANY(%s)", [self._id(tournament_id, key) for key in keys])

        return Part(fetch=fetch, fetch_all=lambda: self._read(self.where("%s"), tournament_id))

    def where(self, tournament_id: str) -> str:
        """SQL: which rows are those of a tournament."""
        return f"tournament_id = {tournament_id}" + (f" AND part = '{self.name}'" if self.model is models.Part else "")

    def by_key(self, values: Iterable[V]) -> Mapping[K, V]:
        return {self.key(value): value for value in values}

    def row(self, tournament_id: UUID, value: V) -> dict[str, Any]:
        key = self.key(value)
        row = {"id": self._id(tournament_id, key), "tournament_id": tournament_id, "state": value}
        if self.model is models.Part:
            return row | {"part": self.name, "key": _text(key)}
        return row | log.searched(self.model, value, "id", "tournament", "state")

    def found(self, tournaments: Collection[UUID], **which: Any) -> list[tuple[UUID, V]]:
        """Those of some tournaments that have `which` values, each with its tournament's id, in the order of keys."""
        rows = models.Part.objects.filter(tournament__in=tournaments, part=self.name)
        rows = rows.filter(**{f"state__{name}": value for name, value in which.items()})
        values = [(pk, msgspec.convert(value, self.kind)) for pk, value in rows.values_list("tournament", "state")]
        return sorted(values, key=lambda one: (one[0], self.key(one[1])))

    def of(self, tournament_id: UUID, **which: Any) -> list[V]:
        return [value for _, value in self.found([tournament_id], **which)]

    def _read(self, where: str, value: object) -> Mapping[K, V]:
        rows = fetch_all(f"SELECT state::text FROM {log.table_of(self.model)} WHERE {where}", [value])  # noqa: S608  constants
        return self.by_key(msgspec.json.decode(text, type=self.kind) for (text,) in rows)

    def _id(self, tournament_id: UUID, key: K) -> UUID:
        return row_id(tournament_id, self.name, _text(key))


def _text(key: object) -> str:
    return "/".join(map(str, key)) if isinstance(key, tuple) else str(key)


ENTRANTS: Rows[str, Entrant] = Rows("entrant", Entrant, lambda one: one.key, models.Entrant)
ROUNDS: Rows[int, Round] = Rows("round", Round, lambda one: one.number, models.Round)
TABLES: Rows[tuple[int, int], Table] = Rows("table", Table, lambda one: (one.round, one.number))
GAMES: Rows[str, TournamentGame] = Rows("game", TournamentGame, lambda one: one.id, models.TournamentGame)
PROPOSALS: Rows[int, Proposal] = Rows("proposal", Proposal, lambda one: one.n)
ELECTORS: Rows[tuple[int, str], Elector] = Rows("elector", Elector, lambda one: (one.proposal, one.entrant))
_PARTS: dict[str, Rows[Any, Any]] = {
    "entrants": ENTRANTS,
    "rounds": ROUNDS,
    "tables": TABLES,
    "games": GAMES,
    "proposals": PROPOSALS,
    "electors": ELECTORS,
}
_HEAD = [one.name for one in fields(Tournament) if one.name not in (*_PARTS, "players", "formers")]


def _by_account(
    tournament_id: UUID, among: str, accounts: Callable[[models.Entrant], Iterable[UUID]]
) -> Part[UUID, str]:
    """The entrant of each of the `accounts` that a row has; `among` is the lookup of rows that have some of them."""
    entrants = models.Entrant.objects.filter(tournament=tournament_id).order_by("number").defer("state")

    def found(rows: QuerySet[models.Entrant]) -> Mapping[UUID, str]:
        return {player: row.key for row in rows for player in accounts(row)}

    return Part(
        fetch=lambda players: found(entrants.filter(**{among: list(players)})),
        fetch_all=lambda: found(entrants.all()),
    )


def state_of(row: models.Tournament) -> Tournament:
    """The state in a row; its parts are fetched on access."""
    parts: dict[str, Any] = {name: part.part(row.id) for name, part in _PARTS.items()}
    return replace(
        row.state,
        players=_by_account(row.id, "player__in", lambda one: [one.player_id] if one.player_id else []),
        formers=_by_account(row.id, "former__overlap", lambda one: one.former),
        **parts,
    )


PREFIX = "tournament."


def happened(event: log.Happened) -> Happened:
    return Happened(event.type.removeprefix(PREFIX), event.data, event.version, event.recorded_at)


class TournamentKind(log.StreamRows[Tournament]):
    name = "tournament"
    model = models.Tournament
    parts = {
        models.Entrant: "'entrant e' || number",
        models.Round: "'round ' || number",
        models.TournamentGame: "'game ' || game",
        models.Part: "part || ' ' || key",
    }
    over = "false"
    shape = log.shape_of(Tournament, *(part.kind for part in _PARTS.values()))

    def read(self, stream_id: UUID, lock: log.Lock) -> Tournament | None:
        """A locked state reads its parts when they are needed."""
        if lock is log.Lock.NONE:
            return self._whole(stream_id)
        row = models.Tournament.objects.filter(pk=stream_id, shape=self.shape).first()
        return state_of(row) if row is not None and row.state.version == row.version else None

    def _whole(self, tournament_id: UUID) -> Tournament | None:
        for version, state, *lists in fetch_all(_WHOLE, [self.shape, tournament_id]):
            if state is None or (t := _decoder.decode(state)).version != version:
                return None
            parts = {
                name: part.by_key(msgspec.json.decode(text, type=list[part.kind]) if text else ())  # type: ignore[name-defined]
                for (name, part), text in zip(_PARTS.items(), lists, strict=True)
            }
            in_order = sorted(parts["entrants"].values(), key=lambda entrant: entrant.number)
            players = {entrant.player: entrant.key for entrant in in_order if entrant.player is not None}
            formers = {player: entrant.key for entrant in in_order for player in entrant.former}
            made: dict[str, Any] = {name: Part(rows) for name, rows in parts.items()}
            return replace(t, players=Part(players), formers=Part(formers), **made)
        return None

    def evolve(self, state: Tournament | None, event: log.Happened) -> Tournament:
        tournament_id = state.id if state is not None else UUID(event.stream.removeprefix("tournament-"))
        return evolve(tournament_id, state, happened(event))

    def columns(self, state: Tournament) -> dict[str, Any]:
        return log.searched(self.model, state, *self.model.APART, *_OF_PLAN) | {
            name: getattr(state.plan, name) for name in _OF_PLAN
        }

    def stored(self, state: Tournament) -> Mapping[str, Any]:
        return {name: getattr(state, name) for name in _HEAD}

    def changed(
        self,
        before: Tournament | None,  # noqa: ARG002  parts know what has changed
        after: Tournament,
    ) -> Mapping[Any, Sequence[Mapping[str, Any]]]:
        found: dict[Any, list[Mapping[str, Any]]] = {model: [] for model in self.parts}
        for name, part in _PARTS.items():
            found[part.model] += [part.row(after.id, value) for value in getattr(after, name).changed.values()]
        return found


_OF_PLAN = ("title", "game", "kind", "visibility")
_decoder = msgspec.json.Decoder(Tournament)
_LISTS = ", ".join(
    f"(SELECT json_agg(part.state) FROM {log.table_of(part.model)} part WHERE {part.where('tournament.id')})::text"  # noqa: S608
    for part in _PARTS.values()
)
_WHOLE = f"""
SELECT version, CASE WHEN shape = %s THEN state::text END, {_LISTS}
FROM tournaments_tournament tournament WHERE tournament.id = %s
"""  # noqa: S608  the models' tables

TOURNAMENT = TournamentKind()
rebuild = TOURNAMENT.rebuild
