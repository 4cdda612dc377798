"""Reading boards: their pages, the ranks on them, and what queries name: cursors and periods (RA5)."""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.db.models import Sum

from core.accounts.models import Player
from core.refusals import Invalid
from core.rows import as_of_one_moment, fetch_all
from tournaments.leaderboards.boards import BOARDS
from tournaments.leaderboards.models import Count, Entry, League, PlayerTally
from tournaments.leaderboards.store import read_tallies
from tournaments.leaderboards.tally import ALL
from tournaments.rules.exact import two_decimals

Position = tuple[int, int, int, UUID]
"""The position of an entry in the order of its board: score, games, number of the result, player."""


@dataclass(frozen=True, slots=True)
class BoardKey:
    game: str
    period: str
    board: str

    @property
    def filters(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Around:
    above: int
    equal: int

    @property
    def rank(self) -> int:
        return self.above + 1


MOST_NEARLY = 5


def nearly_on(key: BoardKey) -> list[tuple[Player, str]]:
    """Who is next to come onto a board, with what is missing: of those with half of its games. Three queries.

    It reads the tallies of a period, so it is for boards that are short.
    """
    board = BOARDS[key.board]
    if board.from_games == 1:
        return []
    rows = PlayerTally.objects.filter(game=key.game, period=key.period, games__gte=-(-board.from_games // 2))
    rows = rows.exclude(player__in=Entry.objects.filter(**key.filters).values("player"))
    ids = list(rows.order_by("-games", "-last_at").values_list("player", flat=True)[: 4 * MOST_NEARLY])
    tallies = read_tallies(key.game, [(key.period, pk) for pk in ids])
    shown = Player.objects.filter(is_active=True).exclude(preferences__contains={"unlisted": True}).in_bulk(ids)
    missing = [(shown[pk], board.why_not(tallies[key.period, pk])) for pk in ids if pk in shown]
    return [(player, why) for player, why in missing if why is not None][:MOST_NEARLY]


_COUNTS = """
SELECT s.score,
  (SELECT COALESCE(sum(entries), 0) FROM leaderboards_count
   WHERE game = %(game)s AND period = %(period)s AND board = %(board)s
     AND bucket > s.bucket)
  + (SELECT count(*) FROM leaderboards_entry
     WHERE game = %(game)s AND period = %(period)s AND board = %(board)s
       AND score * -1 < s.score * -1 AND score * -1 > (s.bucket + 1) * %(width)s * -1),
  (SELECT CASE WHEN %(width)s = 1 THEN (SELECT COALESCE(sum(entries), 0) FROM leaderboards_count
     WHERE game = %(game)s AND period = %(period)s AND board = %(board)s
       AND bucket = s.bucket)
   ELSE (SELECT count(*) FROM leaderboards_entry
     WHERE game = %(game)s AND period = %(period)s AND board = %(board)s
       AND score * -1 = s.score * -1) END)
FROM unnest(%(scores)s::bigint[], %(buckets)s::bigint[]) AS s (score, bucket)
"""


def around(key: BoardKey, scores: Sequence[int]) -> dict[int, Around]:
    if not scores:
        return {}
    width = BOARDS[key.board].width
    values = {**key.filters, "scores": list(scores), "buckets": [s // width for s in scores], "width": width}
    return {score: Around(int(above), int(equal)) for score, above, equal in fetch_all(_COUNTS, values)}


@dataclass(frozen=True, slots=True)
class Row:
    rank: int
    player: Player
    value: Fraction | int
    deviation: int
    games: int
    lost_on_time: int
    percentile: Decimal

    @property
    def decimal(self) -> str:
        return decimal_text(self.value)


def decimal_text(value: Fraction | int) -> str:
    return str(value) if isinstance(value, int) else str(two_decimals(value))


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A part of a board.

    `as_of` and `counted` say which results it counts; `next` and `previous` are the cursors of the pages beside it.
    """

    rows: Sequence[Row]
    total: int
    as_of: datetime | None
    counted: int
    recomputing: bool
    next: str | None
    previous: str | None


@as_of_one_moment()
def board_page(
    game: str, board: str, period: str, *, limit: int, cursor: str | None = None, around: UUID | None = None
) -> BoardPage:
    """Return a page of a board, as of one moment: from its top, from a cursor, or with a player in its middle.

    A page around a player who has no rank is empty. Raises Invalid (bad_cursor).
    """
    back, here = _read(cursor)
    league = League.objects.filter(pk=game).first()
    if league is None:
        return BoardPage((), 0, None, 0, False, None, None)
    key = BoardKey(game, period, board)
    total = Count.objects.filter(**key.filters).aggregate(total=Sum("entries", default=0))["total"]
    if around is not None:
        own = Entry.objects.filter(**key.filters, player=around)
        position = own.values_list("score", "games", "reached", "player").first()
        entries, more_before, more_after = _around(key, position, limit) if position else ([], False, False)
    elif back and here is not None:
        entries, more_before = _before(key, here, limit)
        more_after = True
    else:
        entries, more_after = _after(key, here, limit)
        more_before = here is not None
    return BoardPage(
        rows=_rows(key, entries, total),
        total=total,
        as_of=league.as_of,
        counted=league.counted,
        recomputing=league.recompute is not None,
        next=_cursor(entries[-1], back=False) if entries and more_after else None,
        previous=_cursor(entries[0], back=True) if entries and more_before else None,
    )


_ORDER = "score * -1, games * -1, reached, player"
_HERE = f"({_ORDER})"
_FROM = """
SELECT score, games, reached, player FROM leaderboards_entry
WHERE game = %(game)s AND period = %(period)s AND board = %(board)s
"""
_POSITION = "(%(score)s * -1, %(games)s * -1, %(reached)s, %(player)s)"
_TOP = f"{_FROM} ORDER BY {_ORDER} LIMIT %(limit)s"
_BEHIND = f"{_FROM} AND {_HERE} > {_POSITION} ORDER BY {_ORDER} LIMIT %(limit)s"
_AHEAD = (
    f"{_FROM} AND {_HERE} < {_POSITION}"
    " ORDER BY score * -1 DESC, games * -1 DESC, reached DESC, player DESC LIMIT %(limit)s"
)


def _after(key: BoardKey, position: Position | None, limit: int) -> tuple[list[Position], bool]:
    found = _positions(_TOP if position is None else _BEHIND, key, position, limit + 1)
    return found[:limit], len(found) > limit


def _before(key: BoardKey, position: Position, limit: int) -> tuple[list[Position], bool]:
    found = _positions(_AHEAD, key, position, limit + 1)
    return found[:limit][::-1], len(found) > limit


def _around(key: BoardKey, own: Position, limit: int) -> tuple[list[Position], bool, bool]:
    """A page with a position in its middle, and whether there are more before and after it."""
    above, more_above = _before(key, own, (limit - 1) // 2)
    below, more_below = _after(key, own, limit - 1 - len(above))
    return [*above, own, *below], more_above, more_below


def _positions(sql: str, key: BoardKey, position: Position | None, limit: int) -> list[Position]:
    named: dict[str, Any] = dict(zip(("score", "games", "reached", "player"), position or (), strict=False))
    return [(row[0], row[1], row[2], row[3]) for row in fetch_all(sql, {**key.filters, **named, "limit": limit})]


def _rows(key: BoardKey, entries: Sequence[Position], total: int) -> list[Row]:
    board = BOARDS[key.board]
    players = Player.objects.in_bulk([player for *_, player in entries])
    tallies = read_tallies(key.game, [(key.period, player) for *_, player in entries])
    where = _where(key, [score for score, *_ in entries])
    return [
        Row(
            rank=where[score].rank,
            player=players[player],
            value=board.value(tally),
            deviation=tally.rating.deviation,
            games=tally.games,
            lost_on_time=tally.lost_on_time,
            percentile=percentile(where[score], total),
        )
        for score, *_, player in entries
        # The account was deleted a moment ago.
        if player in players and (tally := tallies.get((key.period, player))) is not None
    ]


def _where(key: BoardKey, scores: Sequence[int]) -> dict[int, Around]:
    """The ranks of a page. Only its ends are looked up; those in between follow from the page."""
    different = list(dict.fromkeys(scores))
    found = around(key, list(dict.fromkeys((*different[:2], *different[-1:]))))
    for higher, score in pairwise(different[1:-1]):
        above = found[higher]
        found[score] = Around(above.above + above.equal, scores.count(score))
    return found


def percentile(where: Around, total: int) -> Decimal:
    """The percentage of ranked players who stand strictly below, counting ties half (RA4); one decimal."""
    below = total - where.above - where.equal
    share = Decimal(2 * below + where.equal) * 50 / Decimal(max(total, 1))
    return share.quantize(Decimal("0.1"), ROUND_HALF_EVEN)


def _cursor(position: Position, *, back: bool) -> str:
    score, games, reached, player = position
    text = json.dumps([int(back), score, games, reached, str(player)], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read(text: str | None) -> tuple[bool, Position | None]:
    """The direction and the position (None: the top)."""
    if text is None:
        return False, None
    try:
        raw = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        back, score, games, reached, player = json.loads(raw)
        if not all(type(number) is int and abs(number) < 2**53 for number in (score, games, reached)):
            raise ValueError(text)
        return bool(back), (score, games, reached, UUID(player))
    except (ValueError, TypeError, AttributeError, RecursionError):
        detail = "This cursor is invalid. Follow `next` and `previous` as they are given."
        raise Invalid("bad_cursor", detail) from None


# `all`, a year such as `2026`, or a month such as `2026-11`, in UTC.
_PERIOD = re.compile(r"[1-9][0-9]{3}(-(0[1-9]|1[0-2]))?", re.ASCII)


def is_period(text: str) -> bool:
    return text == ALL or _PERIOD.fullmatch(text) is not None
