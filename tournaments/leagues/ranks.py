"""Ranks: an index of sorted sets in Redis, and the counts in PostgreSQL behind it.

A board's index carries the version of the board that it shows. An index that is lost or at another version is
not used: ranks then come from PostgreSQL, as sums of a few counts, and a task rebuilds the index. Both give the same
ranks; only the time differs.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import redis
from celery import current_app
from django.conf import settings
from django.db import connection
from kombu.exceptions import OperationalError

from games.platform.redis_client import client
from tournaments.leagues.boards import BOARDS
from tournaments.leagues.models import BoardState, Entry
from tournaments.leagues.store import Change

logger = logging.getLogger(__name__)

# Redis drops an index that was not read for this long (seconds).
KEPT = 90 * 24 * 3600
BATCH = 10_000

# Applied as a whole, and only to the version it follows.
_UPDATE = """
if redis.call('GET', KEYS[2]) ~= ARGV[1] then redis.call('DEL', KEYS[2]) return 0 end
local place = 3
for _ = 1, tonumber(ARGV[3]) do
  redis.call('ZADD', KEYS[1], ARGV[place + 1], ARGV[place + 2])
  place = place + 2
end
for index = place + 1, #ARGV do redis.call('ZREM', KEYS[1], ARGV[index]) end
redis.call('SET', KEYS[2], ARGV[2], 'EX', %d)
redis.call('EXPIRE', KEYS[1], %d)
return 1
""" % (KEPT, KEPT)  # noqa: UP031  Lua has braces of its own


@dataclass(frozen=True, slots=True)
class BoardKey:
    """One board: of a game (in one generation), for a period."""

    game: str
    generation: int
    period: str
    board: str

    @property
    def name(self) -> str:
        """The sorted set in Redis."""
        return f"{settings.REDIS_PREFIX}board:{self.game}:{self.generation}:{self.period}:{self.board}"

    @property
    def version_name(self) -> str:
        """What holds the version that the set shows."""
        return f"{self.name}:version"

    @property
    def filters(self) -> dict[str, Any]:
        """For its rows."""
        return {"game": self.game, "generation": self.generation, "period": self.period, "board": self.board}


@dataclass(frozen=True, slots=True)
class Around:
    """How many entries of a board have a higher score, and how many the same."""

    above: int
    equal: int

    @property
    def rank(self) -> int:
        """The rank of that score: 1, 2, 2, 4."""
        return self.above + 1


def around(key: BoardKey, scores: Sequence[int], *, version: int | None = None) -> dict[int, Around]:
    """Where these scores stand on a board. Two statements, or one and a round trip to Redis.

    Who knows the board's version saves one statement.
    """
    if not scores:
        return {}
    if version is None:
        version = BoardState.objects.filter(**key.filters).values_list("version", flat=True).first()
    if version is None:
        return dict.fromkeys(scores, Around(0, 0))
    return _by_index(key, version, scores) or _by_counts(key, scores)


def _by_index(key: BoardKey, version: int, scores: Sequence[int]) -> dict[int, Around] | None:
    try:
        with client(settings.REDIS_URL).pipeline(transaction=True) as pipe:
            pipe.get(key.version_name)
            for score in scores:
                pipe.zcount(key.name, f"({score}", "+inf")
                pipe.zcount(key.name, score, score)
            known, *counts = pipe.execute()
    except redis.RedisError as error:
        logger.warning("ranks come from PostgreSQL, Redis is away: %s", error)
        return None
    if known is None or int(known) != version:
        _ask_for_index(key)
        return None
    return {
        score: Around(int(above), int(equal))
        for score, above, equal in zip(scores, counts[::2], counts[1::2], strict=True)
    }


_COUNTS = """
SELECT s.score,
  (SELECT COALESCE(sum(entries), 0) FROM leagues_count
   WHERE game = %(game)s AND generation = %(generation)s AND period = %(period)s AND board = %(board)s
     AND bucket > s.bucket)
  + (SELECT count(*) FROM leagues_entry
     WHERE game = %(game)s AND generation = %(generation)s AND period = %(period)s AND board = %(board)s
       AND score * -1 < s.score * -1 AND score * -1 > (s.bucket + 1) * %(width)s * -1),
  (SELECT CASE WHEN %(width)s = 1 THEN (SELECT COALESCE(sum(entries), 0) FROM leagues_count
     WHERE game = %(game)s AND generation = %(generation)s AND period = %(period)s AND board = %(board)s
       AND bucket = s.bucket)
   ELSE (SELECT count(*) FROM leagues_entry
     WHERE game = %(game)s AND generation = %(generation)s AND period = %(period)s AND board = %(board)s
       AND score * -1 = s.score * -1) END)
FROM unnest(%(scores)s::bigint[], %(buckets)s::bigint[]) AS s (score, bucket)
"""


def _by_counts(key: BoardKey, scores: Sequence[int]) -> dict[int, Around]:
    width = BOARDS[key.board].width
    with connection.cursor() as cursor:
        cursor.execute(
            _COUNTS, {**key.filters, "scores": list(scores), "buckets": [s // width for s in scores], "width": width}
        )
        return {score: Around(int(above), int(equal)) for score, above, equal in cursor.fetchall()}


def update(game: str, generation: int, changes: Mapping[tuple[str, str], Change]) -> None:
    """Update the indexes that were current before the changes. Without Redis nothing happens."""
    try:
        script = client(settings.REDIS_URL).register_script(_UPDATE)
        for (period, board), change in changes.items():
            key = BoardKey(game, generation, period, board)
            scores = [part for player, score in change.scores.items() for part in (score, str(player))]
            values = [change.before, change.after, len(change.scores), *scores, *map(str, change.gone)]
            script(keys=[key.name, key.version_name], args=values)
    except redis.RedisError as error:
        logger.warning("the index of ranks of %s will be built again, Redis is away: %s", game, error)


def build(key: BoardKey) -> int:
    """Build a board's index from its entries; return how many there are.

    If the board changes during the build, the index is not used and is built again on the next read. Raises RedisError.
    """
    state = BoardState.objects.filter(**key.filters).first()
    if state is None:
        return 0
    # A set of a million players is not moved in the quarter of a second that a reader waits for Redis.
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=30) as there:
        fresh, done = f"{key.name}:new:{state.version}", 0
        there.delete(fresh)
        for batch in _batches(key):
            there.zadd(fresh, batch)
            done += len(batch)
        with there.pipeline(transaction=True) as pipe:
            pipe.unlink(key.name)
            if done:
                pipe.rename(fresh, key.name)
                pipe.expire(key.name, KEPT)
            pipe.set(key.version_name, state.version, ex=KEPT)
            pipe.execute()
        if not BoardState.objects.filter(**key.filters, version=state.version).exists():
            there.delete(key.version_name)
    return done


def _batches(key: BoardKey) -> Iterator[dict[str, int]]:
    rows = Entry.objects.filter(**key.filters).values_list("player", "score").iterator(chunk_size=BATCH)
    batch: dict[str, int] = {}
    for player, score in rows:
        batch[str(player)] = score
        if len(batch) == BATCH:
            yield batch
            batch = {}
    if batch:
        yield batch


def _ask_for_index(key: BoardKey) -> None:
    """Have a worker build the index, one request at a time."""
    try:
        if client(settings.REDIS_URL).set(f"{key.name}:asked", 1, nx=True, ex=60):
            current_app.send_task("leagues.build_index", [key.game, key.generation, key.period, key.board], retry=False)
    except (redis.RedisError, OperationalError) as error:
        logger.warning("no index of ranks for %s: %s", key.game, error)
