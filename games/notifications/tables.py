"""The tables of this process: a cache, brought up to a version from the log."""

from collections import OrderedDict
from collections.abc import Collection, Sequence
from threading import Lock
from uuid import UUID

from core import log
from games.models import stream_of
from games.notifications.table import Table, fold, folded

MOST = 20_000

_tables: OrderedDict[UUID, Table] = OrderedDict()
_lock = Lock()


def after(event: log.Event) -> Table:
    """The table as of an event that was just read; the log is read only if this process has not followed the game."""
    game_id = UUID(event.stream_key)
    before = _kept(game_id)
    if before is not None and before.version == event.version - 1:
        return _keep(fold(before, event))
    table = folded(log.read(event.stream, upto=event.version))
    if table is None:
        raise LookupError(f"{event.stream} has no events")
    return _keep(table)


def read_ahead(events: Sequence[log.Event]) -> None:
    """Load the tables of games as of before these events, with one query for all that are missing."""
    first: dict[UUID, int] = {}
    for event in events:
        first.setdefault(UUID(event.stream_key), event.version)
    missing = [
        game_id
        for game_id, version in first.items()
        if version > 1 and ((kept := _kept(game_id)) is None or kept.version != version - 1)
    ]
    streams = log.read_all({stream_of(game_id): 0 for game_id in missing})
    for game_id in missing:
        table = folded([event for event in streams[stream_of(game_id)] if event.version < first[game_id]])
        if table is not None:
            _keep(table)


def now(game_id: UUID) -> Table | None:
    """The table as of the end of the log; None if there is no such game."""
    return now_all([game_id]).get(game_id)


def now_all(game_ids: Collection[UUID]) -> dict[UUID, Table]:
    """The tables as of the end of the log, without games that do not exist. One query."""
    known = {game_id: _kept(game_id) for game_id in game_ids}
    news = log.read_all({stream_of(game_id): table.version if table else 0 for game_id, table in known.items()})
    tables = {game_id: folded(news[stream_of(game_id)], table) for game_id, table in known.items()}
    return {game_id: _keep(table) for game_id, table in tables.items() if table is not None}


def _kept(game_id: UUID) -> Table | None:
    with _lock:
        return _tables.get(game_id)


def _keep(table: Table) -> Table:
    with _lock:
        _tables[table.game_id] = table
        _tables.move_to_end(table.game_id)
        while len(_tables) > MOST:
            _tables.popitem(last=False)
    return table
