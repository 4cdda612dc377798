"""The game as a kind of stream: reading it from its rows, writing them, and rebuilding them from the log."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any
from uuid import UUID

import msgspec

from core import log
from core.accounts.models import Player
from core.rows import array_of, fetch_all, instance_of, row_of
from games.clocks import Uptime
from games.models import Game, Heartbeat, Outage, Seat, beaten_at, seat_id, stream_of
from games.projections.snapshot import SeatSnapshot, Snapshot, evolve, evolve_all
from games.rules import PLAYED


class GameKind(log.StreamRows[Snapshot]):
    name = "game"
    model = Game
    parts = {Seat: "'seat ' || index"}
    over = "made.finished_at IS NOT NULL"
    shape = log.shape_of(Snapshot, sorted({(rules.family, rules.state_schema) for rules in PLAYED.values()}))

    def read(self, stream_id: UUID, lock: log.Lock) -> Snapshot | None:  # noqa: ARG002  the parts are read at once
        return next((_snapshot(row, _decoded, {}, {}) for row in fetch_all(_ONE_GAME, [stream_id])), None)

    def evolve(self, state: Snapshot | None, event: log.Happened) -> Snapshot:
        return evolve(state, event)

    def stored(self, state: Snapshot) -> dict[str, Any]:
        dumped = None if state.state is None else state.rules.dump(state.state)
        return {name: getattr(state, name) for name in _STORED} | {"state": dumped}

    def changed(self, before: Snapshot | None, after: Snapshot) -> Mapping[Any, Sequence[Mapping[str, Any]]]:
        old = before.players if before is not None else ()
        seats = enumerate(after.players)
        return {
            Seat: [_seat(after.id, index, seat) for index, seat in seats if index >= len(old) or seat != old[index]]
        }

    def save(self, before: Snapshot | None, after: Snapshot) -> log.Saving:
        if before is not None and len(after.players) < len(before.players):
            Seat.objects.filter(game_id=after.id, index__gte=len(after.players)).delete()
        return super().save(before, after)


# The rest is read besides the state.
_STORED = [name for name in Snapshot.__struct_fields__ if name not in ("accounts", "uptime", "revealed")]

GAME = GameKind()
load, rebuild = GAME.load, GAME.rebuild


def _seat(game_id: UUID, index: int, seat: SeatSnapshot) -> dict[str, Any]:
    duty = seat.duty
    return {
        "id": seat_id(game_id, index),
        "game_id": game_id,
        "index": index,
        **log.searched(Seat, seat, *_OF_SEATS),
        "to_act": duty is not None,
        "duty_since": duty.since if duty else None,
        "duty_extra": duty.extra if duty else 0,
        "due_at": duty.due if duty else None,
    }


_OF_SEATS = ("id", "game", "index", "to_act", "duty_since", "duty_extra", "due_at")


def snapshot_at(game_id: UUID, version: int) -> Snapshot | None:
    snapshot = evolve_all(log.read(stream_of(game_id), upto=version)) if version > 0 else None
    return snapshot if snapshot is not None and snapshot.version == version else None


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


Decode = Callable[[str], Snapshot]

# The number of games of lists that a process keeps decoded, 16 kB each: of the games that wait for a player, most have
# not changed since the player asked last. A game that is read by itself is about to change, and keeping it would take
# longer than it saves.
KEPT = 512

# The fields of an account that games need; others are read on access.
_Account = row_of(Player, "id", "username", "preferences", "quiet_hours", "vacation")
_Outage, _Heartbeat = row_of(Outage, "began_at", "ended_at"), row_of(Heartbeat)

# One statement, so that all of it is of one moment, and handwritten: the ORM takes longer to write it than PostgreSQL
# to execute it. A row has the game's version, its state, its number of seats, their accounts, and the outages and
# heartbeats, the last three as JSON.
_UPTIME = f"""
json_build_array((
    SELECT json_agg({array_of("outage", _Outage)}) FROM games_outage outage WHERE outage.ended_at > game.started_at
), (
    SELECT json_agg({array_of("heartbeat", _Heartbeat)}) FROM games_heartbeat heartbeat
))::text
"""  # noqa: S608  the models' columns
_STATE = f"CASE WHEN game.shape = '{GAME.shape}' THEN game.state::text END"
_GAME = f"game.version, {_STATE}, seated.seats, seated.people::text, {_UPTIME}"
_SEATED = f"""
CROSS JOIN LATERAL (
    SELECT count(*) AS seats,
           json_agg({array_of("player", _Account)}) FILTER (WHERE player.id IS NOT NULL) AS people
    FROM games_seat seat LEFT JOIN accounts_player player ON player.id = seat.player_id WHERE seat.game_id = game.id
) seated
"""  # noqa: S608  the models' columns
_ONE_GAME = f"SELECT {_GAME} FROM games_game game {_SEATED} WHERE game.id = %s"  # noqa: S608
_SEVERAL_GAMES = f"SELECT {_GAME} FROM games_game game {_SEATED} WHERE game.id = ANY(%s)"  # noqa: S608

_game_decoder = msgspec.json.Decoder(Snapshot)
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


def _snapshots(rows: Iterable[Sequence[Any]], decode: Decode) -> dict[UUID, Snapshot]:
    people: dict[UUID, Player] = {}
    uptimes: dict[str, Uptime] = {}
    read = (_snapshot(row, decode, people, uptimes) for row in rows)
    return {snapshot.id: snapshot for snapshot in read if snapshot is not None}


def _snapshot(
    row: Sequence[Any], decode: Decode, known: dict[UUID, Player], uptimes: dict[str, Uptime]
) -> Snapshot | None:
    """The snapshot in a row; None if it is outdated, or seats are lost.

    `known` and `uptimes` are those of the same statement so far.
    """
    version, stored, seats, people, uptime = row
    game = decode(stored) if stored is not None else None
    if game is None or game.version != version or len(game.players) != seats:
        return None
    accounts = _people_decoder.decode(people) if people is not None else []
    known |= {account.id: instance_of(Player, account) for account in accounts if account.id not in known}
    if uptime not in uptimes:
        uptimes[uptime] = _uptime(uptime)
    return msgspec.structs.replace(
        game, accounts={account.id: known[account.id] for account in accounts}, uptime=uptimes[uptime]
    )


def _decoded(stored: str) -> Snapshot:
    game = _game_decoder.decode(stored)
    if game.state is None:
        return game
    return msgspec.structs.replace(game, state=game.rules.load(game.state))


_kept = lru_cache(maxsize=KEPT)(_decoded)


def uptime_since(since: datetime) -> Uptime:
    [(found,)] = fetch_all(f"SELECT {_UPTIME} FROM (SELECT %s::timestamptz AS started_at) game", [since])  # noqa: S608
    return _uptime(found)


def _uptime(text: str) -> Uptime:
    outages, heartbeats = _uptime_decoder.decode(text)
    last_beats = {beat.part: beaten_at(beat.at, beat.ahead) for beat in heartbeats or ()}
    return Uptime([(outage.began_at, outage.ended_at) for outage in outages or ()], last_beats)
