"""The game as a kind of stream: reading it from its rows, writing them, and rebuilding them from the log."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any
from uuid import UUID

import msgspec

from core import log
from core.accounts.models import Player
from core.rows import array_of, fetch_all, instance_of, row_of
from games.clocks import Uptime
from games.models import Game, Heartbeat, Outage, Seat, beaten_at, stream_of
from games.projections import rows
from games.projections.rows import insert, snapshot_from
from games.projections.snapshot import Snapshot, evolve, evolve_all

GAME_ROWS = log.StreamRows(
    kind="game",
    table="games_game",
    parts=["games_seat"],
    column="game_id",
    texts="""
SELECT 'game', to_jsonb(g)::text FROM games_game g WHERE g.id = %(id)s
UNION ALL
SELECT 'seat ' || s.index, to_jsonb(s)::text FROM games_seat s WHERE s.game_id = %(id)s ORDER BY 1
""",
)


def rebuild(game_id: UUID) -> log.Rebuilt:
    """Drop a game's rows and rebuild them from its events, in one transaction; players notice nothing.

    A row without a stream is dropped and reported as a difference.
    """
    return GAME_ROWS.rebuild(game_id, _insert)


def _insert(events: Sequence[log.Event]) -> None:
    snapshot = evolve_all(events)
    if snapshot is not None:
        insert(snapshot)


def load(game_id: UUID, *, lock: log.Lock = log.Lock.NONE) -> Snapshot | None:
    """One game with its players' accounts and the service's uptime, or None.

    One query, unless the rows are lost: then they are rebuilt from the log. With Lock.WAIT the row is locked for the
    transaction; with Lock.SKIP too, but the result is None if somebody else holds it. The lock is a separate query,
    because only what is read after it is as new as the row.

    Raises LookupError for rows that cannot be rebuilt from the log.
    """
    held = lock is log.Lock.NONE or _taken(game_id, lock)
    snapshot = _read(game_id) if held else None
    if snapshot is not None or lock is log.Lock.SKIP or not log.read(stream_of(game_id), upto=1):
        return snapshot
    # Also if a rebuild replaced the row while its lock was awaited.
    rebuild(game_id)
    snapshot = _read(game_id)
    if snapshot is None:
        raise LookupError(f"game {game_id}: its rows are lost, and do not come back from its log")
    return snapshot


def load_all(game_ids: Sequence[UUID]) -> list[Snapshot]:
    """Several games in the order of `game_ids`, without those that do not exist. One query, unless rows are lost."""
    if not game_ids:
        return []
    found = snapshots_in(fetch_all(*statement(game_ids)))
    games = (found.get(game_id) or load(game_id) for game_id in game_ids)
    return [game for game in games if game is not None]


def statement(game_ids: Sequence[UUID]) -> tuple[str, list[Any]]:
    """The SQL of `load_all` with its values, for a reader with a connection of its own, such as an event loop."""
    return _SEVERAL_GAMES, [list(game_ids)]


def snapshots_in(rows: Iterable[Sequence[Any]]) -> dict[UUID, Snapshot]:
    return _snapshots(rows, _decoded)


def load_listed(listed: str, values: Sequence[Any]) -> list[tuple[Snapshot, Any]]:
    """Games in the order of a list, each with the value that orders it. One query, unless rows are lost.

    `listed` is the SQL of the list, a statement that selects `game_id`, `place` and the `number` of a row.
    """
    rows = fetch_all(_listed(listed), values)
    found = _snapshots((row for _, _, *row in rows), _kept)
    games = ((found.get(game_id) or load(game_id), place) for game_id, place, *_ in rows)
    return [(game, place) for game, place in games if game is not None]


def _taken(game_id: UUID, lock: log.Lock) -> bool:
    return bool(fetch_all(_TAKE[lock], [game_id]))


Decode = Callable[[str], Snapshot | None]

# The number of games of lists that a process keeps decoded, 16 kB each: of the games that wait for a player, most have
# not changed since the player asked last. A game that is read by itself is about to change, and keeping it would take
# longer than it saves.
KEPT = 512

# The fields of an account that games need; others are read on access.
_Account = row_of(Player, "id", "username", "preferences", "quiet_hours", "vacation")
_Game, _Seat, _Outage, _Heartbeat = (
    row_of(Game),
    row_of(Seat),
    row_of(Outage, "began_at", "ended_at"),
    row_of(Heartbeat),
)

_TAKE = {
    log.Lock.WAIT: "SELECT 1 FROM games_game WHERE id = %s FOR NO KEY UPDATE",
    log.Lock.SKIP: "SELECT 1 FROM games_game WHERE id = %s FOR NO KEY UPDATE SKIP LOCKED",
}

# One statement, so that all of it is of one moment, and handwritten: the ORM takes longer to write it than PostgreSQL
# to execute it. A row has the game with its seats, their accounts, and the outages and heartbeats, each as JSON.
_UPTIME = f"""
json_build_array((
    SELECT json_agg({array_of("outage", _Outage)}) FROM games_outage outage WHERE outage.ended_at > game.started_at
), (
    SELECT json_agg({array_of("heartbeat", _Heartbeat)}) FROM games_heartbeat heartbeat
))::text
"""  # noqa: S608  the models' columns
_GAME = f"json_build_array({array_of('game', _Game)}, seated.seats)::text, seated.people::text, {_UPTIME}"
_SEATED = f"""
CROSS JOIN LATERAL (
    SELECT json_agg({array_of("seat", _Seat)} ORDER BY seat.index) AS seats,
           json_agg({array_of("player", _Account)}) FILTER (WHERE player.id IS NOT NULL) AS people
    FROM games_seat seat LEFT JOIN accounts_player player ON player.id = seat.player_id WHERE seat.game_id = game.id
) seated
"""  # noqa: S608  the models' columns
_ONE_GAME = f"SELECT {_GAME} FROM games_game game {_SEATED} WHERE game.id = %s"  # noqa: S608
_SEVERAL_GAMES = f"SELECT {_GAME} FROM games_game game {_SEATED} WHERE game.id = ANY(%s)"  # noqa: S608

_game_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(tuple[_Game, list[_Seat] | None])  # type: ignore[valid-type]
_people_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(list[_Account])  # type: ignore[valid-type]
_uptime_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
    tuple[list[_Outage] | None, list[_Heartbeat] | None]  # type: ignore[valid-type]
)


@cache
def _listed(listed: str) -> str:
    return f"""
    SELECT listed.game_id, listed.place, {_GAME}
    FROM ({listed}) listed JOIN games_game game ON game.id = listed.game_id {_SEATED} ORDER BY listed.number
    """  # noqa: S608  statements of ours


def _read(game_id: UUID) -> Snapshot | None:
    return next((_snapshot(row, _decoded, {}, {}) for row in fetch_all(_ONE_GAME, [game_id])), None)


def _snapshots(rows: Iterable[Sequence[Any]], decode: Decode) -> dict[UUID, Snapshot]:
    people: dict[UUID, Player] = {}
    uptimes: dict[str, Uptime] = {}
    read = (_snapshot(row, decode, people, uptimes) for row in rows)
    return {snapshot.id: snapshot for snapshot in read if snapshot is not None}


def _snapshot(
    row: Sequence[Any], decode: Decode, known: dict[UUID, Player], uptimes: dict[str, Uptime]
) -> Snapshot | None:
    """The snapshot in a row; None if seats are lost. `known` and `uptimes` are those of the same statement so far."""
    stored, people, uptime = row
    game = decode(stored)
    if game is None:
        return None
    accounts = _people_decoder.decode(people) if people is not None else []
    known |= {account.id: instance_of(Player, account) for account in accounts if account.id not in known}
    if uptime not in uptimes:
        uptimes[uptime] = _uptime(uptime)
    return msgspec.structs.replace(
        game, accounts={account.id: known[account.id] for account in accounts}, uptime=uptimes[uptime]
    )


def _decoded(stored: str) -> Snapshot | None:
    game, seats = _game_decoder.decode(stored)
    seats = seats or []
    return snapshot_from(game, seats) if _has_its_seats(game, seats) else None


_kept = lru_cache(maxsize=KEPT)(_decoded)


def uptime_since(since: datetime) -> Uptime:
    [(found,)] = fetch_all(f"SELECT {_UPTIME} FROM (SELECT %s::timestamptz AS started_at) game", [since])  # noqa: S608
    return _uptime(found)


def _uptime(text: str) -> Uptime:
    outages, heartbeats = _uptime_decoder.decode(text)
    last_beats = {beat.part: beaten_at(beat.at, beat.ahead) for beat in heartbeats or ()}
    return Uptime([(outage.began_at, outage.ended_at) for outage in outages or ()], last_beats)


def _has_its_seats(game: Any, seats: Sequence[Any]) -> bool:
    if not seats:
        return bool(game.status == Game.Status.CANCELLED)
    return game.started_at is None or len(seats) == game.seats


class GameKind:
    name = "game"

    def load(self, stream_id: UUID, lock: log.Lock) -> Snapshot | None:
        return load(stream_id, lock=lock)

    def evolve(self, state: Snapshot | None, event: log.Happened) -> Snapshot:
        return evolve(state, event)

    def save(self, before: Snapshot | None, after: Snapshot) -> log.Saving | None:
        if before is not None:
            return rows.update(before, after)
        rows.insert(after)
        return None

    def rebuild(self, stream_id: UUID) -> log.Rebuilt:
        return rebuild(stream_id)

    def ids(self) -> Iterable[UUID]:
        return GAME_ROWS.ids()

    def parse(self, key: str) -> UUID:
        return UUID(key)

    def behind(self) -> Iterable[UUID]:
        return GAME_ROWS.behind()


GAME = GameKind()
