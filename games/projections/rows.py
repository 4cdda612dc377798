"""A snapshot in its rows: read, and written at an expected version."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any
from uuid import UUID

import msgspec

from core import log
from core.rows import fetch_all
from games.models import Game, Seat, seat_id, stream_of
from games.projections.snapshot import SeatSnapshot, Snapshot, evolve_all
from games.projections.vocabulary import Duty
from games.rules import GAMES


def snapshot_at(game_id: UUID, version: int) -> Snapshot | None:
    snapshot = evolve_all(log.read(stream_of(game_id), upto=version)) if version > 0 else None
    return snapshot if snapshot is not None and snapshot.version == version else None


def snapshot_from(game: Any, seats: Sequence[Any]) -> Snapshot:
    """The snapshot in the rows of a game and its seats, without accounts and uptime.

    If the rules' state is missing or has another schema, it is made from the log (and stored with the next command).
    """
    state = None
    if game.started_at is not None:
        rules = GAMES[game.game]
        if game.state is None or game.state_schema != rules.state_schema:
            healed = snapshot_at(game.id, game.version)
            if healed is None:
                raise LookupError(f"game {game.id}: the log does not reach version {game.version}")
            return msgspec.structs.replace(healed, outdated=True)
        state = rules.load(game.state)
    return Snapshot(
        players=tuple(_seat_snapshot(seat) for seat in seats),
        opener=game.opener_id,
        rematch_of=game.rematch_of_id,
        salts=tuple(game.salts) if game.salts is not None else None,
        state=state,
        **{name: getattr(game, name) for name in _AS_THEY_ARE},
    )


# The fields that rows have under the same name and as they are.
_OTHERWISE = {"players", "opener", "rematch_of", "salts", "state", "accounts", "uptime", "revealed", "outdated"}
_AS_THEY_ARE = [name for name in Snapshot.__struct_fields__ if name not in _OTHERWISE]
_OF_SEATS = [name for name in SeatSnapshot.__struct_fields__ if name not in ("player", "duty")]


def _seat_snapshot(seat: Any) -> SeatSnapshot:
    duty = None
    if seat.duty is not None and seat.duty_since is not None:
        duty = Duty(seat.duty, seat.duty_since, seat.due_at, seat.duty_extra, seat.duty_turn)
    return SeatSnapshot(player=seat.player_id, duty=duty, **{name: getattr(seat, name) for name in _OF_SEATS})


def _columns(snapshot: Snapshot) -> dict[str, Any]:
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
        **{name: getattr(seat, name) for name in _OF_SEATS},
        "player_id": seat.player,
        "to_act": duty is not None,
        "duty": duty.key if duty else None,
        "duty_since": duty.since if duty else None,
        "duty_extra": duty.extra if duty else 0,
        "duty_turn": duty.turn if duty else 0,
        "due_at": duty.due if duty else None,
    }


def insert(snapshot: Snapshot) -> None:
    """Insert a game and its seats (two queries). Raises LostRace if the game exists already."""
    log.insert_row(Game(**_columns(snapshot), **_state_columns(snapshot)))
    _insert_seats(snapshot, range(len(snapshot.players)))


def _insert_seats(snapshot: Snapshot, indexes: Iterable[int]) -> None:
    Seat.objects.bulk_create(
        Seat(id=seat_id(snapshot.id, index), game_id=snapshot.id, index=index, **_seat_columns(snapshot.players[index]))
        for index in indexes
    )


def update(before: Snapshot, after: Snapshot) -> log.Saving | None:
    """Return what writes the changes, if the row is still at the version of `before`; if people come or go, write them.

    An outdated row is written as a whole. Raises LostRace if the row has moved on; then nothing is written.
    """
    old_columns, columns = _columns(before), _columns(after)
    if not before.outdated:
        columns = {name: value for name, value in columns.items() if value != old_columns[name]}
    if before.outdated or after.state is not before.state:
        columns |= _state_columns(after)
    seats = [
        {"index": index, **_seat_columns(new)}
        for index, (old, new) in enumerate(zip(before.players, after.players, strict=False))
        if old != new
    ]
    values = {"game": before.id, "at": before.version, "columns": _json(columns), "seats": _json(seats)}
    saving = log.Saving(_update_of(tuple(columns)), values)
    if len(after.players) == len(before.players):
        return saving
    if not fetch_all(f"WITH {saving.sql} SELECT FROM saved", values):
        raise log.LostRace(f"game {before.id} is no longer at version {before.version}")
    if len(after.players) < len(before.players):
        Seat.objects.filter(game_id=after.id, index__gte=len(after.players)).delete()
    else:
        _insert_seats(after, range(len(before.players), len(after.players)))
    return None


_SEAT_COLUMNS = tuple(
    field.attname
    for field in Seat._meta.concrete_fields  # noqa: SLF001  Django's public way to a model's fields
    if field.name not in ("id", "game", "index")
)


@cache
def _update_of(columns: Sequence[str]) -> str:
    """Return the expressions that set these columns of a game, and all columns of its changed seats.

    Handwritten, since every move needs it: the ORM takes longer to write such a statement than PostgreSQL to execute
    it, and PostgreSQL takes a quarter longer if it sets all columns of the game.
    """
    return f"""saved AS (
    UPDATE games_game AS game SET {_assignments(columns)}
    FROM json_populate_record(NULL::games_game, %(columns)s::json) AS new
    WHERE game.id = %(game)s AND game.version = %(at)s
    RETURNING game.id
), seats AS (
    UPDATE games_seat AS seat SET {_assignments(_SEAT_COLUMNS)}
    FROM saved, json_populate_recordset(NULL::games_seat, %(seats)s::json) AS new
    WHERE seat.game_id = saved.id AND seat.index = new.index
)"""  # noqa: S608  the models' columns


def _assignments(columns: Sequence[str]) -> str:
    return ", ".join(f'"{name}" = new."{name}"' for name in columns)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
