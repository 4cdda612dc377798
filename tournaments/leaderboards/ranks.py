"""Ranks: sums of a few counts of scores in PostgreSQL, which cost the same however many players there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from tournaments.leaderboards.boards import BOARDS


@dataclass(frozen=True, slots=True)
class BoardKey:
    """One board: of a game (in one generation), for a period."""

    game: str
    generation: int
    period: str
    board: str

    @property
    def filters(self) -> dict[str, Any]:
        """For its rows."""
        return {"game": self.game, "generation": self.generation, "period": self.period, "board": self.board}


@dataclass(frozen=True, slots=True)
class Around:
    """The numbers of a board's entries with a higher score, and with the same."""

    above: int
    equal: int

    @property
    def rank(self) -> int:
        """The rank of that score: 1, 2, 2, 4."""
        return self.above + 1


_COUNTS = """
SELECT s.score,
  (SELECT COALESCE(sum(entries), 0) FROM leaderboards_count
   WHERE game = %(game)s AND generation = %(generation)s AND period = %(period)s AND board = %(board)s
     AND bucket > s.bucket)
  + (SELECT count(*) FROM leaderboards_entry
     WHERE game = %(game)s AND generation = %(generation)s AND period = %(period)s AND board = %(board)s
       AND score * -1 < s.score * -1 AND score * -1 > (s.bucket + 1) * %(width)s * -1),
  (SELECT CASE WHEN %(width)s = 1 THEN (SELECT COALESCE(sum(entries), 0) FROM leaderboards_count
     WHERE game = %(game)s AND generation = %(generation)s AND period = %(period)s AND board = %(board)s
       AND bucket = s.bucket)
   ELSE (SELECT count(*) FROM leaderboards_entry
     WHERE game = %(game)s AND generation = %(generation)s AND period = %(period)s AND board = %(board)s
       AND score * -1 = s.score * -1) END)
FROM unnest(%(scores)s::bigint[], %(buckets)s::bigint[]) AS s (score, bucket)
"""


def around(key: BoardKey, scores: Sequence[int]) -> dict[int, Around]:
    """Return where these scores stand on a board. One statement."""
    if not scores:
        return {}
    width = BOARDS[key.board].width
    with connection.cursor() as cursor:
        cursor.execute(
            _COUNTS, {**key.filters, "scores": list(scores), "buckets": [s // width for s in scores], "width": width}
        )
        return {score: Around(int(above), int(equal)) for score, above, equal in cursor.fetchall()}
