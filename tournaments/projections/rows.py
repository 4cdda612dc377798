"""Converting between a tournament's state and its rows. Only the rows that matter are read and written.

A state that is read without a lock is read by one statement, so that all of it is of one version.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import cached_property
from types import GenericAlias
from typing import Any, Generic, TypeVar
from uuid import UUID

import msgspec
from django.db.models import Model

from core.rows import array_of, fetch_all, instance_of, row_of
from tournaments import models
from tournaments.models import row_id
from tournaments.stream import (
    Counts,
    Deals,
    Draft,
    Elector,
    Ending,
    Entrant,
    Outcome,
    Part,
    Plan,
    Proposal,
    Round,
    Rules,
    Standing,
    Status,
    Table,
    Tournament,
    TournamentGame,
)

K = TypeVar("K")
V = TypeVar("V")
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Rows(Generic[K, V, M]):
    """The storage of one part of the state: its model, its rows by key, and the conversions."""

    name: str
    model: type[M]
    where: Callable[[K], dict[str, Any]]
    key: Callable[[M], K]
    read: Callable[[M], V]
    written: Callable[[V], dict[str, Any]]

    def part(self, tournament_id: UUID) -> Part[K, V]:
        """The part as stored; each row is fetched on first access."""

        def fetch(keys: Sequence[K]) -> Mapping[K, V]:
            wheres = [self.where(key) for key in keys]
            each = " AND ".join(f'part."{name}" = %s' for name in wheres[0])
            asked = " OR ".join([f"({each})"] * len(wheres))
            return self._read(f"AND ({asked})", tournament_id, *(value for one in wheres for value in one.values()))

        return Part(fetch=fetch, fetch_all=lambda: self._read("", tournament_id))

    def by_key(self, found: Iterable[msgspec.Struct]) -> dict[K, V]:
        """The values of decoded rows."""
        rows = [instance_of(self.model, row) for row in found]
        return {self.key(row): self.read(row) for row in rows}

    @cached_property
    def row(self) -> type[msgspec.Struct]:
        """The struct of a row, into which its JSON array is decoded."""
        return row_of(self.model)

    @property
    def all_of_tournament(self) -> str:
        """The SQL of a JSON array of all rows of the `tournament` that a statement reads."""
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
        """Write the rows that changed, in one statement."""
        rows = []
        for key, value in changed.items():
            names = self.where(key)
            rows.append(
                self.model(
                    id=row_id(tournament_id, self.name, *names.values()),
                    tournament_id=tournament_id,
                    **names,
                    **self.written(value),
                )
            )
        if not rows:
            return
        first = next(iter(changed.values()))
        manager = self.model._default_manager  # noqa: SLF001
        manager.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=list(self.written(first)),
            batch_size=1000,
        )


def _copied(*names: str) -> Callable[[Any], dict[str, Any]]:
    def written(value: Any) -> dict[str, Any]:
        return {name: _plain(getattr(value, name)) for name in names}

    return written


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _entrant(row: models.Entrant) -> Entrant:
    return Entrant(
        key=row.key,
        player=row.player_id,
        bot=row.bot,
        salt=row.salt,
        standing=Standing(row.standing),
        since=row.since,
        entered_at=row.entered_at,
        checked_in=row.checked_in,
        missed=row.missed,
        withdrew=row.withdrew,
        resigns=row.resigns,
        absences=row.absences,
        asked=tuple(row.asked),
        asked_for=row.asked_for,
        asked_game=str(row.asked_game) if row.asked_game is not None else None,
        asked_until=row.asked_until,
        former=tuple(row.former),
    )


def _entrant_row(entrant: Entrant) -> dict[str, Any]:
    return {**_ENTRANT_COLUMNS(entrant), "player_id": entrant.player, "standing": entrant.standing.value}


_ENTRANT_COLUMNS = _copied(
    "bot",
    "salt",
    "since",
    "entered_at",
    "checked_in",
    "missed",
    "withdrew",
    "resigns",
    "absences",
    "asked",
    "asked_for",
    "asked_game",
    "asked_until",
    "former",
)


def _game(row: models.TournamentGame) -> TournamentGame:
    return TournamentGame(
        id=str(row.game),
        round=row.round,
        table=row.table,
        number=row.number,
        entrants=tuple(row.entrants),
        outcome=Outcome(row.outcome),
        source=row.source,
        result=row.result,
        absent=tuple(row.absent),
        since=row.since,
        ended_at=row.ended_at,
        proposal=row.proposal,
    )


def _game_row(game: TournamentGame) -> dict[str, Any]:
    return {**_GAME_COLUMNS(game), "outcome": game.outcome.value}


_GAME_COLUMNS = _copied(
    "round", "table", "number", "entrants", "source", "result", "absent", "since", "ended_at", "proposal"
)


# People write these names, too, so one may not belong to any entrant.
_ENTRANT = re.compile(r"e[1-9][0-9]{0,8}")
ENTRANTS: Rows[str, Entrant, models.Entrant] = Rows(
    "entrant",
    models.Entrant,
    where=lambda key: {"number": int(key[1:]) if _ENTRANT.fullmatch(key) else None},
    key=lambda row: row.key,
    read=_entrant,
    written=_entrant_row,
)
ROUNDS: Rows[int, Round, models.Round] = Rows(
    "round",
    models.Round,
    where=lambda number: {"number": number},
    key=lambda row: row.number,
    read=lambda row: Round(
        number=row.number,
        byes=tuple(row.byes),
        tables=row.tables,
        open_tables=row.open_tables,
        seated_at=row.seated_at,
        deadline_at=row.deadline_at,
        overdue=row.overdue,
        closed_at=row.closed_at,
        proposal=row.proposal,
    ),
    written=_copied("byes", "tables", "open_tables", "seated_at", "deadline_at", "overdue", "closed_at", "proposal"),
)
TABLES: Rows[tuple[int, int], Table, models.Table] = Rows(
    "table",
    models.Table,
    where=lambda place: {"round": place[0], "number": place[1]},
    key=lambda row: (row.round, row.number),
    read=lambda row: Table(row.round, row.number, tuple(row.entrants), tuple(row.games)),
    written=_copied("entrants", "games"),
)
GAMES: Rows[str, TournamentGame, models.TournamentGame] = Rows(
    "game",
    models.TournamentGame,
    where=lambda key: {"game": UUID(key)},
    key=lambda row: str(row.game),
    read=_game,
    written=_game_row,
)


_PROPOSAL = (
    "by", "entrant", "title", "reason", "ruleset", "options", "opened_at", "first_day_ends", "closes_at",
    "changed_at", "ended_at", "ended_why",
)  # fmt: skip


def _proposal(row: models.Proposal) -> Proposal:
    copied = {name: getattr(row, name) for name in _PROPOSAL}
    return Proposal(n=row.n, counts=Counts(**row.counts), status=Ending(row.status), **copied)


def _proposal_row(proposal: Proposal) -> dict[str, Any]:
    own = {"counts": proposal.counts.as_json(), "status": proposal.status.value}
    return {**_copied(*_PROPOSAL)(proposal), **own, "options": dict(proposal.options)}


PROPOSALS: Rows[int, Proposal, models.Proposal] = Rows(
    "proposal",
    models.Proposal,
    where=lambda n: {"n": n},
    key=lambda row: row.n,
    read=_proposal,
    written=_proposal_row,
)
ELECTORS: Rows[tuple[int, str], Elector, models.Elector] = Rows(
    "elector",
    models.Elector,
    where=lambda key: {"proposal": key[0], "number": int(key[1][1:])},
    key=lambda row: (row.proposal, f"e{row.number}"),
    read=lambda row: Elector(row.proposal, f"e{row.number}", row.vote, row.lost),
    written=_copied("vote", "lost"),
)


def players_part(tournament_id: UUID) -> Part[UUID, str]:
    """The entrant of each player; stored in the entrants' rows."""

    def fetch(players: Sequence[UUID]) -> Mapping[UUID, str]:
        found = models.Entrant.objects.filter(tournament=tournament_id, player__in=players)
        return {row.player_id: row.key for row in found if row.player_id}

    def fetch_all() -> Mapping[UUID, str]:
        found = models.Entrant.objects.filter(tournament=tournament_id, player__isnull=False)
        return {row.player_id: row.key for row in found if row.player_id}

    return Part(fetch=fetch, fetch_all=fetch_all)


def formers_part(tournament_id: UUID) -> Part[UUID, str]:
    """The former entrant of each player; also stored in the entrants' rows."""

    def fetch(players: Sequence[UUID]) -> Mapping[UUID, str]:
        found = models.Entrant.objects.filter(tournament=tournament_id, former__overlap=list(players))
        return {player: row.key for row in found.order_by("number") for player in row.former if player in players}

    def fetch_all() -> Mapping[UUID, str]:
        found = models.Entrant.objects.filter(tournament=tournament_id)
        return {player: row.key for row in found.order_by("number") for player in row.former}

    return Part(fetch=fetch, fetch_all=fetch_all)


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
    """The state of a tournament that is locked until the end of the transaction; parts are fetched on access."""
    found = fetch_all(f"{_HELD} SKIP LOCKED" if skip_locked else _HELD, [tournament_id])
    return state_of(instance_of(models.Tournament, _decoder.decode(found[0][0]))) if found else None


def whole(tournament_id: UUID) -> Tournament | None:
    """The state of a tournament with all its rows, as of one version."""
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
    """The state of a tournament, given its own row; parts are fetched on access."""
    return Tournament(
        id=row.id,
        version=row.version,
        plan=Plan.from_json(row.plan),
        asked=row.asked,
        slug=row.slug,
        seed=row.seed,
        commitment=row.commitment,
        invitation=row.invitation,
        organisers=tuple(row.organisers),
        set_up_by=row.set_up_by,
        set_up_at=row.set_up_at,
        after=row.after,
        offers=tuple(row.offers),
        asked_organisers=tuple(row.asked_organisers),
        status=Status(row.status),
        numbers=row.numbers,
        bots=row.bots,
        places=row.places,
        queue=tuple(row.queue),
        seated=row.seated,
        open_rounds=tuple(row.open_rounds),
        draft=_draft(row.draft),
        seeds=tuple(row.seeds) if row.seeds is not None else None,
        seed_shown=row.seed_shown,
        deals=tuple(_deals(one) for one in row.deals),
        rooms=row.rooms,
        reopened=row.reopened,
        unorganised_at=row.unorganised_at,
        put_off=row.put_off,
        opened_at=row.opened_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        ended_why=row.ended_why,
        proposed=row.proposed,
        open_proposals=tuple(row.open_proposals),
        channels=tuple(row.channels),
        messages=tuple(row.messages),
        ratified=tuple(_rules(stored) for stored in row.ratified),
        entrants=ENTRANTS.part(row.id),
        players=players_part(row.id),
        formers=formers_part(row.id),
        rounds=ROUNDS.part(row.id),
        tables=TABLES.part(row.id),
        games=GAMES.part(row.id),
        proposals=PROPOSALS.part(row.id),
        electors=ELECTORS.part(row.id),
    )


def columns(t: Tournament) -> dict[str, Any]:
    """The columns of a tournament's own row, except the id."""
    own = {field.name: getattr(t, field.name) for field in fields(t) if field.name in _OWN}
    return {
        **{name: _plain(value) for name, value in own.items()},
        "status": t.status.value,
        "plan": t.plan.as_json(),
        "asked": dict(t.asked),
        "title": t.plan.title,
        "game": t.plan.game,
        "kind": t.plan.kind,
        "visibility": t.plan.visibility,
        "draft": _draft_json(t.draft),
        "ratified": [_rules_json(rules) for rules in t.ratified],
        "deals": [_deals_json(one) for one in t.deals],
    }


_OWN = {
    "version",
    "slug",
    "seed",
    "commitment",
    "invitation",
    "organisers",
    "asked_organisers",
    "after",
    "offers",
    "set_up_by",
    "set_up_at",
    "numbers",
    "bots",
    "places",
    "queue",
    "seated",
    "open_rounds",
    "seeds",
    "seed_shown",
    "rooms",
    "reopened",
    "unorganised_at",
    "put_off",
    "opened_at",
    "started_at",
    "ended_at",
    "ended_why",
    "proposed",
    "open_proposals",
    "channels",
    "messages",
}


def save_parts(t: Tournament) -> None:
    """Write the entrants, rounds, tables, games, proposals and votes that have changed."""
    ENTRANTS.save(t.id, t.entrants.changed)
    ROUNDS.save(t.id, t.rounds.changed)
    TABLES.save(t.id, t.tables.changed)
    GAMES.save(t.id, t.games.changed)
    PROPOSALS.save(t.id, t.proposals.changed)
    ELECTORS.save(t.id, t.electors.changed)


def _rules(stored: Mapping[str, Any]) -> Rules:
    since = datetime.fromisoformat(stored["since"])
    return Rules(stored["ruleset"], stored["options"], since, stored["proposal"])


def _rules_json(rules: Rules) -> dict[str, Any]:
    since = rules.since.isoformat() if rules.since is not None else None
    return {"proposal": rules.proposal, "ruleset": rules.ruleset, "options": dict(rules.options), "since": since}


def _deals(stored: Mapping[str, Any]) -> Deals:
    opened_at = stored["opened_at"]
    return Deals(
        stored["secret"],
        stored["commitment"],
        datetime.fromisoformat(stored["since"]),
        datetime.fromisoformat(opened_at) if opened_at else None,
    )


def _deals_json(deals: Deals) -> dict[str, Any]:
    return {
        "secret": deals.secret,
        "commitment": deals.commitment,
        "since": deals.since.isoformat(),
        "opened_at": deals.opened_at.isoformat() if deals.opened_at else None,
    }


def _draft(stored: Mapping[str, Any] | None) -> Draft | None:
    if stored is None:
        return None
    tables = tuple(tuple(table) for table in stored["tables"])
    return Draft(stored["round"], tables, tuple(stored["byes"]), stored["figures"])


def _draft_json(draft: Draft | None) -> dict[str, Any] | None:
    if draft is None:
        return None
    return {
        "round": draft.round,
        "tables": [list(table) for table in draft.tables],
        "byes": list(draft.byes),
        "figures": dict(draft.figures),
    }
