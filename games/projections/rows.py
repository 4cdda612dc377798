"""A snapshot in its rows: read, and written at an expected version."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection
from django.db.models import Prefetch, QuerySet

from games import log
from games.models import Game, Seat, seat_id, stream_of
from games.projections.snapshot import SeatSnapshot, Snapshot, evolve_all
from games.projections.timing import Duty
from games.rules import GAMES

SEATS = Seat.objects.select_related("player").order_by("index")


def with_seats(games: QuerySet[Game]) -> QuerySet[Game]:
    """The same games, each with its seats and their players (one query more)."""
    return games.prefetch_related(Prefetch("players", SEATS))


def snapshot_of(game: Game) -> Snapshot:
    """The snapshot in a game's row, whose seats are loaded.

    No query, unless the rules' state is missing or of another schema: then it is made from the log (and stored with the
    next move).
    """
    known: Snapshot | None = game.__dict__.get("_snapshot")
    if known is None:
        known = game.__dict__["_snapshot"] = _read(game)
    return known


def snapshot_at(game_id: UUID, version: int) -> Snapshot | None:
    """The snapshot as of a version of the past, from the log; None where there was no such version."""
    snapshot = evolve_all(log.read(stream_of(game_id), upto=version)) if version > 0 else None
    return snapshot if snapshot is not None and snapshot.version == version else None


def _read(game: Game) -> Snapshot:
    state = None
    accounts = {seat.player_id: seat.player for seat in game.seat_rows() if seat.player_id and seat.player}
    if game.dealt:
        rules = GAMES[game.game]
        if game.state is None or game.state_schema != rules.state_schema:
            healed = snapshot_at(game.pk, game.version)
            if healed is None:
                raise LookupError(f"game {game.pk}: the log does not reach version {game.version}")
            return replace(healed, accounts=accounts)
        state = rules.load(game.state)
    return Snapshot(
        players=tuple(_seat_snapshot(seat) for seat in game.seat_rows()),
        opener=game.opener_id,
        rematch_of=game.rematch_of_id,
        salts=tuple(game.salts) if game.salts is not None else None,
        state=state,
        accounts=accounts,
        **{name: getattr(game, name) for name in _AS_THEY_ARE},
    )


_AS_THEY_ARE = (
    "id",
    "game",
    "ruleset",
    "options",
    "asked_options",
    "seats",
    "visibility",
    "rated",
    "clock",
    "invitation",
    "secret",
    "commitment",
    "opened_at",
    "moved_at",
    "version",
    "status",
    "dealer",
    "shuffles",
    "result",
    "cancel_reason",
    "voided",
    "belongs_to",
    "started_at",
    "finished_at",
)


def _seat_snapshot(seat: Seat) -> SeatSnapshot:
    duty = None
    if seat.duty is not None and seat.duty_since is not None:
        duty = Duty(seat.duty, seat.duty_since, seat.due_at, seat.duty_extra)
    return SeatSnapshot(
        player=seat.player_id,
        bot=seat.bot,
        salt=seat.salt,
        joined_at=seat.joined_at,
        resigned=seat.resigned,
        agrees_to_cancel=seat.agrees_to_cancel,
        duty=duty,
        bank=seat.bank,
        misses=seat.misses,
        timeouts=seat.timeouts,
        moved=seat.moved,
        lost_on_time=seat.lost_on_time,
        replaced=seat.replaced,
    )


def _columns(snapshot: Snapshot) -> dict[str, Any]:
    """The columns of the game's row but the rules' state."""
    belongs_to = snapshot.belongs_to
    return {
        **{name: getattr(snapshot, name) for name in _AS_THEY_ARE},
        "opener_id": snapshot.opener,
        "rematch_of_id": snapshot.rematch_of,
        "tournament": UUID(belongs_to["tournament"]) if belongs_to is not None else None,
        "salts": list(snapshot.salts) if snapshot.salts is not None else None,
    }


def _state_columns(snapshot: Snapshot) -> dict[str, Any]:
    if snapshot.state is None:
        return {"state": None, "state_schema": None}
    rules = GAMES[snapshot.game]
    return {"state": rules.dump(snapshot.state), "state_schema": rules.state_schema}


def _seat_columns(seat: SeatSnapshot) -> dict[str, Any]:
    duty = seat.duty
    return {
        "player_id": seat.player,
        "bot": seat.bot,
        "salt": seat.salt,
        "joined_at": seat.joined_at,
        "resigned": seat.resigned,
        "agrees_to_cancel": seat.agrees_to_cancel,
        "to_act": duty is not None,
        "duty": duty.key if duty else None,
        "duty_since": duty.since if duty else None,
        "duty_extra": duty.extra if duty else 0,
        "due_at": duty.due if duty else None,
        "bank": seat.bank,
        "misses": seat.misses,
        "timeouts": seat.timeouts,
        "moved": seat.moved,
        "lost_on_time": seat.lost_on_time,
        "replaced": seat.replaced,
    }


def game_of(snapshot: Snapshot) -> Game:
    """The snapshot as a `Game` whose seats and players are loaded, as if it had been read. No query.

    Its `state` is left out: dumping it costs more than all the rest, and `snapshot_of` knows it anyway.
    """
    game = Game(**_columns(snapshot))
    rows = []
    for index, seat in enumerate(snapshot.players):
        row = Seat(id=seat_id(snapshot.id, index), game=game, index=index, **_seat_columns(seat))
        # Set where the account is gone, too, so that nobody asks for it again.
        Seat.player.field.set_cached_value(row, snapshot.account_of(seat))
        rows.append(row)
    loaded = Seat.objects.all()
    loaded._result_cache = rows  # noqa: SLF001  what prefetch_related does
    loaded._prefetch_done = True  # type: ignore[attr-defined]  # noqa: SLF001
    game.__dict__["_prefetched_objects_cache"] = {"players": loaded}
    game.__dict__["_snapshot"] = snapshot
    return game


def insert(snapshot: Snapshot) -> None:
    """Insert a game and its seats (two queries). Raises LostRace where the game is there already."""
    game = game_of(snapshot)
    for name, value in _state_columns(snapshot).items():
        setattr(game, name, value)
    try:
        game.save(force_insert=True)
    except IntegrityError as error:
        if getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) != "games_game_pkey":
            raise
        raise log.LostRace(f"{game.stream} is there already") from None
    Seat.objects.bulk_create(game.seat_rows())


def update(before: Snapshot, after: Snapshot) -> None:
    """Write what changed, if the row is still at the version of `before`.

    Raises LostRace when the row has moved on; nothing is written then.
    """
    old = _columns(before)
    changed = {name: value for name, value in _columns(after).items() if value != old[name]}
    if after.state is not None and after.state is not before.state:
        changed |= _state_columns(after)
    if not Game.objects.filter(pk=before.id, version=before.version).update(**changed):
        raise log.LostRace(f"game {before.id} is no longer at version {before.version}")
    _save_seats(before.id, before.players, after.players)


# By hand, for every move needs it: the ORM takes ten times as long to write a statement for several rows.
_TYPES = {
    "id": "uuid",
    "player_id": "uuid",
    "bot": "text",
    "salt": "text",
    "joined_at": "timestamptz",
    "resigned": "boolean",
    "agrees_to_cancel": "boolean",
    "to_act": "boolean",
    "duty": "text",
    "duty_since": "timestamptz",
    "duty_extra": "integer",
    "due_at": "timestamptz",
    "bank": "integer",
    "misses": "integer",
    "timeouts": "integer",
    "moved": "boolean",
    "lost_on_time": "boolean",
    "replaced": "boolean",
}
_UPDATE_SEATS = f"""
UPDATE games_seat AS seat
SET {", ".join(f"{name} = new.{name}" + ("::jsonb" if name == "bot" else "") for name in _TYPES if name != "id")}
FROM unnest({", ".join(f"%({name})s::{kind}[]" for name, kind in _TYPES.items())}) AS new ({", ".join(_TYPES)})
WHERE seat.id = new.id
"""  # noqa: S608  constants only


def _save_seats(game_id: UUID, before: Sequence[SeatSnapshot], after: Sequence[SeatSnapshot]) -> None:
    changed = [index for index, (old, new) in enumerate(zip(before, after, strict=False)) if old != new]
    if len(after) < len(before):
        Seat.objects.filter(game_id=game_id, index__gte=len(after)).delete()
    if changed:
        rows = [{"id": seat_id(game_id, index), **_seat_columns(after[index])} for index in changed]
        for row in rows:
            row["bot"] = None if row["bot"] is None else json.dumps(row["bot"])
        with connection.cursor() as cursor:
            cursor.execute(_UPDATE_SEATS, {name: [row[name] for row in rows] for name in _TYPES})
    if len(after) > len(before):
        Seat.objects.bulk_create(
            Seat(id=seat_id(game_id, index), game_id=game_id, index=index, **_seat_columns(after[index]))
            for index in range(len(before), len(after))
        )
